// search.h: every state that can be reached, breadth first.
//
// States are values, so they are copied, never replayed to; states met before are not expanded again. Because
// the search goes level by level, the first trail to a violation is a shortest one. It goes on after a
// violation, since the other properties are still to be decided.
//
// It is put together from parts with one idea each: which states are to be expanded (frontier.h), which were
// met (seen_states.h), where each came from (parents.h), and which states follow which (edges.h), for the two
// questions that are about whole runs: a cycle without time (timeless.h), and no way to an end (dead_end.h).
//
// Violations and witnesses are those of the reachable states, whichever way they were reached. So bits of
// System::violated must be a function of the state, and what a monitor remembers is part of the state: two
// ways to one state have broken the same properties, or are two states. The search only gathers them: a bit
// of Outcome::violated that is set says that some reachable state has it, and its first such state is the one
// that the counterexample leads to.
//
// A limit that was hit is said in Outcome::ended, and then nothing follows for what was not reached. Counts
// are the same in every run and on every platform.
#pragma once

#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "sim/base/verify.h"
#include "sim/search/dead_end.h"
#include "sim/search/edges.h"
#include "sim/search/frontier.h"
#include "sim/search/outcome.h"
#include "sim/search/parents.h"
#include "sim/search/seen_states.h"
#include "sim/search/timeless.h"
#include "sim/system.h"

namespace lockstep::sim {

template <System S>
class Search {
 public:
  using State = typename S::State;
  using Move = typename S::Move;

  Search(S& system, SearchOptions<S> options)
      : system_(system), options_(std::move(options)), seen_(system, options_.key, options_.symmetry) {
    VERIFY(options_.limits.states_max <= SearchLimits{}.states_max);
  }

  Outcome<S> run() {
    outcome_.symmetry = seen_.uses_symmetry();
    State initial = system_.initial();
    freeze_written(initial);
    const Seen seen = seen_.insert(initial);
    admit(std::move(initial), seen, 0, 0);
    if (is_enough()) end(SearchEnd::decided);
    while (!ended_ && frontier_.advance()) expand_level();
    outcome_.states = parents_.size();
    outcome_.bytes = bytes();
    for (const auto& [property, state] : broken_)
      outcome_.violations.push_back({property, parents_.trail_to(system_, state)});
    if (options_.zeno) outcome_.zeno = find_zeno(system_, edges_, parents_, seen_);
    if (wants_endings() && !ended_)
      if (const auto state = first_dead_end(edges_, finished_))
        outcome_.dead_end = parents_.trail_to(system_, *state);
    return std::move(outcome_);
  }

 private:
  void expand_level() {
    if (outcome_.depth == options_.limits.depth_max) return stop_at_depth();
    for (std::size_t i = 0; i < frontier_.size() && !ended_; ++i) {
      expand(frontier_.number(i), frontier_[i]);
      if (i % looked_every == 0) look_around(i);
    }
    if (frontier_.has_next()) ++outcome_.depth;
  }

  /// Takes every move of `state`, which is not needed afterwards.
  void expand(std::uint32_t from, State& state) {
    system_.enabled(state, moves_);
    VERIFY(moves_.size() <= Parents::moves_max);
    if (moves_.empty()) ++outcome_.at_rest;
    for (std::size_t i = 0; i < moves_.size() && !ended_; ++i) {
      const Move& move = moves_[i];
      State child = i + 1 == moves_.size() ? std::move(state) : state;
      const WitnessMask shown = apply(child, i);
      freeze_written(child);
      const Seen seen = seen_.insert(child);
      if (seen.fresh && parents_.size() >= options_.limits.states_max) return end(SearchEnd::states);
      ++outcome_.transitions;
      const bool is_news = (shown & ~outcome_.witnesses) != 0;
      outcome_.witnesses |= shown;
      if (!move.is_fault() && (options_.zeno || wants_endings()))
        edges_.add(from, seen.id, is_timeless(move));
      if (options_.on_edge) options_.on_edge({from, seen.id, seen.fresh, move, child});
      const PropertyMask violated = outcome_.violated;
      if (seen.fresh) admit(std::move(child), seen, from, i);
      if ((is_news || outcome_.violated != violated) && is_enough()) end(SearchEnd::decided);
    }
  }

  /// A system may know the moves that it listed last by their places.
  WitnessMask apply(State& state, std::size_t i) {
    if constexpr (requires { system_.apply_listed(state, i); }) return system_.apply_listed(state, i);
    else return system_.apply(state, moves_[i]);
  }

  void admit(State state, Seen seen, std::uint32_t from, std::size_t move) {
    const std::uint32_t number = parents_.add(from, move);
    VERIFY(seen.id == number);
    PropertyMask fresh = system_.violated(state) & ~outcome_.violated;
    outcome_.violated |= fresh;
    for (; fresh != 0; fresh &= fresh - 1)
      broken_.emplace_back(static_cast<unsigned>(std::countr_zero(fresh)), seen.id);
    if constexpr (EndingSystem<S>) finished_.push_back(system_.finished(state));
    frontier_.add(seen.id, std::move(state));
  }

  /// Copies of a state are cheap, and its digest is known, once a system that shares components froze them.
  void freeze_written(State& state) {
    if constexpr (requires { system_.freeze(state); }) system_.freeze(state);
  }

  /// States at the last depth are not expanded; if nothing could follow them, the search is complete
  /// nevertheless.
  void stop_at_depth() {
    for (std::size_t i = 0; i < frontier_.size(); ++i) {
      system_.enabled(frontier_[i], moves_);
      if (moves_.empty()) ++outcome_.at_rest;
      else end(SearchEnd::depth);
    }
  }

  /// Now and then: is a limit reached, and who wants to know?
  void look_around(std::size_t expanded) {
    if (memory_needed() > options_.limits.memory_bytes_max) end(SearchEnd::memory);
    if (options_.limits.stop && options_.limits.stop()) end(SearchEnd::stopped);
    if (options_.on_progress)
      options_.on_progress({parents_.size(), outcome_.transitions, outcome_.depth,
                            frontier_.states_held() - expanded, outcome_.violated});
  }

  /// Now, or soon: tables double, and what is asked of the whole graph at the end takes two bytes a state.
  std::uint64_t memory_needed() const {
    constexpr std::size_t soon = 64 * looked_every;
    const std::uint64_t ahead = seen_.growth_ahead(soon) + 2 * parents_.size();
    if (options_.limits.memory_held) return options_.limits.memory_held() + ahead;
    return bytes() + frontier_.states_held() * options_.state_bytes + ahead;
  }

  std::uint64_t bytes() const {
    std::uint64_t remembered = 0;
    if constexpr (requires { system_.bytes(); }) remembered = system_.bytes();
    return seen_.bytes() + parents_.bytes() + edges_.bytes() + remembered;
  }

  bool wants_endings() const { return EndingSystem<S> && options_.endings; }

  bool is_enough() const { return options_.enough && options_.enough(outcome_.violated, outcome_.witnesses); }

  /// The first reason stands.
  void end(SearchEnd why) {
    if (!ended_) outcome_.ended = why;
    ended_ = true;
  }

  static constexpr std::size_t looked_every = 64;

  S& system_;
  SearchOptions<S> options_;
  Frontier<State> frontier_;
  SeenStates<S> seen_;
  Parents parents_;
  Edges edges_;
  std::vector<bool> finished_;  // by state
  Outcome<S> outcome_;
  bool ended_ = false;
  std::vector<Move> moves_;
  std::vector<std::pair<unsigned, std::uint32_t>> broken_;  // property, first state that violates it
};

/// Meets every state that `system` can reach, within the limits.
template <System S>
Outcome<S> explore(S& system, SearchOptions<S> options = {}) {
  return Search<S>{system, std::move(options)}.run();
}

}  // namespace lockstep::sim
