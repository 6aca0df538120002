// map.h: what one node of a Redis Cluster believes about all of them: who serves which slots, who replicates
// whom, who is down, in which epoch.
//
// Every node has a map of its own; two maps may disagree, and the bus (bus.h) is what makes them agree again.
// Invariants: (1) `members` contains `myself`; (2) no slot belongs to two members; (3) replicas own no slots.
// Members are in the order of their names, where Redis has the order of a hash table.
// Sources: Redis 7.0.15 cluster.h (clusterNode, clusterState), cluster.c.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "model/redis/cluster/slots.h"
#include "sim/base/fields.h"
#include "sim/base/time.h"

namespace lockstep::redis::cluster {

using sim::Duration;

/// 40 hexadecimal digits.
using NodeName = std::string;
using Epoch = std::uint64_t;

struct Address {
  std::string ip;
  std::uint16_t port = 0;
  std::uint16_t bus_port = 0;
  bool operator==(const Address&) const = default;
  static auto fields(auto& a) { return std::tie(a.ip, a.port, a.bus_port); }
};

enum class Kind : std::uint8_t { master, replica };

/// pfail is this node's own suspicion (shown as "fail?"), fail is what a majority of masters agreed on.
enum class Health : std::uint8_t { alive, pfail, fail };

struct Member {
  Address address;
  std::string hostname;  // announced; usually empty
  Kind kind = Kind::master;
  NodeName master;  // of a replica; empty while it is not known
  Health health = Health::alive;
  bool no_failover = false;  // a replica that never stands for election
  Epoch config_epoch = 0;    // of a master; a replica shows its master's
  SlotSet slots;
  std::uint64_t offset = 0;               // replication offset as last heard; 0: nothing received yet
  bool linked = true;                     // whether the bus connection to it stands
  std::optional<Duration> since_ping;     // while a PING of ours is not answered
  std::optional<Duration> since_pong;     // since its last PONG; none: never
  std::optional<Duration> since_failing;  // since it got the flag fail
  std::map<NodeName, Duration> reports;   // masters that say it is down, and how long ago they said so

  bool operator==(const Member&) const = default;
  static auto fields(auto& m) {
    return std::tie(m.address, m.hostname, m.kind, m.master, m.health, m.no_failover, m.config_epoch, m.slots,
                    m.offset, m.linked, m.since_ping, m.since_pong, m.since_failing, m.reports);
  }
};

struct Map {
  NodeName myself;
  std::map<NodeName, Member> members;
  Epoch current_epoch = 0;
  bool ok = false;                     // cluster_state
  std::map<Slot, NodeName> migrating;  // of myself: slots on their way to another node
  std::map<Slot, NodeName> importing;  // … and slots that come from another node

  const Member& me() const { return members.at(myself); }
  Member& me() { return members.at(myself); }

  bool operator==(const Map&) const = default;
  static auto fields(auto& m) {
    return std::tie(m.myself, m.members, m.current_epoch, m.ok, m.migrating, m.importing);
  }
};
static_assert(sim::State<Address> && sim::State<Member> && sim::State<Map>);

/// nullptr if there is no such member.
const Member* find(const Map& map, std::string_view name);

/// The master that serves the slot, or nullptr.
const NodeName* owner_of(const Map& map, Slot slot);

/// Gives the slots to a member, no matter who had them before. By value: they may be another member's own.
void assign(Map& map, const NodeName& owner, SlotSet slots);

/// The replicas of a master, by name.
std::vector<NodeName> replicas_of(const Map& map, std::string_view master);

/// The master whose slots this node serves or copies: itself, or the one that it replicates ("" if unknown).
const NodeName& shard_of(const Map& map, const NodeName& member);

/// The number of masters with at least one slot: those who vote (cluster_size).
std::size_t voters(const Map& map);

/// More than half of the voters.
std::size_t majority(const Map& map);

/// The highest epoch that is known here.
Epoch highest_epoch(const Map& map);

/// The epoch that a member goes by: its own, or that of its master.
Epoch epoch_of(const Map& map, const NodeName& member);

}  // namespace lockstep::redis::cluster
