// The table library of 5.1: raw access, numbers cut to integers, and the functions that 5.4 dropped.
#include "lua/dialect/dialect.h"

#if LUA_VERSION_NUM >= 504

#include <string>

#include "lua/dialect/numbers.h"
#include "lua/engine/output.h"

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
  lua_pushnumber(L, most);
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

// 5.1's quicksort, move for move: where equal elements end is nobody's promise, but the same in every Redis.
// 5.4's own asks the clock when a partition goes wrong. Places are those of the array at 1.
class Sorter {
 public:
  explicit Sorter(lua_State* L) : L_(L) {}

  // The smaller part by recursion, so that it is never deep.
  void sort(int low, int high) {
    while (low < high) {
      if (order_three(low, high)) return;
      const int border = part(low, high);
      if (border - low < high - border) {
        sort(low, border - 1);
        low = border + 1;
      } else {
        sort(border + 1, high);
        high = border - 1;
      }
    }
  }

 private:
  // Orders the first, the middle and the last. Returns whether there are no others.
  bool order_three(int low, int high) {
    const int middle = (low + high) / 2;
    if (is_before(high, low)) exchange(low, high);
    if (high - low == 1) return true;
    if (is_before(middle, low)) exchange(middle, low);
    else if (is_before(high, middle)) exchange(middle, high);
    return high - low == 2;
  }

  // Everything before the place that is returned is not greater than what is there, and the rest not less.
  int part(int low, int high) {
    const int middle = (low + high) / 2;
    lua_rawgeti(L_, 1, middle);
    const int pivot = lua_gettop(L_);
    exchange(middle, high - 1);
    int left = low, right = high - 1;
    for (;;) {
      while (compare(++left, pivot, false)) check_order(left <= high);
      while (compare(--right, pivot, true)) check_order(right >= low);
      if (right < left) break;
      exchange(left, right);
    }
    exchange(high - 1, left);
    lua_settop(L_, pivot - 1);
    return left;
  }

  void check_order(bool is_inside) {
    if (!is_inside) luaL_error(L_, "invalid order function for sorting");
  }

  void exchange(int a, int b) {
    lua_rawgeti(L_, 1, a);
    lua_rawgeti(L_, 1, b);
    lua_rawseti(L_, 1, a);
    lua_rawseti(L_, 1, b);
  }

  bool is_before(int a, int b) {
    lua_rawgeti(L_, 1, b);
    const bool before = compare(a, lua_gettop(L_), false);
    lua_pop(L_, 1);
    return before;
  }

  // Whether the element comes before the value at `other` of the stack, or the other way round.
  bool compare(int place, int other, bool other_first) {
    lua_rawgeti(L_, 1, place);
    const int element = lua_gettop(L_);
    const bool before = other_first ? comes_before(other, element) : comes_before(element, other);
    lua_pop(L_, 1);
    return before;
  }

  // By the function at 2 or by `<`.
  bool comes_before(int a, int b) {
    if (lua_isnil(L_, 2)) {
      spend_steps(L_, 1);
      return lua_compare(L_, a, b, LUA_OPLT) != 0;
    }
    lua_pushvalue(L_, 2);
    lua_pushvalue(L_, a);
    lua_pushvalue(L_, b);
    lua_call(L_, 2, 1);
    const bool before = lua_toboolean(L_, -1) != 0;
    lua_pop(L_, 1);
    return before;
  }

  lua_State* L_;
};

int sort(lua_State* L) {
  const int size = length_of(L);
  if (!lua_isnoneornil(L, 2)) luaL_checktype(L, 2, LUA_TFUNCTION);
  lua_settop(L, 2);
  Sorter(L).sort(1, size);
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
