#include "model/redis/cluster/map.h"

#include <algorithm>

#include "sim/base/verify.h"

namespace lockstep::redis::cluster {

const Member* find(const Map& map, std::string_view name) {
  const auto at = map.members.find(NodeName(name));
  return at == map.members.end() ? nullptr : &at->second;
}

const NodeName* owner_of(const Map& map, Slot slot) {
  for (const auto& [name, member] : map.members) {
    if (member.slots.contains(slot)) return &name;
  }
  return nullptr;
}

void assign(Map& map, const NodeName& owner, SlotSet slots) {
  VERIFY(map.members.contains(owner));
  for (auto& [name, member] : map.members) {
    for (const SlotRange& range : slots.ranges) {
      if (name == owner) member.slots.insert(range);
      else member.slots.erase(range);
    }
  }
}

std::vector<NodeName> replicas_of(const Map& map, std::string_view master) {
  std::vector<NodeName> names;
  for (const auto& [name, member] : map.members) {
    if (member.kind == Kind::replica && member.master == master) names.push_back(name);
  }
  return names;
}

const NodeName& shard_of(const Map& map, const NodeName& member) {
  const Member& which = map.members.at(member);
  return which.kind == Kind::master ? member : which.master;
}

std::size_t voters(const Map& map) {
  std::size_t count = 0;
  for (const auto& [name, member] : map.members) {
    if (member.kind == Kind::master && !member.slots.empty()) ++count;
  }
  return count;
}

std::size_t majority(const Map& map) { return voters(map) / 2 + 1; }

Epoch highest_epoch(const Map& map) {
  Epoch highest = map.current_epoch;
  for (const auto& [name, member] : map.members) highest = std::max(highest, member.config_epoch);
  return highest;
}

Epoch epoch_of(const Map& map, const NodeName& member) {
  const Member* const shown = find(map, shard_of(map, member));
  return shown ? shown->config_epoch : map.members.at(member).config_epoch;
}

}  // namespace lockstep::redis::cluster
