// The mathematics of 5.1: every argument a double (or a numeric string), every whole result without ".0".
#include "lua/dialect/dialect.h"

#if LUA_VERSION_NUM >= 504

#include <cmath>

#include "lua/dialect/numbers.h"

namespace lockstep::lua {
namespace {

constexpr lua_Number pi = 3.141592653589793238462643383279502884;

template <lua_Number (*function)(lua_Number)>
int of_one(lua_State* L) {
  lua_pushnumber(L, function(luaL_checknumber(L, 1)));
  return 1;
}

template <lua_Number (*function)(lua_Number, lua_Number)>
int of_two(lua_State* L) {
  const lua_Number first = luaL_checknumber(L, 1);
  lua_pushnumber(L, function(first, luaL_checknumber(L, 2)));
  return 1;
}

lua_Number degrees(lua_Number x) { return x / (pi / 180.0); }
lua_Number radians(lua_Number x) { return x * (pi / 180.0); }

// 5.4 compares the arguments as they are, so that math.max(pttl, ARGV[1]) fails; 5.1 reads each as a number.
int max(lua_State* L) {
  lua_Number most = luaL_checknumber(L, 1);
  for (int i = 2; i <= lua_gettop(L); ++i) {
    const lua_Number number = luaL_checknumber(L, i);
    if (number > most) most = number;
  }
  lua_pushnumber(L, most);
  return 1;
}

int min(lua_State* L) {
  lua_Number least = luaL_checknumber(L, 1);
  for (int i = 2; i <= lua_gettop(L); ++i) {
    const lua_Number number = luaL_checknumber(L, i);
    if (number < least) least = number;
  }
  lua_pushnumber(L, least);
  return 1;
}

int frexp(lua_State* L) {
  int exponent = 0;
  lua_pushnumber(L, std::frexp(luaL_checknumber(L, 1), &exponent));
  lua_pushinteger(L, exponent);
  return 2;
}

int ldexp(lua_State* L) {
  const lua_Number number = luaL_checknumber(L, 1);
  fit_integer(L, 2);
  lua_pushnumber(L, std::ldexp(number, static_cast<int>(luaL_checkinteger(L, 2))));
  return 1;
}

int modf(lua_State* L) {
  lua_Number whole = 0;
  const lua_Number fraction = std::modf(luaL_checknumber(L, 1), &whole);
  lua_pushnumber(L, whole);
  lua_pushnumber(L, fraction);
  return 2;
}

}  // namespace

void install_math_dialect(lua_State* L) {
  lua_getglobal(L, "math");
  set_function(L, "abs", of_one<std::fabs>);
  set_function(L, "acos", of_one<std::acos>);
  set_function(L, "asin", of_one<std::asin>);
  set_function(L, "atan", of_one<std::atan>);
  set_function(L, "atan2", of_two<std::atan2>);
  set_function(L, "ceil", of_one<std::ceil>);
  set_function(L, "cos", of_one<std::cos>);
  set_function(L, "cosh", of_one<std::cosh>);
  set_function(L, "deg", of_one<degrees>);
  set_function(L, "exp", of_one<std::exp>);
  set_function(L, "floor", of_one<std::floor>);
  set_function(L, "fmod", of_two<std::fmod>);
  set_function(L, "frexp", frexp);
  set_function(L, "ldexp", ldexp);
  set_function(L, "log", of_one<std::log>);
  set_function(L, "log10", of_one<std::log10>);
  set_function(L, "max", max);
  set_function(L, "min", min);
  set_function(L, "mod", of_two<std::fmod>);
  set_function(L, "modf", modf);
  set_function(L, "pow", of_two<std::pow>);
  set_function(L, "rad", of_one<radians>);
  set_function(L, "sin", of_one<std::sin>);
  set_function(L, "sinh", of_one<std::sinh>);
  set_function(L, "sqrt", of_one<std::sqrt>);
  set_function(L, "tan", of_one<std::tan>);
  set_function(L, "tanh", of_one<std::tanh>);
  lua_pop(L, 1);
}

}  // namespace lockstep::lua

#endif
