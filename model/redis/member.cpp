#include "model/redis/member.h"

#include <algorithm>

namespace lockstep::redis {

namespace {

constexpr std::uint16_t port = 6'379;

}  // namespace

std::vector<model::Push> drop_channels(PubSub& pubsub, const cluster::SlotSet& slots) {
  std::vector<model::Push> told;
  for (auto at = pubsub.shard_channels.begin(); at != pubsub.shard_channels.end();) {
    if (!slots.contains(cluster::slot_of(at->first))) {
      ++at;
      continue;
    }
    const auto [channel, listeners] = std::move(*at);
    at = pubsub.shard_channels.erase(at);
    for (const model::ConnectionId listener : listeners) {
      const std::size_t left = count_subscriptions(pubsub.shard_channels, listener);
      told.push_back({listener, model::Reply::Array{model::Reply{std::string("sunsubscribe")},
                                                    model::Reply{std::string(channel)},
                                                    model::Reply{static_cast<std::int64_t>(left)}}});
    }
  }
  return told;
}

void join(Node& node, const model::ClusterPlace& place) {
  cluster::Map map;
  map.myself = place.myself;
  map.ok = true;
  for (const auto& member : place.members) {
    cluster::Member& known = map.members[member.name];
    known.address = {member.name, port, 0};
    known.kind = member.master.empty() ? cluster::Kind::master : cluster::Kind::replica;
    known.master = member.master;
    for (const auto& [first, last] : member.slots) known.slots.insert({first, last});
  }
  node.cluster = std::optional(std::move(map));
}

std::vector<model::Push> succeed(Node& node, const std::string& one, const std::vector<std::string>& group) {
  cluster::Map& map = *node.cluster.write();
  const auto owner = std::find_if(group.begin(), group.end(), [&](const std::string& name) {
    return !map.members.at(name).slots.empty();
  });
  map.migrating.clear();
  map.importing.clear();
  if (owner == group.end() || *owner == one) return {};
  const bool served = map.myself != one && cluster::shard_of(map, map.myself) == *owner;
  const cluster::SlotSet slots = map.members.at(*owner).slots;
  map.members.at(one).kind = cluster::Kind::master;
  map.members.at(one).master.clear();
  cluster::assign(map, one, slots);
  for (auto& [name, member] : map.members) {
    if (name != *owner && member.master != *owner) continue;
    member.kind = cluster::Kind::replica;
    member.master = one;
  }
  if (!served || node.pubsub.shard_channels.empty()) return {};
  return drop_channels(node.pubsub, slots);
}

void begin_to_move(Node& from, Node& to, const std::vector<std::string>& keys) {
  cluster::Map &source = *from.cluster.write(), &target = *to.cluster.write();
  for (const std::string& key : keys) {
    const cluster::Slot slot = cluster::slot_of(key);
    if (!source.me().slots.contains(slot)) continue;
    source.migrating[slot] = target.myself;
    target.importing[slot] = source.myself;
  }
}

std::optional<model::Gone> move_next(Node& from, Node& to) {
  const cluster::Map& map = **from.cluster;
  for (const auto& [key, entry] : from.db.entries()) {
    if (!map.migrating.contains(cluster::slot_of(key)) || entry.dead()) continue;
    const std::string name = key;
    const Entry moved = entry;
    from.db.erase(name);
    to.db.put(name, moved.value).remaining = moved.remaining;
    return model::Gone{name, {Effect{.words = {"DEL", name}, .time_word = {}}}};
  }
  return std::nullopt;
}

}  // namespace lockstep::redis
