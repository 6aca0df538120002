// plainest.h: among runs that are as short, one with the fewest deviations from the default schedule.
//
// The first of the shortest runs that a search meets takes turns as the order of moves has it, and tells of
// many decisions that decide nothing; another one, as short, may follow the default for most of its way
// (sim/run/fewest_deviations.h).
#pragma once

#include <cstddef>
#include <functional>

#include "properties/check/broken_run.h"

namespace lockstep::properties {

enum class SameEnd : std::uint8_t {
  property,  // the run breaks it
  state,     // it leads to the same state
};

struct HowPlain {
  SameEnd end = SameEnd::property;
  std::size_t states_max = 30'000;  // gone through
  std::function<bool()> stop = {};
};

/// Of a run of the scenario that breaks the property: one not longer, with no more faults and the fewest
/// deviations. The run itself if there is none with fewer, or if that was not found out.
Decisions plainest(const Setup& setup, const Decisions& trail, Property property, const HowPlain& how);

}  // namespace lockstep::properties
