// gsub and gmatch of 5.1. In 5.4 a match that is empty does not follow another match at once, so that
// ('xx'):gsub('x*', '-') is "-" there and "--" in 5.1. A pattern ends at its first NUL, as in C.
//
// Each match is looked for by 5.4's string.find, which runs in the frame of the function here, so that its
// errors name the script's line: text at 1, pattern at 2, where to begin at 3, and nothing at 4.
#include "lua/dialect/dialect.h"

#if LUA_VERSION_NUM >= 504

#include <string>

#include "lua/dialect/numbers.h"
#include "lua/dialect/pattern_steps.h"
#include "lua/engine/output.h"

namespace lockstep::lua {
namespace {

void cut_at_nul(lua_State* L, int index) {
  const std::string_view text = text_at(L, index);
  const auto end = text.find('\0');
  if (end == std::string_view::npos) return;
  push_text(L, text.substr(0, end));
  lua_replace(L, index);
}

// The next match at `start` or behind it, counted from 0.
struct Match {
  bool found{};
  std::size_t begin{}, end{};  // the place behind it
  int captures{};              // on top of the stack
};

Match find_from(lua_State* L, lua_CFunction find, std::size_t start) {
  lua_pushinteger(L, static_cast<lua_Integer>(start) + 1);
  lua_replace(L, 3);
  const int before = lua_gettop(L);
  take_steps_of_pattern(L);
  const int count = find(L);
  Match match;
  match.found = count >= 2;
  if (!match.found) {
    lua_settop(L, before);
    return match;
  }
  match.begin = static_cast<std::size_t>(lua_tointeger(L, before + 1)) - 1;
  match.end = static_cast<std::size_t>(lua_tointeger(L, before + 2));
  lua_remove(L, before + 1);
  lua_remove(L, before + 1);
  match.captures = count - 2;
  return match;
}

// Puts the text of a match where its replacement is made from it, if there are no captures.
void push_whole_match(lua_State* L, Match& match) {
  if (match.captures > 0) return;
  push_text(L, text_at(L, 1).substr(match.begin, match.end - match.begin));
  match.captures = 1;
}

// A '%' makes the next letter stand for itself, and a digit for a capture.
void add_text(lua_State* L, const Match& match, std::string_view text, Output& out) {
  const int first = lua_gettop(L) - match.captures + 1;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out.add(text[i]);
      continue;
    }
    const char next = ++i < text.size() ? text[i] : '\0';
    if (next < '0' || next > '9') {
      out.add(next);
      continue;
    }
    const int which = next - '1';
    if (which < 0 || (which == 0 && match.captures == 0)) {
      out.add(text_at(L, 1).substr(match.begin, match.end - match.begin));
    } else if (which >= match.captures) {
      luaL_error(L, "invalid capture index");
    } else {
      fit_text(L, first + which);
      out.add(text_at(L, first + which));
    }
  }
}

// What a table or a function has for the match; nothing leaves it as it is.
void add_value(lua_State* L, int replacement, Match& match, Output& out) {
  const int below = lua_gettop(L) - match.captures;
  push_whole_match(L, match);
  if (lua_istable(L, replacement)) {
    lua_settop(L, below + 1);  // the first capture
    lua_gettable(L, replacement);
  } else {
    lua_pushvalue(L, replacement);
    lua_insert(L, below + 1);
    lua_call(L, match.captures, 1);
  }
  if (lua_toboolean(L, -1) == 0) {
    out.add(text_at(L, 1).substr(match.begin, match.end - match.begin));
    return;
  }
  if (lua_isstring(L, -1) == 0) luaL_error(L, "invalid replacement value (a %s)", luaL_typename(L, -1));
  fit_text(L, lua_gettop(L));
  out.add(text_at(L, -1));
}

int gsub(lua_State* L) {  // upvalue 1: string.find
  constexpr int replacement = 5;
  for (int i = 1; i <= 3; ++i) fit_text(L, i);
  luaL_checkstring(L, 1);
  luaL_checkstring(L, 2);
  fit_integer(L, 4);
  const auto size = raw_length(L, 1);
  const auto most = static_cast<int>(luaL_optinteger(L, 4, static_cast<lua_Integer>(size) + 1));
  const int type = lua_type(L, 3);
  if (type != LUA_TSTRING && type != LUA_TTABLE && type != LUA_TFUNCTION)
    return luaL_argerror(L, 3, "string/function/table expected");
  cut_at_nul(L, 2);
  lua_settop(L, 3);
  lua_pushnil(L);
  lua_pushvalue(L, 3);
  const bool is_anchored = text_at(L, 2).starts_with('^');
  const lua_CFunction find = lua_tocfunction(L, lua_upvalueindex(1));

  Output out(L);
  int count = 0;
  std::size_t here = 0;
  while (count < most && here <= size) {
    Match match = find_from(L, find, here);
    if (!match.found) break;
    ++count;
    out.add(text_at(L, 1).substr(here, match.begin - here));
    if (type == LUA_TSTRING) add_text(L, match, text_at(L, replacement), out);
    else add_value(L, replacement, match, out);
    lua_settop(L, replacement);
    here = match.end;
    if (match.end == match.begin) {
      if (here < size) out.add(text_at(L, 1)[here]);
      ++here;
    }
    if (is_anchored) break;
  }
  if (here < size) out.add(text_at(L, 1).substr(here));
  push_text(L, out.view());
  lua_pushinteger(L, count);
  return 2;
}

// Upvalues: string.find, the text, the pattern, where to go on. Its captures are answered, or the match.
int next_match(lua_State* L) {
  lua_settop(L, 0);
  lua_pushvalue(L, lua_upvalueindex(2));
  lua_pushvalue(L, lua_upvalueindex(3));
  lua_pushnil(L);
  lua_pushnil(L);
  const auto start = static_cast<std::size_t>(lua_tointeger(L, lua_upvalueindex(4)));
  if (start > raw_length(L, 1)) return 0;
  Match match = find_from(L, lua_tocfunction(L, lua_upvalueindex(1)), start);
  if (!match.found) return 0;
  lua_pushinteger(L, static_cast<lua_Integer>(match.end) + (match.end == match.begin ? 1 : 0));
  lua_replace(L, lua_upvalueindex(4));
  push_whole_match(L, match);
  return match.captures;
}

int gmatch(lua_State* L) {  // upvalue 1: string.find
  fit_text(L, 1);
  fit_text(L, 2);
  luaL_checkstring(L, 1);
  luaL_checkstring(L, 2);
  lua_settop(L, 2);
  cut_at_nul(L, 2);
  if (text_at(L, 2).starts_with('^')) {  // here it stands for itself
    push_text(L, "%" + std::string(text_at(L, 2)));
    lua_replace(L, 2);
  }
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  lua_pushinteger(L, 0);
  lua_pushcclosure(L, next_match, 4);
  return 1;
}

}  // namespace

void install_pattern_dialect(lua_State* L) {
  lua_getfield(L, -1, "find");
  lua_pushvalue(L, -1);
  lua_pushcclosure(L, gsub, 1);
  lua_setfield(L, -3, "gsub");
  lua_pushcclosure(L, gmatch, 1);
  lua_pushvalue(L, -1);
  lua_setfield(L, -3, "gmatch");
  lua_setfield(L, -2, "gfind");
}

}  // namespace lockstep::lua

#endif
