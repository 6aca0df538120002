// convert.h: values between Lua and Redis, each way in one place.
//
// Source: Redis 7.0.15 script_lua.c (luaReplyToRedisReply, redisProtocolToLuaType); the tables of design page
// "Redis facts", sections 1.1 to 1.3. Tables are read raw: metatables of the script's values are never asked.
#pragma once

#include "lua/dialect/compat.h"
#include "lua/engine/reply.h"
#include "lua/engine/run.h"

namespace lockstep::lua {

/// Tables nested deeper than this make a reply "ERR reached lua stack limit", as Redis says of a table inside
/// itself.
inline constexpr int reply_depth_max = 1000;

/// Whether the error table at `index` is what a command answered, and not one of the script's own.
bool is_passed_on(lua_State* L, int index);

/// What a client receives for the Lua value at `index`; the host is told of the errors in it. Numbers are cut
/// towards zero; a table with a string `err` or `ok` is an error or a status; other tables are arrays up to
/// their first nil.
Reply to_reply(lua_State* L, int index, Resp resp);

/// Pushes what a script receives for a reply. Integers become whole numbers; a null becomes false (nil under
/// RESP 3); an Error becomes a table with `err`.
void push_reply(lua_State* L, const Reply& reply, Resp resp);

/// Pushes the table that stands for an error inside scripts.
void push_error(lua_State* L, std::string_view text);

/// Error and status lines are one line: CR and LF become spaces.
std::string one_line(std::string_view text);

}  // namespace lockstep::lua
