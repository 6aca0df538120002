// begun.h: a scenario whose runs begin behind moves that were made already.
//
// The moves are those that its [schedule] gives (prefix.h), or those of a trail. What is counted from the
// start of a run, such as the steps of a trail, is counted from behind them.
#pragma once

#include <utility>
#include <vector>

#include "properties/check/checked.h"
#include "sim/run/run.h"

namespace lockstep::properties {

using MadeMoves = std::vector<sim::Decision<model::Move>>;

/// Lets runs of the system begin behind the moves; what was witnessed on the way.
inline sim::WitnessMask begin_behind(Checked& system, const MadeMoves& made) {
  if (made.empty()) return 0;
  Checked::State state = system.initial();
  sim::WitnessMask shown = 0;
  for (const auto& decision : made) shown |= system.apply(state, decision.move);
  Checked::freeze(state);
  system.begin_at(std::move(state));
  return shown;
}

}  // namespace lockstep::properties
