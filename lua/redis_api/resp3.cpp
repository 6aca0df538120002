#include "lua/redis_api/resp3.h"

#include <algorithm>
#include <cctype>
#include <string>

#include "lua/engine/convert.h"
#include "lua/dialect/numbers.h"

namespace lockstep::lua {
namespace {

using Words = std::span<const std::string_view>;

enum class Shape3 {
  same,            // but for nulls
  map,             // of a flat list
  map_of_lists,    // of a list of pairs
  set,             // of a list
  number,          // a double of a text
  numbers,         // doubles, in lists within lists
  pairs,           // of a flat list
  scores,          // pairs of a flat list, the second a double
  one_score,       // a member and its score
  popped_scores,   // the key, and a list of pairs
  verbatim,        // a text
};

bool is_same_word(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](unsigned char x, unsigned char y) {
    return std::tolower(x) == std::tolower(y);
  });
}

bool has_option(Words words, std::string_view option) {
  return std::any_of(words.begin() + 1, words.end(), [&](auto word) { return is_same_word(word, option); });
}

// The shape of a command's reply where it is always the same.
struct Fixed {
  const char* command;
  Shape3 shape;
};

constexpr Fixed fixed[] = {
    {"hgetall", Shape3::map},   {"smembers", Shape3::set},     {"sinter", Shape3::set},
    {"sunion", Shape3::set},    {"sdiff", Shape3::set},        {"zscore", Shape3::number},
    {"zincrby", Shape3::number}, {"zmscore", Shape3::numbers}, {"geopos", Shape3::numbers},
    {"zmpop", Shape3::popped_scores}, {"info", Shape3::verbatim}, {"lolwut", Shape3::verbatim},
    {"xread", Shape3::map_of_lists}, {"xreadgroup", Shape3::map_of_lists},
};

// The shape where an option decides.
struct Optional {
  const char* command;
  const char* option;
  Shape3 shape;
};

constexpr Optional optional[] = {
    {"zrange", "withscores", Shape3::scores},      {"zrevrange", "withscores", Shape3::scores},
    {"zrangebyscore", "withscores", Shape3::scores}, {"zrevrangebyscore", "withscores", Shape3::scores},
    {"zunion", "withscores", Shape3::scores},      {"zinter", "withscores", Shape3::scores},
    {"zdiff", "withscores", Shape3::scores},       {"zrandmember", "withscores", Shape3::scores},
    {"hrandfield", "withvalues", Shape3::pairs},   {"zadd", "incr", Shape3::number},
    {"lcs", "idx", Shape3::map},
};

Shape3 shape_of_reply(Words words) {
  const std::string_view name = words[0];
  for (const Fixed& each : fixed) {
    if (is_same_word(name, each.command)) return each.shape;
  }
  for (const Optional& each : optional) {
    if (is_same_word(name, each.command) && has_option(words, each.option)) return each.shape;
  }
  if (is_same_word(name, "spop") && words.size() > 2) return Shape3::set;
  if (is_same_word(name, "zpopmin") || is_same_word(name, "zpopmax")) {
    return words.size() > 2 ? Shape3::scores : Shape3::one_score;
  }
  return Shape3::same;
}

void push_same(lua_State* L, const Reply& reply) { push_reply(L, reply, Resp::three); }

// {double = …} of a text; lists within it alike.
void push_numbers(lua_State* L, const Reply& reply) {
  if (const auto* items = reply.array()) {
    luaL_checkstack(L, 8, "reply is nested too deeply");
    lua_createtable(L, static_cast<int>(items->size()), 0);
    int place = 0;
    for (const Reply& item : *items) {
      push_numbers(L, item);
      lua_rawseti(L, -2, ++place);
    }
    return;
  }
  const std::string* const text = reply.bulk();
  const auto number = text == nullptr ? std::nullopt : read_number(text->c_str());
  if (!number) return push_same(L, reply);
  lua_createtable(L, 0, 1);
  push_whole(L, *number);
  lua_setfield(L, -2, "double");
}

// A list of pairs out of a flat one.
void push_pairs(lua_State* L, const Reply::Array& items, void (*push_second)(lua_State*, const Reply&)) {
  lua_createtable(L, static_cast<int>(items.size() / 2), 0);
  int place = 0;
  for (std::size_t i = 0; i + 1 < items.size(); i += 2) {
    lua_createtable(L, 2, 0);
    push_same(L, items[i]);
    lua_rawseti(L, -2, 1);
    push_second(L, items[i + 1]);
    lua_rawseti(L, -2, 2);
    lua_rawseti(L, -2, ++place);
  }
}

// Wraps the table on top into one that has it as its only field.
void name_top(lua_State* L, const char* name) {
  lua_createtable(L, 0, 1);
  lua_insert(L, -2);
  lua_setfield(L, -2, name);
}

void push_map(lua_State* L, const Reply::Array& items) {
  lua_newtable(L);
  for (std::size_t i = 0; i + 1 < items.size(); i += 2) {
    push_same(L, items[i]);
    push_same(L, items[i + 1]);
    lua_rawset(L, -3);
  }
  name_top(L, "map");
}

void push_map_of_lists(lua_State* L, const Reply::Array& items) {
  lua_newtable(L);
  for (const Reply& item : items) {
    const auto* const pair = item.array();
    if (pair == nullptr || pair->size() != 2) continue;
    push_same(L, (*pair)[0]);
    push_same(L, (*pair)[1]);
    lua_rawset(L, -3);
  }
  name_top(L, "map");
}

void push_set(lua_State* L, const Reply::Array& items) {
  lua_newtable(L);
  for (const Reply& item : items) {
    push_same(L, item);
    lua_pushboolean(L, 1);
    lua_rawset(L, -3);
  }
  name_top(L, "set");
}

// A list whose first item stays as it is.
void push_after_first(lua_State* L, const Reply::Array& items, bool has_pairs) {
  lua_createtable(L, static_cast<int>(items.size()), 0);
  for (std::size_t i = 0; i < items.size(); ++i) {
    const auto* const list = items[i].array();
    if (i == 0) {
      push_same(L, items[i]);
    } else if (!has_pairs || list == nullptr) {
      push_numbers(L, items[i]);
    } else {
      lua_createtable(L, static_cast<int>(list->size()), 0);
      for (std::size_t j = 0; j < list->size(); ++j) {
        const auto* const pair = (*list)[j].array();
        pair == nullptr ? push_same(L, (*list)[j]) : push_after_first(L, *pair, false);
        lua_rawseti(L, -2, static_cast<int>(j) + 1);
      }
    }
    lua_rawseti(L, -2, static_cast<int>(i) + 1);
  }
}

void push_array(lua_State* L, Shape3 shape, const Reply& reply) {
  const Reply::Array& items = *reply.array();
  luaL_checkstack(L, 12, "reply is nested too deeply");
  switch (shape) {
    case Shape3::map: return push_map(L, items);
    case Shape3::map_of_lists: return push_map_of_lists(L, items);
    case Shape3::set: return push_set(L, items);
    case Shape3::numbers: return push_numbers(L, reply);
    case Shape3::pairs: return push_pairs(L, items, push_same);
    case Shape3::scores: return push_pairs(L, items, push_numbers);
    case Shape3::one_score: return push_after_first(L, items, false);
    case Shape3::popped_scores: return push_after_first(L, items, true);
    default: return push_same(L, reply);
  }
}

}  // namespace

void push_resp3(lua_State* L, Words words, const Reply& reply) {
  const Shape3 shape = shape_of_reply(words);
  if (reply.array() != nullptr) return push_array(L, shape, reply);
  const std::string* const text = reply.bulk();
  if (text != nullptr && shape == Shape3::number) return push_numbers(L, reply);
  if (text == nullptr || shape != Shape3::verbatim) return push_same(L, reply);
  lua_createtable(L, 0, 2);
  lua_pushliteral(L, "txt");
  lua_setfield(L, -2, "format");
  push_text(L, *text);
  lua_setfield(L, -2, "string");
  name_top(L, "verbatim_string");
}

}  // namespace lockstep::lua
