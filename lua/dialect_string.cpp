// The string library of 5.1: numbers are cut to integers or written without ".0", and arithmetic on numeric
// strings.
#include "lua/dialect.h"

#if LUA_VERSION_NUM >= 504

#include <cmath>
#include <optional>
#include <string>

#include "lua/numbers.h"

namespace lockstep::lua {
namespace {

struct Fitted {
  const char* name;
  const char*
      arguments;  // t: text, i: integer, .: as it is; i* all integers; ! no more arguments than these
};

constexpr Fitted fitted[] = {
    {"byte", "tii"}, {"char", "i*"},   {"find", "tti."}, {"gmatch", "tt!"}, {"gsub", "tt.i"}, {"len", "t"},
    {"lower", "t"},  {"match", "tti"}, {"rep", "ti!"},   {"reverse", "t"},  {"sub", "tii"},   {"upper", "t"},
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
    if (*kind == 't') fit_text(L, i);
    if (kind[1] != '*') ++kind;
  }
  return lua_tocfunction(L, lua_upvalueindex(1))(L);
}

// Prepares one argument of string.format; `letter` is the conversion.
void fit_format_argument(lua_State* L, int index, char letter) {
  switch (letter) {
    case 'c': case 'd': case 'i': case 'o': case 'u': case 'x': case 'X':
      luaL_checknumber(L, index);
      fit_integer(L, index);
      break;
    case 's': case 'q':
      fit_text(L, index);
      luaL_checkstring(L, index);  // 5.4 would print any value
      break;
    case 'e': case 'E': case 'f': case 'g': case 'G': luaL_checknumber(L, index); break;
    default: luaL_error(L, "invalid option '%%%c' to 'format'", letter);
  }
}

int format(lua_State* L) {
  std::string text(luaL_checklstring(L, 1, nullptr), raw_length(L, 1));
  int index = 1;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '%') continue;
    if (at + 1 < text.size() && text[at + 1] == '%') {
      ++at;
      continue;
    }
    at = text.find_first_not_of("-+ #0123456789.", at + 1);
    if (at == std::string::npos) break;
    fit_format_argument(L, ++index, text[at]);
    if (text[at] == 'u') text[at] = 'd';  // 5.4 has no %u
  }
  push_text(L, text);
  lua_replace(L, 1);
  return lua_tocfunction(L, lua_upvalueindex(1))(L);
}

enum class Operation { add, subtract, multiply, divide, modulo, power, negate };

std::optional<lua_Number> operand(lua_State* L, int index) {
  if (lua_type(L, index) == LUA_TNUMBER) return lua_tonumber(L, index);
  if (lua_type(L, index) != LUA_TSTRING) return std::nullopt;
  const std::string_view text = text_at(L, index);
  return read_number(text.data(), text.size());
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
    push_whole(L, compute(operation, *a, *b));
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
  for (const Fitted& function : fitted) {
    lua_getfield(L, -1, function.name);
    lua_pushlightuserdata(L, const_cast<char*>(function.arguments));
    lua_pushcclosure(L, fit_arguments, 2);
    lua_setfield(L, -2, function.name);
  }
  lua_getfield(L, -1, "format");
  lua_pushcclosure(L, format, 1);
  lua_setfield(L, -2, "format");
  lua_getfield(L, -1, "gmatch");
  lua_setfield(L, -2, "gfind");
  lua_pop(L, 1);
  replace_string_metatable(L);
}

}  // namespace lockstep::lua

#endif
