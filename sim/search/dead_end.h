// dead_end.h: states from which no end can be reached, whatever happens by itself.
//
// A state without moves that is no end is one; so is each state of a cycle that cannot be left. The adversary
// need not act, so a way to an end that needs one of its moves does not count.
//
// A system may ask for several endings, each of which must stay possible from every state: endings_asked()
// has a bit for each, and ended(state) those that a state is. Without these there is one, `finished`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "sim/search/edges.h"
#include "sim/search/seen_states.h"
#include "sim/system.h"

namespace lockstep::sim {

using EndingMask = std::uint64_t;

template <System S>
EndingMask endings_asked(const S& system) {
  if constexpr (!EndingSystem<S>) return 0;
  else if constexpr (requires { system.endings_asked(); }) return system.endings_asked();
  else return 1;
}

template <System S>
EndingMask endings_of(const S& system, const typename S::State& state) {
  if constexpr (!EndingSystem<S>) return 0;
  else if constexpr (requires { system.ended(state); }) return system.ended(state);
  else return system.finished(state) ? 1 : 0;
}

/// The first such state of a finished search; `finished` says by state whether it is an end.
std::optional<std::uint32_t> first_dead_end(const Edges& edges, const std::vector<bool>& finished);

/// Whether each ending that is asked for can be reached from here; nothing if that needs more than
/// `states_max` states.
template <EndingSystem S>
std::optional<bool> can_end(S& system, typename S::State from, std::size_t states_max) {
  SeenStates<S> seen(system, StateKey::digest, false);
  std::vector<typename S::State> open;
  std::vector<typename S::Move> moves;
  EndingMask left = endings_asked(system);
  seen.insert(from);
  open.push_back(std::move(from));
  for (std::size_t next = 0; next < open.size(); ++next) {
    const typename S::State state = std::move(open[next]);
    left &= ~endings_of(system, state);
    if (left == 0) return true;
    system.enabled(state, moves);
    for (const auto& move : moves) {
      if (move.is_fault()) continue;
      typename S::State child = state;
      system.apply(child, move);
      if (!seen.insert(child).fresh) continue;
      if (open.size() == states_max) return std::nullopt;
      open.push_back(std::move(child));
    }
  }
  return false;
}

}  // namespace lockstep::sim
