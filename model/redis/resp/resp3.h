// resp3.h: what a client that said HELLO 3 is answered, and sent as messages.
//
// Commands answer in RESP2; what they answer takes its RESP3 form on the way to the client. For those that
// scripts may call, too, the form stands in lua/redis_api/resp3.h; for those that tell of the server itself
// it stands here. Measured on redis-server 7.0.15.
#pragma once

#include "model/redis/command.h"
#include "model/redis/node.h"

namespace lockstep::redis {

/// Whether the connection chose RESP3.
bool speaks_resp3(const Node& node, ConnectionId connection);

/// The reply to these words, by the command of this name.
Reply in_resp3(std::string_view name, Words words, Reply reply);

/// Messages from the one at `first` on take the form that those have chosen to whom they go.
void translate(const Node& node, std::vector<Push>& messages, std::size_t first);

}  // namespace lockstep::redis
