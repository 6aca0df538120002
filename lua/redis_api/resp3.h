// resp3.h: what a script receives for a reply after redis.setresp(3).
//
// A Host answers in RESP 2. What RESP 3 makes of an answer (a map of a flat list, a double of a text) depends
// on the command alone, so it is decided here, for the commands that differ and are allowed in scripts.
// Measured on redis-server 7.0.15, command by command; XINFO, MEMORY STATS and COMMAND DOCS are not among
// them.
#pragma once

#include <span>
#include <string_view>

#include "lua/dialect/compat.h"
#include "lua/engine/reply.h"

namespace lockstep::lua {

/// Pushes what a script receives for the reply to these words.
void push_resp3(lua_State* L, std::span<const std::string_view> words, const Reply& reply);

}  // namespace lockstep::lua
