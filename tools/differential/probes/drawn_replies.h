// drawn_replies.h: what can be compared of replies that Redis draws by chance or gives in the order of a hash
// table: SPOP, SRANDMEMBER, ZRANDMEMBER, SSCAN, ZSCAN, SMEMBERS, SINTER, SUNION and SDIFF.
//
// What a real server drew must be something that it could have drawn from the value that the model holds.
// After SPOP the model gives up its own choice and removes what the server removed, so that both go on alike.
#pragma once

#include <functional>
#include <string>

#include "model/redis/testing/test_client.h"

namespace lockstep::redis::testing {

/// Whether the command is one of these.
bool is_drawn_or_unordered(const Command& command);

struct DrawnReply {
  std::string difference;  // what does not fit; empty if nothing
  Effects effects;         // the model's, with the members that the server drew
};

/// Runs the command on the model and compares with what the server replied; `ask` asks the server further.
DrawnReply compare_drawn(TestClient& model, const Command& command, const Reply& real,
                         const std::function<Reply(const Command&)>& ask);

}  // namespace lockstep::redis::testing
