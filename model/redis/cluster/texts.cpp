#include "model/redis/cluster/texts.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "sim/base/verify.h"

namespace lockstep::redis::cluster {

namespace {

using lua::Reply;

std::string flags_of(const Map& map, const NodeName& name, const Member& member) {
  std::string flags = name == map.myself ? "myself," : "";
  flags += member.kind == Kind::master ? "master" : "slave";
  if (member.health == Health::pfail) flags += ",fail?";
  if (member.health == Health::fail) flags += ",fail";
  if (member.no_failover) flags += ",nofailover";
  return flags;
}

std::string moment(const std::optional<Duration>& ago, std::int64_t wall_ms) {
  return ago ? std::to_string(wall_ms - ago->count()) : "0";
}

/// What is on its way to or from this node, in the order of the slots.
std::string migrations(const Map& map) {
  std::map<Slot, std::string> shown;
  for (const auto& [slot, from] : map.importing) shown[slot] = "-<-" + from;
  for (const auto& [slot, to] : map.migrating) shown[slot] = "->-" + to;
  std::string text;
  for (const auto& [slot, where] : shown) text += " [" + std::to_string(slot) + where + "]";
  return text;
}

std::int64_t as_integer(std::uint64_t number) { return static_cast<std::int64_t>(number); }

/// A replica that has received nothing yet, or is down, is not offered to clients.
bool is_offered(const Member& replica) { return replica.health != Health::fail && replica.offset != 0; }

Reply slots_node(const NodeName& name, const Member& member) {
  Reply::Array metadata;
  if (!member.hostname.empty()) metadata = {std::string("hostname"), member.hostname};
  return Reply::Array{member.address.ip, std::int64_t{member.address.port}, name, metadata};
}

std::string shard_health(const Member& member) {
  if (member.health == Health::fail) return "fail";
  return member.kind == Kind::replica && member.offset == 0 ? "loading" : "online";
}

Reply shard_node(const NodeName& name, const Member& member) {
  Reply::Array node{std::string("id"), name, std::string("port"), std::int64_t{member.address.port},
                    std::string("ip"), member.address.ip, std::string("endpoint"), member.address.ip};
  if (!member.hostname.empty()) {
    node.push_back(std::string("hostname"));
    node.push_back(member.hostname);
  }
  node.push_back(std::string("role"));
  node.push_back(std::string(member.kind == Kind::master ? "master" : "replica"));
  node.push_back(std::string("replication-offset"));
  node.push_back(as_integer(member.offset));
  node.push_back(std::string("health"));
  node.push_back(shard_health(member));
  return node;
}

}  // namespace

std::string node_line(const Map& map, const NodeName& name, std::int64_t wall_ms) {
  const Member* const member = find(map, name);
  VERIFY(member != nullptr);
  const Address& address = member->address;
  std::string line = name + " " + address.ip + ":" + std::to_string(address.port) + "@" +
                     std::to_string(address.bus_port);
  if (!member->hostname.empty()) line += "," + member->hostname;
  line += " " + flags_of(map, name, *member) + " " + (member->master.empty() ? "-" : member->master);
  line += " " + moment(member->since_ping, wall_ms) + " " + moment(member->since_pong, wall_ms);
  line += " " + std::to_string(epoch_of(map, name));
  line += member->linked || name == map.myself ? " connected" : " disconnected";
  for (const SlotRange& range : member->slots.ranges) {
    line += " " + std::to_string(range.first);
    if (range.last != range.first) line += "-" + std::to_string(range.last);
  }
  if (name == map.myself) line += migrations(map);
  return line;
}

std::string nodes_text(const Map& map, std::int64_t wall_ms) {
  std::string text;
  for (const auto& [name, member] : map.members) text += node_line(map, name, wall_ms) + "\n";
  return text;
}

std::string cluster_info_text(const Map& map, const std::string& counts) {
  std::size_t assigned = 0, pfail = 0, fail = 0;
  for (const auto& [name, member] : map.members) {
    const std::size_t slots = member.slots.size();
    assigned += slots;
    if (member.health == Health::pfail) pfail += slots;
    if (member.health == Health::fail) fail += slots;
  }
  const auto line = [](const std::string& name, std::uint64_t number) {
    return name + ":" + std::to_string(number) + "\r\n";
  };
  return std::string("cluster_state:") + (map.ok ? "ok" : "fail") + "\r\n" +
         line("cluster_slots_assigned", assigned) + line("cluster_slots_ok", assigned - pfail - fail) +
         line("cluster_slots_pfail", pfail) + line("cluster_slots_fail", fail) +
         line("cluster_known_nodes", map.members.size()) + line("cluster_size", voters(map)) +
         line("cluster_current_epoch", map.current_epoch) +
         line("cluster_my_epoch", epoch_of(map, map.myself)) + counts +
         line("total_cluster_links_buffer_limit_exceeded", 0);
}

Reply slots_reply(const Map& map) {
  std::vector<std::pair<SlotRange, NodeName>> served;
  for (const auto& [name, member] : map.members) {
    for (const SlotRange& range : member.slots.ranges) served.emplace_back(range, name);
  }
  std::sort(served.begin(), served.end());
  Reply::Array rows;
  for (const auto& [range, owner] : served) {
    Reply::Array row{std::int64_t{range.first}, std::int64_t{range.last},
                     slots_node(owner, map.members.at(owner))};
    for (const NodeName& replica : replicas_of(map, owner)) {
      const Member& member = map.members.at(replica);
      if (is_offered(member)) row.push_back(slots_node(replica, member));
    }
    rows.push_back(row);
  }
  return rows;
}

Reply shards_reply(const Map& map) {
  Reply::Array shards;
  for (const auto& [name, member] : map.members) {
    if (member.kind == Kind::replica) continue;
    Reply::Array slots;
    for (const SlotRange& range : member.slots.ranges) {
      slots.push_back(std::int64_t{range.first});
      slots.push_back(std::int64_t{range.last});
    }
    Reply::Array nodes{shard_node(name, member)};
    for (const NodeName& replica : replicas_of(map, name))
      nodes.push_back(shard_node(replica, map.members.at(replica)));
    shards.push_back(Reply::Array{std::string("slots"), slots, std::string("nodes"), nodes});
  }
  return shards;
}

}  // namespace lockstep::redis::cluster
