// shared_level.h: one level of a search, expanded by several workers at once.
//
// Each worker has a system of its own, with its own memory of steps, and owns a part of the level's states.
// While they work, the states that were met at earlier levels are only looked up. What a worker finds it
// notes: each step that it took, and the states that nobody had met before. Then all notes are read in the
// order in which one worker alone would have taken the steps, so numbers, parents and counterexamples do not
// depend on how many there are.
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
#include "sim/search/dead_end.h"
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

  /// A step that a worker took. `to`: the number of the state that it leads to, or of a state in `found`.
  struct Step {
    std::uint32_t from = 0, to = 0;
    std::uint16_t move = 0;
    bool known = false, fault = false, timeless = false;
  };
  /// A state that this worker had not met before at this level, nor anybody at an earlier one.
  struct Found {
    State state;
    Digest key;
    PropertyMask violated = 0;
    EndingMask ended = 0;
  };

  /// Systems that behave alike; they must outlive it.
  SharedLevel(const std::vector<S*>& systems, bool symmetry) {
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

  /// Takes every move of every state. `look_around(i)` is asked on this thread for the states of the first
  /// worker; true ends the work.
  template <class LookAround>
  void expand(const SeenStates<S>& seen, LookAround look_around) {
    enough_.take_back();
    const bool few = size_ < 32 * workers_.size();
    const auto work = [&](std::size_t worker) { expand_part(worker, seen, look_around); };
    if (few)
      for (std::size_t worker = 0; worker < workers_.size(); ++worker) work(worker);
    else side_by_side(workers_.size(), work);
  }

  /// The worker whose system had to stop at the first state, by number; nobody had to: nothing.
  std::optional<std::size_t> stopper() const {
    std::optional<std::size_t> first;
    for (std::size_t i = 0; i < workers_.size(); ++i)
      if (workers_[i].stopped_at && (!first || *workers_[i].stopped_at < *workers_[*first].stopped_at))
        first = i;
    return first;
  }

  /// Calls visit(worker, step) in the order of one worker, up to where the first had to stop.
  template <class Visit>
  void for_each_step(Visit visit) {
    std::vector<std::size_t> at(workers_.size(), 0);
    const auto first = stopper();
    const std::uint32_t last = first ? *workers_[*first].stopped_at : ~std::uint32_t{0};
    for (;;) {
      std::size_t next = workers_.size();
      for (std::size_t i = 0; i < workers_.size(); ++i) {
        if (at[i] == workers_[i].steps.size()) continue;
        if (next == workers_.size() || workers_[i].steps[at[i]].from < workers_[next].steps[at[next]].from)
          next = i;
      }
      if (next == workers_.size()) return;
      const auto& steps = workers_[next].steps;
      const std::uint32_t from = steps[at[next]].from;
      if (from > last) return;
      for (; at[next] < steps.size() && steps[at[next]].from == from; ++at[next])
        visit(next, steps[at[next]]);
    }
  }
  Found& found(std::size_t worker, const Step& step) { return workers_[worker].found[step.to]; }

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
  std::uint64_t bytes() const { return workers_.front().bytes() * workers_.size(); }

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
  struct Owned {
    std::uint32_t number = 0;
    State state;
  };
  struct Worker {
    Worker(S& its, bool symmetry) : system(its), keys(its, symmetry) {}

    S& system;
    StateKeys<S> keys;
    std::vector<Owned> level, next;  // ascending
    std::vector<Move> moves;
    std::vector<Step> steps;
    std::vector<Found> found;
    DigestSet met;  // the keys of `found`
    WitnessMask shown = 0;
    std::uint64_t at_rest = 0;
    std::optional<std::uint32_t> stopped_at;

    std::uint64_t bytes() const {
      std::uint64_t all = steps.capacity() * sizeof(Step) + found.capacity() * sizeof(Found) + met.bytes();
      if constexpr (requires { system.bytes(); }) all += system.bytes();
      return all;
    }
  };

  /// No part is more than an eighth greater than all parts would be if they were equal.
  void share_out() {
    const std::size_t fair = size_ / workers_.size() + 1;
    if (size_ < 32 * workers_.size()) return;
    for (Worker& giver : workers_) {
      if (giver.level.size() <= fair + fair / 8) continue;
      for (Worker& taker : workers_)
        while (giver.level.size() > fair && taker.level.size() < fair) hand_over(giver, taker);
    }
    for (Worker& worker : workers_)
      std::sort(worker.level.begin(), worker.level.end(),
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
  void expand_part(std::size_t number, const SeenStates<S>& seen, LookAround& look_around) {
    Worker& worker = workers_[number];
    worker.steps.clear();
    worker.found.clear();
    worker.met = {};
    worker.shown = 0;
    worker.at_rest = 0;
    for (std::size_t i = 0; i < worker.level.size() && !enough_; ++i) {
      expand_state(worker, worker.level[i], seen);
      if constexpr (requires { worker.system.must_stop(); })
        if (worker.system.must_stop()) {
          worker.stopped_at = worker.level[i].number;
          break;
        }
      if (number == 0 && look_around(i)) enough_.say();
    }
    worker.level.clear();
  }

  static void expand_state(Worker& worker, Owned& owned, const SeenStates<S>& seen) {
    const auto& moves = list_of_moves(worker.system, owned.state, worker.moves);
    VERIFY(moves.size() <= Parents::moves_max);
    if (moves.empty()) ++worker.at_rest;
    for (std::size_t i = 0; i < moves.size(); ++i) {
      State child = i + 1 == moves.size() ? std::move(owned.state) : owned.state;
      worker.shown |= take_listed(worker.system, child, moves, i);
      const Digest key = worker.keys.digest(child);
      const auto& move = moves[i];
      Step step{owned.number, 0, static_cast<std::uint16_t>(i), false, move.is_fault(), is_timeless(move)};
      if (const auto known = seen.find(key)) {
        step.known = true;
        step.to = *known;
      } else {
        const Seen here = worker.met.insert(key);
        step.to = here.id;
        if (here.fresh) note(worker, std::move(child), key);
      }
      worker.steps.push_back(step);
    }
  }

  static void note(Worker& worker, State child, const Digest& key) {
    Found found{.state = {}, .key = key, .violated = worker.system.violated(child)};
    found.ended = endings_of(worker.system, child);
    found.state = std::move(child);
    worker.found.push_back(std::move(found));
  }

  std::vector<Worker> workers_;
  std::uint64_t size_ = 0, waiting_ = 0;
  Enough enough_;
};

}  // namespace lockstep::sim
