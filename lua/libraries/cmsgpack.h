// cmsgpack.h: the parts of the library cmsgpack 0.4.0 (libraries.h).
#pragma once

#include "lua/dialect/compat.h"

namespace lockstep::lua {

/// cmsgpack.pack(value, …): the packed values, one after the other. Tables in tables beyond the sixteenth
/// level, and values of other kinds, are packed as nil.
int msgpack_pack(lua_State* L);

/// cmsgpack.unpack(text): all values. unpack_one(text [, offset]) and unpack_limit(text, limit [, offset]):
/// the offset behind what was read, or -1 at the end, and then the values.
int msgpack_unpack(lua_State* L);
int msgpack_unpack_one(lua_State* L);
int msgpack_unpack_limit(lua_State* L);

}  // namespace lockstep::lua
