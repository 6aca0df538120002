// pattern_steps.h: how many steps a search for a pattern takes.
//
// One call of string.find may try more ways than anybody can wait for: ('a-a-a-b') over many letters a. No
// hook interrupts it. So where a pattern and a text could lead to that, the ways are tried here first, with a
// count and without an answer: the eval is stopped if it has no steps left (limits.h). What is answered is
// Lua's own affair, and so are patterns that are malformed or too complex.
#pragma once

#include "lua/dialect/compat.h"

namespace lockstep::lua {

/// Text at 1, pattern at 2, and at 3 where to begin, if that is said.
void take_steps_of_pattern(lua_State* L);

}  // namespace lockstep::lua
