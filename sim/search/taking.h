// taking.h: one step of a search: a copy of a state, a move taken there, and what was written fixed.
#pragma once

#include <cstddef>
#include <vector>

#include "sim/system.h"

namespace lockstep::sim {

/// Copies of a state are cheap, and its digest is known, once a system that shares components froze them.
template <System S>
void freeze_written(S& system, typename S::State& state) {
  if constexpr (requires { system.freeze(state); }) system.freeze(state);
}

/// What may happen next, in `scratch` unless the system keeps its lists itself.
template <System S>
const std::vector<typename S::Move>& list_of_moves(S& system, const typename S::State& state,
                                                   std::vector<typename S::Move>& scratch) {
  if constexpr (requires { system.listed(state); }) return system.listed(state);
  system.enabled(state, scratch);
  return scratch;
}

/// Takes the move in this place of the list that `enabled` gave last. A system may know these by their
/// places.
template <System S>
WitnessMask take_listed(S& system, typename S::State& state, const std::vector<typename S::Move>& moves,
                        std::size_t place) {
  WitnessMask shown = 0;
  if constexpr (requires { system.apply_listed(state, place); }) shown = system.apply_listed(state, place);
  else shown = system.apply(state, moves[place]);
  freeze_written(system, state);
  return shown;
}

}  // namespace lockstep::sim
