// redis_api.h: the table `redis` that scripts see (Redis 7.0.15 script_lua.c).
#pragma once

#include "lua/dialect/compat.h"

namespace lockstep::lua {

/// Sets the globals `redis` and `__redis__err__handler`.
void open_redis(lua_State* L);

}  // namespace lockstep::lua
