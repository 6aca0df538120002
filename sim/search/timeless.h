// timeless.h: the moves of a search that let no time pass, and the zeno cycle that they may close.
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
#include "sim/search/seen_states.h"
#include "sim/search/zeno.h"

namespace lockstep::sim {

template <System S>
class Timeless {
 public:
  using State = typename S::State;
  using Move = typename S::Move;

  static bool is_timeless(const Move& move) { return !move.passes_time() && !move.is_fault(); }

  void add(std::uint32_t from, std::uint32_t to) { edges_.push_back({from, to}); }
  std::uint64_t bytes() const { return edges_.capacity() * sizeof(TimelessEdge); }

  std::optional<ZenoCycle<S>> find(S& system, const Parents& parents, SeenStates<S>& seen) const {
    const std::vector<std::uint32_t> lap = find_cycle(edges_, parents.size());
    if (lap.empty()) return std::nullopt;
    ZenoCycle<S> zeno{parents.trail_to(system, lap.front()), {}};
    State at = system.initial();
    for (const auto& decision : zeno.stem) system.apply(at, decision.move);
    std::vector<State> starts;
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
        laps.push_back(step_to(system, seen, at, lap[i % lap.size()]));
    }
  }

 private:
  /// Takes the first move without time by which `at` becomes the state of this number.
  static Decision<Move> step_to(S& system, SeenStates<S>& seen, State& at, std::uint32_t number) {
    std::vector<Move> moves;
    system.enabled(at, moves);
    for (std::size_t i = 0; i < moves.size(); ++i) {
      if (!is_timeless(moves[i])) continue;
      State child = at;
      system.apply(child, moves[i]);
      if (seen.find(child) != number) continue;
      at = std::move(child);
      return detail::decision(moves, i);
    }
    UNREACHABLE("a recorded edge is found again");
  }

  std::vector<TimelessEdge> edges_;
};

}  // namespace lockstep::sim
