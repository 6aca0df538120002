#include "tools/differential/promise.h"

#include <algorithm>

#include "model/redis/arguments.h"
#include "model/redis/testing/test_client.h"

namespace lockstep::differential {

using model::Command;
using model::Reply;

namespace {

bool is_any_of(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_scan(std::string_view name) { return is_any_of(name, {"scan", "hscan", "sscan", "zscan"}); }

bool in_pairs(std::string_view name) { return is_any_of(name, {"hgetall", "hscan", "zscan"}); }

const redis::Keyspace* keys_of(const redis::Node& node, model::ConnectionId from) {
  const auto session = node.sessions->find(from);
  return redis::find_database(node, session == node.sessions->end() ? 0 : session->second.database);
}

const redis::Entry* entry_of(const redis::Node& node, model::ConnectionId from, const std::string& key) {
  const redis::Keyspace* const keys = keys_of(node, from);
  return keys ? keys->find(key) : nullptr;
}

/// RANDOMKEY and SCAN remove the dead keys that they happen to come upon, and time may pass before they do.
bool has_mortal_keys(const redis::Keyspace* keys) {
  return keys && std::any_of(keys->entries().begin(), keys->entries().end(),
                             [](const auto& key) { return key.second.remaining.has_value(); });
}

bool has_word(const Command& command, std::string_view wanted) {
  return std::any_of(command.begin(), command.end(),
                     [&](const std::string& word) { return redis::to_lower(word) == wanted; });
}

/// SORT BY on what is no list: elements of equal weight come in the order of a hash table.
bool sorts_by_weight(const redis::Entry* entry, const Command& command) {
  return has_word(command, "by") && entry && !std::holds_alternative<redis::List>(entry->value);
}

/// SPOP of less than all.
bool draws_what_it_removes(const redis::Entry* entry, const Command& command) {
  const auto* const set = entry ? std::get_if<redis::Set>(&entry->value) : nullptr;
  if (!set || command.size() > 3) return false;
  const auto count = command.size() == 3 ? redis::parse_integer(command[2]) : 1;
  return count && *count > 0 && static_cast<std::size_t>(*count) < set->members.size();
}

bool has_different_scores(const redis::Entry* entry) {
  const auto* const sorted = entry ? std::get_if<redis::SortedSet>(&entry->value) : nullptr;
  return sorted && sorted->entries.front().score != sorted->entries.back().score;
}

/// The items of an array, or its pairs, as sorted texts.
std::vector<std::string> sorted_items(const Reply::Array& items, bool pairs) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const bool second = pairs && i % 2 == 1;
    if (second) texts.back() += " = " + redis::testing::render(items[i]);
    else texts.push_back(redis::testing::render(items[i]));
  }
  std::sort(texts.begin(), texts.end());
  return texts;
}

/// Of an array, or of a set or a map in RESP3; nullptr: it has none.
const Reply::Array* items_of(const Reply& reply) {
  const lua::Typed* const typed = reply.typed();
  const bool holds_items = typed && (typed->type == lua::Type3::set || typed->type == lua::Type3::map);
  return holds_items ? &typed->items : reply.array();
}

bool same_kind(const Reply& one, const Reply& other) {
  return one.value.index() == other.value.index() &&
         (!one.typed() || one.typed()->type == other.typed()->type);
}

bool same_items(const Command& command, const Reply& one, const Reply& other) {
  if (!items_of(one) || !items_of(other)) return one == other;
  const bool pairs = in_pairs(redis::to_lower(command[0]));
  return same_kind(one, other) &&
         sorted_items(*items_of(one), pairs) == sorted_items(*items_of(other), pairs);
}

bool same_shape(const Reply& one, const Reply& other) {
  if (one.error() || other.error()) return one == other;
  if (items_of(one) && items_of(other) && items_of(one)->size() != items_of(other)->size()) return false;
  return same_kind(one, other);
}

/// A cursor and the items of a page. A whole page is one that begins at 0 and has room for a thousand.
bool same_page(const Command& command, const Reply& one, const Reply& other) {
  if (!one.array() || !other.array()) return one == other;
  const std::size_t cursor = redis::to_lower(command[0]) == "scan" ? 1 : 2;
  const bool whole = command[cursor] == "0" && command.back() == "1000";
  if (!whole) return same_shape(one, other);
  const Reply::Array &a = *one.array(), &b = *other.array();
  return a.size() == 2 && b.size() == 2 && a[0] == b[0] && same_items(command, a[1], b[1]);
}

}  // namespace

bool is_lexicographic(const Command& command) {
  return has_word(command, "bylex") || redis::to_lower(command[0]).find("lex") != std::string::npos;
}

bool keeps_items(std::string_view name) {
  return !is_scan(name) && !is_any_of(name, {"randomkey", "hrandfield", "srandmember", "zrandmember", "spop",
                                             "sort", "sort_ro", "object"});
}

bool keeps_order(std::string_view name) {
  return keeps_items(name) && !is_any_of(name, {"keys", "pubsub", "sunion", "sinter", "sdiff", "hgetall",
                                                "hkeys", "hvals", "smembers"});
}

Promise promise_of(const redis::Node& node, model::ConnectionId from, const Command& command) {
  const std::string name = redis::to_lower(command[0]);
  if (keeps_order(name)) return Promise::everything;
  if (is_any_of(name, {"keys", "pubsub", "sunion", "sinter", "sdiff"})) return Promise::items;
  if (name == "randomkey" || name == "scan") return Promise::shape;
  if (command.size() < 2) return Promise::everything;
  if (name == "object") {
    return redis::to_lower(command[1]) == "idletime" ? Promise::shape : Promise::everything;
  }
  if (is_scan(name)) return command.size() > 2 || name == "scan" ? Promise::page : Promise::everything;
  if (name == "spop") return Promise::items;
  if (!keeps_items(name) && !name.starts_with("sort")) return Promise::shape;
  const redis::Entry* const entry = entry_of(node, from, command[1]);
  if (!entry) return Promise::everything;
  if (name.starts_with("sort")) {
    return sorts_by_weight(entry, command) ? Promise::shape : Promise::everything;
  }
  if (const auto* const hash = std::get_if<redis::Hash>(&entry->value))
    return hash->compact ? Promise::everything : Promise::items;
  const auto* const set = std::get_if<redis::Set>(&entry->value);
  return set && !set->integers ? Promise::items : Promise::everything;
}

bool is_settled(const redis::Node& node, model::ConnectionId from, const Command& command) {
  const std::string name = redis::to_lower(command[0]);
  if (name == "randomkey" || name == "scan") return !has_mortal_keys(keys_of(node, from));
  if (command.size() < 2) return true;
  const redis::Entry* const entry = entry_of(node, from, command[1]);
  if (name == "spop") return !draws_what_it_removes(entry, command);
  if (name == "sort") return !(sorts_by_weight(entry, command) && has_word(command, "store"));
  if (!is_lexicographic(command)) return true;
  const bool stores = name == "zrangestore" && command.size() > 2;
  return !has_different_scores(stores ? entry_of(node, from, command[2]) : entry);
}

bool agree(Promise promise, const Command& command, const Reply& one, const Reply& other) {
  switch (promise) {
    case Promise::everything:
      return one == other;
    case Promise::items:
      return same_items(command, one, other);
    case Promise::page:
      return same_page(command, one, other);
    case Promise::shape:
      return same_shape(one, other);
    case Promise::nothing:
      return true;
  }
  return false;
}

}  // namespace lockstep::differential
