// lattice.h: the instants at which a search lets something happen that may happen at any time
// (`grain = "exact"`). Which instants are enough, and why: properties/check/lattice.h.
//
// They are those whose distance from a multiple of `spacing` is at most `below` before it or `above` behind
// it, reckoned from the start of the run.
#pragma once

#include "sim/base/time.h"

namespace lockstep::model {

struct Lattice {
  sim::Duration spacing{1};
  sim::Duration below{}, above{};
  sim::Duration slack{};  // by how much deadlines may lie beside what is chosen on it

  bool operator==(const Lattice&) const = default;

  /// How far the instant is behind the beginning of a window of the lattice.
  sim::Duration place(sim::Duration instant) const {
    const sim::Duration rest = (instant + below) % spacing;
    return rest < sim::Duration::zero() ? rest + spacing : rest;
  }
  /// From an instant to the next one of the lattice.
  sim::Duration until_next(sim::Duration instant) const {
    const sim::Duration at = place(instant);
    return at < below + above ? sim::Duration{1} : spacing - at;
  }
  /// Whether a deadline may lie here.
  bool admits(sim::Duration instant) const {
    return place(instant + slack) <= below + above + slack + slack;
  }
};

}  // namespace lockstep::model
