#include "lua/dialect/numbers.h"

#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>

namespace lockstep::lua {
namespace {

// Integral doubles below this have at most 14 digits, so %.14g and %d agree.
constexpr lua_Number plain_limit = 1e14;

bool is_plain(lua_Number number) {
  return number > -plain_limit && number < plain_limit &&
         static_cast<lua_Number>(static_cast<std::int64_t>(number)) == number &&
         !(number == 0 && std::signbit(number));
}

std::string_view text_of(lua_Number number, int digits, NumberText& room) {
  char* const begin = room.data();
  if (is_plain(number))
    return {begin, std::to_chars(begin, begin + room.size(), static_cast<long long>(number)).ptr};
  return {begin, static_cast<std::size_t>(std::snprintf(begin, room.size(), "%.*g", digits, number))};
}

}  // namespace

std::string_view argument_text(lua_Number number, NumberText& room) { return text_of(number, 17, room); }

std::string_view lua51_text(lua_Number number, NumberText& room) { return text_of(number, 14, room); }

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
