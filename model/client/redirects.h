// redirects.h: a node of a cluster does not serve the slot of a request, and says who does.
//
// The client sends the request there at once, and that is no attempt (Redisson: RedisExecutor,
// checkAttemptPromise, RedisMovedException). It keeps its own view of who is master until it learns better.
#pragma once

#include <optional>

#include "model/setup/setup.h"
#include "model/wire.h"

namespace lockstep::model {

/// Where "MOVED 866 R1:6379", or "ASK 866 R1:6379", sends a client; nothing for any other reply.
std::optional<NodeId> redirected_to(const Reply& reply, const Setup& setup);
/// It is an ASK: the request goes there behind an ASKING, and only this one.
bool asks_there(const Reply& reply);

}  // namespace lockstep::model
