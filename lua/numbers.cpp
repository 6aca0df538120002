#include "lua/numbers.h"

#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>

namespace lockstep::lua {
namespace {

// Integral doubles below this have at most 14 digits, so %.14g and %d agree.
constexpr lua_Number plain_limit = 1e14;

bool is_plain(lua_Number number) {
  return number > -plain_limit && number < plain_limit && std::floor(number) == number &&
         !(number == 0 && std::signbit(number));
}

NumberText text_of(lua_Number number, int digits) {
  NumberText text;
  char* const begin = text.bytes.data();
  if (is_plain(number)) {
    text.size = static_cast<std::size_t>(
        std::to_chars(begin, begin + text.bytes.size(), static_cast<long long>(number)).ptr - begin);
  } else {
    text.size = static_cast<std::size_t>(std::snprintf(begin, text.bytes.size(), "%.*g", digits, number));
  }
  return text;
}

}  // namespace

NumberText argument_text(lua_Number number) { return text_of(number, 17); }

NumberText lua51_text(lua_Number number) { return text_of(number, 14); }

void push_whole(lua_State* L, lua_Number number) {
  if (is_plain(number)) {
    lua_pushinteger(L, static_cast<lua_Integer>(number));
  } else {
    lua_pushnumber(L, number);
  }
}

std::int64_t cut_number(lua_Number number) {
  constexpr lua_Number limit = 9223372036854775808.0;
  if (number >= -limit && number < limit) return static_cast<std::int64_t>(number);
  return std::numeric_limits<std::int64_t>::min();
}

std::uint64_t cut_unsigned(lua_Number number) {
  constexpr lua_Number half = 9223372036854775808.0;
  if (!(number >= half)) return static_cast<std::uint64_t>(cut_number(number));
  return static_cast<std::uint64_t>(cut_number(number - half)) ^ std::uint64_t{1} << 63;
}

std::optional<lua_Number> read_number(const char* text) {
  char* end = nullptr;
  const lua_Number number = std::strtod(text, &end);
  if (end == text) return std::nullopt;
  while (std::isspace(static_cast<unsigned char>(*end)) != 0) ++end;
  if (*end != '\0') return std::nullopt;
  return number;
}

}  // namespace lockstep::lua
