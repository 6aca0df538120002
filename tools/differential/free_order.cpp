#include "tools/differential/free_order.h"

#include <algorithm>

#include "model/redis/arguments.h"
#include "model/redis/test_client.h"

namespace lockstep::differential {

using model::Command;
using model::Reply;

namespace {

bool is_any_of(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// The items of an array, or its pairs, as sorted texts.
std::vector<std::string> sorted_items(const Reply::Array& items, bool in_pairs) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const bool second = in_pairs && i % 2 == 1;
    if (second) texts.back() += " = " + redis::testing::render(items[i]);
    else texts.push_back(redis::testing::render(items[i]));
  }
  std::sort(texts.begin(), texts.end());
  return texts;
}

}  // namespace

bool order_is_free(const redis::Node& node, const Command& command) {
  const std::string name = redis::to_lower(command[0]);
  if (is_any_of(name, {"keys", "pubsub", "sunion", "sinter", "sdiff"})) return true;
  if (command.size() < 2) return false;
  const redis::Entry* const entry = node.db.find(command[1]);
  if (!entry) return false;
  if (is_any_of(name, {"hgetall", "hkeys", "hvals"})) {
    const auto* const hash = std::get_if<redis::Hash>(&entry->value);
    return hash && !hash->compact;
  }
  const auto* const set = std::get_if<redis::Set>(&entry->value);
  return name == "smembers" && set && !set->integers;
}

bool equal_in_some_order(const Command& command, const Reply& one, const Reply& other) {
  if (!one.array() || !other.array()) return one == other;
  const bool in_pairs = redis::to_lower(command[0]) == "hgetall";
  return sorted_items(*one.array(), in_pairs) == sorted_items(*other.array(), in_pairs);
}

}  // namespace lockstep::differential
