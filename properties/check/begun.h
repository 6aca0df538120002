// begun.h: a scenario whose runs begin behind moves that were made already.
//
// The moves are those that its [schedule] gives (prefix.h), or those of a trail. What is counted from the
// start of a run, such as the steps of a trail, is counted from behind them.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "properties/check/checked.h"
#include "sim/run/run.h"

namespace lockstep::properties {

using MadeMoves = std::vector<sim::Decision<model::Move>>;

class Begun : public Checked {
 public:
  using Checked::Checked;

  State initial() const { return start_ ? *start_ : Checked::initial(); }

  /// What was witnessed on the way.
  sim::WitnessMask begin_behind(const MadeMoves& made) {
    if (made.empty()) return 0;
    State state = Checked::initial();
    sim::WitnessMask shown = 0;
    for (const auto& decision : made) shown |= apply(state, decision.move);
    freeze(state);
    start_ = std::move(state);
    return shown;
  }

 private:
  std::optional<State> start_;
};

}  // namespace lockstep::properties
