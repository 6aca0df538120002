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
// are the same in every run and on every platform, and for any number of workers (shared_level.h): a level is
// always finished, but where time or memory is up, or where the system must stop.
#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "sim/base/verify.h"
#include "sim/search/dead_end.h"
#include "sim/search/edges.h"
#include "sim/search/frontier.h"
#include "sim/search/outcome.h"
#include "sim/search/parents.h"
#include "sim/search/seen_states.h"
#include "sim/search/shared_level.h"
#include "sim/search/taking.h"
#include "sim/search/timeless.h"
#include "sim/system.h"

namespace lockstep::sim {

template <System S>
class Search {
 public:
  using State = typename S::State;
  using Move = typename S::Move;

  /// `others` behave as `system` does: each is for a worker of its own. None where states are told apart by
  /// encodings, or where each edge is asked for.
  Search(S& system, SearchOptions<S> options, const std::vector<S*>& others = {})
      : system_(system), options_(std::move(options)), seen_(system, options_.key, options_.symmetry) {
    VERIFY(options_.limits.states_max <= SearchLimits{}.states_max);
    if (others.empty()) return;
    VERIFY(options_.key == StateKey::digest && !options_.on_edge);
    std::vector<S*> all{&system};
    all.insert(all.end(), others.begin(), others.end());
    shared_.emplace(all, options_.symmetry);
  }

  Outcome<S> run() {
    outcome_.symmetry = seen_.uses_symmetry();
    State initial = system_.initial();
    freeze_written(system_, initial);
    const Seen seen = seen_.insert(initial);
    admit(seen, 0, 0, system_.violated(initial), is_finished(initial));
    keep(0, seen.id, std::move(initial));
    if (is_enough()) end(SearchEnd::decided);
    while (!ended_ && advance()) expand_level();
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
  bool advance() { return shared_ ? shared_->advance() : frontier_.advance(); }

  void expand_level() {
    if (outcome_.depth == options_.limits.depth_max) return stop_at_depth();
    if (shared_) expand_shared();
    else expand_alone();
    const bool goes_on = shared_ ? shared_->waiting() != 0 : frontier_.has_next();
    if (goes_on) ++outcome_.depth;
    if (parents_.size() > options_.limits.states_max) end(SearchEnd::states);
    if (is_enough()) end(SearchEnd::decided);
  }

  void expand_alone() {
    for (std::size_t i = 0; i < frontier_.size() && !ended_; ++i) {
      expand(frontier_.number(i), frontier_[i]);
      if constexpr (requires { system_.must_stop(); })
        if (system_.must_stop()) end(SearchEnd::stopped);
      if (i % looked_every == 0) look_around(frontier_.states_held() - i);
    }
  }

  /// Takes every move of `state`, which is not needed afterwards.
  void expand(std::uint32_t from, State& state) {
    const std::vector<Move>& moves = list_of_moves(system_, state, moves_);
    VERIFY(moves.size() <= Parents::moves_max);
    if (moves.empty()) ++outcome_.at_rest;
    for (std::size_t i = 0; i < moves.size(); ++i) {
      const Move& move = moves[i];
      State child = i + 1 == moves.size() ? std::move(state) : state;
      outcome_.witnesses |= take_listed(system_, child, moves, i);
      const Seen seen = seen_.insert(child);
      count_step(from, seen.id, move.is_fault(), is_timeless(move));
      if (options_.on_edge) options_.on_edge({from, seen.id, seen.fresh, move, child});
      if (!seen.fresh) continue;
      admit(seen, from, i, system_.violated(child), is_finished(child));
      keep(0, seen.id, std::move(child));
    }
  }

  void expand_shared() {
    const std::uint64_t held = shared_->size();
    shared_->expand(seen_, [&](std::size_t i) {
      if (i % looked_every == 0) look_around(held);
      return ended_;
    });
    outcome_.witnesses |= shared_->shown();
    outcome_.at_rest += shared_->at_rest();
    shared_->for_each_step([&](std::size_t worker, const auto& step) {
      if (step.known) return count_step(step.from, step.to, step.fault, step.timeless);
      auto& found = shared_->found(worker, step);
      const Seen seen = seen_.insert(found.key);
      count_step(step.from, seen.id, step.fault, step.timeless);
      if (!seen.fresh) return;
      admit(seen, step.from, step.move, found.violated, found.finished);
      keep(worker, seen.id, std::move(found.state));
    });
    outcome_.stopper = shared_->stopper();
    if (outcome_.stopper) end(SearchEnd::stopped);
  }

  void count_step(std::uint32_t from, std::uint32_t to, bool fault, bool timeless) {
    ++outcome_.transitions;
    if (!fault && (options_.zeno || wants_endings())) edges_.add(from, to, timeless);
  }

  bool is_finished(const State& state) const {
    if constexpr (EndingSystem<S>) return system_.finished(state);
    else return false;
  }

  /// A state that was met for the first time.
  void admit(Seen seen, std::uint32_t from, std::size_t move, PropertyMask violated, bool finished) {
    VERIFY(seen.id == parents_.add(from, move));
    PropertyMask fresh = violated & ~outcome_.violated;
    outcome_.violated |= fresh;
    for (; fresh != 0; fresh &= fresh - 1)
      broken_.emplace_back(static_cast<unsigned>(std::countr_zero(fresh)), seen.id);
    if constexpr (EndingSystem<S>) finished_.push_back(finished);
  }

  /// For the next level.
  void keep(std::size_t worker, std::uint32_t number, State state) {
    if (shared_) shared_->add(worker, number, std::move(state));
    else frontier_.add(number, std::move(state));
  }

  /// States at the last depth are not expanded; if nothing could follow them, the search is complete
  /// nevertheless.
  void stop_at_depth() {
    if (shared_) {
      if (shared_->may_go_on()) end(SearchEnd::depth);
      outcome_.at_rest += shared_->at_rest();
      return;
    }
    for (std::size_t i = 0; i < frontier_.size(); ++i) {
      system_.enabled(frontier_[i], moves_);
      if (moves_.empty()) ++outcome_.at_rest;
      else end(SearchEnd::depth);
    }
  }

  /// Now and then: is a limit reached, and who wants to know?
  void look_around(std::uint64_t waiting) {
    if (memory_needed() > options_.limits.memory_bytes_max) end(SearchEnd::memory);
    if (options_.limits.stop && options_.limits.stop()) end(SearchEnd::stopped);
    if (options_.on_progress)
      options_.on_progress({parents_.size(), outcome_.transitions, outcome_.depth,
                            waiting, outcome_.violated});
  }

  /// Now, or soon: tables double, and what is asked of the whole graph at the end takes two bytes a state.
  std::uint64_t memory_needed() const {
    constexpr std::size_t soon = 64 * looked_every;
    const std::uint64_t ahead = seen_.growth_ahead(soon) + 2 * parents_.size();
    if (options_.limits.memory_held) return options_.limits.memory_held() + ahead;
    const std::uint64_t held = shared_ ? shared_->size() + shared_->waiting() : frontier_.states_held();
    return bytes() + held * options_.state_bytes + ahead;
  }

  std::uint64_t bytes() const {
    std::uint64_t remembered = 0;
    if (shared_) remembered = shared_->bytes();
    else if constexpr (requires { system_.bytes(); }) remembered = system_.bytes();
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
  Frontier<State> frontier_;               // of a search by one worker
  std::optional<SharedLevel<S>> shared_;  // of one by several
  SeenStates<S> seen_;
  Parents parents_;
  Edges edges_;
  std::vector<bool> finished_;  // by state
  Outcome<S> outcome_;
  bool ended_ = false;
  std::vector<Move> moves_;
  std::vector<std::pair<unsigned, std::uint32_t>> broken_;  // property, first state that violates it
};

/// Meets every state that `system` can reach, within the limits; with `others`, by several workers.
template <System S>
Outcome<S> explore(S& system, SearchOptions<S> options = {}, const std::vector<S*>& others = {}) {
  return Search<S>{system, std::move(options), others}.run();
}

}  // namespace lockstep::sim
