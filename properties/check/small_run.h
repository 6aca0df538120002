// small_run.h: a counterexample made small: first by leaving out of it what can be left out
// (sim/run/shrink.h), then by a search for a shorter run with no more faults than it has left, of the same
// kinds; a single one may be of another kind.
//
// One behind which no program can end is cut where that begins, and then searched for as well.
//
// Of runs with as few faults that are as short, one with the fewest deviations is told (plainest.h); what is
// given is kept where nothing comes before it.
//
// What is tried is much the same again and again, so candidates run over a graph of what was met where the
// scenario allows it (walked_graph.h). The search is bounded: where it reaches its limit, nothing shorter is
// known. What it finds is made small once more, and does not become longer by that.
#pragma once

#include <cstdint>
#include <functional>

#include "properties/check/broken_run.h"
#include "sim/run/shrink.h"

namespace lockstep::properties {

struct SmallRun {
  Decisions trail;
  std::size_t runs_used = 0;
  bool minimal = false;  // the budget was not used up
};

struct HowSmall {
  std::uint64_t runs_max = 5'000;
  std::function<bool()> stop;  // ends the work with what there is
  /// What the run is to have little of before all else.
  std::function<std::uint64_t(const Decisions&)> measure;
  std::uint64_t states_max = 30'000;  // of the search; 0: none is made
  bool is_shortest = false;           // of the runs with as many faults
};

/// Of a run of `system` that breaks the property. A Problem if it does not.
sim::Result<SmallRun> small_run(const Checked& system, const Decisions& trail, Property property,
                                const HowSmall& how);

}  // namespace lockstep::properties
