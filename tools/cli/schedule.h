// schedule.h: one schedule of a scenario as a trail: the default one, or the random one of a seed.
//
// The random one is drawn uniformly: of the moves that are possible each is as likely as every other, and
// what may happen at any instant of an interval happens at a uniformly drawn one (sim/run/intervals.h).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/setup/setup.h"
#include "model/world/move.h"
#include "sim/base/time.h"
#include "sim/run/run.h"
#include "sim/trail/trail.h"

namespace lockstep::tools {

struct ScheduleOptions {
  std::optional<std::uint64_t> seed;   // absent: always the first move
  std::optional<sim::Duration> until;  // virtual time at which the run is cut
  std::vector<sim::Decision<model::Move>> prefix{};  // what it begins with; none: as the scenario says
};

sim::Trail schedule(const model::Setup& setup, const ScheduleOptions& options);

}  // namespace lockstep::tools
