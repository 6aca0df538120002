// libraries.h: cjson, cmsgpack, struct and bit, which Redis opens for every script.
//
// `bit` is Debian's lua-bitop, linked as it is. The others are written here, because
// - Debian's lua-cjson 2.1.0 for 5.4 encodes a table in the order of lua_next, which a seed of each process
//   decides; decodes numbers as floats, so that 3 .. '' is "3.0"; and keeps its texts in malloc's memory,
//   outside of every limit. The package links with the C++ build well; these three were seen with it.
// - cmsgpack 0.4.0 and Redis's struct 0.2 are in no package.
//
// Keys are written in the one order that scripts see (order.h). Numbers come out as 5.1 would print them
// (numbers.h). Shared tables are read through (sandbox.h), and metatables are not asked.
//
// Sources: a redis-server 7.0.15 that was asked, and its deps/lua/src (lua_cjson.c, lua_cmsgpack.c,
// lua_struct.c).
#pragma once

#include "lua/dialect/compat.h"

namespace lockstep::lua {

// Each sets the global of its name.
void open_cjson(lua_State* L);
void open_cmsgpack(lua_State* L);
void open_struct(lua_State* L);
void open_bit(lua_State* L);

}  // namespace lockstep::lua
