// told_move.h: makes one move of a run and writes what comes of it into the run's trace.
#pragma once

#include <cstddef>

#include "model/world/tracer.h"
#include "properties/check/checked.h"
#include "properties/check/truth_log.h"

namespace lockstep::properties {

/// A move as a run decided for it: the place in the list, the move as it was made, how many there were.
struct TakenMove {
  std::size_t index = 0;
  model::Move move;
  std::size_t possible = 0;
};

enum class StateDigest : std::uint8_t { absent, written };

/// Makes the move. `tracer` is told when it began, all that happened, who holds what (`truths`), what broke,
/// and, if it is to be `written`, the digest of the state behind it. Returns the witnesses that were met.
sim::WitnessMask tell_move(Checked& system, Checked::State& state, const TakenMove& what,
                           model::Tracer& tracer, TruthLog& truths, StateDigest digest);

}  // namespace lockstep::properties
