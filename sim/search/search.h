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
// always finished, but where time or memory is up, or where the system must stop. What was learned up to the
// last level that was finished can be kept, for a search that goes on there (learned.h) and has the same
// outcome as one that did all by itself.
//
// Depth first the state that was met last is expanded next, by one worker. All moves of a state are taken
// together, so its graph, its counts and what is violated are the same; its trails are not the shortest.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "sim/base/verify.h"
#include "sim/search/dead_end.h"
#include "sim/search/edges.h"
#include "sim/search/frontier.h"
#include "sim/search/learned.h"
#include "sim/search/meanwhile.h"
#include "sim/search/outcome.h"
#include "sim/search/parents.h"
#include "sim/search/seen_states.h"
#include "sim/search/shared_level.h"
#include "sim/search/taking.h"
#include "sim/search/timeless.h"
#include "sim/search/up_to_mark.h"
#include "sim/search/workers.h"
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
    VERIFY(!(options_.keep || options_.begin != nullptr) || (options_.key == StateKey::digest && !is_deep()));
    ended_in_.resize(static_cast<std::size_t>(std::popcount(asked_)));
    if (others.empty()) return;
    VERIFY(!is_deep());
    VERIFY(options_.key == StateKey::digest && !options_.on_edge);
    std::vector<S*> all{&system};
    all.insert(all.end(), others.begin(), others.end());
    shared_.emplace(all, options_.symmetry, keeps_edges());
  }

  Outcome<S> run() {
    outcome_.symmetry = seen_.uses_symmetry();
    if (options_.begin != nullptr) go_on(std::move(*options_.begin));
    else begin();
    if (is_enough()) end(SearchEnd::decided);
    go();
    outcome_.states = parents_.size();
    outcome_.bytes = bytes();
    if (!outcome_.misfit) look_at_graph();  // no trail of another system leads anywhere here
    if (options_.keep && ended_ && outcome_.ended != SearchEnd::decided && !outcome_.misfit) keep_learned();
    return std::move(outcome_);
  }

 private:
  /// What was found on the way is never cut short.
  void go() {
    if (!shared_)
      ask_meanwhile(system_, [this] {
        look_around(frontier_.states_held() + open_.size());
        return ended_;
      });
    if (is_deep()) dive();
    else
      while (!ended_ && advance()) expand_level();
    ask_meanwhile(system_, {});
  }

  bool is_deep() const { return options_.order == SearchOrder::depth_first; }

  void begin() {
    State initial = system_.initial();
    freeze_written(system_, initial);
    const Seen seen = seen_.insert(initial);
    admit(seen, 0, 0, system_.violated(initial), endings_of(system_, initial));
    keep(seen.id, std::move(initial));
    mark(0);
  }

  void go_on(Learned all) {
    Learned learned = up_to_mark(std::move(all));
    mark_ = learned.mark;
    seen_.digests() = std::move(learned.seen);
    parents_ = std::move(learned.parents);
    edges_ = std::move(learned.edges);
    ended_in_ = std::move(learned.ended);
    broken_ = std::move(learned.broken);
    for (const auto& [property, state] : broken_) outcome_.violated |= PropertyMask{1} << property;
    outcome_.transitions = mark_.transitions;
    outcome_.depth = mark_.depth;
    outcome_.at_rest = mark_.at_rest;
    outcome_.witnesses = mark_.witnesses;
    frontier_.begin_at(static_cast<std::uint32_t>(mark_.level));
    bool fits = ended_in_.size() == static_cast<std::size_t>(std::popcount(asked_));
    const Remade remade = make_again(
        system_, parents_, static_cast<std::uint32_t>(mark_.level),
        [&](std::uint32_t number, State state) {
          fits = fits && seen_.find(state) == number;
          keep(number, std::move(state));
        },
        [&] {
          look_around(0);
          return ended_;
        });
    outcome_.misfit = !fits || remade == Remade::misfit;
    if (outcome_.misfit) end(SearchEnd::stopped);
    if (options_.on_level) options_.on_level();
  }

  /// From here another could go on. `level`: the number of the first state that waits.
  void mark(std::uint64_t level) {
    if (!options_.keep) return;
    mark_ = {.states = parents_.size(),
             .edges = edges_.size(),
             .broken = broken_.size(),
             .level = level,
             .transitions = outcome_.transitions,
             .depth = outcome_.depth,
             .at_rest = outcome_.at_rest,
             .witnesses = outcome_.witnesses};
    if (options_.on_level) options_.on_level();
  }

  void keep_learned() {
    outcome_.learned = std::make_shared<Learned>();
    Learned& learned = *outcome_.learned;
    learned.mark = mark_;
    learned.seen = std::move(seen_.digests());
    learned.parents = std::move(parents_);
    learned.edges = std::move(edges_);
    learned.ended = std::move(ended_in_);
    learned.broken = std::move(broken_);
  }

  /// Questions about whole runs, and the ways to what was found.
  void look_at_graph() {
    for (const auto& [property, state] : broken_)
      outcome_.violations.push_back({property, parents_.trail_to(system_, state)});
    if (is_deep()) edges_ = loose_.in_order(parents_.size());
    std::optional<std::uint32_t> first;
    const auto look = [&](std::size_t question) {
      if (question == 0 && options_.zeno) outcome_.zeno = find_zeno(system_, edges_, parents_, seen_);
      if (question == 1 && wants_endings() && !ended_) first = first_stuck();
    };
    if (shared_) {
      side_by_side(2, look);
    } else {
      look(0);
      look(1);
    }
    if (first) outcome_.dead_end = parents_.trail_to(system_, *first);
  }

  /// Only tables are looked at.
  std::optional<std::uint32_t> first_stuck() const {
    std::optional<std::uint32_t> first;
    for (const std::vector<bool>& ended : ended_in_)
      if (const auto stuck = first_dead_end(edges_, ended)) first = std::min(*stuck, first.value_or(*stuck));
    return first;
  }

  bool advance() { return shared_ ? shared_->advance() : frontier_.advance(); }

  void expand_level() {
    if (outcome_.depth == options_.limits.depth_max) return stop_at_depth();
    const std::uint64_t next_level = parents_.size();
    if (shared_) expand_shared();
    else expand_alone();
    const bool goes_on = shared_ ? shared_->waiting() != 0 : frontier_.has_next();
    if (goes_on) ++outcome_.depth;
    if (!ended_) mark(next_level);
    if (parents_.size() > options_.limits.states_max) end(SearchEnd::states);
    if (is_enough()) end(SearchEnd::decided);
  }

  void expand_alone() {
    for (std::size_t i = 0; i < frontier_.size() && !ended_; ++i) {
      frontier_.drop_before(i);
      expand(frontier_.number(i), frontier_[i]);
      if constexpr (requires { system_.must_stop(); })
        if (system_.must_stop()) end(SearchEnd::stopped);
      if (i % looked_every == 0) look_around(frontier_.states_held() - i);
    }
  }

  /// Depth first. A state at the last depth is not expanded, and the search goes on elsewhere.
  void dive() {
    bool cut = false;
    for (std::uint64_t i = 0; !ended_ && !open_.empty(); ++i) {
      Open one = std::move(open_.back());
      open_.pop_back();
      depth_ = one.depth + 1;
      if (one.depth == options_.limits.depth_max) {
        system_.enabled(one.state, moves_);
        if (was_cut(system_)) continue;
        if (moves_.empty()) ++outcome_.at_rest;
        else cut = true;
        continue;
      }
      const auto first = static_cast<std::ptrdiff_t>(open_.size());
      expand(one.number, one.state);
      std::reverse(open_.begin() + first, open_.end());
      if constexpr (requires { system_.must_stop(); })
        if (system_.must_stop()) end(SearchEnd::stopped);
      if (i % looked_every == 0) look_around(open_.size());
      if (parents_.size() > options_.limits.states_max) end(SearchEnd::states);
      if (is_enough()) end(SearchEnd::decided);
    }
    if (cut) end(SearchEnd::depth);
  }

  /// Takes every move of `state`, which is not needed afterwards.
  void expand(std::uint32_t from, State& state) {
    const auto& moves = list_of_moves(system_, state, moves_);
    if (was_cut(system_)) return;
    VERIFY(moves.size() <= Parents::moves_max);
    if (moves.empty()) ++outcome_.at_rest;
    made_.clear();
    for (std::size_t i = 0; i < moves.size(); ++i) {
      State child = i + 1 == moves.size() ? std::move(state) : state;
      outcome_.witnesses |= take_listed(system_, child, moves, i);
      const Digest key = seen_.expect(child);
      made_.push_back({std::move(child), key});
    }
    for (const Made<S>& made : made_) seen_.expect_met(made.key);
    for (std::size_t i = 0; i < moves.size(); ++i) {
      const auto& move = moves[i];
      State& child = made_[i].state;
      const Seen seen = seen_.insert(child, made_[i].key);
      count_step(from, seen.id, move.is_fault(), is_timeless(move));
      if (options_.on_edge)
        options_.on_edge({from, seen.id, seen.fresh, move_listed(system_, moves, i), child});
      if (!seen.fresh) continue;
      admit(seen, from, i, system_.violated(child), endings_of(system_, child));
      keep(seen.id, std::move(child));
    }
  }

  void expand_shared() {
    const std::uint64_t held = shared_->size();
    shared_->expand(seen_.digests(), [&] {
      look_around(held);
      return ended_;
    });
    outcome_.witnesses |= shared_->shown();
    outcome_.at_rest += shared_->at_rest();
    outcome_.transitions += shared_->taken();
    shared_->read_notes(
        seen_.digests(),
        [&](const auto& found, std::uint32_t number) {
          admit({number, true}, found.from, found.move, found.violated, found.ended);
        },
        [&](std::uint32_t from, std::uint32_t to, bool timeless) { edges_.add(from, to, timeless); });
    outcome_.stopper = shared_->stopper();
    if (outcome_.stopper) end(SearchEnd::stopped);
  }

  void count_step(std::uint32_t from, std::uint32_t to, bool fault, bool timeless) {
    ++outcome_.transitions;
    if (fault || !keeps_edges()) return;
    if (is_deep()) loose_.add(from, to, timeless);
    else edges_.add(from, to, timeless);
  }

  /// A state that was met for the first time.
  void admit(Seen seen, std::uint32_t from, std::size_t move, PropertyMask violated, EndingMask ended) {
    VERIFY(seen.id == parents_.add(from, move));
    PropertyMask fresh = violated & ~outcome_.violated;
    outcome_.violated |= fresh;
    for (; fresh != 0; fresh &= fresh - 1)
      broken_.emplace_back(static_cast<unsigned>(std::countr_zero(fresh)), seen.id);
    EndingMask left = asked_;
    for (std::vector<bool>& one : ended_in_) {
      one.push_back((ended >> std::countr_zero(left) & 1) != 0);
      left &= left - 1;
    }
  }

  /// For the next level.
  void keep(std::uint32_t number, State state) {
    if (shared_) shared_->add(0, number, std::move(state));
    else if (is_deep()) dive_from(number, std::move(state));
    else frontier_.add(number, std::move(state));
  }

  void dive_from(std::uint32_t number, State state) {
    outcome_.depth = std::max(outcome_.depth, depth_);
    open_.push_back({std::move(state), number, depth_});
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
      if (was_cut(system_)) return;
      if (moves_.empty()) ++outcome_.at_rest;
      else end(SearchEnd::depth);
    }
  }

  /// Now and then: is a limit reached, and who wants to know?
  void look_around(std::uint64_t waiting) {
    if (looks_++ % memory_every == 0 && memory_needed() > options_.limits.memory_bytes_max)
      end(SearchEnd::memory);
    if (options_.limits.stop && options_.limits.stop()) end(SearchEnd::stopped);
    if (options_.on_progress)
      options_.on_progress(
          {parents_.size(), outcome_.transitions, outcome_.depth, waiting, outcome_.violated});
  }

  /// Now, or soon: tables double, and what is asked of the whole graph at the end takes two bytes a state.
  std::uint64_t memory_needed() const {
    constexpr std::size_t soon = 64 * memory_every * looked_every;
    const std::uint64_t ahead = seen_.growth_ahead(soon) + 2 * parents_.size();
    if (options_.limits.memory_held) return options_.limits.memory_held() + ahead;
    const std::uint64_t held =
        shared_ ? shared_->size() + shared_->waiting() : frontier_.states_held() + open_.size();
    return bytes() + held * options_.state_bytes + ahead;
  }

  std::uint64_t bytes() const {
    std::uint64_t remembered = 0;
    if (shared_) remembered = shared_->bytes();
    else if constexpr (requires { system_.bytes(); }) remembered = system_.bytes();
    return seen_.bytes() + parents_.bytes() + edges_.bytes() + loose_.bytes() + remembered;
  }

  bool keeps_edges() const { return options_.zeno || wants_endings(); }
  bool wants_endings() const { return asked_ != 0 && options_.endings; }

  bool is_enough() const { return options_.enough && options_.enough(outcome_.violated, outcome_.witnesses); }

  /// The first reason stands.
  void end(SearchEnd why) {
    if (!ended_) outcome_.ended = why;
    ended_ = true;
  }

  static constexpr std::size_t looked_every = 64;  // states
  static constexpr std::size_t memory_every = 16;  // of these looks: the system is asked, which takes a while

  /// Of a search that goes depth first.
  struct Open {
    State state;
    std::uint32_t number = 0;
    std::uint64_t depth = 0;
  };

  S& system_;
  SearchOptions<S> options_;
  EndingMask asked_ = lockstep::sim::endings_asked(system_);
  Frontier<State> frontier_;              // of a search by one worker
  std::optional<SharedLevel<S>> shared_;  // of one by several
  SeenStates<S> seen_;
  Parents parents_;
  Edges edges_;
  LooseEdges loose_;                         // of a search that goes depth first
  std::vector<Open> open_;                   // likewise; the last is expanded next
  std::uint64_t depth_ = 0;                  // likewise, of what is met now
  std::vector<std::vector<bool>> ended_in_;  // by ending, by state
  Learned::Mark mark_;
  Outcome<S> outcome_;
  bool ended_ = false;
  std::size_t looks_ = 0;
  std::vector<Move> moves_;
  std::vector<Made<S>> made_;
  std::vector<std::pair<unsigned, std::uint32_t>> broken_;  // property, first state that violates it
};

/// Meets every state that `system` can reach, within the limits; with `others`, by several workers.
template <System S>
Outcome<S> explore(S& system, SearchOptions<S> options = {}, const std::vector<S*>& others = {}) {
  return Search<S>{system, std::move(options), others}.run();
}

}  // namespace lockstep::sim
