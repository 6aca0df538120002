#include "lua/engine/word_tables.h"

#include "lua/engine/sandbox.h"

namespace lockstep::lua {

namespace {

// Sets a raw field of the table on top of the stack, which goes, to the value below it, which stays.
void set_and_pop(lua_State* L, const char* name) {
  lua_pushstring(L, name);
  lua_pushvalue(L, -3);
  lua_rawset(L, -3);
  lua_pop(L, 1);
}

}  // namespace

void WordTables::fill(lua_State* L, std::span<const std::string_view> words, int direct_globals,
                      bool may_touch) {
  const std::size_t count = words.size();
  if (!push_kept(L, count)) {
    lua_createtable(L, static_cast<int>(count), 0);
    keep(L, count);
    if (direct_ == count) direct_ = kept_max;
  }
  for (std::size_t i = 0; i < count; ++i) {
    if (!may_touch && is_there(count, i, words[i])) continue;
    push_text(L, words[i]);
    lua_rawseti(L, -2, static_cast<int>(i) + 1);
  }
  if (direct_globals != LUA_NOREF && (count != direct_ || count >= kept_max)) {
    lua_rawgeti(L, LUA_REGISTRYINDEX, direct_globals);
    set_and_pop(L, global_);
    direct_ = count;
  }
  if (may_touch) {
    push_shared_globals(L);
    set_and_pop(L, global_);
    if (count < kept_max) touched_[count] = true;
  }
  lua_pop(L, 1);
}

void WordTables::release(lua_State* L) {
  for (int& ref : refs_) {
    if (ref != 0) luaL_unref(L, LUA_REGISTRYINDEX, ref);
    ref = 0;
  }
  direct_ = kept_max;
}

bool WordTables::is_there(std::size_t count, std::size_t place, std::string_view word) {
  if (count >= kept_max) return false;
  std::vector<std::string>& words = words_[count];
  if (words.size() < count) words.resize(count);
  if (words[place] == word) return !word.empty();  // the empty word is also what was never put there
  words[place] = word;
  return false;
}

bool WordTables::is_clean(lua_State* L, std::size_t count) {
  if (lua_getmetatable(L, -1) != 0) {
    lua_pop(L, 1);
    return false;
  }
  std::size_t found = 0;
  lua_pushnil(L);
  while (lua_next(L, -2) != 0) {
    lua_pop(L, 1);
    if (++found <= count && lua_type(L, -1) == LUA_TNUMBER) {
      const lua_Number key = lua_tonumber(L, -1);
      if (key >= 1 && key <= static_cast<lua_Number>(count)) continue;
    }
    lua_pop(L, 1);
    return false;
  }
  return found == count;
}

bool WordTables::push_kept(lua_State* L, std::size_t count) {
  if (count >= kept_max || refs_[count] == 0) return false;
  lua_rawgeti(L, LUA_REGISTRYINDEX, refs_[count]);
  if (!touched_[count] || is_clean(L, count)) {
    touched_[count] = false;
    return true;
  }
  lua_pop(L, 1);
  luaL_unref(L, LUA_REGISTRYINDEX, refs_[count]);
  refs_[count] = 0;
  return false;
}

void WordTables::keep(lua_State* L, std::size_t count) {
  if (count >= kept_max) return;
  lua_pushvalue(L, -1);
  refs_[count] = luaL_ref(L, LUA_REGISTRYINDEX);
}

}  // namespace lockstep::lua
