#include "lua/redis_api/resp3.h"

#include <algorithm>
#include <cctype>
#include <string>
#include <utility>

namespace lockstep::lua {
namespace {

using Words = std::span<const std::string_view>;

using Array = Reply::Array;

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
  push,
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
    {"zincrby", Shape3::number}, {"zmscore", Shape3::numbers},
    {"zmpop", Shape3::popped_scores}, {"info", Shape3::verbatim}, {"lolwut", Shape3::verbatim},
    {"geopos", Shape3::numbers}, {"xread", Shape3::map_of_lists}, {"xreadgroup", Shape3::map_of_lists},
    {"subscribe", Shape3::push}, {"unsubscribe", Shape3::push}, {"psubscribe", Shape3::push},
    {"punsubscribe", Shape3::push}, {"ssubscribe", Shape3::push}, {"sunsubscribe", Shape3::push},
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

Reply typed(Type3 type, Array items) { return Typed{type, std::move(items)}; }

// A double of a text; in a list of each.
Reply number(Reply reply) {
  if (const Array* const items = reply.array()) {
    Array numbers;
    for (const Reply& item : *items) numbers.push_back(number(item));
    return numbers;
  }
  return reply.bulk() ? typed(Type3::number, {std::move(reply)}) : null_in_resp3(std::move(reply));
}

Reply map_of_pairs(Array items) {
  Array flat;
  for (const Reply& item : items) {
    if (item.array() && item.array()->size() == 2)
      flat.insert(flat.end(), item.array()->begin(), item.array()->end());
  }
  return typed(Type3::map, std::move(flat));
}

// A list of pairs out of a flat one.
Reply pairs(Array items, bool second_is_a_number) {
  Array all;
  for (std::size_t i = 0; i + 1 < items.size(); i += 2) {
    Reply second = second_is_a_number ? number(std::move(items[i + 1])) : std::move(items[i + 1]);
    all.emplace_back(Array{std::move(items[i]), std::move(second)});
  }
  return all;
}

// A list whose first item stays as it is.
Reply after_first(Array items, bool has_pairs) {
  for (std::size_t i = 1; i < items.size(); ++i) {
    const Array* const list = items[i].array();
    if (!has_pairs || !list) {
      items[i] = number(std::move(items[i]));
      continue;
    }
    Array scored;
    for (const Reply& pair : *list) scored.push_back(pair.array() ? after_first(*pair.array(), false) : pair);
    items[i] = std::move(scored);
  }
  return items;
}

Reply shaped(Shape3 shape, Array items) {
  switch (shape) {
    case Shape3::map: return typed(Type3::map, std::move(items));
    case Shape3::map_of_lists: return map_of_pairs(std::move(items));
    case Shape3::set: return typed(Type3::set, std::move(items));
    case Shape3::push: return typed(Type3::push, std::move(items));
    case Shape3::numbers: return number(std::move(items));
    case Shape3::pairs: return pairs(std::move(items), false);
    case Shape3::scores: return pairs(std::move(items), true);
    case Shape3::one_score: return after_first(std::move(items), false);
    case Shape3::popped_scores: return after_first(std::move(items), true);
    default: return items;
  }
}

Reply shaped(Shape3 shape, Reply reply) {
  if (auto* const items = std::get_if<Array>(&reply.value)) return shaped(shape, std::move(*items));
  if (!reply.bulk()) return reply;
  if (shape == Shape3::number) return number(std::move(reply));
  if (shape == Shape3::verbatim) return verbatim_text(*reply.bulk());
  return reply;
}

}  // namespace

Reply verbatim_text(std::string text) {
  return typed(Type3::verbatim, {std::string("txt"), std::move(text)});
}

Reply null_in_resp3(Reply reply) {
  if (reply.is_nil() || std::holds_alternative<NilArray>(reply.value)) return Typed{};
  if (auto* const items = std::get_if<Array>(&reply.value))
    for (Reply& item : *items) item = null_in_resp3(std::move(item));
  if (auto* const typed = std::get_if<Typed>(&reply.value))
    for (Reply& item : typed->items) item = null_in_resp3(std::move(item));
  return reply;
}

Reply in_resp3(Words words, Reply reply) {
  return null_in_resp3(shaped(shape_of_reply(words), std::move(reply)));
}

}  // namespace lockstep::lua
