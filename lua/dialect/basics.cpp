#include "lua/dialect/basics.h"

#include <cmath>
#include <cstdio>
#include <string>

#include "lua/engine/limits.h"
#include "lua/dialect/dialect.h"
#include "lua/dialect/order.h"
#include "lua/engine/run.h"
#include "lua/engine/sandbox.h"
#include "lua/engine/source.h"

namespace lockstep::lua {
namespace {

const char names_key = 0;  // in the registry: value -> the number it is printed with

// Pushes the table of names, made when the first is needed.
void push_names(lua_State* L) {
  lua_pushlightuserdata(L, const_cast<char*>(&names_key));
  lua_rawget(L, LUA_REGISTRYINDEX);
  if (!lua_isnil(L, -1)) return;
  lua_pop(L, 1);
  lua_newtable(L);
  lua_pushlightuserdata(L, const_cast<char*>(&names_key));
  lua_pushvalue(L, -2);
  lua_rawset(L, LUA_REGISTRYINDEX);
}

// Pushes the number under which the value is printed.
void push_name(lua_State* L, int index) {
  const int value = absolute_index(L, index);
  push_names(L);
  const int names = lua_gettop(L);
  lua_pushvalue(L, value);
  lua_rawget(L, names);
  if (lua_isnil(L, -1)) {
    lua_pop(L, 1);
    lua_pushvalue(L, value);
    lua_pushinteger(L, ++run_of(L).names);
    lua_rawset(L, names);
    lua_pushinteger(L, run_of(L).names);
  }
  lua_remove(L, names);
}

int tostring(lua_State* L) {
  luaL_checkany(L, 1);
  if (luaL_callmeta(L, 1, "__tostring") == 0) push_printed(L, 1);
  return 1;
}

// loadstring(text [, name]): 5.1 names an unnamed chunk after its own text.
int loadstring(lua_State* L) {
  fit_text(L, 1);
  fit_text(L, 2);
  const char* text = luaL_checkstring(L, 1);
  const char* name = luaL_optstring(L, 2, text);
  if (compile(L, text_at(L, 1), name) == 0) return 1;
  lua_pushnil(L);
  lua_insert(L, -2);
  return 2;
}

// load(function [, name]): joins the pieces that the function returns.
int load(lua_State* L) {
  luaL_checktype(L, 1, LUA_TFUNCTION);
  fit_text(L, 2);
  const char* name = luaL_optstring(L, 2, "=(load)");
  std::string text;
  for (;;) {
    lua_pushvalue(L, 1);
    lua_call(L, 0, 1);
    if (lua_isnil(L, -1)) break;
    if (lua_isstring(L, -1) == 0) return luaL_error(L, "reader function must return a string");
    fit_text(L, lua_gettop(L));
    const std::string_view piece = text_at(L, -1);
    if (piece.empty()) break;
    text += piece;
    if (text.size() > run_of(L).memory_max) return luaL_error(L, "chunk is too long");
    lua_pop(L, 1);
  }
  if (compile(L, text, name) == 0) return 1;
  lua_pushnil(L);
  lua_insert(L, -2);
  return 2;
}

// "count" would tell how much memory earlier evals left; everything else is a request that may be ignored.
int collectgarbage(lua_State* L) {
  static const char* const options[] = {"collect", "stop",     "restart",    "count",
                                        "step",    "setpause", "setstepmul", nullptr};
  fit_text(L, 1);
  luaL_checkoption(L, 1, "collect", options);
  lua_pushinteger(L, 0);
  return 1;
}

int gcinfo(lua_State* L) {
  lua_pushinteger(L, 0);
  return 1;
}

int dump(lua_State* L) { raise(L, "unable to dump given function"); }

// A number as Redis takes it for a C int: the lower half of what it is cut to.
int int_at(lua_State* L, int index) { return static_cast<int>(cut_number(luaL_checknumber(L, index))); }

// Redis's redis_math_random.
int random(lua_State* L) {
  const lua_Number r = static_cast<lua_Number>(run_of(L).random.next() % Random48::max) / Random48::max;
  switch (lua_gettop(L)) {
    case 0: lua_pushnumber(L, r); return 1;
    case 1: {
      const int high = int_at(L, 1);
      luaL_argcheck(L, 1 <= high, 1, "interval is empty");
      lua_pushnumber(L, std::floor(r * high) + 1);
      return 1;
    }
    case 2: {
      const int low = int_at(L, 1), high = int_at(L, 2);
      luaL_argcheck(L, low <= high, 2, "interval is empty");
      const auto size = static_cast<int>(static_cast<std::int64_t>(high) - low + 1);  // wraps, as in C
      lua_pushnumber(L, std::floor(r * size) + low);
      return 1;
    }
    default: return luaL_error(L, "wrong number of arguments");
  }
}

int randomseed(lua_State* L) {
  run_of(L).random = Random48(static_cast<std::uint32_t>(int_at(L, 1)));
  return 0;
}

}  // namespace

void push_printed(lua_State* L, int index) {
  NumberText room;
  switch (lua_type(L, index)) {
    case LUA_TNUMBER: push_text(L, lua51_text(lua_tonumber(L, index), room)); break;
    case LUA_TSTRING: lua_pushvalue(L, index); break;
    case LUA_TBOOLEAN: lua_pushstring(L, lua_toboolean(L, index) != 0 ? "true" : "false"); break;
    case LUA_TNIL: lua_pushliteral(L, "nil"); break;
    case LUA_TLIGHTUSERDATA: lua_pushliteral(L, "userdata: (nil)"); break;  // cjson.null, the only one
    default: {
      const char* kind = luaL_typename(L, index);
      push_name(L, index);
      char text[40];
      std::snprintf(text, sizeof text, "%s: 0x%08x", kind, static_cast<unsigned>(lua_tointeger(L, -1)));
      lua_pop(L, 1);
      lua_pushstring(L, text);
    }
  }
}

void forget_names(lua_State* L) {
  if (run_of(L).names == 0) return;
  lua_pushlightuserdata(L, const_cast<char*>(&names_key));
  lua_pushnil(L);
  lua_rawset(L, LUA_REGISTRYINDEX);
}

void install_basics(lua_State* L) {
  push_globals(L);
  set_function(L, "pcall", stoppable_pcall);
  set_function(L, "xpcall", stoppable_xpcall);
  set_function(L, "next", ordered_next);
  set_function(L, "pairs", ordered_pairs);
  set_function(L, "tostring", tostring);
  set_function(L, "getmetatable", guarded_getmetatable);
  set_function(L, "setmetatable", guarded_setmetatable);
  set_function(L, "rawset", guarded_rawset);
  set_function(L, "rawget", guarded_rawget);
  set_function(L, "load", load);
  set_function(L, "loadstring", loadstring);
  set_function(L, "collectgarbage", collectgarbage);
  set_function(L, "gcinfo", gcinfo);
  lua_pushliteral(L, "Lua 5.1");
  lua_setfield(L, -2, "_VERSION");

  lua_getfield(L, -1, "coroutine");
  lua_getfield(L, -1, "resume");
  lua_pushcclosure(L, stoppable_resume, 1);
  lua_setfield(L, -2, "resume");
  lua_pop(L, 1);

  lua_getfield(L, -1, "string");
  set_function(L, "dump", dump);
  lua_pop(L, 1);

  lua_getfield(L, -1, "table");
  set_function(L, "foreach", ordered_foreach);
  lua_pop(L, 1);

  lua_getfield(L, -1, "math");
  set_function(L, "random", random);
  set_function(L, "randomseed", randomseed);
  lua_pop(L, 2);
}

}  // namespace lockstep::lua
