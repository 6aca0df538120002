// dialect.h: the manners of Lua 5.1 on Lua 5.4.
//
// Redis embeds 5.1, and lock scripts rely on what 5.4 changed: math.max with a numeric string, unpack,
// numbers without a ".0". What a library function can bring back is brought back here, and what the text of a
// script can, in grammar.h. The rest lies in the language: see dialect_test.cpp, whose tests named
// "…StaysAs54DoesIt" state each remaining difference. The 5.1 build needs none of this and serves as the
// oracle.
#pragma once

#include "lua/dialect/compat.h"

namespace lockstep::lua {

/// Changes the open globals and libraries. Nothing in the 5.1 build.
void install_dialect(lua_State* L);

// Its parts, one for each library.
void install_base_dialect(lua_State* L);
void install_string_dialect(lua_State* L);
void install_pattern_dialect(lua_State* L);  // of the table on top of the stack, which is `string`
void install_table_dialect(lua_State* L);
void install_math_dialect(lua_State* L);

/// Turns the argument at `index` into what 5.1 would take for an integer: cut towards zero, and the lowest
/// one where there is none. Other values stay.
void fit_integer(lua_State* L, int index);

/// The same where 5.1 goes on with an int of C: the lower half.
void fit_int(lua_State* L, int index);

/// Turns a number at `index` that 5.4 would write differently into 5.1's text. Other values stay.
void fit_text(lua_State* L, int index);

}  // namespace lockstep::lua
