// bus.h: one node of a Redis Cluster on its bus: whom it hears, whom it suspects, whom it votes for.
//
// How a failover goes, in the order in which it is told:
//   1. A node that has not answered a PING for node_timeout is suspected (PFAIL). It is sent one at the
//      latest when its last PONG is half of that old.
//   2. Suspicions travel in the gossip of every PING and PONG. A node that knows that a majority of the
//      masters suspects the same one, within twice node_timeout, marks it as failed (FAIL) and tells
//      everybody.
//   3. A replica of a failed master waits 500 ms, up to 500 ms that it draws, and a second for each other
//      replica that has more data; then it begins an epoch and asks for votes.
//   4. Masters with slots vote, once in an epoch, and once in twice node_timeout for replicas of one master.
//   5. With a majority the replica takes the slots of its master under the new epoch and tells everybody.
//   6. A node that loses its last slot to a higher epoch becomes a replica of the taker: so does the
//      old master when it is back, once it hears of the new one.
// A master that sees less than a majority of masters stops serving (cluster_state fail), and so does every
// node while slots are not served; a master that comes back waits before it serves again.
//
// Times are ages that stop growing where no rule tells them apart; a moment that is longer ago than that is
// shown by CLUSTER NODES as if it were only that long ago. Absent: never.
// Not modelled: MEET and FORGET, manual failover, replicas that migrate to masters without any. Gossip tells
// of all members, where Redis tells of all suspects and of a random few others.
// Sources: Redis 7.0.15 cluster.c (clusterCron, clusterProcessPacket, clusterHandleSlaveFailover).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

#include "model/redis/cluster/map.h"

namespace lockstep::redis::cluster {

using Age = std::optional<Duration>;

struct Settings {
  Duration node_timeout{15'000};      // cluster-node-timeout
  int validity_factor = 10;           // cluster-replica-validity-factor; 0: data is never too old
  Duration replica_ping{10'000};      // repl-ping-replica-period
  bool full_coverage = true;          // cluster-require-full-coverage
  bool replica_migration = true;      // cluster-allow-replica-migration

  // Not for operators.
  Duration restart_wait{2'000};       // before a master that was started serves
  Duration rejoin_min{500}, rejoin_max{5'000};
  Duration election_delay{500};       // and what is drawn
  Duration rank_delay{1'000};
  Duration vote_timeout_min{2'000};
};

enum class Line : std::uint8_t { none, connecting, up };

/// Our connection to another node; what it sends us unasked comes through its own.
struct Wire {
  Line line = Line::none;
  Duration since_connect{};
  Age since_heard;  // anything, through either connection
  bool operator==(const Wire&) const = default;
  static auto fields(auto& w) { return std::tie(w.line, w.since_connect, w.since_heard); }
};

/// A replica's attempt to become a master.
struct Election {
  Age since_due;  // since the time at which it asks for votes; negative before
  bool asked = false;
  std::size_t votes = 0, rank = 0;
  Epoch epoch = 0;
  bool operator==(const Election&) const = default;
  static auto fields(auto& e) { return std::tie(e.since_due, e.asked, e.votes, e.rank, e.epoch); }
};

struct Bus {
  Map map;
  Epoch last_vote = 0;  // the epoch in which this node voted last
  std::map<NodeName, Wire> wires;
  std::map<NodeName, Duration> since_vote;  // for a replica of that master
  Election election;
  Duration since_boot{};
  Age since_minority;
  bool master_link = false;  // of a replica: whether its replication link stands
  Age since_master_heard;    // … and since when it got nothing, or was without a link
  bool operator==(const Bus&) const = default;
  static auto fields(auto& b) {
    return std::tie(b.map, b.last_vote, b.wires, b.since_vote, b.election, b.since_boot, b.since_minority,
                    b.master_link, b.since_master_heard);
  }
};
static_assert(sim::State<Wire> && sim::State<Election> && sim::State<Bus>);

// Messages. Each carries what its sender is.

struct Rumour {
  NodeName about;
  Health health = Health::alive;
  Age since_pong;
};
using Gossip = std::vector<Rumour>;

struct Ping { Gossip gossip; };
struct Pong { Gossip gossip; };    // the answer to a Ping
struct Notice { Gossip gossip; };  // a PONG that nobody asked for
struct Failing { NodeName node; };
struct Update { NodeName node; Epoch config_epoch = 0; SlotSet slots; };
struct VoteRequest {};
struct Vote {};

struct Message {
  NodeName sender;
  Epoch current_epoch = 0, config_epoch = 0;  // a replica says its master's
  Kind kind = Kind::master;
  NodeName master;
  SlotSet slots;  // its own or its master's
  std::uint64_t offset = 0;
  std::variant<Ping, Pong, Notice, Failing, Update, VoteRequest, Vote> body;
};

// What a node is told.

struct Passed { Duration time{}; };
/// The timer fires, ten times a second. Once a second Redis also pings the node that was silent longest of
/// five that it draws: `ping`. `jitter` (below 500 ms) is drawn when an election is planned.
struct Cron {
  std::optional<NodeName> ping;
  Duration jitter{};
};
struct Opened { NodeName peer; };
struct Lost { NodeName peer; };
struct Heard { Message message; };
/// Facts of the server itself: how much data it has, and as a replica how it stands with its master.
struct Replicated {
  std::uint64_t offset = 0;
  bool link_up = false;
  Age since_heard;
};
using Input = std::variant<Passed, Cron, Opened, Lost, Heard, Replicated>;

// What it wants done, and what it has decided.

struct Open { NodeName peer; };
struct Close { NodeName peer; };
struct Send { NodeName to; Message message; };
struct MarkedFailing { NodeName node; };
struct ClearedFailing { NodeName node; };
struct Asking { Epoch epoch = 0; };              // for votes
struct Voted { NodeName replica; Epoch epoch = 0; };
struct Promoted { Epoch epoch = 0; };            // this node is a master now
struct Demoted { NodeName master; };             // this node replicates that one from now on
struct DropKeys { SlotSet slots; };              // they belong to another node now
struct StateChanged { bool ok = false; };
using Output = std::variant<Open, Close, Send, MarkedFailing, ClearedFailing, Asking, Voted, Promoted,
                            Demoted, DropKeys, StateChanged>;
using Outputs = std::vector<Output>;

/// What a node does about one input.
Outputs step(Bus& bus, const Input& input, const Settings& settings);

/// What a node knows after a restart: its nodes.conf, in which nobody has been heard yet.
Bus restarted(const Bus& bus);

}  // namespace lockstep::redis::cluster
