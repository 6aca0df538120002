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
  Duration cut_max{60'000};    // so does a cut
  Duration lag_max{60'000};
  std::vector<Duration> clock_jumps;
  bool failover_needs_dead_master = false;  // as a Sentinel that judges rightly; false: it may be wrong
  Interval learn{
      Duration{0},
      Duration{10'000}};  // after a failover: until a process knows, and until the old master is demoted
  bool operator==(const FaultLimits&) const = default;
};

/// A fault that happens in every run at its time, or the end of one.
struct FixedFault {
  FaultId fault;
  bool ends = false;
  bool of_process = true;      // it befalls a process, else a node
  std::uint16_t target = 0;    // which
  std::optional<Duration> at;  // since the start
  std::string text;            // as the scenario writes it
  bool operator==(const FixedFault&) const = default;
};

}  // namespace lockstep::model
