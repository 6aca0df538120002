#include "lua/dialect/dialect.h"

#include <cmath>
#include <cstdlib>

#include "lua/dialect/concatenation.h"
#include "lua/dialect/numbers.h"
#include "lua/engine/output.h"

namespace lockstep::lua {

void fit_integer(lua_State* L, int index) {
  if (lua_isnumber(L, index) == 0) return;
  lua_pushinteger(L, cut_number(lua_tonumber(L, index)));
  lua_replace(L, index);
}

void fit_int(lua_State* L, int index) {
  if (lua_isnumber(L, index) == 0) return;
  lua_pushinteger(L, static_cast<int>(cut_number(lua_tonumber(L, index))));
  lua_replace(L, index);
}

void fit_text(lua_State* L, int index) {
  if (lua_type(L, index) != LUA_TNUMBER) return;
  NumberText room;
  push_text(L, lua51_text(lua_tonumber(L, index), room));
  lua_replace(L, index);
}

#if LUA_VERSION_NUM < 504

void install_dialect(lua_State*) {}

#else

void install_dialect(lua_State* L) {
  install_base_dialect(L);
  install_string_dialect(L);
  install_table_dialect(L);
  install_math_dialect(L);
  install_concatenation(L);
}

namespace {

// 5.4 puts the place only before strings; 5.1 also before numbers.
int error(lua_State* L) {
  const int level = static_cast<int>(luaL_optnumber(L, 2, 1));
  lua_settop(L, 1);
  if (lua_isstring(L, 1) != 0 && level > 0) {
    fit_text(L, 1);
    luaL_where(L, level);
    lua_insert(L, 1);
    lua_concat(L, 2);
  }
  return lua_error(L);
}

// 5.4 raises any value as it is; 5.1 wants a string and puts the place before it.
int assert_true(lua_State* L) {
  luaL_checkany(L, 1);
  if (lua_toboolean(L, 1) != 0) return lua_gettop(L);
  fit_text(L, 2);
  return luaL_error(L, "%s", luaL_optstring(L, 2, "assertion failed!"));
}

int tonumber(lua_State* L) {
  const int base = static_cast<int>(luaL_optnumber(L, 2, 10));
  if (base == 10) {
    luaL_checkany(L, 1);
    if (lua_type(L, 1) == LUA_TNUMBER) {
      lua_settop(L, 1);
      return 1;
    }
    if (lua_type(L, 1) == LUA_TSTRING) {
      if (const auto number = read_number(lua_tostring(L, 1))) {
        lua_pushnumber(L, *number);
        return 1;
      }
    }
    lua_pushnil(L);
    return 1;
  }
  fit_text(L, 1);
  const char* text = luaL_checkstring(L, 1);
  luaL_argcheck(L, 2 <= base && base <= 36, 2, "base out of range");
  char* end = nullptr;
  const unsigned long number = std::strtoul(text, &end, base);  // "-ff" wraps round, in 5.1 too
  if (end != text && std::string_view(end).find_first_not_of(" \t\n\v\f\r") == std::string_view::npos) {
    lua_pushnumber(L, static_cast<lua_Number>(number));
  } else {
    lua_pushnil(L);
  }
  return 1;
}

int step_ipairs(lua_State* L) {
  const int place = static_cast<int>(lua_tointeger(L, 2)) + 1;
  lua_pushinteger(L, place);
  lua_rawgeti(L, 1, place);
  return lua_isnil(L, -1) ? 1 : 2;
}

// 5.4 asks __index; 5.1 reads the table raw.
int ipairs(lua_State* L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_pushcfunction(L, step_ipairs);
  lua_pushvalue(L, 1);
  lua_pushinteger(L, 0);
  return 3;
}

// Calls upvalue 1, a function of 5.4 without upvalues of its own, in this very frame, so that its errors name
// the script's line and the name that the script called.
int select_like(lua_State* L) {
  fit_int(L, 1);
  return lua_tocfunction(L, lua_upvalueindex(1))(L);
}

// 5.4 asks __index, and has room for more.
int unpack(lua_State* L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  fit_int(L, 2);
  fit_int(L, 3);
  const auto first = luaL_optinteger(L, 2, 1);
  const auto last =
      lua_isnoneornil(L, 3) ? static_cast<lua_Integer>(raw_length(L, 1)) : luaL_checkinteger(L, 3);
  if (first > last) return 0;
  const auto count = last - first + 1;
  if (count > c_stack_max || !has_room(L, static_cast<int>(count)))
    return luaL_error(L, "too many results to unpack");
  for (lua_Integer i = first; i <= last; ++i) lua_rawgeti(L, 1, i);
  return static_cast<int>(count);
}

// coroutine.create and wrap want a function written in Lua.
int coroutine_like(lua_State* L) {
  const bool is_lua = lua_isfunction(L, 1) && lua_iscfunction(L, 1) == 0;
  luaL_argcheck(L, is_lua, 1, "Lua function expected");
  return lua_tocfunction(L, lua_upvalueindex(1))(L);
}

int status_like(lua_State* L) {
  luaL_argcheck(L, lua_isthread(L, 1), 1, "coroutine expected");
  return lua_tocfunction(L, lua_upvalueindex(1))(L);
}

// Puts `function` around a function of the table on top of the stack.
void put_around(lua_State* L, const char* name, lua_CFunction function) {
  lua_getfield(L, -1, name);
  lua_pushcclosure(L, function, 1);
  lua_setfield(L, -2, name);
}

// 5.1 has no value for the main coroutine, and one result.
int running(lua_State* L) {
  if (lua_pushthread(L) != 0) lua_pushnil(L);
  return 1;
}

}  // namespace

void install_base_dialect(lua_State* L) {
  push_globals(L);
  set_function(L, "error", error);
  set_function(L, "assert", assert_true);
  set_function(L, "tonumber", tonumber);
  set_function(L, "ipairs", ipairs);

  put_around(L, "select", select_like);

  set_function(L, "unpack", unpack);

  lua_getfield(L, -1, "coroutine");
  set_function(L, "running", running);
  put_around(L, "create", coroutine_like);
  put_around(L, "wrap", coroutine_like);
  put_around(L, "status", status_like);
  lua_pop(L, 2);
}

#endif

}  // namespace lockstep::lua
