#include "model/redis/instants.h"

#include <algorithm>
#include <array>

#include "model/redis/arguments.h"

namespace lockstep::redis {

using model::InstantKeys;

namespace {

bool holds(const Keyspace& keys, const InstantKeys& such) {
  return std::any_of(keys.entries().begin(), keys.entries().end(), [&](const auto& one) {
    return such(one.first) && std::holds_alternative<SortedSet>(one.second.value);
  });
}

void move(Keyspace& keys, const InstantKeys& such, Duration by) {
  if (!holds(keys, such)) return;
  std::vector<std::string> names;
  for (const auto& [key, entry] : keys.entries())
    if (such(key)) names.push_back(key);
  for (const std::string& name : names) {
    auto* sorted = std::get_if<SortedSet>(&keys.find(name)->value);
    if (sorted == nullptr) continue;
    for (Scored& one : sorted->entries) one.score += static_cast<decltype(one.score)>(by.count());
    sorted->renamed();
  }
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

bool move(model::Command& words, const InstantKeys& such, Duration by) {
  constexpr std::array<std::string_view, 9> without_instants{
      "zincrby", "zrem", "del", "unlink", "pexpire", "expire", "pexpireat", "persist", "zpopmin"};
  if (std::none_of(words.begin(), words.end(), [&](const auto& word) { return such(word); })) return true;
  const std::string command = to_lower(words.front());
  if (command == "zadd") return move_added(words, by);
  return std::find(without_instants.begin(), without_instants.end(), command) != without_instants.end();
}

}  // namespace

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
