// faults.h: what the adversary may do and how often, and the faults that happen in every run.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "model/setup/program.h"

namespace lockstep::model {

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

}  // namespace lockstep::model
