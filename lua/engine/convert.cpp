#include "lua/engine/convert.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "lua/dialect/numbers.h"
#include "lua/dialect/order.h"
#include "sim/base/overloaded.h"

namespace lockstep::lua {
namespace {

constexpr const char* passed_on_mark = "ignore_error_stats_update";

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

std::optional<Typed> verbatim(lua_State* L, int table) {
  std::optional<Typed> text;
  push_field(L, table, "verbatim_string");
  if (lua_istable(L, -1)) {
    const int inner = lua_gettop(L);
    auto format = string_field(L, inner, "format"), content = string_field(L, inner, "string");
    if (format && content) text = Typed{Type3::verbatim, {*std::move(format), *std::move(content)}};
  }
  lua_pop(L, 1);
  return text;
}

// RESP3's map and set; as a RESP2 client sees them they are flat. Redis sends them in the hash's order; here
// it is defined.
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
    const Type3 type = is_map ? Type3::map : Type3::set;
    const bool in_resp3 = run_of(L).host->answers_in_resp3();
    flat = in_resp3 ? Reply(Typed{type, std::move(items)}) : Reply(std::move(items));
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
  if (auto text = string_field(L, table, "err")) {
    Error error{one_line(text->c_str())};
    run_of(L).host->answers_error(error.text, is_passed_on(L, table));
    return error;
  }
  if (auto text = string_field(L, table, "ok")) return Status{one_line(text->c_str())};

  push_field(L, table, "double");
  const bool is_double = lua_type(L, -1) == LUA_TNUMBER;
  const lua_Number number = lua_tonumber(L, -1);
  lua_pop(L, 1);
  NumberText room;
  const bool in_resp3 = run_of(L).host->answers_in_resp3();
  if (is_double) {
    std::string text(argument_text(number, room));
    return in_resp3 ? Reply(Typed{Type3::number, {std::move(text)}}) : Reply(std::move(text));
  }
  if (auto text = string_field(L, table, "big_number")) {
    return in_resp3 ? Reply(Typed{Type3::big_number, {one_line(*text)}}) : Reply(one_line(*text));
  }
  if (auto text = verbatim(L, table)) return in_resp3 ? Reply(*std::move(text)) : text->items[1];
  if (auto map = flattened(L, table, "map", resp, depth)) return *std::move(map);
  if (auto set = flattened(L, table, "set", resp, depth)) return *std::move(set);
  return array_of(L, table, resp, depth);
}

// A script that chose RESP3 has booleans of its own.
Reply boolean(lua_State* L, bool value, Resp resp) {
  const Reply number = std::int64_t{value ? 1 : 0};
  if (resp == Resp::two) return value ? number : Reply(Nil{});
  return run_of(L).host->answers_in_resp3() ? Reply(Typed{Type3::boolean, {number}}) : number;
}

Reply reply_at(lua_State* L, int index, Resp resp, int depth) {
  switch (lua_type(L, index)) {
    case LUA_TSTRING: return std::string(text_at(L, index));
    case LUA_TNUMBER: return cut_number(lua_tonumber(L, index));
    case LUA_TBOOLEAN:
      return boolean(L, lua_toboolean(L, index) != 0, resp);
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

// Wraps the value on top into a table that has it as its only field.
void name_top(lua_State* L, const char* name) {
  lua_createtable(L, 0, 1);
  lua_insert(L, -2);
  lua_setfield(L, -2, name);
}

// A table with the members of a set, or the pairs of a map.
void push_members(lua_State* L, const Reply::Array& items, bool is_map, Resp resp) {
  luaL_checkstack(L, 8, "reply is nested too deeply");
  lua_newtable(L);
  const std::size_t step = is_map ? 2 : 1;
  for (std::size_t i = 0; i + step <= items.size(); i += step) {
    push_reply(L, items[i], resp);
    if (is_map) push_reply(L, items[i + 1], resp);
    else lua_pushboolean(L, 1);
    lua_rawset(L, -3);
  }
  name_top(L, is_map ? "map" : "set");
}

void push_double(lua_State* L, const Reply& text, Resp resp) {
  const auto number = read_number(text.bulk()->c_str());
  if (!number) return push_reply(L, text, resp);
  lua_pushnumber(L, *number);
  name_top(L, "double");
}

// Of what RESP3 has, a command in a script answers this.
void push_typed(lua_State* L, const Typed& typed, Resp resp) {
  switch (typed.type) {
    case Type3::null: return push_null(L, resp);
    case Type3::number: return push_double(L, typed.items[0], resp);
    case Type3::map: return push_members(L, typed.items, true, resp);
    case Type3::set: return push_members(L, typed.items, false, resp);
    case Type3::verbatim:
      lua_createtable(L, 0, 2);
      push_reply(L, typed.items[0], resp);
      lua_setfield(L, -2, "format");
      push_reply(L, typed.items[1], resp);
      lua_setfield(L, -2, "string");
      return name_top(L, "verbatim_string");
    default: return push_array(L, typed.items, resp);
  }
}

}  // namespace

bool is_passed_on(lua_State* L, int index) {
  push_field(L, index, passed_on_mark);
  const bool is_marked = lua_toboolean(L, -1) != 0;
  lua_pop(L, 1);
  return is_marked;
}

Reply to_reply(lua_State* L, int index, Resp resp) { return reply_at(L, index, resp, 0); }

void push_reply(lua_State* L, const Reply& reply, Resp resp) {
  std::visit(sim::overloaded{
                 [&](Nil) { push_null(L, resp); },
                 [&](NilArray) { push_null(L, resp); },
                 [&](std::int64_t integer) { lua_pushnumber(L, static_cast<lua_Number>(integer)); },
                 [&](const std::string& bulk) { push_text(L, bulk); },
                 [&](const Status& status) {
                   lua_createtable(L, 0, 1);
                   push_text(L, status.text);
                   lua_setfield(L, -2, "ok");
                 },
                 [&](const Error& error) {
                   push_error(L, error.text);
                   lua_pushboolean(L, 1);
                   lua_setfield(L, -2, passed_on_mark);
                 },
                 [&](const Reply::Array& items) { push_array(L, items, resp); },
                 [&](const Typed& typed) { push_typed(L, typed, resp); },
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
