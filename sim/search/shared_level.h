// shared_level.h: one level of a search, expanded by several workers at once.
//
// Each worker has a system of its own, with its own memory of steps, and owns a part of the level's states.
// The table of states that were met belongs to all: who meets one that is not there claims it (claims.h).
// Each step that was taken is noted, if that is asked for. When all have ended, all notes are read in the
// order of one worker, so numbers, parents and counterexamples do not depend on how many there are.
//
// A state stays with the worker that found it, unless parts become unequal. A system whose states mean
// something to itself alone says how to take over one of another: adopt(other, state).
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "sim/base/verify.h"
#include "sim/search/claims.h"
#include "sim/search/dead_end.h"
#include "sim/search/meanwhile.h"
#include "sim/search/parents.h"
#include "sim/search/seen_states.h"
#include "sim/search/taking.h"
#include "sim/search/timeless.h"
#include "sim/search/workers.h"

namespace lockstep::sim {

template <System S>
class SharedLevel {
 public:
  using State = typename S::State;
  using Move = typename S::Move;

  /// A step that a worker took. `to`: the number of the state that it leads to, or the claim.
  struct Step {
    std::uint32_t from = 0, to = 0;
    std::uint16_t move = 0;
    bool fault = false, timeless = false;
  };

  /// Systems that behave alike; they must outlive it.
  SharedLevel(const std::vector<S*>& systems, bool symmetry, bool notes_steps)
      : claims_(systems.size()), notes_steps_(notes_steps) {
    workers_.reserve(systems.size());
    for (S* system : systems) workers_.emplace_back(*system, symmetry);
  }

  void add(std::size_t worker, std::uint32_t number, State state) {
    workers_[worker].next.push_back({number, std::move(state)});
    ++waiting_;
  }

  /// Goes to the next level; false if there is none.
  bool advance() {
    for (Worker& worker : workers_) {
      worker.level = std::move(worker.next);
      worker.next.clear();
    }
    size_ = std::exchange(waiting_, 0);
    share_out();
    return size_ != 0;
  }

  /// States of this level; those of the next.
  std::uint64_t size() const { return size_; }
  std::uint64_t waiting() const { return waiting_; }

  /// Takes every move of every state. Now and then one worker at a time asks look_around(); true ends all.
  template <class LookAround>
  void expand(DigestSet& seen, LookAround look_around) {
    enough_.take_back();
    claims_.begin(seen);
    for (Worker& worker : workers_) worker.begin();
    const std::size_t fair = size_ / workers_.size();
    do {
      claims_.make_room(fair + fair / 4 + finds_least, seen);
      asking_.begin();
      in_parts([&](std::size_t worker) { expand_part(worker, seen, look_around); });
    } while (!enough_ && has_left());
    in_parts([&](std::size_t part) { claims_.find_first(part); });
    for (Worker& worker : workers_) worker.level.clear();
  }

  /// The worker whose system had to stop at the first state, by number; nobody had to: nothing.
  std::optional<std::size_t> stopper() const {
    std::optional<std::size_t> first;
    for (std::size_t i = 0; i < workers_.size(); ++i)
      if (workers_[i].stopped_at && (!first || *workers_[i].stopped_at < *workers_[*first].stopped_at))
        first = i;
    return first;
  }

  /// Calls take(find, number) for each new state as it was met first, in the order of one worker, up to where
  /// the first had to stop; their numbers follow each other. They go to the next level, and into `seen`.
  /// add(from, to, timeless) is called likewise for steps that were noted and are no faults, meanwhile.
  template <class Take, class Add>
  void read_notes(DigestSet& seen, Take take, Add add) {
    const std::uint32_t last = last_expanded();
    claims_.number(last, seen, take);
    in_parts([&](std::size_t worker) {
      if (worker == workers_.size() - 1) read_steps(last, add);
      claims_.settle(worker, last, seen, [&](std::uint32_t number, State state) {
        workers_[worker].next.push_back({number, std::move(state)});
      });
    });
    if (stopper()) seen.drop_claims();
    for (const Worker& worker : workers_) waiting_ += worker.next.size();
  }

  /// How many steps were taken, up to where the first had to stop.
  std::uint64_t taken() const {
    const std::uint32_t last = last_expanded();
    std::uint64_t all = 0;
    for (const Worker& worker : workers_)
      for (const Expanded& one : worker.expanded)
        if (one.number <= last) all += one.moves;
    return all;
  }

  WitnessMask shown() const {
    WitnessMask all = 0;
    for (const Worker& worker : workers_) all |= worker.shown;
    return all;
  }
  std::uint64_t at_rest() const {
    std::uint64_t all = 0;
    for (const Worker& worker : workers_) all += worker.at_rest;
    return all;
  }
  /// About what all hold, while they work: parts are about equal, and each may look at its own alone.
  std::uint64_t bytes() const { return (workers_.front().bytes() + claims_.bytes(0)) * workers_.size(); }

  /// Whether some state of this level has a move; it is not expanded.
  bool may_go_on() {
    bool any = false;
    for (Worker& worker : workers_) worker.at_rest = 0;
    for (Worker& worker : workers_)
      for (Owned& one : worker.level) {
        worker.system.enabled(one.state, worker.moves);
        if (worker.moves.empty()) ++worker.at_rest;
        else any = true;
      }
    return any;
  }

 private:
  struct Worker;

  /// Nobody's steps from later states count.
  std::uint32_t last_expanded() const {
    const auto first = stopper();
    return first ? *workers_[*first].stopped_at : ~std::uint32_t{0};
  }

  /// Threads would cost more than they help.
  bool is_small() const { return size_ < 32 * workers_.size(); }

  template <class Work>
  void in_parts(const Work& work) {
    if (!is_small()) return side_by_side(workers_.size(), work);
    for (std::size_t part = 0; part < workers_.size(); ++part) work(part);
  }

  template <class Add>
  void read_steps(std::uint32_t last, const Add& add) {
    in_order(
        workers_.size(), [&](std::size_t i) -> std::vector<Step>& { return workers_[i].steps; },
        [&](std::size_t, const Step& step) {
          if (!step.fault && step.from <= last) add(step.from, claims_.number_of(step.to), step.timeless);
        });
  }

  bool has_left() const {
    return std::any_of(workers_.begin(), workers_.end(),
                       [](const Worker& worker) { return worker.expanded_to < worker.level.size(); });
  }

  struct Owned {
    std::uint32_t number = 0;
    State state;
  };
  struct Expanded {
    std::uint32_t number = 0, moves = 0;
  };
  struct alignas(128) Worker {  // none writes what lies beside what another one reads
    Worker(S& its, bool symmetry) : system(its), digests(its, symmetry) {}

    S& system;
    StateKeys<S> digests;
    std::vector<Owned> level, next;  // ascending
    std::size_t expanded_to = 0;     // of the level
    std::vector<Move> moves;
    std::vector<Made<S>> made;
    std::vector<Expanded> expanded;
    std::vector<Step> steps;
    WitnessMask shown = 0;
    std::uint64_t at_rest = 0;
    std::optional<std::uint32_t> stopped_at;

    /// A level.
    void begin() {
      expanded_to = 0;
      steps.clear();
      expanded.clear();
      shown = 0;
      at_rest = 0;
    }

    std::uint64_t bytes() const {
      std::uint64_t all = steps.capacity() * sizeof(Step) + expanded.capacity() * sizeof(Expanded);
      if constexpr (requires { system.bytes(); }) all += system.bytes();
      return all;
    }
  };

  /// No part is more than a hundred-and-twenty-eighth greater than all parts would be if they were equal.
  void share_out() {
    const std::size_t fair = size_ / workers_.size() + 1;
    if (is_small()) return;
    for (Worker& giver : workers_) {
      if (giver.level.size() <= fair + fair / 128) continue;
      for (Worker& taker : workers_) take_over(giver, taker, fair);
    }
  }

  /// Until one of them has its fair share. What is taken comes from the end, and is put in its place at once.
  static void take_over(Worker& giver, Worker& taker, std::size_t fair) {
    const auto own = static_cast<std::ptrdiff_t>(taker.level.size());
    while (giver.level.size() > fair && taker.level.size() < fair) hand_over(giver, taker);
    const auto taken = taker.level.begin() + own;
    if (taken == taker.level.end()) return;
    std::reverse(taken, taker.level.end());
    std::inplace_merge(taker.level.begin(), taken, taker.level.end(),
                       [](const Owned& one, const Owned& other) { return one.number < other.number; });
  }

  static void hand_over(Worker& giver, Worker& taker) {
    Owned one = std::move(giver.level.back());
    giver.level.pop_back();
    if constexpr (requires { taker.system.adopt(giver.system, one.state); })
      one.state = taker.system.adopt(giver.system, one.state);
    taker.level.push_back(std::move(one));
  }

  template <class LookAround>
  void expand_part(std::size_t number, DigestSet& seen, LookAround& look_around) {
    Worker& worker = workers_[number];
    const auto look = [&] {
      asking_.ask(number, [&] {
        if (!enough_ && look_around()) enough_.say();
      });
      return static_cast<bool>(enough_);
    };
    ask_meanwhile(worker.system, look);
    while (worker.expanded_to < worker.level.size() && !enough_) {
      const std::size_t i = worker.expanded_to;
      if (!expand_state(number, worker.level[i], seen)) break;
      ++worker.expanded_to;
      if constexpr (requires { worker.system.must_stop(); })
        if (worker.system.must_stop()) {
          worker.stopped_at = worker.level[i].number;
          worker.expanded_to = worker.level.size();
        }
      if (i % looked_every == 0) look();
    }
    ask_meanwhile(worker.system, {});
    if (number == 0) asking_.first_ended();
  }

  /// False: there may not be room for all that follow, and nothing was done.
  bool expand_state(std::size_t number, Owned& owned, DigestSet& seen) {
    Worker& worker = workers_[number];
    const auto& moves = list_of_moves(worker.system, owned.state, worker.moves);
    if (was_cut(worker.system)) return true;
    VERIFY(moves.size() <= Parents::moves_max);
    if (!claims_.has_room(number, moves.size())) return false;
    if (moves.empty()) ++worker.at_rest;
    worker.expanded.push_back({owned.number, static_cast<std::uint32_t>(moves.size())});
    worker.made.clear();
    for (std::size_t i = 0; i < moves.size(); ++i) {
      State child = i + 1 == moves.size() ? std::move(owned.state) : owned.state;
      worker.shown |= take_listed(worker.system, child, moves, i);
      const Digest key = worker.digests.digest(child);
      seen.expect(key);
      worker.made.push_back({std::move(child), key});
    }
    for (const Made<S>& made : worker.made) claims_.expect(made.key, seen);
    for (std::size_t i = 0; i < moves.size(); ++i) {
      const auto& move = moves[i];
      Step step{owned.number, 0, static_cast<std::uint16_t>(i), move.is_fault(), is_timeless(move)};
      Made<S>& made = worker.made[i];
      step.to =
          claims_.meet(number, made.key, seen, [&] { return find_of(worker, std::move(made.state), step); });
      if (notes_steps_) worker.steps.push_back(step);
    }
    return true;
  }

  static typename Claims<State>::Find find_of(Worker& worker, State child, const Step& step) {
    typename Claims<State>::Find find{.state = {}, .violated = worker.system.violated(child)};
    find.from = step.from;
    find.move = step.move;
    find.ended = endings_of(worker.system, child);
    find.state = std::move(child);
    return find;
  }

  static constexpr std::size_t finds_least = 256;
  static constexpr std::size_t looked_every = 64;  // states

  std::vector<Worker> workers_;
  Claims<State> claims_;
  std::uint64_t size_ = 0, waiting_ = 0;
  bool notes_steps_;
  Enough enough_;
  Asking asking_;
};

}  // namespace lockstep::sim
