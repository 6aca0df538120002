// exhaustive.h: every state that can be reached, breadth first.
//
// States are values, so they are copied, never replayed to; states met before are not expanded again. Because
// the search goes level by level, the first trail to a violation is a shortest one. It goes on after a
// violation, since the other properties are still to be decided. Only the states of the current and the next
// level are kept; of the others there is a key, and where each came from in 6 bytes, from which a trail is
// rebuilt by running it again.
//
// Violations and witnesses are those of the reachable states, whichever way they were reached: bits of
// System::violated must be a function of the state (they are part of it).
//
// A limit that was hit is said in Outcome::ended, and then nothing follows for what was not reached. Counts
// are the same in every run and on every platform.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "sim/base/verify.h"
#include "sim/run/run.h"
#include "sim/search/seen_states.h"
#include "sim/system.h"
#include "sim/search/zeno.h"

namespace lockstep::sim {

enum class SearchEnd {
  complete,  // every reachable state was met
  states,    // limits: there are more states,
  depth,     //   there is something beyond this depth,
  memory,    //   the search grew too large,
  stopped,   //   or the caller's `stop` said so (wall time, an interrupt)
  decided,   // the caller's `enough` said so
};

struct SearchLimits {
  std::uint64_t states_max = 0xffff'fffe;  // state numbers have 32 bits
  std::uint64_t depth_max = ~std::uint64_t{0};
  std::uint64_t memory_bytes_max = ~std::uint64_t{0};
  std::function<bool()> stop;  // asked every few hundred states
};

/// One transition, for drawing the state graph. `state` is the one it leads to.
template <System S>
struct Edge {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  bool fresh = false;  // `to` was met for the first time
  const typename S::Move& move;
  const typename S::State& state;
};

template <System S>
struct SearchOptions {
  SearchLimits limits;
  StateKey key = StateKey::digest;
  bool symmetry = true;  // has an effect only if the system models it
  bool zeno = true;      // look for cycles in which no time passes; 8 bytes for each move that lets none pass
  std::uint64_t state_bytes = sizeof(typename S::State);  // what a state of a level is reckoned to take
  std::function<bool(PropertyMask, WitnessMask)>
      enough;  // ends the search early, given all that was shown so far
  std::function<void(const Edge<S>&)> on_edge;
};

template <System S>
using Decisions = std::vector<Decision<typename S::Move>>;

template <System S>
struct Counterexample {
  unsigned property = 0;
  Decisions<S> trail;  // a shortest one
};

/// After `stem`, `cycle` leads back to the same state, and none of its moves lets time pass.
template <System S>
struct ZenoCycle {
  Decisions<S> stem;
  Decisions<S> cycle;
};

template <System S>
struct Outcome {
  std::uint64_t states = 0;  // under symmetry: orbits
  std::uint64_t transitions = 0;
  std::uint64_t depth = 0;    // of the deepest state that was met; the initial state has 0
  std::uint64_t at_rest = 0;  // states without moves
  SearchEnd ended = SearchEnd::complete;
  bool symmetry = false;  // was used
  PropertyMask violated = 0;
  WitnessMask witnesses = 0;
  std::vector<Counterexample<S>>
      violations;  // one for each violated property, in the order in which they were met
  std::optional<ZenoCycle<S>> zeno;
  std::uint64_t bytes = 0;  // what the search held at its end

  bool complete() const { return ended == SearchEnd::complete; }
};

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
    while (!next_.empty() && !ended_) expand_level();
    outcome_.states = parents_.size();
    outcome_.bytes = bytes();
    for (const auto& [property, state] : broken_) outcome_.violations.push_back({property, trail_to(state)});
    if (options_.zeno) find_zeno();
    return std::move(outcome_);
  }

 private:
  /// Copies of a state are cheap, and its digest is known, once a system that shares components froze them.
  void freeze_written(State& state) {
    if constexpr (requires { system_.freeze(state); }) system_.freeze(state);
  }

  void expand_level() {
    std::vector<State> level;
    level.swap(next_);
    const auto first = static_cast<std::uint32_t>(parents_.size() - level.size());
    if (outcome_.depth == options_.limits.depth_max) return stop_at_depth(level);
    for (std::size_t i = 0; i < level.size() && !ended_; ++i) {
      expand(first + static_cast<std::uint32_t>(i), level[i]);
      if (i % 256 == 0) check_limits(level.size());
    }
    if (!next_.empty()) ++outcome_.depth;
  }

  /// Takes every move of `state`, which is not needed afterwards.
  void expand(std::uint32_t from, State& state) {
    system_.enabled(state, moves_);
    VERIFY(moves_.size() <= 0xffff);
    if (moves_.empty()) ++outcome_.at_rest;
    for (std::size_t i = 0; i < moves_.size() && !ended_; ++i) {
      const Move& move = moves_[i];
      State child = i + 1 == moves_.size() ? std::move(state) : state;
      const WitnessMask shown = system_.apply(child, move);
      freeze_written(child);
      const Seen seen = seen_.insert(child);
      if (seen.fresh && parents_.size() >= options_.limits.states_max) return end(SearchEnd::states);
      ++outcome_.transitions;
      const bool is_news = (shown & ~outcome_.witnesses) != 0;
      outcome_.witnesses |= shown;
      if (options_.zeno && !move.passes_time() && !move.is_fault()) timeless_.push_back({from, seen.id});
      if (options_.on_edge) options_.on_edge({from, seen.id, seen.fresh, move, child});
      const PropertyMask violated = outcome_.violated;
      if (seen.fresh) admit(std::move(child), seen, from, static_cast<std::uint16_t>(i));
      if ((is_news || outcome_.violated != violated) && is_enough()) end(SearchEnd::decided);
    }
  }

  void admit(State state, Seen seen, std::uint32_t from, std::uint16_t move) {
    VERIFY(seen.id == parents_.size());
    parents_.push_back(from);
    chosen_.push_back(move);
    PropertyMask fresh = system_.violated(state) & ~outcome_.violated;
    outcome_.violated |= fresh;
    for (; fresh != 0; fresh &= fresh - 1) {
      broken_.emplace_back(static_cast<unsigned>(std::countr_zero(fresh)), seen.id);
    }
    next_.push_back(std::move(state));
  }

  /// States at the last depth are not expanded; if nothing could follow them, the search is complete
  /// nevertheless.
  void stop_at_depth(const std::vector<State>& level) {
    for (const State& state : level) {
      system_.enabled(state, moves_);
      if (moves_.empty()) ++outcome_.at_rest;
      else end(SearchEnd::depth);
    }
  }

  void check_limits(std::size_t level_size) {
    const std::uint64_t levels = (level_size + next_.size()) * options_.state_bytes;
    if (bytes() + levels > options_.limits.memory_bytes_max) end(SearchEnd::memory);
    if (options_.limits.stop && options_.limits.stop()) end(SearchEnd::stopped);
  }

  std::uint64_t bytes() const {
    return seen_.bytes() + parents_.capacity() * sizeof(std::uint32_t) +
           chosen_.capacity() * sizeof(std::uint16_t) + timeless_.capacity() * sizeof(TimelessEdge);
  }

  bool is_enough() const { return options_.enough && options_.enough(outcome_.violated, outcome_.witnesses); }

  /// The first reason stands.
  void end(SearchEnd why) {
    if (!ended_) outcome_.ended = why;
    ended_ = true;
  }

  /// The decisions by which the search first came to a state.
  Decisions<S> trail_to(std::uint32_t state) {
    std::vector<std::uint16_t> choices;
    for (; state != 0; state = parents_[state]) choices.push_back(chosen_[state]);
    Decisions<S> trail;
    State at = system_.initial();
    for (auto choice = choices.rbegin(); choice != choices.rend(); ++choice) {
      system_.enabled(at, moves_);
      VERIFY(*choice < moves_.size());
      trail.push_back(detail::decision(moves_, *choice));
      system_.apply(at, trail.back().move);
    }
    return trail;
  }

  void find_zeno() {
    const std::vector<std::uint32_t> ids = find_cycle(timeless_, parents_.size());
    if (ids.empty()) return;
    ZenoCycle<S> zeno{trail_to(ids.front()), {}};
    State at = system_.initial();
    for (const auto& decision : zeno.stem) system_.apply(at, decision.move);
    // Under symmetry a lap may end in a state that has only the same representative as the one it began in.
    // The states in which laps begin are finitely many, so one of them comes again; the laps before it belong
    // to the stem.
    std::vector<State> starts;
    std::vector<std::size_t> lengths;
    Decisions<S> laps;
    for (;;) {
      const auto again = std::find(starts.begin(), starts.end(), at);
      if (again != starts.end()) {
        const auto split = laps.begin() + static_cast<std::ptrdiff_t>(lengths[again - starts.begin()]);
        zeno.stem.insert(zeno.stem.end(), laps.begin(), split);
        zeno.cycle.assign(split, laps.end());
        outcome_.zeno = std::move(zeno);
        return;
      }
      starts.push_back(at);
      lengths.push_back(laps.size());
      for (std::size_t i = 1; i <= ids.size(); ++i) laps.push_back(step_to(at, ids[i % ids.size()]));
    }
  }

  /// Takes the first move without time by which `at` becomes the state of this number.
  Decision<Move> step_to(State& at, std::uint32_t id) {
    system_.enabled(at, moves_);
    for (std::size_t i = 0; i < moves_.size(); ++i) {
      if (moves_[i].passes_time() || moves_[i].is_fault()) continue;
      State child = at;
      system_.apply(child, moves_[i]);
      if (seen_.find(child) != id) continue;
      at = std::move(child);
      return detail::decision(moves_, i);
    }
    verify_failed("a recorded edge is found again", __FILE__, __LINE__);
  }

  S& system_;
  SearchOptions<S> options_;
  SeenStates<S> seen_;
  Outcome<S> outcome_;
  bool ended_ = false;
  std::vector<State> next_;
  std::vector<Move> moves_;
  std::vector<std::uint32_t> parents_;  // by state number: where it was first reached from,
  std::vector<std::uint16_t> chosen_;   // and by which of the moves there
  std::vector<std::pair<unsigned, std::uint32_t>> broken_;  // property, first state that violates it
  std::vector<TimelessEdge> timeless_;
};

/// Meets every state that `system` can reach, within the limits.
template <System S>
Outcome<S> explore(S& system, SearchOptions<S> options = {}) {
  return Search<S>{system, std::move(options)}.run();
}

}  // namespace lockstep::sim
