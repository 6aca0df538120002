// shrinking.h: a smaller counterexample, by what its reader wants little of.
//
// Shrinking keeps a run that costs less (sim/run/shrink.h). What comes first in that cost may be chosen: its
// moves, or the time that passes in it; faults, and after them deviations from
// the default schedule, come first by themselves.
#pragma once

#include "properties/check/check.h"

namespace lockstep::properties {

enum class ShrinkBy : std::uint8_t { faults, steps, time };

sim::Result<ShrunkTrail> shrink_trail_by(const Setup& setup, const sim::Trail& trail, ShrinkBy by,
                                         std::uint64_t runs_max);

/// What is counted of the run of a trail: its faults, its moves, or milliseconds.
std::uint64_t measure_of(const std::vector<sim::Decision<model::Move>>& run, ShrinkBy by);

}  // namespace lockstep::properties
