// wording.h: error messages of Lua 5.4 in the words of 5.1, which clients of Redis see.
#pragma once

#include <string>
#include <string_view>

#include "lua/dialect/compat.h"

namespace lockstep::lua {

/// "attempt to index a nil value (local 'x')" becomes "attempt to index local 'x' (a nil value)", and so on.
/// Texts that do not have such a form stay as they are. Does nothing where the library is 5.1.
std::string runtime_wording(std::string_view text);

/// "near <eof>" becomes "near '<eof>'", "'<\27>'" becomes "'char(27)'".
std::string compile_wording(std::string_view text);

/// Applies runtime_wording to the error on top of the stack if it is a string.
void restate_error(lua_State* L);

}  // namespace lockstep::lua
