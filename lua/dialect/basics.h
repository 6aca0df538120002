// basics.h: the functions of Lua that are replaced whichever library is embedded, because Redis replaced them
// too or because Lua's own would show an address, a seed, the collector, or bytecode.
#pragma once

#include "lua/dialect/compat.h"

namespace lockstep::lua {

/// Replaces them in the open globals and libraries.
void install_basics(lua_State* L);

/// Pushes what tostring writes of the value at `index`. Tables, functions and coroutines are numbered as they
/// are printed: "table: 0x00000001".
void push_printed(lua_State* L, int index);

/// Forgets the numbers, at the end of an eval.
void forget_names(lua_State* L);

}  // namespace lockstep::lua
