// fewest_deviations.h: of all runs that end in a state of some kind and are not longer than so many moves,
// one with the fewest deviations from the default schedule.
//
// Runs with no deviation are gone through first, then those with one, and so on, and among these the shorter
// ones first. A state that was met with no more deviations, faults and moves is not gone through again. So
// the first run that ends where it should has the fewest deviations, and with those the fewest moves, and
// which it is follows from the order of the moves alone. Moves are taken as they are listed, not in part.
//
// The search gives up when it has met so many states: then nothing is known.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "sim/run/run.h"

namespace lockstep::sim {

struct FewestLimits {
  std::size_t length_max = 0;  // of the run
  std::size_t faults_max = 0;  // in it
  std::size_t states_max = 30'000;  // met; one that is met again by fewer moves counts again
  std::function<bool()> stop = {};  // true: it gives up
};

/// `key_of(system, state)` tells states apart: those with one key have the same future.
template <System S, class KeyOf>
class FewestDeviations {
 public:
  using Move = typename S::Move;
  using State = typename S::State;
  using Trail = std::vector<Decision<Move>>;

  FewestDeviations(S& system, KeyOf key_of, FewestLimits limits)
      : system_(system), key_of_(std::move(key_of)), limits_(std::move(limits)) {}

  /// `ends(state)`: a run may end there. Nothing if none does, or if that was not found out.
  template <class Ends>
  std::optional<Trail> to(Ends ends) {
    Waiting now(limits_.length_max + 1), next(limits_.length_max + 1);
    meet({.state = system_.initial()}, now);
    for (bool any = true; any; std::swap(now, next)) {
      any = false;
      for (std::size_t length = 0; length <= limits_.length_max; ++length) {
        for (std::size_t i = 0; i < now[length].size(); ++i) {
          const std::size_t at = now[length][i];
          if (!is_best(at)) continue;
          if (ends(std::as_const(met_[at].state))) return trail_to(at);
          if (gives_up()) return std::nullopt;
          if (length < limits_.length_max) go_on(at, now, next);
        }
        now[length].clear();
        any = any || !next[length].empty();
      }
    }
    return std::nullopt;
  }

 private:
  using Waiting = std::vector<std::vector<std::size_t>>;  // those met, by the length of the way there
  using Key = std::invoke_result_t<KeyOf&, const S&, const State&>;

  struct Met {
    State state;
    std::size_t from = 0;
    Decision<Move> by{};
    std::size_t deviations = 0, faults = 0, length = 0;
    std::vector<std::size_t>* alike = nullptr;  // the best ways to this state

    bool is_no_worse_than(const Met& other) const {
      return deviations <= other.deviations && faults <= other.faults && length <= other.length;
    }
  };

  bool gives_up() {
    return met_.size() > limits_.states_max || (limits_.stop && asked_++ % 128 == 0 && limits_.stop());
  }

  bool is_best(std::size_t at) const {
    const auto& alike = *met_[at].alike;
    return std::find(alike.begin(), alike.end(), at) != alike.end();
  }

  void meet(Met one, Waiting& where) {
    if constexpr (requires { S::freeze(one.state); }) S::freeze(one.state);
    std::vector<std::size_t>& alike = best_[key_of_(std::as_const(system_), std::as_const(one.state))];
    for (const std::size_t other : alike)
      if (met_[other].is_no_worse_than(one)) return;
    std::erase_if(alike, [&](std::size_t other) { return one.is_no_worse_than(met_[other]); });
    alike.push_back(met_.size());
    one.alike = &alike;
    where[one.length].push_back(met_.size());
    met_.push_back(std::move(one));
  }

  /// By each of its moves; nobody comes back for the state.
  void go_on(std::size_t at, Waiting& now, Waiting& next) {
    const State state = std::exchange(met_[at].state, State{});
    const std::vector<Move> moves = detail::moves_in(system_, state, listed_);
    for (std::size_t i = 0; i < moves.size(); ++i) {
      const Decision<Move> by = detail::decision(moves, i);
      Met one{.state = state,
              .from = at,
              .by = by,
              .deviations = met_[at].deviations + (by.is_deviation() ? 1 : 0),
              .faults = met_[at].faults + (by.move.is_fault() ? 1 : 0),
              .length = met_[at].length + 1};
      if (one.faults > limits_.faults_max) continue;
      detail::apply(system_, one.state, by);
      meet(std::move(one), by.is_deviation() ? next : now);
    }
  }

  Trail trail_to(std::size_t at) const {
    Trail trail;
    for (; met_[at].length > 0; at = met_[at].from) trail.push_back(met_[at].by);
    std::reverse(trail.begin(), trail.end());
    return trail;
  }

  S& system_;
  KeyOf key_of_;
  FewestLimits limits_;
  std::vector<Met> met_;
  std::map<Key, std::vector<std::size_t>> best_;
  std::vector<Move> listed_;
  std::uint64_t asked_ = 0;
};

}  // namespace lockstep::sim
