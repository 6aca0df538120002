// The string library of 5.1: numbers are cut to integers or written without ".0", and arithmetic on numeric
// strings.
#include "lua/dialect/dialect.h"

#if LUA_VERSION_NUM >= 504

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>

#include "lua/dialect/numbers.h"
#include "lua/dialect/pattern_steps.h"
#include "lua/engine/output.h"

namespace lockstep::lua {
namespace {

struct Fitted {
  const char* name;
  const char*
      arguments;  // t: text, i: integer, c: one of C; ! no more arguments than these
};

constexpr Fitted fitted_functions[] = {
    {"len", "t"}, {"lower", "t"}, {"rep", "tc!"}, {"reverse", "t"}, {"sub", "tii"}, {"upper", "t"},
};

// Upvalue 1: a function of 5.4; upvalue 2: its `arguments`. The function runs in this very frame, so that its
// errors name the script's line and the name that the script called.
int fit_arguments(lua_State* L) {
  const char* kind = static_cast<const char*>(lua_touserdata(L, lua_upvalueindex(2)));
  const int count = lua_gettop(L);
  for (int i = 1; i <= count && *kind != '\0'; ++i) {
    if (*kind == '!') {
      lua_settop(L, i - 1);
      break;
    }
    if (*kind == 'i') fit_integer(L, i);
    if (*kind == 'c') fit_int(L, i);
    if (*kind == 't') fit_text(L, i);
    ++kind;
  }
  return lua_tocfunction(L, lua_upvalueindex(1))(L);
}

// 5.1 looks no further than the end.
void fit_start(lua_State* L, int index) {
  if (lua_type(L, index) != LUA_TNUMBER) return;
  const auto most = static_cast<lua_Integer>(raw_length(L, 1)) + 1;
  if (lua_tointeger(L, index) <= most) return;
  lua_pushinteger(L, most);
  lua_replace(L, index);
}

void fit_search(lua_State* L) {
  fit_text(L, 1);
  fit_text(L, 2);
  luaL_checkstring(L, 1);
  fit_integer(L, 3);
  fit_start(L, 3);
}

int find(lua_State* L) {  // upvalue 1: 5.4's
  fit_search(L);
  const bool plain = lua_toboolean(L, 4) != 0;
  if (!plain) take_steps_of_pattern(L);
  return lua_tocfunction(L, lua_upvalueindex(1))(L);
}

int match(lua_State* L) {  // upvalue 1: 5.4's
  fit_search(L);
  take_steps_of_pattern(L);
  return lua_tocfunction(L, lua_upvalueindex(1))(L);
}

// 5.1 has a limit for the values of one call.
int byte(lua_State* L) {  // upvalue 1: 5.4's
  fit_text(L, 1);
  luaL_checkstring(L, 1);
  fit_integer(L, 2);
  fit_integer(L, 3);
  const auto size = static_cast<lua_Integer>(raw_length(L, 1));
  const auto place = [&](lua_Integer at) { return at < 0 ? std::max<lua_Integer>(at + size + 1, 0) : at; };
  const lua_Integer first = place(luaL_optinteger(L, 2, 1));
  const lua_Integer last = std::min(place(luaL_optinteger(L, 3, first)), size);
  const lua_Integer count =
      std::min<lua_Integer>(last - std::max<lua_Integer>(first, 1) + 1, c_stack_max + 1);
  if (count > 0 && !has_room(L, static_cast<int>(count)))
    return luaL_error(L, "stack overflow (string slice too long)");
  return lua_tocfunction(L, lua_upvalueindex(1))(L);
}

int character(lua_State* L) {
  const int count = lua_gettop(L);
  std::string text;
  for (int i = 1; i <= count; ++i) {
    fit_integer(L, i);
    const lua_Integer code = luaL_checkinteger(L, i);
    luaL_argcheck(L, code >= 0 && code <= 255, i, "invalid value");
    text += static_cast<char>(code);
  }
  push_text(L, text);
  return 1;
}

// As %q writes it in 5.1.
std::string quoted(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    switch (c) {
      case '"': case '\\': case '\n': quoted += {'\\', c}; break;
      case '\r': quoted += "\\r"; break;
      case '\0': quoted += "\\000"; break;
      default: quoted += c;
    }
  }
  return quoted + '"';
}

// One conversion of a format.
struct Conversion {
  std::string flags;
  std::string size;  // width and precision
  char letter{};
};

// Reads what follows a '%' at `at` - 1, in the limits of 5.1.
Conversion read_conversion(lua_State* L, std::string_view format, std::size_t& at) {
  const auto next = [&] { return at < format.size() ? format[at] : '\0'; };
  const auto take_digits = [&](std::string& to) {
    for (int i = 0; i < 2 && next() >= '0' && next() <= '9'; ++i) to += format[at++];
  };
  Conversion conversion;
  while (next() != '\0' && std::string_view("-+ #0").find(next()) != std::string_view::npos) {
    conversion.flags += format[at++];
  }
  if (conversion.flags.size() >= 6) luaL_error(L, "invalid format (repeated flags)");
  take_digits(conversion.size);
  if (next() == '.') {
    conversion.size += format[at++];
    take_digits(conversion.size);
  }
  if (next() >= '0' && next() <= '9') luaL_error(L, "invalid format (width or precision too long)");
  conversion.letter = next();
  ++at;
  return conversion;
}

// Keeps the flags that 5.4 allows; the others say nothing for this letter.
void fit_flags(Conversion& conversion) {
  const char letter = conversion.letter;
  const std::string_view allowed = letter == 's' || letter == 'c'                    ? "-"
                                   : letter == 'd' || letter == 'i'                  ? "-+0 "
                                   : letter == 'x' || letter == 'X' || letter == 'o' ? "-#0"
                                                                                     : "-+ #0";
  std::erase_if(conversion.flags, [&](char flag) { return allowed.find(flag) == allowed.npos; });
}

// A character in a field of some width. What C prints ends at its first NUL, and 5.1 takes no more.
std::string padded(int character, const Conversion& conversion) {
  const std::size_t width = std::strtoul(conversion.size.c_str(), nullptr, 10);
  const std::string padding(width > 1 ? width - 1 : 0, ' ');
  const bool is_left = conversion.flags.find('-') != std::string::npos;
  const std::string one(1, static_cast<char>(character));
  const std::string text = is_left ? one + padding : padding + one;
  return text.substr(0, text.find('\0'));
}

// Prepares the argument at `index`; may change the conversion to one of a text.
void fit_format_argument(lua_State* L, int index, Conversion& conversion) {
  switch (conversion.letter) {
    case 'c':
      push_text(L, padded(static_cast<int>(cut_number(luaL_checknumber(L, index))), conversion));
      lua_replace(L, index);
      conversion = {.flags = "", .size = "", .letter = 's'};
      break;
    case 'd': case 'i':
      lua_pushinteger(L, cut_number(luaL_checknumber(L, index)));
      lua_replace(L, index);
      break;
    case 'o': case 'x': case 'X':
      lua_pushinteger(L, static_cast<lua_Integer>(cut_unsigned(luaL_checknumber(L, index))));
      lua_replace(L, index);
      break;
    case 'u': {  // 5.4 has none
      const std::uint64_t number = cut_unsigned(luaL_checknumber(L, index));
      const bool is_signed_too = number <= INT64_MAX;
      if (is_signed_too) lua_pushinteger(L, static_cast<lua_Integer>(number));
      else push_text(L, std::to_string(number));
      lua_replace(L, index);
      conversion.letter = is_signed_too ? 'd' : 's';
      break;
    }
    case 's': {
      fit_text(L, index);
      const std::string_view text(luaL_checkstring(L, index),
                                  raw_length(L, index));  // 5.4 would print any value
      const bool is_whole = conversion.size.find('.') == std::string::npos && text.size() >= 100;
      const auto end = text.find('\0');
      if (is_whole || end == std::string_view::npos) break;
      push_text(L, text.substr(0, end));
      lua_replace(L, index);
      break;
    }
    case 'q':
      fit_text(L, index);
      luaL_checkstring(L, index);
      push_text(L, quoted(text_at(L, index)));
      lua_replace(L, index);
      conversion = {.flags = "", .size = "", .letter = 's'};
      break;
    case 'e': case 'E': case 'f': case 'g': case 'G': luaL_checknumber(L, index); break;
    case '\0': luaL_error(L, "invalid option '%%' to 'format'"); break;
    default: luaL_error(L, "invalid option '%%%c' to 'format'", conversion.letter);
  }
}

int format(lua_State* L) {
  fit_text(L, 1);
  luaL_checkstring(L, 1);
  const int last = lua_gettop(L);
  const std::string text(text_at(L, 1));
  std::string fitted;
  int index = 1;
  for (std::size_t at = 0; at < text.size();) {
    fitted += text[at];
    if (text[at++] != '%') continue;
    if (at < text.size() && text[at] == '%') {
      fitted += text[at++];
      continue;
    }
    if (++index > last) luaL_argerror(L, index, "no value");
    Conversion conversion = read_conversion(L, text, at);
    fit_format_argument(L, index, conversion);
    fit_flags(conversion);
    fitted.append(conversion.flags).append(conversion.size) += conversion.letter;
  }
  push_text(L, fitted);
  lua_replace(L, 1);
  return lua_tocfunction(L, lua_upvalueindex(1))(L);
}

enum class Operation { add, subtract, multiply, divide, modulo, power, negate };

std::optional<lua_Number> operand(lua_State* L, int index) {
  if (lua_type(L, index) == LUA_TNUMBER) return lua_tonumber(L, index);
  if (lua_type(L, index) != LUA_TSTRING) return std::nullopt;
  return read_number(lua_tostring(L, index));
}

lua_Number compute(Operation operation, lua_Number a, lua_Number b) {
  switch (operation) {
    case Operation::add: return a + b;
    case Operation::subtract: return a - b;
    case Operation::multiply: return a * b;
    case Operation::divide: return a / b;
    case Operation::modulo: return a - std::floor(a / b) * b;
    case Operation::power: return std::pow(a, b);
    case Operation::negate: return -a;
  }
  return 0;
}

// 5.4 does arithmetic on strings through their metatable. One operand is a string; the other may be anything.
template <Operation operation>
int arithmetic(lua_State* L) {
  const auto a = operand(L, 1), b = operand(L, 2);
  if (a && b) {
    lua_pushnumber(L, compute(operation, *a, *b));
    return 1;
  }
  // In 5.1 strings have no such metamethods, so a table's own is used.
  constexpr const char* events[] = {"__add", "__sub", "__mul", "__div", "__mod", "__pow", "__unm"};
  const bool has_own = lua_type(L, 2) != LUA_TSTRING &&
                       luaL_getmetafield(L, 2, events[static_cast<int>(operation)]) != LUA_TNIL;
  if (has_own) {
    lua_insert(L, 1);
    lua_call(L, 2, 1);
    return 1;
  }
  const int culprit = a ? 2 : 1;
  return luaL_error(L, "attempt to perform arithmetic on a %s value", luaL_typename(L, culprit));
}

void replace_string_metatable(lua_State* L) {
  lua_pushliteral(L, "");
  lua_newtable(L);
  set_function(L, "__add", arithmetic<Operation::add>);
  set_function(L, "__sub", arithmetic<Operation::subtract>);
  set_function(L, "__mul", arithmetic<Operation::multiply>);
  set_function(L, "__div", arithmetic<Operation::divide>);
  set_function(L, "__mod", arithmetic<Operation::modulo>);
  set_function(L, "__pow", arithmetic<Operation::power>);
  set_function(L, "__unm", arithmetic<Operation::negate>);
  lua_setmetatable(L, -2);
  lua_pop(L, 1);
}

}  // namespace

void install_string_dialect(lua_State* L) {
  lua_getglobal(L, "string");
  install_pattern_dialect(L);  // before find is another one
  for (const Fitted& function : fitted_functions) {
    lua_getfield(L, -1, function.name);
    lua_pushlightuserdata(L, const_cast<char*>(function.arguments));
    lua_pushcclosure(L, fit_arguments, 2);
    lua_setfield(L, -2, function.name);
  }
  constexpr std::pair<const char*, lua_CFunction> around[] = {
      {"byte", byte}, {"find", find}, {"match", match}, {"format", format}};
  for (const auto& [name, function] : around) {
    lua_getfield(L, -1, name);
    lua_pushcclosure(L, function, 1);
    lua_setfield(L, -2, name);
  }
  set_function(L, "char", character);
  lua_pop(L, 1);
  replace_string_metatable(L);
}

}  // namespace lockstep::lua

#endif
