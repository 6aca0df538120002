// step.h: one step of a comparison: time passes, then a client runs a command.
//
// `passes` is in whole ms and less than zero when the wall clock is set back. A step without a command only
// lets time pass. Clients are numbered from 0.
#pragma once

#include <string>
#include <vector>

#include "model/wire.h"
#include "sim/base/time.h"

namespace lockstep::differential {

struct Step {
  sim::Duration passes{};
  model::Command command;
  model::ConnectionId from{};
};

using Steps = std::vector<Step>;

/// The wall clock of both sides when a sequence begins.
inline constexpr std::int64_t begin_ms = 1'700'000'000'000;

}  // namespace lockstep::differential
