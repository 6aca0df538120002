// timeless.h: the zeno cycle that the moves of a search close, if they do.
//
// The cycle is found in the graph of numbers (zeno.h), and then taken as moves. Under symmetry a lap of it
// may end in a state that has only the same representative as the one it began in. The states in which laps
// begin are finitely many, so one of them comes again; the laps before it belong to the stem.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "sim/base/verify.h"
#include "sim/search/outcome.h"
#include "sim/search/parents.h"
#include "sim/search/zeno.h"

namespace lockstep::sim {

/// Whether a move is one of those that may hold time up for ever.
template <class M>
bool is_timeless(const M& move) { return !move.passes_time() && !move.is_fault(); }

namespace detail {
/// Takes the first timeless move by which `at` becomes the state of this number.
template <System S, class Met>
Decision<typename S::Move> timeless_step(S& system, Met& met, typename S::State& at, std::uint32_t number) {
  std::vector<typename S::Move> moves;
  system.enabled(at, moves);
  for (std::size_t i = 0; i < moves.size(); ++i) {
    if (!is_timeless(moves[i])) continue;
    typename S::State child = at;
    system.apply(child, moves[i]);
    if (met.find(child) != number) continue;
    at = std::move(child);
    return decision(moves, i);
  }
  UNREACHABLE("a recorded edge is found again");
}
}  // namespace detail

/// `met.find(state)` says under which number a state was met, as SeenStates do.
template <System S, class Met>
std::optional<ZenoCycle<S>> find_zeno(S& system, const Edges& edges, const Parents& parents, Met& met) {
  const std::vector<std::uint32_t> lap = find_cycle(edges, parents);
  if (lap.empty()) return std::nullopt;
  ZenoCycle<S> zeno{parents.trail_to(system, lap.front()), {}};
  typename S::State at = system.initial();
  for (const auto& decision : zeno.stem) system.apply(at, decision.move);
  std::vector<typename S::State> starts;
  Decisions<S> laps;
  for (;;) {
    const auto again = std::find(starts.begin(), starts.end(), at);
    if (again != starts.end()) {
      const auto split = laps.begin() + (again - starts.begin()) * static_cast<std::ptrdiff_t>(lap.size());
      zeno.stem.insert(zeno.stem.end(), laps.begin(), split);
      zeno.cycle.assign(split, laps.end());
      return zeno;
    }
    starts.push_back(at);
    for (std::size_t i = 1; i <= lap.size(); ++i)
      laps.push_back(detail::timeless_step(system, met, at, lap[i % lap.size()]));
  }
}

}  // namespace lockstep::sim
