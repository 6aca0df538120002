// node.h: one Redis server as a value: what it stores, which scripts it knows, who listens, which role it
// plays.
//
// `execute` takes one command and returns everything it causes: the reply, the messages pushed to
// subscribers, the effects that replicas must apply, whether its client now waits, who is disconnected.
// Nothing else happens.
//
// Time inside a command or script is frozen (7.2 manner; Redis server.c, commandTimeSnapshot) unless the
// environment brings a running clock (7.0 manner): then a key is alive or dead as of the beginning, while
// TIME, PTTL and relative expiries use the running clock.
//
// Deadlines are kept as remaining time (ARCHITECTURE.md): a key whose remaining time is r ≥ 0 is alive and
// PTTL says r; when more than r has passed it is dead (Redis expires on now > when, strictly). `advance` lets
// time pass. On a master with eager expiry a dead key goes at once, with a DEL to the replicas (the active
// cycle at its fastest); with lazy expiry it stays, invisible, until a command looks it up. A replica never
// deletes by itself: it answers as if a dead key were gone and drops it when its master's DEL arrives (Redis
// db.c, expireIfNeeded).
#pragma once

#include <compare>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lua/engine/engine.h"
#include "model/redis/cluster/map.h"
#include "model/redis/data/keyspace.h"
#include "model/redis/data/snapshot.h"
#include "model/redis/functions.h"
#include "model/redis/long_script.h"
#include "model/redis/pubsub/pubsub.h"
#include "model/redis/replication/disk.h"
#include "model/redis/replication/effect.h"
#include "model/redis/replication/persistence.h"
#include "model/redis/replication/replication.h"
#include "model/redis/session.h"
#include "model/redis/settings.h"
#include "model/redis/statistics.h"
#include "model/server/settings.h"
#include "model/wire.h"
#include "sim/base/cow.h"
#include "sim/base/fields.h"
#include "sim/base/random.h"
#include "sim/base/time.h"

namespace lockstep::redis {

using model::Command;
using model::ConnectionId;
using model::Reply;
using sim::Duration;

using Role = model::ServerRole;
using model::Expiry;
using model::Push;

/// SHA1 of what EVAL and SCRIPT LOAD brought: not persisted, not replicated.
using Scripts = std::set<std::string, std::less<>>;

struct Node;
/// What it knows of connections that threads keep (model/server/server.h).
void rename_kept(Node& node, const sim::Renaming& renaming);

struct Node {
  static constexpr std::string_view kind = "redis";  // in a box

  Role role = Role::master;
  Expiry expiry = Expiry::eager;
  Keyspace db;  // database 0
  Scripts scripts;
  PubSub pubsub;
  std::optional<Snapshot> snapshot;  // what the last SAVE wrote
  sim::Cow<Disk> disk;               // of a server in a world

  // What locks seldom need.
  sim::Cow<Databases> other_dbs;  // by number, from 1; an empty one is not listed
  sim::Cow<Sessions> sessions;
  sim::Cow<std::set<ConnectionId>> watchers;  // whose sessions watch keys
  sim::Cow<std::set<ConnectionId>> monitors;  // who asked to be shown every command
  sim::Cow<Settings> settings;
  sim::Cow<Functions> functions;
  sim::Cow<Statistics> statistics;
  sim::Cow<Replication> replication;
  sim::Cow<std::optional<cluster::Map>> cluster;  // present: this node is one of a Redis Cluster

  bool operator==(const Node&) const = default;
  static auto fields(auto& n) {
    return std::tie(n.role, n.expiry, n.db, n.scripts, n.pubsub, n.snapshot, n.disk, n.other_dbs, n.sessions,
                    n.watchers, n.monitors, n.settings, n.functions, n.statistics, n.replication, n.cluster);
  }
  /// Keys, values and subscriptions; what worlds leave untouched holds no names.
  bool holds_names() const {
    return db.size() > 0 || !pubsub.empty() || snapshot || !disk->unsynced.empty() || !sessions->empty();
  }
  void rename(const sim::Renaming& renaming) {
    if (db.size() > 0) sim::rename(db, renaming);
    if (!pubsub.empty()) pubsub.rename(renaming);
    if (snapshot) sim::rename(snapshot->db, renaming);
    if (!sessions->empty()) rename_kept(*this, renaming);
    if (!disk->unsynced.empty())
      for (Disk::Version& version : disk.write().unsynced) sim::rename(version.before, renaming);
  }
};
static_assert(sim::State<Node> && sim::State<Push>);

/// A wall clock that runs on within one command, as Redis 7.0's does.
class RunningClock {
 public:
  virtual ~RunningClock() = default;
  /// Milliseconds since 1970; never before the `wall_ms` of the environment that brings it.
  virtual std::int64_t wall_ms() = 0;
};

/// Which commands of clients are held back for a while (CLIENT PAUSE). No key is removed in that time.
enum class Paused : std::uint8_t { nothing, writes, all };

/// What a command may use and what it is told, besides the node itself.
struct Environment {
  lua::Engine& engine;
  std::int64_t wall_ms = 0;               // this node's wall clock, ms since 1970, as the command begins
  std::vector<model::ScriptCall>* calls = nullptr;  // if given, collects what redis.call ran
  bool want_effects = true;               // false: there is no replica, and Outcome::effects stays empty
  sim::Random* chance = nullptr;          // whatever Redis draws (SPOP, RANDOMKEY); nullptr: always the first
  std::int64_t wall_us = 0;               // microseconds within wall_ms, 0 … 999: only TIME shows them
  RunningClock* running = nullptr;        // nullptr: time is frozen (7.2 manner)
  bool* script_wrote = nullptr;           // if given, set once a script calls a command that writes
  const LongScript* busy = nullptr;       // if given, the command comes while that script runs
  Paused paused = Paused::nothing;
  std::int64_t clients_max = 65'535;  // CONFIG SET maxclients asks for no more
};

/// A client that is blocked by WAIT: it is answered when so many replicas have acknowledged the offset, or
/// when the time is over, with the number that have by then.
struct Waiting {
  std::int64_t replicas{};
  std::int64_t offset{};
  std::optional<Duration> at_most;  // absent: for ever
  bool operator==(const Waiting&) const = default;
  static auto fields(auto& w) { return std::tie(w.replicas, w.offset, w.at_most); }
};

/// What a command asks of the program that runs the node.
struct Orders {
  /// RESET makes it `as_new`, but does not answer if its own reply was to be skipped.
  enum class Replies : std::uint8_t { on, off, skip_next, as_new };
  struct Pause {
    Duration at_most{};
    bool writes_only = false;
    bool ends = false;  // go on
  };
  struct Shutdown {
    bool saves = false;  // before it ends
    bool now = false, force = false;
  };

  std::optional<Replies> replies;     // CLIENT REPLY; unless on, the reply of this command is not sent either
  std::optional<Pause> pause;         // CLIENT PAUSE
  std::optional<Duration> sleep;      // DEBUG SLEEP
  std::optional<bool> active_expire;  // DEBUG SET-ACTIVE-EXPIRE
  std::optional<Shutdown> shutdown;   // there is no reply
  bool kills_script = false;          // SCRIPT KILL, FUNCTION KILL
};

struct Outcome {
  Outcome() {}  // NOLINT: a defaulted one would clear all of its bytes first, for every command

  Reply reply;                      // not to be sent if the client waits
  std::vector<Reply> more_replies;  // (UN)SUBSCRIBE answers once for each channel: the second and later ones
  std::vector<Push> pushes;
  Effects effects;
  bool read_now = false;               // the result depends on wall_ms, not only on remaining times
  std::optional<Waiting> waiting;      // the client is blocked
  std::vector<ConnectionId> closed;    // connections that the server closes; its own only after the reply
  std::optional<Duration> clock_step;  // DEBUG CLOCK: how far the node's wall clock is to be moved
  bool silent = false;                 // nothing is answered, not even the reply (REPLCONF ACK)
  bool held_back = false;              // nothing has happened: the command is to be run again after the pause
  std::optional<Orders> orders;        // seldom: more that is to be done

  Orders& order() { return orders ? *orders : orders.emplace(); }
};

/// Runs one command of a client connection.
Outcome execute(Node& node, ConnectionId from, const Command& command, const Environment& environment);

/// Applies what a master sent; `skew` is how far this node's wall clock is ahead of the sender's. Messages of
/// a replicated PUBLISH to this node's own subscribers are returned.
std::vector<Push> apply_effects(Node& node, const Effects& effects, Duration skew,
                                const Environment& environment);

/// Applies what a server reads from its own append-only file.
void load_effects(Node& node, const Effects& effects, const Environment& environment);

/// Lets time pass. Returns the DELs that eager expiry sends to replicas (one Effects for each key, in key
/// order). A negative `passed` is a wall clock that was set back: living keys get more time, and dead ones
/// that are still there live again as if they had died one millisecond ago.
std::vector<Effects> advance(Node& node, Duration passed);

/// How long until something of this node changes by itself (a key dies), or `never`.
Duration next_change(const Node& node);

/// The server began to run at this time; only then does it count what INFO tells.
void start(Node& node, std::int64_t wall_ms);

/// A connection came; a server whose connections are never announced behaves alike, but cannot list them.
void connect(Node& node, ConnectionId connection, Peer peer);

/// Whether a password is wanted that this connection has not given.
bool is_stranger(const Node& node, const Session& session);

/// Forgets a connection: its subscriptions and its session go.
void disconnect(Node& node, ConnectionId connection);

/// A master again, with its own data and clock; keys that are dead by its clock are now really gone.
void promote(Node& node);

/// Becomes a replica with a copy of the master's data (a full resynchronisation); divergent writes vanish.
void resynchronise(Node& node, const Node& master, Duration skew);

/// A database by its number, 0 … databases_max - 1. The second form makes it if it is not there; an empty one
/// may stay behind until the end of the command.
const Keyspace* find_database(const Node& node, std::uint8_t number);
inline Keyspace& database(Node& node, std::uint8_t number) {
  return number == 0 ? node.db : node.other_dbs.write()[number];
}

}  // namespace lockstep::redis
