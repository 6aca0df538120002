// numbers.h: how Lua's numbers are read and written as Redis's own Lua 5.1 does, in one place.
//
// Redis's Lua knows only doubles. 5.4 also has integers, which differ where a number becomes text: the double
// 2 is "2.0" to 5.4 and "2" to 5.1. So whatever the engine hands to a script is `whole`: an integer where
// both libraries write the same digits, and otherwise a double, which 5.4 writes with the same %.14g as 5.1.
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

/// Pushes an integer that a server answers.
void push_integer(lua_State* L, std::int64_t number);

/// Pushes the number in the form that 5.4 writes as 5.1 does. Exact below 10^14; above, a double as in Redis.
void push_whole(lua_State* L, lua_Number number);

/// What a cast from double to long long does on x86-64: towards zero, and the lowest number where there is
/// none. The second is the cast to unsigned long long.
std::int64_t cut_number(lua_Number number);
std::uint64_t cut_unsigned(lua_Number number);

/// The number that 5.1 reads from a text, which may have spaces around it and be hexadecimal, "inf" or "nan".
/// Whatever follows a NUL does not count.
std::optional<lua_Number> read_number(const char* text);

}  // namespace lockstep::lua
