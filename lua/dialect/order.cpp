#include "lua/dialect/order.h"

#include <algorithm>
#include <string_view>
#include <tuple>
#include <vector>

#include "lua/engine/sandbox.h"

namespace lockstep::lua {
namespace {

enum class Kind { boolean, number, text, reference };

// A key outside 1 .. n. `text` is a view of a string that the table keeps alive.
struct Key {
  Kind kind{};
  lua_Number number{};
  lua_Integer exact{};  // tells apart integers that are the same double
  std::string_view text;

  friend bool operator<(const Key& a, const Key& b) {
    return std::tie(a.kind, a.number, a.exact, a.text) < std::tie(b.kind, b.number, b.exact, b.text);
  }
};

Key key_at(lua_State* L, int index) {
  switch (lua_type(L, index)) {
    case LUA_TBOOLEAN:
      return {.kind = Kind::boolean,
              .number = static_cast<lua_Number>(lua_toboolean(L, index)),
              .exact = 0,
              .text = {}};
    case LUA_TNUMBER:
      return {.kind = Kind::number,
              .number = lua_tonumber(L, index),
              .exact = lua_tointeger(L, index),
              .text = {}};
    case LUA_TSTRING: return {.kind = Kind::text, .number = 0, .exact = 0, .text = text_at(L, index)};
    default: return {.kind = Kind::reference, .number = 0, .exact = 0, .text = {}};
  }
}

[[noreturn]] void refuse_order(lua_State* L) {
  raise(L, "Lockstep has no order for a table with several keys that are tables, functions or coroutines");
}

// n of the first run 1 .. n.
lua_Integer run_length(lua_State* L, int table) {
  for (int n = 0;; ++n) {
    lua_rawgeti(L, table, n + 1);
    const bool ends = lua_isnil(L, -1);
    lua_pop(L, 1);
    if (ends) return n;
  }
}

bool is_in_run(const Key& key, lua_Integer run) {
  return key.kind == Kind::number && static_cast<lua_Number>(key.exact) == key.number && key.exact >= 1 &&
         key.exact <= run;
}

struct Found {
  Key key;
  int place{};  // in the array of unsorted keys
};

// Pushes an array of the keys outside the run as Lua walks them, and returns them in order.
std::vector<Found> sorted_rest(lua_State* L, int table, lua_Integer run) {
  std::vector<Found> rest;
  lua_newtable(L);
  const int unsorted = lua_gettop(L);
  lua_pushnil(L);
  while (lua_next(L, table) != 0) {
    lua_pop(L, 1);
    const Key key = key_at(L, -1);
    if (is_in_run(key, run)) continue;
    rest.push_back({key, static_cast<int>(rest.size()) + 1});
    lua_pushvalue(L, -1);
    lua_rawseti(L, unsorted, rest.back().place);
  }
  std::sort(rest.begin(), rest.end(), [](const Found& a, const Found& b) { return a.key < b.key; });
  if (rest.size() > 1 && rest[rest.size() - 2].key.kind == Kind::reference) refuse_order(L);
  return rest;
}

// The function that pairs returns. Upvalues: the table, its keys, how many keys were seen.
int step(lua_State* L) {
  constexpr int table = lua_upvalueindex(1), keys = lua_upvalueindex(2), seen = lua_upvalueindex(3);
  for (int place = static_cast<int>(lua_tointeger(L, seen)) + 1;; ++place) {
    lua_rawgeti(L, keys, place);
    if (lua_isnil(L, -1)) return 1;
    lua_pushvalue(L, -1);
    lua_rawget(L, table);
    if (!lua_isnil(L, -1)) {
      lua_pushinteger(L, place);
      lua_replace(L, seen);
      return 2;
    }
    lua_pop(L, 2);
  }
}

}  // namespace

int push_keys(lua_State* L, int index) {
  const int table = absolute_index(L, index);
  luaL_checkstack(L, 8, "too many nested tables");
  const lua_Integer run = run_length(L, table);
  const std::vector<Found> rest = sorted_rest(L, table, run);
  const int unsorted = lua_gettop(L);
  int count = 0;
  lua_createtable(L, static_cast<int>(run) + static_cast<int>(rest.size()), 0);
  while (count < run) {
    ++count;
    lua_pushinteger(L, count);
    lua_rawseti(L, -2, count);
  }
  for (const Found& found : rest) {
    lua_rawgeti(L, unsorted, found.place);
    lua_rawseti(L, -2, ++count);
  }
  lua_remove(L, unsorted);
  return count;
}

int ordered_next(lua_State* L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 2);
  unwrap(L, 1);
  if (lua_isnil(L, 2)) {
    lua_rawgeti(L, 1, 1);
    if (!lua_isnil(L, -1)) {
      lua_pushinteger(L, 1);
      lua_insert(L, -2);
      return 2;
    }
    lua_settop(L, 2);
  }
  const lua_Integer run = run_length(L, 1);
  const bool is_start = lua_isnil(L, 2);
  const Key after = key_at(L, 2);
  const bool leaves_run = !is_start && is_in_run(after, run);
  if (leaves_run && after.exact < run) {
    lua_pushinteger(L, after.exact + 1);
    lua_rawgeti(L, 1, static_cast<int>(after.exact) + 1);
    return 2;
  }
  const std::vector<Found> rest = sorted_rest(L, 1, run);
  auto found = rest.begin();
  if (!is_start && !leaves_run) {
    found = std::find_if(rest.begin(), rest.end(), [&](const Found& each) { return after < each.key; });
  }
  if (found == rest.end()) {
    lua_pushnil(L);
    return 1;
  }
  lua_rawgeti(L, 3, found->place);
  lua_pushvalue(L, -1);
  lua_rawget(L, 1);
  return 2;
}

int ordered_pairs(lua_State* L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 1);
  unwrap(L, 1);
  lua_pushvalue(L, 1);
  push_keys(L, 1);
  lua_pushinteger(L, 0);
  lua_pushcclosure(L, step, 3);
  lua_pushvalue(L, 1);
  lua_pushnil(L);
  return 3;
}

int ordered_foreach(lua_State* L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  luaL_checktype(L, 2, LUA_TFUNCTION);
  lua_settop(L, 2);
  unwrap(L, 1);
  const int count = push_keys(L, 1);
  for (int i = 1; i <= count; ++i) {
    lua_pushvalue(L, 2);
    lua_rawgeti(L, 3, i);
    lua_pushvalue(L, -1);
    lua_rawget(L, 1);
    lua_call(L, 2, 1);
    if (!lua_isnil(L, -1)) return 1;
    lua_pop(L, 1);
  }
  return 0;
}

}  // namespace lockstep::lua
