// successors.h: for tests, the normal forms that follow a state, with what the steps there show.
#pragma once

#include <set>
#include <utility>
#include <vector>

#include "properties/check/checked.h"

namespace lockstep::scenarios {

using Successors = std::multiset<std::pair<sim::Digest, sim::WitnessMask>>;

/// `change`: what becomes of each state before its normal form is asked for.
template <class Change>
Successors successors_of(properties::Checked& system, const properties::Checked::State& from, Change change) {
  std::vector<model::Move> moves;
  system.enabled(from, moves);
  Successors found;
  for (const model::Move& move : moves) {
    properties::Checked::State next = from;
    const sim::WitnessMask shown = system.apply(next, move);
    found.insert({system.digest(system.normal(change(std::move(next)))), shown});
  }
  return found;
}

inline Successors successors_of(properties::Checked& system, const properties::Checked::State& from) {
  return successors_of(system, from, [](properties::Checked::State next) { return next; });
}

}  // namespace lockstep::scenarios
