// taking.h: one step of a search: a copy of a state, a move taken there, and what was written fixed.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "sim/base/digest.h"
#include "sim/system.h"

namespace lockstep::sim {

/// Copies of a state are cheap, and its digest is known, once a system that shares components froze them.
template <System S>
void freeze_written(S& system, typename S::State& state) {
  if constexpr (requires { system.freeze(state); }) system.freeze(state);
}

/// The state that stands for all with the same normal form.
template <System S>
void normalise(S& system, typename S::State& state) {
  if constexpr (NormalisingSystem<S>) state = system.normal(state);
  freeze_written(system, state);
}

/// What a step led to. All that follow a state are made before the first is looked up: a look-up waits for
/// memory, which comes meanwhile.
template <System S>
struct Made {
  typename S::State state;
  Digest key;
};

/// What may happen next, in `scratch` unless the system keeps a list itself: of moves, or of what stands for
/// them and says which are faults and which pass time.
template <System S>
const auto& list_of_moves(S& system, const typename S::State& state,
                          std::vector<typename S::Move>& scratch) {
  if constexpr (requires { system.listed(state); }) {
    return system.listed(state);
  } else {
    system.enabled(state, scratch);
    return std::as_const(scratch);
  }
}

/// The move in this place of the list that was given last.
template <System S, class Listed>
const typename S::Move& move_listed(const S& system, const std::vector<Listed>& moves, std::size_t place) {
  if constexpr (requires { system.move_listed(place); }) return system.move_listed(place);
  else return moves[place];
}

/// Takes the move in this place of the list that was given last. A system may know these by their places.
template <System S, class Listed>
WitnessMask take_listed(S& system, typename S::State& state, const std::vector<Listed>& moves,
                        std::size_t place) {
  WitnessMask shown = 0;
  if constexpr (requires { system.apply_listed(state, place); }) shown = system.apply_listed(state, place);
  else shown = system.apply(state, moves[place]);
  freeze_written(system, state);
  return shown;
}

}  // namespace lockstep::sim
