// numbers.h: how Lua's numbers are read and written as Redis's own Lua 5.1 does, in one place.
//
// Redis's Lua knows only doubles. 5.4 also has integers, which wrap and have no nan. So whatever the engine
// hands to a script is a double, and so is every numeral (grammar.h); keys of tables and lengths stay
// integers. 5.4 itself writes the double 2 as "2.0", so it is never asked to write a number.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "lua/dialect/compat.h"

namespace lockstep::lua {

/// Room for any number as text.
using NumberText = std::array<char, 32>;

/// As an argument of redis.call: 17 significant digits (script_lua.c, "%.17g"). The text stands in `room`.
std::string_view argument_text(lua_Number number, NumberText& room);

/// As Lua 5.1 itself writes it, in tostring and `..`: 14 significant digits.
std::string_view lua51_text(lua_Number number, NumberText& room);

/// What a cast from double to long long does on x86-64: towards zero, and the lowest number where there is
/// none. The second is the cast to unsigned long long.
std::int64_t cut_number(lua_Number number);
std::uint64_t cut_unsigned(lua_Number number);

/// The number that 5.1 reads from a text, which may have spaces around it and be hexadecimal, "inf" or "nan".
/// Whatever follows a NUL does not count.
std::optional<lua_Number> read_number(const char* text);

}  // namespace lockstep::lua
