// setup.h: one scenario in the form in which the model runs it.
//
// A Setup is made once (from a scenario file by scenarios/format/reader.h, or by a test), and never changes
// while worlds run under it. It holds the question: topology, programs, time, network, faults, script texts,
// and what is expected. All durations are milliseconds of true time. Ids are indices into the vectors below.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "lua/scripts/script_set.h"
#include "model/setup/expectations.h"
#include "model/setup/faults.h"
#include "model/setup/lattice.h"
#include "model/setup/network.h"
#include "model/setup/process.h"
#include "model/setup/reductions.h"
#include "model/setup/topology.h"
#include "sim/base/result.h"

namespace lockstep::model {

struct LockKind;
struct Library;

struct Setup {
  std::string name, about;
  std::string digest;  // of the normalised scenario text and the scripts; trails name it
  std::string file;    // that it was read from, where its name alone does not tell; trails name it
  lua::ScriptSet scripts;     // of processes that have none of their own
  redisson::Settings client;  // the same

  Topology topology = Topology::single;
  std::vector<NodeSetup> nodes;
  OtherSettings others;  // of servers that are not Redis
  Watching watching;  // where nodes judge each other
  Expiry expiry = Expiry::eager;
  Persistence persistence = Persistence::none;
  Fsync fsync = Fsync::everysec;
  std::vector<SavePoint> save;    // of a snapshot
  bool use_script_cache = false;  // EVALSHA instead of EVAL (useScriptCache)
  std::optional<std::uint16_t> wait;  // for so many replicas; absent: as each client learns
  std::uint16_t min_replicas = 0;     // min-replicas-to-write
  Duration min_replicas_max_lag{10'000};
  Duration loading{};  // for so long a node that was started again answers LOADING
  std::string notify;  // notify-keyspace-events

  std::vector<ProcessSetup> processes;
  std::vector<ThreadSetup> threads;
  std::vector<LockObject> objects;
  std::vector<const LockKind*> kinds;     // that objects may be of; complete() puts in those of the program
  std::vector<const Library*> libraries;  // by group: whose clients talk to it; derived by complete()
  std::vector<std::string> signals;

  Network network;
  std::optional<Duration> horizon;
  Duration grain{1'000};  // points at which a fault or an interval may act, besides the instants of interest
  bool exact = false;  // every millisecond that can matter instead; then trails say at which instants things
                       // happen that need not, and the next line is how a search goes about it
  std::optional<Lattice> lattice;
  std::int64_t epoch_ms = 1'700'000'000'000;  // wall clock at the start of the run

  FaultBudget faults;
  FaultLimits limits;
  std::vector<FixedFault> fixed;
  std::vector<std::string> prefix;  // decisions that each run takes first, as lines of a trail

  std::optional<Duration> grant_bound;  // property granted-in-time; absent: a default from network and faults
  std::uint32_t overtaking_bound = 0;  // property bounded-overtaking: by how many later arrivals, at most
  std::optional<std::uint32_t> poll_bound;  // property busy-poll: how often in vain; absent: not asked
  std::map<std::string, Expected> expect;  // property name → expectation
  std::vector<std::string> sometimes;      // witness names that must be seen
  std::vector<AnswerCount> answers;        // how often calls must be answered what
  std::vector<Predicate> predicates;       // properties of its own

  Reductions reductions;  // not part of the question

  bool operator==(const Setup&) const = default;

  std::size_t group_count() const;
  GroupId group_of(NodeId node) const { return nodes[node.index()].group; }
  const ServerKind& kind_of(NodeId node) const { return *nodes[node.index()].kind; }
  /// The kinds of servers that there are, each once; of a setup without nodes, the one that scenarios get.
  std::vector<const ServerKind*> server_kinds() const;
  /// Nodes judge each other, and replace a master by themselves.
  bool is_watched() const { return topology >= Topology::sentinel; }
  /// Whether the group has a replica, so that what its master writes travels.
  bool replicates(GroupId group) const;
  /// Whether a client may send WAIT.
  bool waits_for_replicas() const;

  const lua::ScriptSet& scripts_of(ProcessId id) const;
  const redisson::Settings& client_of(ProcessId id) const;
  /// For how many replicas its clients wait; absent: as they learn.
  std::optional<std::uint16_t> wait_of(ProcessId id) const;
  ProcessId process_of(ThreadId id) const { return threads[id.index()].process; }
  /// All sets of scripts that its processes may send, and the settings of all their clients.
  std::vector<const lua::ScriptSet*> script_sets() const;
  std::vector<const redisson::Settings*> clients() const;
  /// "redisson@3.10.5", or "redisson@3.10.5, B redisson@3.12.2".
  std::string scripts_told() const;

  /// The lock that is made of others and called so in observations; whether one is only part of such a lock.
  const LockObject* made_of_others(const std::string& lock) const;
  bool is_part(const std::string& lock) const;

  std::string thread_name(ThreadId id) const { return threads[id.index()].name; }
};

/// What a lock is called in observations: its key, and where it lies if that is not the first group.
std::string resource_name(GroupId group, const std::string& key);

/// The node that is master of a group at the start.
NodeId first_master(const Setup& setup, GroupId group);

}  // namespace lockstep::model
