// sentinel.h: one Sentinel as a value: what it knows of the masters that it watches, of their replicas, and
// of the other Sentinels.
//
// How a failover goes, in the order in which it is told:
//   1. An instance that answers no PING for down_after is subjectively down (SDOWN).
//   2. If `quorum` Sentinels say so of a master, it is objectively down (ODOWN).
//   3. The Sentinel that notices begins an epoch of its own and asks the others for their votes; each gives
//      one in an epoch. Who has a majority of all known Sentinels, and at least quorum votes, leads.
//   4. The leader selects a replica and sends it REPLICAOF NO ONE.
//   5. When INFO says that it is a master, the others are made its replicas, parallel_syncs at a time.
//   6. The leader watches the new master instead of the old one (+switch-master). The other Sentinels learn
//      it from hello messages, in which the higher configuration epoch wins.
//   7. An old master that comes back is still a master, and takes writes, until some Sentinel has seen it as
//      one for four hello periods and makes it a replica.
//
// Times are kept as ages (how long ago something was), which stop growing where no rule tells them apart, so
// that equal situations at different times are equal values. The one exception is `since_sdown`: it is
// compared with what a replica reports, which has no bound. An age that is absent means never.
//
// Not modelled: several Sentinels sharing one link for several masters, pub/sub links with a life of their
// own, scripts, the SENTINEL command except is-master-down-by-addr.
// Sources: Redis 7.0.15 sentinel.c (struct sentinelRedisInstance, sentinelState).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>

#include "model/redis/sentinel/settings.h"
#include "sim/base/fields.h"

namespace lockstep::redis::sentinel {

using Epoch = std::uint64_t;
using Age = std::optional<Duration>;

/// 40 hexadecimal digits that name a server or a Sentinel; empty: not known yet.
using RunId = std::string;

struct Address {
  std::string ip;
  std::uint16_t port = 0;
  auto operator<=>(const Address&) const = default;
  static auto fields(auto& a) { return std::tie(a.ip, a.port); }
};

enum class Role : std::uint8_t { master, replica };

struct Link {
  bool connected = false;  // true from the attempt on, until it is reported as lost
  Age since_attempt;
  Age since_unanswered = Duration::zero();  // the oldest PING without an answer; at first, the creation
  Age since_ping;
  Duration since_pong{};       // any answer to a PING; at first, the creation
  Duration since_available{};  // an answer that shows that it works
  bool operator==(const Link&) const = default;
  static auto fields(auto& l) {
    return std::tie(l.connected, l.since_attempt, l.since_unanswered, l.since_ping, l.since_pong,
                    l.since_available);
  }
};

/// What is known of anything that is watched.
struct Instance {
  Address address;
  RunId run_id;
  Link link;
  bool sdown = false;
  Age since_sdown;  // since it last went down; stays when it is up again
  bool script_kill_sent = false;
  Duration since_hello{};  // since our last hello through it was taken
  Age since_info;
  Role role_reported = Role::master;
  Duration since_role{};  // since it first reported that role
  bool operator==(const Instance&) const = default;
  static auto fields(auto& i) {
    return std::tie(i.address, i.run_id, i.link, i.sdown, i.since_sdown, i.script_kill_sent, i.since_hello,
                    i.since_info, i.role_reported, i.since_role);
  }
};

/// How far a replica is on its way to the new master.
enum class Reconfiguration : std::uint8_t { none, sent, in_progress, done };

struct Replica {
  Instance instance;
  unsigned priority = 100;
  std::uint64_t offset = 0;
  std::optional<Address> follows;  // the master that its INFO names
  bool link_up = false;            // its link to that master
  Duration link_down_for{};        // as it reported
  Duration since_follows{};        // since what it follows changed
  Reconfiguration reconfiguration = Reconfiguration::none;
  Age since_reconfiguration_sent;
  bool operator==(const Replica&) const = default;
  static auto fields(auto& r) {
    return std::tie(r.instance, r.priority, r.offset, r.follows, r.link_up, r.link_down_for, r.since_follows,
                    r.reconfiguration, r.since_reconfiguration_sent);
  }
};

/// Another Sentinel that watches the same master.
struct Peer {
  Instance instance;
  bool says_down = false;
  RunId leader;  // whom it voted for
  Epoch leader_epoch = 0;
  Duration since_answer{};
  bool operator==(const Peer&) const = default;
  static auto fields(auto& p) {
    return std::tie(p.instance, p.says_down, p.leader, p.leader_epoch, p.since_answer);
  }
};

enum class Failover : std::uint8_t {
  none,
  wait_start,  // for votes
  select_replica,
  send_no_one,
  wait_promotion,
  reconfigure,
  update_config
};

struct Master {
  std::string name;
  Instance instance;
  Epoch config_epoch = 0;
  bool odown = false;
  Age since_odown;
  RunId leader;  // our vote …
  Epoch leader_epoch = 0;  // … and when we gave it
  Failover failover = Failover::none;
  Epoch failover_epoch = 0;
  Duration since_failover_step{};
  Age since_start;  // of the last attempt, ours or one that we voted for; negative while it lies ahead
  std::optional<Address> promoted;
  std::map<Address, Replica> replicas;
  std::map<RunId, Peer> peers;
  bool operator==(const Master&) const = default;
  static auto fields(auto& m) {
    return std::tie(m.name, m.instance, m.config_epoch, m.odown, m.since_odown, m.leader, m.leader_epoch,
                    m.failover, m.failover_epoch, m.since_failover_step, m.since_start, m.promoted,
                    m.replicas, m.peers);
  }
};

struct Sentinel {
  RunId id;
  Address address;
  Epoch current_epoch = 0;
  Duration since_tick{};
  Age since_tilt;  // while it does nothing but watch
  std::map<std::string, Master> masters;
  bool operator==(const Sentinel&) const = default;
  static auto fields(auto& s) {
    return std::tie(s.id, s.address, s.current_epoch, s.since_tick, s.since_tilt, s.masters);
  }
};
static_assert(sim::State<Address> && sim::State<Link> && sim::State<Instance> && sim::State<Replica>);
static_assert(sim::State<Peer> && sim::State<Master> && sim::State<Sentinel>);

/// Begins to watch a master (SENTINEL MONITOR).
void monitor(Sentinel& sentinel, const std::string& name, const Address& address);

/// What a Sentinel knows after a restart: what it wrote into its configuration file, epochs and the epoch of
/// its vote among them, but not whom the vote was for.
Sentinel restarted(const Sentinel& sentinel);

/// Where the master is, as this Sentinel tells clients (SENTINEL GET-MASTER-ADDR-BY-NAME).
const Address& current_master(const Master& master);

}  // namespace lockstep::redis::sentinel
