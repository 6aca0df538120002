// wire.h: what travels between clients and servers.
//
// A command is its words; a reply is RESP2. Both sides of the model speak only this, so model/redis and
// model/redisson never include each other.
#pragma once

#include <string>
#include <vector>

#include "lua/engine/reply.h"
#include "sim/base/id.h"

namespace lockstep::model {

using lua::Reply;
using Command = std::vector<std::string>;

/// What a script called, from which of its lines, and whether such a command may write.
struct ScriptCall {
  Command words;
  int line = 0;
  bool writes = false;
};

/// One client connection as a server sees it; the smallest number that is free on that server.
using ConnectionId = sim::Id<struct ConnectionTag>;

}  // namespace lockstep::model
