// shared_level.h: one level of a search, expanded by several workers at once.
//
// Each worker has a system of its own, with its own memory of steps, and owns a part of the level's states.
// While they work, the states that were met at earlier levels are only looked up. What a worker finds it
// notes: each step that it took, if that is asked for, and the states that nobody had met before. Which of
// several workers would have met such a state first, if one alone took all steps, is found out side by side,
// by parts of what states are told apart by. Then all notes are read in the order of one worker, so numbers,
// parents and counterexamples do not depend on how many there are; and last the table of states that were met
// takes in the new ones, part by part, side by side again.
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

  /// A step that a worker took. `to`: the number of the state that it leads to, or of a state in `found`.
  struct Step {
    std::uint32_t from = 0, to = 0;
    std::uint16_t move = 0;
    bool known = false, fault = false, timeless = false;
  };
  /// A state that this worker had not met before at this level, nor anybody at an earlier one, and the step
  /// by which it met it.
  struct Found {
    State state;
    Digest key;
    PropertyMask violated = 0;
    EndingMask ended = 0;
    std::uint32_t from = 0;
    std::uint16_t move = 0;
    Found* other = nullptr;  // the same state, of the first of several workers that met it, if not this one
    Found* first = nullptr;  // the same state, as it was met first of all
    std::optional<std::uint32_t> number;  // that it was given; of the first
  };

  /// Systems that behave alike; they must outlive it.
  SharedLevel(const std::vector<S*>& systems, bool symmetry, bool notes_steps) : notes_steps_(notes_steps) {
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

  /// Takes every move of every state. `look_around(i)` is asked by one worker at a time, for its states; true
  /// ends the work.
  template <class LookAround>
  void expand(const SeenStates<S>& seen, LookAround look_around) {
    enough_.take_back();
    asking_.begin();
    in_parts([&](std::size_t worker) { expand_part(worker, seen, look_around); });
    in_parts([&](std::size_t part) { find_first(part); });
  }

  /// The worker whose system had to stop at the first state, by number; nobody had to: nothing.
  std::optional<std::size_t> stopper() const {
    std::optional<std::size_t> first;
    for (std::size_t i = 0; i < workers_.size(); ++i)
      if (workers_[i].stopped_at && (!first || *workers_[i].stopped_at < *workers_[*first].stopped_at))
        first = i;
    return first;
  }

  /// Calls take(found) for each new state as it was met first, in the order of one worker, up to where the
  /// first had to stop; their numbers follow each other from `number` on. They go to the next level, and
  /// into `seen`, which take() appends them to. add(from, to, timeless) is called likewise for steps that
  /// were noted and are no faults, at the same time.
  template <class Take, class Add>
  void read_notes(std::uint32_t number, DigestSet& seen, Take take, Add add) {
    const std::uint32_t last = last_expanded();
    for_each_new(last, [&](Found& found) {
      found.number = number++;
      take(found);
    });
    seen.make_room();
    const std::size_t parts = is_small() ? 1 : 2 * workers_.size();
    std::vector<std::vector<std::uint32_t>> left(parts);
    Turns turns(parts);
    in_parts([&](std::size_t worker) {
      if (worker == workers_.size() - 1) read_steps(last, add);
      go_on_from(workers_[worker], last);
      while (const auto part = turns.take()) seen.place(*part, parts, left[*part]);
    });
    seen.place_left(left);
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

  template <class Visit>
  void for_each_new(std::uint32_t last, Visit visit) {
    in_order([](Worker& worker) -> std::vector<Found>& { return worker.found; },
             [&](std::size_t, Found& found) {
               if (found.from <= last && found.first == &found) visit(found);
             });
  }

  /// Visits what lists of all workers hold, each of which goes by `from`, in the order of that.
  template <class ListOf, class Visit>
  void in_order(ListOf list_of, Visit visit) {
    std::vector<std::size_t> at(workers_.size(), 0);
    const auto from_of = [&](std::size_t i) { return list_of(workers_[i])[at[i]].from; };
    for (;;) {
      std::size_t next = workers_.size();
      for (std::size_t i = 0; i < workers_.size(); ++i)
        if (at[i] < list_of(workers_[i]).size() && (next == workers_.size() || from_of(i) < from_of(next)))
          next = i;
      if (next == workers_.size()) return;
      auto& list = list_of(workers_[next]);
      const std::uint32_t from = list[at[next]].from;
      std::size_t i = at[next];
      for (; i < list.size() && list[i].from == from; ++i) visit(next, list[i]);
      at[next] = i;
    }
  }

  static void go_on_from(Worker& worker, std::uint32_t last) {
    for (Found& found : worker.found)
      if (found.from <= last && found.first == &found)
        worker.next.push_back({*found.number, std::move(found.state)});
  }

  template <class Add>
  void read_steps(std::uint32_t last, const Add& add) {
    in_order([](Worker& worker) -> std::vector<Step>& { return worker.steps; },
             [&](std::size_t worker, const Step& step) {
               if (step.fault || step.from > last) return;
               const auto number = [&] { return *workers_[worker].found[step.to].first->number; };
               add(step.from, step.known ? step.to : number(), step.timeless);
             });
  }

  /// Of the new states in a part: which of those that are equal comes first. That of the first worker that
  /// met it knows until all have been looked at.
  void find_first(std::size_t part) {
    for (std::size_t worker = 0; worker < workers_.size(); ++worker)
      for_each_in_part(worker, part, [&](Found& found) {
        found.other = met_by_others(found, worker);
        Found*& first = found.other == nullptr ? found.first : found.other->first;
        if (found.other == nullptr || comes_before(found, *first)) first = &found;
      });
    for (std::size_t worker = 1; worker < workers_.size(); ++worker)
      for_each_in_part(worker, part, [&](Found& found) {
        if (found.other != nullptr) found.first = found.other->first;
      });
  }

  template <class Visit>
  void for_each_in_part(std::size_t worker, std::size_t part, Visit visit) {
    constexpr std::ptrdiff_t ahead = 16;
    auto& all = workers_[worker].found;
    const auto is_here = [&](const Found& found) { return found.key.high % workers_.size() == part; };
    for (Found& found : all) {
      if (worker != 0 && &all.back() - &found >= ahead && is_here((&found)[ahead]))
        workers_.front().met.expect((&found)[ahead].key);
      if (is_here(found)) visit(found);
    }
  }

  static bool comes_before(const Found& one, const Found& other) {
    return std::pair(one.from, one.move) < std::pair(other.from, other.move);
  }

  /// As one of those before this worker met it.
  Found* met_by_others(const Found& found, std::size_t worker) {
    for (std::size_t other = 0; other < worker; ++other)
      if (const auto at = workers_[other].met.find(found.key)) return &workers_[other].found[*at];
    return nullptr;
  }

  struct Owned {
    std::uint32_t number = 0;
    State state;
  };
  struct Expanded {
    std::uint32_t number = 0, moves = 0;
  };
  struct alignas(128) Worker {  // none writes what lies beside what another one reads
    Worker(S& its, bool symmetry) : system(its), keys(its, symmetry) {}

    S& system;
    StateKeys<S> keys;
    std::vector<Owned> level, next;  // ascending
    std::vector<Move> moves;
    std::vector<Made<S>> made;
    std::vector<Expanded> expanded;
    std::vector<Step> steps;
    std::vector<Found> found;
    DigestSet met;  // the keys of `found`
    std::vector<std::optional<std::uint32_t>> here;  // which of `found` those that were made are
    WitnessMask shown = 0;
    std::uint64_t at_rest = 0;
    std::optional<std::uint32_t> stopped_at;

    std::uint64_t bytes() const {
      std::uint64_t all = steps.capacity() * sizeof(Step) + expanded.capacity() * sizeof(Expanded) +
                          found.capacity() * sizeof(Found) + met.bytes();
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
  void expand_part(std::size_t number, const SeenStates<S>& seen, LookAround& look_around) {
    Worker& worker = workers_[number];
    worker.steps.clear();
    worker.found.clear();
    worker.met.clear();
    worker.expanded.clear();
    worker.shown = 0;
    worker.at_rest = 0;
    const auto look = [&](std::size_t i) {
      asking_.ask(number, [&] {
        if (!enough_ && look_around(i)) enough_.say();
      });
      return static_cast<bool>(enough_);
    };
    ask_meanwhile(worker.system, [&] { return look(0); });
    for (std::size_t i = 0; i < worker.level.size() && !enough_; ++i) {
      expand_state(worker, worker.level[i], seen, notes_steps_);
      if constexpr (requires { worker.system.must_stop(); })
        if (worker.system.must_stop()) {
          worker.stopped_at = worker.level[i].number;
          break;
        }
      look(i);
    }
    ask_meanwhile(worker.system, {});
    if (number == 0) asking_.first_ended();
    worker.level.clear();
  }

  static void expand_state(Worker& worker, Owned& owned, const SeenStates<S>& seen, bool notes_steps) {
    const auto& moves = list_of_moves(worker.system, owned.state, worker.moves);
    if (was_cut(worker.system)) return;
    VERIFY(moves.size() <= Parents::moves_max);
    if (moves.empty()) ++worker.at_rest;
    worker.expanded.push_back({owned.number, static_cast<std::uint32_t>(moves.size())});
    worker.made.clear();
    for (std::size_t i = 0; i < moves.size(); ++i) {
      State child = i + 1 == moves.size() ? std::move(owned.state) : owned.state;
      worker.shown |= take_listed(worker.system, child, moves, i);
      const Digest key = worker.keys.digest(child);
      worker.met.expect(key);
      worker.made.push_back({std::move(child), key});
    }
    // Most lead to states of the next level, and the table of those is small: so it is asked first.
    worker.here.clear();
    for (const Made<S>& made : worker.made) {
      worker.here.push_back(worker.met.find(made.key));
      if (!worker.here.back()) seen.expect(made.key);
    }
    for (std::size_t i = 0; i < moves.size(); ++i) {
      const auto& move = moves[i];
      Step step{owned.number, 0, static_cast<std::uint16_t>(i), false, move.is_fault(), is_timeless(move)};
      if (worker.here[i]) step.to = *worker.here[i];
      else look_up(worker, worker.made[i], seen, step);
      if (notes_steps) worker.steps.push_back(step);
    }
  }

  /// Where a step leads that did not lead to a state of the next level when its state was taken up.
  static void look_up(Worker& worker, Made<S>& made, const SeenStates<S>& seen, Step& step) {
    if (const auto known = seen.find(made.key)) {
      step.known = true;
      step.to = *known;
      return;
    }
    const Seen here = worker.met.insert(made.key);
    step.to = here.id;
    if (here.fresh) note(worker, std::move(made.state), made.key, step);
  }

  static void note(Worker& worker, State child, const Digest& key, const Step& step) {
    Found found{.state = {}, .key = key, .violated = worker.system.violated(child)};
    found.from = step.from;
    found.move = step.move;
    found.ended = endings_of(worker.system, child);
    found.state = std::move(child);
    worker.found.push_back(std::move(found));
  }

  std::vector<Worker> workers_;
  std::uint64_t size_ = 0, waiting_ = 0;
  bool notes_steps_;
  Enough enough_;
  Asking asking_;
};

}  // namespace lockstep::sim
