// faults.h: what the adversary may do and how often, and the faults that happen in every run.
//
// A fault is a row of the table of faults (model/world/faults/table.h); here it is the number of its row.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "model/setup/program.h"
#include "sim/base/fields.h"

namespace lockstep::model {

using FaultId = sim::Id<struct FaultTag>;

/// How often the adversary may do what, in one run. See `lockstep help faults`.
struct FaultBudget {
  std::vector<std::uint16_t> counts;  // by fault; the last is not zero

  std::uint16_t operator[](FaultId fault) const {
    return fault.index() < counts.size() ? counts[fault.index()] : std::uint16_t{0};
  }
  void set(FaultId fault, std::uint16_t count) {
    if (fault.index() >= counts.size()) counts.resize(fault.index() + 1);
    counts[fault.index()] = count;
    while (!counts.empty() && counts.back() == 0) counts.pop_back();
  }
  bool none() const { return counts.empty(); }

  bool operator==(const FaultBudget&) const = default;
  static auto fields(auto& b) { return std::tie(b.counts); }
};
static_assert(sim::State<FaultBudget>);

struct FaultLimits {
  Duration pause_max{60'000};  // a pause ends at the latest after this
  Duration stall_max{60'000};  // so does the stall of a thread,
  Duration node_pause_max{30'000};
  Duration cut_max{60'000};  // a cut
  Duration replica_cut_max{60'000};
  Duration lag_max{60'000};
  Duration move_max{10'000};     // slots have moved at the latest after this
  Duration isolate_max{60'000};  // a node is cut off from the others at most for this
  Duration connection_timeout{33'000};  // connections over a link that stays cut for this long break
  std::vector<Duration> clock_jumps;
  bool failover_needs_dead_master = false;  // as a Sentinel that judges rightly; false: it may be wrong
  Interval learn{
      Duration{0},
      Duration{10'000}};  // after a failover: until a process knows, and until the old master is demoted
  bool operator==(const FaultLimits&) const = default;
};

/// What a scenario can say that a fault comes before or after, and which message it befalls: the first of
/// its kind that fits in all that is said.
struct FaultEvent {
  enum class Kind : std::uint8_t {
    request,       // arrives at its node
    reply,         // arrives at its process
    message,       // of a lock's channel, arrives at a process
    subscription,  // to it, arrives at the node
    effects,       // are applied by a replica
    acquires,
    releases,
    waits  // a thread, inside a call
  };
  Kind kind = Kind::request;
  std::string role;  // of request and reply
  std::string lock;
  std::optional<ProcessId> process;
  std::optional<ThreadId> thread;
  std::optional<NodeId> node;
  bool operator==(const FaultEvent&) const = default;
};

/// What a fixed fault befalls.
enum class Aim : std::uint8_t { process, thread, node, link, message };

/// A fault that happens in every run, or the end of one: at its time, right before the first event of a kind,
/// or right after it. One that befalls a message befalls the first that arrives from then on.
struct FixedFault {
  FaultId fault;
  bool ends = false;
  Aim aim = Aim::process;
  std::uint16_t target = 0;    // which process, thread or node; the process of a link
  std::optional<Duration> at;  // since the start
  std::string text;            // as the scenario writes it
  std::uint16_t node = 0;      // of a link
  Duration by{};               // of a clock's jump
  std::string key;             // to be evicted
  std::optional<FaultEvent> message;
  std::optional<FaultEvent> event;
  bool before = false;  // of the event; else after it
  bool operator==(const FixedFault&) const = default;

  bool befalls_node(NodeId n) const { return aim == Aim::node && target == n.value; }
};

}  // namespace lockstep::model
