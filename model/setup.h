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
#include "sim/base/id.h"
#include "sim/base/result.h"
#include "sim/base/time.h"

namespace lockstep::model {

using sim::Duration;
using sim::NodeId;
using sim::ProcessId;
using sim::ThreadId;

enum class LockKind : std::uint8_t { plain, fair, read, write, fenced, spin, multi, red };

/// One RLock object as programs name it. Two names with the same `name` and different `via` are two objects
/// of one lock.
struct LockObject {
  LockKind kind = LockKind::plain;
  std::string name;    // the Redis key
  std::string via;     // which object of this process; empty: the default one
  bool fresh = false;  // `name#fresh`: each acquire takes a key of its own, `name#1`, `name#2` …
  bool operator==(const LockObject&) const = default;
};

/// A length of time, or any of lo..hi.
struct Interval {
  Duration lo{}, hi{};
  bool fixed() const { return lo == hi; }
  bool operator==(const Interval&) const = default;
};

enum class Answer : std::uint8_t { yes, no, exception };

enum class StepKind : std::uint8_t {
  start,
  think,
  work,  // let time pass: `span`
  lock,
  lock_interruptibly,
  try_lock,
  unlock,
  force_unlock,  // `object`, `wait`, `lease`
  signal,
  await,   // `signal`
  expect,  // `answer`
  crash,   // the thread's process dies here
  repeat,
  again  // `count`; `jump` is the index behind the matching brace
};

struct Step {
  StepKind kind = StepKind::work;
  Interval span;
  std::uint16_t object = 0;             // index into Setup::objects
  std::optional<Duration> wait, lease;  // as written; absent: the call without that argument
  std::uint16_t signal = 0;             // index into Setup::signals
  Answer answer = Answer::yes;
  std::uint32_t count = 0;  // of repeat
  std::uint32_t jump = 0;   // repeat: first step behind the loop · again: first step of the body ·
                            // try_lock: where a refusal goes on (behind the matching unlock),
                            // else the next step
  std::string text;         // as the scenario writes it
  bool operator==(const Step&) const = default;
};

struct ThreadSetup {
  std::string name;  // "A1"
  ProcessId process;
  std::int64_t java_id = 1;  // the number in its holder name `uuid:1`
  std::vector<Step> program;
  std::uint16_t index_in_process = 0;  // derived by complete()
  bool operator==(const ThreadSetup&) const = default;
};

struct ProcessSetup {
  std::string name;       // "A"
  std::string client_id;  // the UUID of this Redisson instance
  Duration clock_offset{};
  std::uint16_t alike =
      0;  // processes with the same number are interchangeable (same programs, clock and faults)
  std::vector<ThreadId> threads;  // derived by complete()
  bool operator==(const ProcessSetup&) const = default;
};

struct NodeSetup {
  std::string name;  // "R0"
  Duration clock_offset{};
  std::int32_t clock_drift_ppm = 0;  // how many millionths its wall clock is too fast, or below zero too slow
  redis::Role role = redis::Role::master;
  bool operator==(const NodeSetup&) const = default;
};

enum class Topology : std::uint8_t { single, replicated };

enum class NetworkKind : std::uint8_t { prompt, interval, any };
struct Network {
  NetworkKind kind = NetworkKind::prompt;
  Interval delay;              // of kind interval
  std::uint16_t held_max = 0;  // of kind any: how many messages may be late at once
  bool operator==(const Network&) const = default;
};

/// How often the adversary may do what, in one run. See `lockstep help faults`.
struct FaultBudget {
  std::uint16_t pause_process = 0, crash_process = 0, restart_process = 0;
  std::uint16_t delay_message = 0, lose_message = 0;
  std::uint16_t cut_link = 0;
  std::uint16_t crash_node = 0, restart_node = 0, failover = 0, replica_lag = 0;
  std::uint16_t clock_jump = 0;
  std::uint16_t interrupt_thread = 0, evict_key = 0, flush_scripts = 0;

  bool operator==(const FaultBudget&) const = default;
  static auto fields(auto& b) {
    return std::tie(b.pause_process, b.crash_process, b.restart_process, b.delay_message, b.lose_message,
                    b.cut_link, b.crash_node, b.restart_node, b.failover, b.replica_lag, b.clock_jump,
                    b.interrupt_thread, b.evict_key, b.flush_scripts);
  }
  bool none() const { return *this == FaultBudget{}; }
};

struct FaultLimits {
  Duration pause_max{60'000};  // a pause ends at the latest after this
  Duration cut_max{60'000};    // so does a cut
  Duration lag_max{60'000};
  std::vector<Duration> clock_jumps;
  bool failover_needs_dead_master = false;  // as a Sentinel that judges rightly; false: it may be wrong
  Interval learn{
      Duration{0},
      Duration{10'000}};  // after a failover: until a process knows, and until the old master is demoted
  bool operator==(const FaultLimits&) const = default;
};

/// A fault that happens in every run: at a time, or right before or after an event of the trace.
struct FixedFault {
  enum class Kind : std::uint8_t {
    pause,
    resume,
    crash_process,
    crash_node,
    restart_node,
    failover,
    flush_scripts,
    evict_key
  };
  Kind kind = Kind::pause;
  std::uint16_t target = 0;    // process or node, by kind
  std::optional<Duration> at;  // since the start
  std::string text;            // as the scenario writes it
  bool operator==(const FixedFault&) const = default;
};

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

enum class Expected : std::uint8_t { proved, passed, holds, violated };

/// How often calls on a lock must have been answered in one way once all programs have ended.
struct AnswerCount {
  StepKind call = StepKind::try_lock;
  LockKind kind = LockKind::plain;
  std::string name;  // of the lock; every `via` counts
  Answer answer = Answer::yes;
  std::uint32_t exactly = 0;
  bool operator==(const AnswerCount&) const = default;
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
