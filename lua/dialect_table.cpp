// The table library of 5.1: raw access, numbers cut to integers, and the functions that 5.4 dropped.
#include "lua/dialect.h"

#if LUA_VERSION_NUM >= 504

#include <algorithm>
#include <string>
#include <utility>

#include "lua/numbers.h"

namespace lockstep::lua {
namespace {

int length_of(lua_State* L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  return static_cast<int>(raw_length(L, 1));
}

int integer_or(lua_State* L, int index, int otherwise) {
  fit_integer(L, index);
  return static_cast<int>(luaL_optinteger(L, index, otherwise));
}

// A position beyond the end is allowed, and leaves a gap.
int insert(lua_State* L) {
  const int end = length_of(L) + 1;
  int place = end;
  switch (lua_gettop(L)) {
    case 2: break;
    case 3: {
      fit_integer(L, 2);
      place = static_cast<int>(luaL_checkinteger(L, 2));
      for (int i = end > place ? end : place; i > place; --i) {
        lua_rawgeti(L, 1, i - 1);
        lua_rawseti(L, 1, i);
      }
      break;
    }
    default: return luaL_error(L, "wrong number of arguments to 'insert'");
  }
  lua_rawseti(L, 1, place);
  return 0;
}

int remove(lua_State* L) {
  const int end = length_of(L);
  const int place = integer_or(L, 2, end);
  if (place < 1 || place > end) return 0;
  lua_rawgeti(L, 1, place);
  for (int i = place; i < end; ++i) {
    lua_rawgeti(L, 1, i + 1);
    lua_rawseti(L, 1, i);
  }
  lua_pushnil(L);
  lua_rawseti(L, 1, end);
  return 1;
}

int concat(lua_State* L) {
  fit_text(L, 2);
  const char* separator = luaL_optstring(L, 2, "");
  luaL_checktype(L, 1, LUA_TTABLE);
  const int first = integer_or(L, 3, 1);
  const int last = lua_isnoneornil(L, 4) ? length_of(L) : integer_or(L, 4, 0);
  luaL_Buffer buffer;
  luaL_buffinit(L, &buffer);
  for (int i = first; i <= last; ++i) {
    lua_rawgeti(L, 1, i);
    if (lua_isstring(L, -1) == 0) {
      return luaL_error(L, "invalid value (%s) at index %d in table for 'concat'", luaL_typename(L, -1), i);
    }
    fit_text(L, lua_gettop(L));
    luaL_addvalue(&buffer);
    if (i != last) luaL_addstring(&buffer, separator);
  }
  luaL_pushresult(&buffer);
  return 1;
}

int getn(lua_State* L) {
  lua_pushinteger(L, length_of(L));
  return 1;
}

int setn(lua_State* L) { raise(L, "'setn' is obsolete"); }

int maxn(lua_State* L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_Number most = 0;
  lua_pushnil(L);
  while (lua_next(L, 1) != 0) {
    lua_pop(L, 1);
    if (lua_type(L, -1) == LUA_TNUMBER && lua_tonumber(L, -1) > most) most = lua_tonumber(L, -1);
  }
  push_whole(L, most);
  return 1;
}

int foreachi(lua_State* L) {
  const int count = length_of(L);
  luaL_checktype(L, 2, LUA_TFUNCTION);
  for (int i = 1; i <= count; ++i) {
    lua_pushvalue(L, 2);
    lua_pushinteger(L, i);
    lua_rawgeti(L, 1, i);
    lua_call(L, 2, 1);
    if (!lua_isnil(L, -1)) return 1;
    lua_pop(L, 1);
  }
  return 0;
}

// Whether the value at a comes before that at b, by the function at 2 or by `<`.
bool comes_before(lua_State* L, int a, int b) {
  if (lua_isnil(L, 2)) return lua_compare(L, a, b, LUA_OPLT) != 0;
  lua_pushvalue(L, 2);
  lua_pushvalue(L, a);
  lua_pushvalue(L, b);
  lua_call(L, 2, 1);
  const bool before = lua_toboolean(L, -1) != 0;
  lua_pop(L, 1);
  return before;
}

// Merges [low, middle) and [middle, high) of the array at `from` into the array at `to`.
void merge(lua_State* L, int from, int to, int low, int middle, int high) {
  int left = low, right = middle;
  for (int place = low; place < high; ++place) {
    bool takes_right = left >= middle;
    if (left < middle && right < high) {
      lua_rawgeti(L, from, right);
      lua_rawgeti(L, from, left);
      takes_right = comes_before(L, lua_gettop(L) - 1, lua_gettop(L));
      lua_pop(L, 2);
    }
    lua_rawgeti(L, from, takes_right ? right++ : left++);
    lua_rawseti(L, to, place);
  }
}

// 5.4's sort asks the clock when a partition goes wrong. A merge sort keeps equal elements in place and asks
// nobody.
int sort(lua_State* L) {
  const int size = length_of(L);
  if (!lua_isnoneornil(L, 2)) luaL_checktype(L, 2, LUA_TFUNCTION);
  lua_settop(L, 2);
  lua_createtable(L, size, 0);
  int from = 1, to = 3;
  for (long width = 1; width < size; width *= 2) {
    for (long low = 1; low <= size; low += 2 * width) {
      const long middle = std::min<long>(low + width, size + 1),
                 high = std::min<long>(low + 2 * width, size + 1);
      merge(L, from, to, static_cast<int>(low), static_cast<int>(middle), static_cast<int>(high));
    }
    std::swap(from, to);
  }
  for (int i = 1; from != 1 && i <= size; ++i) {
    lua_rawgeti(L, from, i);
    lua_rawseti(L, 1, i);
  }
  return 0;
}

}  // namespace

void install_table_dialect(lua_State* L) {
  lua_getglobal(L, "table");
  set_function(L, "insert", insert);
  set_function(L, "remove", remove);
  set_function(L, "concat", concat);
  set_function(L, "getn", getn);
  set_function(L, "setn", setn);
  set_function(L, "maxn", maxn);
  set_function(L, "foreachi", foreachi);
  set_function(L, "sort", sort);
  lua_pop(L, 1);
}

}  // namespace lockstep::lua

#endif
