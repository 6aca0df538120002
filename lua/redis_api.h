// redis_api.h: the table `redis` that scripts see (Redis 7.0.15 script_lua.c).
#pragma once

#include "lua/compat.h"

namespace lockstep::lua {

/// Sets the global `redis`.
void open_redis(lua_State* L);

}  // namespace lockstep::lua
