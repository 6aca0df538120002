#include "model/redis/instants.h"

#include <algorithm>
#include <array>

#include "model/redis/arguments.h"

namespace lockstep::redis {

using model::InstantKeys;

namespace {

bool holds(const std::string& key, const Value& value, const InstantKeys& such) {
  if (std::holds_alternative<SortedSet>(value)) return such.scores(key);
  const auto* hash = std::get_if<Hash>(&value);
  return hash != nullptr && std::any_of(hash->pairs.begin(), hash->pairs.end(),
                                        [&](const auto& pair) { return such.fields(key, pair.first); });
}

bool holds(const Keyspace& keys, const InstantKeys& such) {
  return std::any_of(keys.entries().begin(), keys.entries().end(),
                     [&](const auto& one) { return holds(one.first, one.second.value, such); });
}

void move(const std::string& key, Value& value, const InstantKeys& such, Duration by) {
  if (auto* sorted = std::get_if<SortedSet>(&value)) {
    for (Scored& one : sorted->entries) one.score += static_cast<decltype(one.score)>(by.count());
    sorted->renamed();
    return;
  }
  for (auto& [field, text] : std::get<Hash>(value).pairs)
    if (const auto instant = such.fields(key, field) ? parse_integer(text) : std::nullopt)
      text = std::to_string(*instant + by.count());
}

void move(Keyspace& keys, const InstantKeys& such, Duration by) {
  std::vector<std::string> names;
  for (const auto& [key, entry] : keys.entries())
    if (holds(key, entry.value, such)) names.push_back(key);
  for (const std::string& name : names) move(name, keys.find(name)->value, such, by);
}

/// ZADD: its options, then score and member by turns.
bool move_added(model::Command& words, Duration by) {
  constexpr std::array<std::string_view, 5> options{"nx", "xx", "gt", "lt", "ch"};
  std::size_t at = 2;
  while (at < words.size() &&
         std::find(options.begin(), options.end(), to_lower(words[at])) != options.end())
    ++at;
  for (; at + 1 < words.size(); at += 2) {
    const auto score = parse_integer(words[at]);
    if (!score) return false;
    words[at] = std::to_string(*score + by.count());
  }
  return true;
}

/// HSET: field and value by turns.
bool move_set(model::Command& words, const InstantKeys& such, Duration by) {
  for (std::size_t at = 2; at + 1 < words.size(); at += 2) {
    if (!such.fields(words[1], words[at])) continue;
    const auto instant = parse_integer(words[at + 1]);
    if (!instant) return false;
    words[at + 1] = std::to_string(*instant + by.count());
  }
  return true;
}

bool move(model::Command& words, const InstantKeys& such, Duration by) {
  constexpr std::array<std::string_view, 10> without_instants{
      "zincrby", "zrem", "del", "unlink", "pexpire", "expire", "pexpireat", "persist", "zpopmin", "hdel"};
  const std::string command = to_lower(words.front());
  if (command == "hset" || command == "hmset" || command == "hsetnx") return move_set(words, such, by);
  const auto scores = [&](const auto& word) { return such.scores(word); };
  const auto field = [&](const auto& word) { return words.size() > 1 && such.fields(words[1], word); };
  if (std::none_of(words.begin(), words.end(), scores) && std::none_of(words.begin(), words.end(), field))
    return true;
  if (command == "zadd") return move_added(words, by);
  return std::find(without_instants.begin(), without_instants.end(), command) != without_instants.end();
}

}  // namespace

std::vector<std::int64_t> instants_in(const std::string& key, const Value& value, const InstantKeys& such) {
  constexpr auto whole_numbers_max = 9'007'199'254'740'992.0;  // 2^53
  std::vector<std::int64_t> found;
  if (const auto* sorted = std::get_if<SortedSet>(&value); sorted != nullptr && such.scores(key))
    for (const Scored& one : sorted->entries)
      found.push_back(
          static_cast<std::int64_t>(std::clamp(one.score, -whole_numbers_max, whole_numbers_max)));
  if (const auto* hash = std::get_if<Hash>(&value))
    for (const auto& [field, text] : hash->pairs)
      if (const auto instant = such.fields(key, field) ? parse_integer(text) : std::nullopt)
        found.push_back(*instant);
  return found;
}

bool holds_instants(const Node& node, const InstantKeys& such) {
  const auto& kept = node.disk->unsynced;
  return holds(node.db, such) || (node.snapshot && holds(node.snapshot->db, such)) ||
         std::any_of(kept.begin(), kept.end(),
                     [&](const auto& version) { return holds(version.before, such); });
}

bool move_instants(Node& node, const InstantKeys& such, Duration by) {
  if (!holds_instants(node, such)) return false;
  move(node.db, such, by);
  if (node.snapshot) move(node.snapshot->db, such, by);
  if (!node.disk->unsynced.empty())
    for (Disk::Version& version : node.disk.write().unsynced) move(version.before, such, by);
  return true;
}

bool move_instants(Effects& effects, const InstantKeys& such, Duration by) {
  bool understood = true;
  for (Effect& effect : effects) understood = move(effect.words, such, by) && understood;
  return understood;
}

}  // namespace lockstep::redis
