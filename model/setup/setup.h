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
#include "model/redis/node.h"
#include "model/setup/expectations.h"
#include "model/setup/faults.h"
#include "model/setup/network.h"
#include "model/setup/program.h"
#include "model/setup/topology.h"
#include "sim/base/result.h"

namespace lockstep::model {

/// How the simulated client behaves; one value for each behaviour that changed between versions
/// (FIDELITY.md).
struct ClientBehaviour {
  std::string version = "3.10.5";
  Duration watchdog{30'000};         // lockWatchdogTimeout
  Duration response_timeout{3'000};  // timeout
  Duration subscription_timeout{7'500};
  std::uint16_t retry_attempts = 3;
  Duration retry_interval{1'500};
  bool renew_again_after_zero =
      true;                    // 3.10.5 and 3.10.6: a renewal that answers 0 is scheduled again all the same
  Duration ttl_wait_extra{1};  // a wait for a TTL outlasts it; 0 is a mutant
  bool unlock_keeps_renewing = false;  // a mutant: unlock does not cancel the watchdog
  bool unsubscribe_forgotten = false;  // a mutant: a waiter that got the lock stays subscribed
  bool permit_ignored = false;  // a mutant: a message that comes before the thread parks is not remembered
  bool lock_returns_on_interrupt = true;  // up to 3.10.5 an interrupted lock() returns without the lock
  bool operator==(const ClientBehaviour&) const = default;
};

struct Setup {
  std::string name, about;
  std::string digest;  // of the normalised scenario text and the scripts; trails name it
  lua::ScriptSet scripts;
  ClientBehaviour client;

  Topology topology = Topology::single;
  std::vector<NodeSetup> nodes;
  redis::Expiry expiry = redis::Expiry::eager;
  redis::Persistence persistence = redis::Persistence::none;
  bool use_script_cache = false;  // EVALSHA instead of EVAL (useScriptCache)

  std::vector<ProcessSetup> processes;
  std::vector<ThreadSetup> threads;
  std::vector<LockObject> objects;
  std::vector<std::string> signals;

  Network network;
  std::optional<Duration> horizon;
  Duration grain{1'000};  // points at which a fault or an interval may act, besides the instants of interest
  std::int64_t epoch_ms = 1'700'000'000'000;  // wall clock at the start of the run

  FaultBudget faults;
  FaultLimits limits;
  std::vector<FixedFault> fixed;

  std::optional<Duration> grant_bound;  // property granted-in-time; absent: a default from network and faults
  std::map<std::string, Expected> expect;  // property name → expectation
  std::vector<std::string> sometimes;      // witness names that must be seen
  std::vector<AnswerCount> answers;        // how often calls must be answered what

  bool operator==(const Setup&) const = default;

  std::size_t group_count() const;
  GroupId group_of(NodeId node) const { return nodes[node.index()].group; }
  /// Of the lock with this key, also if its object takes fresh keys.
  GroupId group_of_lock(const std::string& key) const;
  GroupId group_of_channel(const std::string& channel) const;
  /// Whether the group has a replica, so that what its master writes travels.
  bool replicates(GroupId group) const;

  std::string thread_name(ThreadId id) const { return threads[id.index()].name; }
  /// "uuid:1"; a process that was started again is a Redisson instance with an id of its own.
  std::string holder_name(ThreadId id, std::uint16_t incarnation = 0) const {
    const ThreadSetup& thread = threads[id.index()];
    const std::string again = incarnation == 0 ? "" : "-again-" + std::to_string(incarnation);
    return processes[thread.process.index()].client_id + again + ":" + std::to_string(thread.java_id);
  }
};

/// Fills in what follows from the rest (the derived members above) and checks that the script set can be
/// sent: every role that the programs use is there, and KEYS and ARGV have names that the client can fill
/// (request.h). Call it once, last.
sim::Result<Setup> complete(Setup setup);

}  // namespace lockstep::model
