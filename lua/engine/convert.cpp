#include "lua/engine/convert.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "lua/dialect/numbers.h"
#include "lua/dialect/order.h"
#include "sim/base/overloaded.h"

namespace lockstep::lua {
namespace {

Reply reply_at(lua_State* L, int index, Resp resp, int depth);

// Pushes the raw field of the table at `index`.
void push_field(lua_State* L, int index, std::string_view name) {
  push_text(L, name);
  lua_rawget(L, index);
}

std::optional<std::string> string_field(lua_State* L, int table, std::string_view name) {
  std::optional<std::string> text;
  push_field(L, table, name);
  if (lua_type(L, -1) == LUA_TSTRING) text = text_at(L, -1);
  lua_pop(L, 1);
  return text;
}

std::optional<std::string> verbatim(lua_State* L, int table) {
  std::optional<std::string> text;
  push_field(L, table, "verbatim_string");
  if (lua_istable(L, -1)) {
    const int inner = lua_gettop(L);
    if (string_field(L, inner, "format")) text = string_field(L, inner, "string");
  }
  lua_pop(L, 1);
  return text;
}

// RESP 3's map and set, as a RESP 2 client sees them: flat. Redis sends them in the hash's order; here it is
// defined.
std::optional<Reply> flattened(lua_State* L, int table, std::string_view name, Resp resp, int depth) {
  const bool is_map = name == "map";
  std::optional<Reply> flat;
  push_field(L, table, name);
  if (lua_istable(L, -1)) {
    const int inner = lua_gettop(L);
    Reply::Array items;
    const int count = push_keys(L, inner);
    for (int i = 1; i <= count; ++i) {
      lua_rawgeti(L, inner + 1, i);
      items.push_back(reply_at(L, -1, resp, depth + 1));
      lua_rawget(L, inner);
      if (is_map) items.push_back(reply_at(L, -1, resp, depth + 1));
      lua_pop(L, 1);
    }
    lua_pop(L, 1);
    flat = Reply(std::move(items));
  }
  lua_pop(L, 1);
  return flat;
}

Reply array_of(lua_State* L, int table, Resp resp, int depth) {
  Reply::Array items;
  for (int i = 1;; ++i) {
    lua_rawgeti(L, table, i);
    if (lua_isnil(L, -1)) break;
    items.push_back(reply_at(L, -1, resp, depth + 1));
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
  return items;
}

// The order of these checks is Redis's. The texts of errors and states end at their first NUL, as in C.
Reply table_reply(lua_State* L, int table, Resp resp, int depth) {
  if (depth > reply_depth_max || lua_checkstack(L, 8) == 0) return Error{"ERR reached lua stack limit"};
  if (auto text = string_field(L, table, "err")) return Error{one_line(text->c_str())};
  if (auto text = string_field(L, table, "ok")) return Status{one_line(text->c_str())};

  push_field(L, table, "double");
  const bool is_double = lua_type(L, -1) == LUA_TNUMBER;
  const lua_Number number = lua_tonumber(L, -1);
  lua_pop(L, 1);
  NumberText room;
  if (is_double) return std::string(argument_text(number, room));

  if (auto text = string_field(L, table, "big_number")) return one_line(*text);
  if (auto text = verbatim(L, table)) return *std::move(text);
  if (auto map = flattened(L, table, "map", resp, depth)) return *std::move(map);
  if (auto set = flattened(L, table, "set", resp, depth)) return *std::move(set);
  return array_of(L, table, resp, depth);
}

Reply reply_at(lua_State* L, int index, Resp resp, int depth) {
  switch (lua_type(L, index)) {
    case LUA_TSTRING: return std::string(text_at(L, index));
    case LUA_TNUMBER: return cut_number(lua_tonumber(L, index));
    case LUA_TBOOLEAN:
      if (lua_toboolean(L, index) != 0) return std::int64_t{1};
      return resp == Resp::three ? Reply(std::int64_t{0}) : Reply(Nil{});
    case LUA_TTABLE: return table_reply(L, absolute_index(L, index), resp, depth);
    default: return Nil{};
  }
}

void push_null(lua_State* L, Resp resp) {
  if (resp == Resp::three) {
    lua_pushnil(L);
  } else {
    lua_pushboolean(L, 0);
  }
}

void push_array(lua_State* L, const Reply::Array& items, Resp resp) {
  luaL_checkstack(L, 8, "reply is nested too deeply");
  lua_createtable(L, static_cast<int>(items.size()), 0);
  int place = 0;
  for (const Reply& item : items) {
    push_reply(L, item, resp);
    lua_rawseti(L, -2, ++place);
  }
}

}  // namespace

Reply to_reply(lua_State* L, int index, Resp resp) { return reply_at(L, index, resp, 0); }

void push_reply(lua_State* L, const Reply& reply, Resp resp) {
  std::visit(sim::overloaded{
                 [&](Nil) { push_null(L, resp); },
                 [&](NilArray) { push_null(L, resp); },
                 [&](std::int64_t integer) { push_integer(L, integer); },
                 [&](const std::string& bulk) { push_text(L, bulk); },
                 [&](const Status& status) {
                   lua_createtable(L, 0, 1);
                   push_text(L, status.text);
                   lua_setfield(L, -2, "ok");
                 },
                 [&](const Error& error) {
                   push_error(L, error.text);
                   lua_pushboolean(L, 1);
                   lua_setfield(L, -2, "ignore_error_stats_update");
                 },
                 [&](const Reply::Array& items) { push_array(L, items, resp); },
             },
             reply.value);
}

void push_error(lua_State* L, std::string_view text) {
  lua_createtable(L, 0, 2);
  push_text(L, text);
  lua_setfield(L, -2, "err");
}

std::string one_line(std::string_view text) {
  std::string line(text);
  std::replace_if(line.begin(), line.end(), [](char c) { return c == '\r' || c == '\n'; }, ' ');
  return line;
}

}  // namespace lockstep::lua
