// shrink.h: from a run that shows something to the few deviations that matter.
//
// Delta debugging over the decisions: loops are cut, parts are left out, the rest is followed loosely
// (lenient.h), and the new run is kept if it still shows the same thing and *costs less*. A run costs, in
// this order: its faults, its deviations from the default schedule, its length, the step of the last of
// these (after which everything follows it), and how round the lengths of time are that somebody chose;
// before all that, what a wish measures. Every candidate is run for real, and what is kept is that run's own
// trail: it is strict, and its deviations replay to exactly the same run.
//
// The result is minimal if the budget of runs was not used up: leaving out any one deviation, the others
// staying at their steps, no longer shows it, or costs more by the wish.
#pragma once

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "sim/run/intervals.h"
#include "sim/run/lenient.h"
#include "sim/run/run.h"

namespace lockstep::sim {

/// What a shrunk run must still show. It is asked about whole runs, so it may also ask for a zeno end.
template <System S>
using Shows = std::function<bool(const Run<S>&)>;

/// The run violates one of these properties, normally one alone.
template <System S>
Shows<S> violates(PropertyMask mask) {
  return [mask](const Run<S>& run) { return (run.violated & mask) != 0; };
}

/// What a run is to have little of, before all else.
template <System S>
struct ShrinkWish {
  using Trail = std::vector<Decision<typename S::Move>>;
  std::function<std::uint64_t(const Trail&)> measure;
};

struct RunCost {
  std::size_t faults = 0;
  std::size_t deviations = 0;
  std::size_t last_deviation = 0;  // its step; 0: there is none
  std::size_t length = 0;
  std::uint64_t wished = 0;  // by a wish; compared before the others
  std::size_t digits = 0;    // of chosen lengths of time, without the zeros at their ends
  friend bool operator==(const RunCost&, const RunCost&) = default;
  friend auto operator<=>(const RunCost& a, const RunCost& b) {
    const auto in_order = [](const RunCost& one) {
      return std::tie(one.wished, one.faults, one.deviations, one.length, one.last_deviation, one.digits);
    };
    return in_order(a) <=> in_order(b);
  }
};

template <MoveLike M>
RunCost cost_of(const std::vector<Decision<M>>& trail) {
  RunCost cost{.faults = 0, .deviations = 0, .last_deviation = 0, .length = trail.size()};
  for (std::size_t i = 0; i < trail.size(); ++i) {
    if (trail[i].move.is_fault()) ++cost.faults;
    if (!trail[i].is_deviation()) continue;
    ++cost.deviations;
    cost.last_deviation = i + 1;
  }
  return cost;
}

/// How many digits a number has to be remembered by: 3 for 1370, 1 for 2000.
inline std::size_t digits_of(std::int64_t number) {
  std::size_t digits = 0;
  for (; number != 0; number /= 10)
    if (digits > 0 || number % 10 != 0) ++digits;
  return digits;
}

/// Rounder numbers than this one near it, the roundest first.
inline std::vector<std::int64_t> rounder_than(std::int64_t number) {
  std::vector<std::int64_t> rounder;
  for (std::int64_t unit = 1'000'000; unit > 1; unit /= 10)
    for (const std::int64_t half : {unit, unit / 2})
      for (const std::int64_t near : {number / half * half, number / half * half + half})
        if (near > 0 && digits_of(near) < digits_of(number)) rounder.push_back(near);
  return rounder;
}

template <System S>
struct Shrunk {
  Run<S> run;  // its trail is full and strict; deviations_of (plan.h) lists what matters
  std::size_t runs_used = 0;
  bool minimal = false;  // the budget was not used up
};

template <System S>
class Shrinker {
 public:
  using Move = typename S::Move;

  /// `limits` should end runs as soon as they show it (RunLimits::stop_at).
  Shrinker(S& system, Shows<S> shows, RunLimits limits, std::size_t runs_max, ShrinkWish<S> wish = {})
      : system_(system),
        shows_(std::move(shows)),
        limits_(limits),
        runs_max_(runs_max),
        wish_(std::move(wish)) {}

  Result<Shrunk<S>> shrink(const std::vector<Decision<Move>>& trail) {
    Lenient<S> original{moves_of(trail)};
    ++runs_;
    best_ = run(system_, system_.initial(), original, limits_);
    if (!shows_(best_)) return Problem{"there is nothing to shrink: the run does not show what it should"};
    cost_ = cost_with_wish(best_.trail);
    // In a system that goes on for ever the default schedule does too; one that is much longer explains
    // nothing better.
    limits_.steps_max = std::min(limits_.steps_max, 2 * cost_.length + 100);
    while (once()) {
    }
    return Shrunk<S>{std::move(best_), runs_, runs_ < runs_max_};
  }

 private:
  /// One round of every kind of cut, the most telling first; false when none helped.
  bool once() {
    const RunCost before = cost_;
    cut_loops();
    return_to_default_sooner();
    drop_faults();
    drop_moves();
    drop_deviations();
    deviate_sooner();
    round_times();
    if (!(cost_ < before)) deviate_elsewhere();
    return cost_ < before;
  }

  RunCost cost_with_wish(const std::vector<Decision<Move>>& trail) const {
    RunCost cost = cost_of(trail);
    if (wish_.measure) cost.wished = wish_.measure(trail);
    if constexpr (IntervalSystem<S>)
      for (const Decision<Move>& one : trail)
        if (is_part(one.move)) cost.digits += digits_of(system_.span(one.move).count());
    return cost;
  }

  /// Lets a rounder length of time pass where less passes than might, the other deviations at their steps.
  void round_times() {
    if constexpr (IntervalSystem<S>) {
      for (std::size_t i = 0; i < cost_.deviations; ++i) {
        const auto deviations = deviations_of<Move>(best_.trail).moves;
        const Move& part = deviations[i].move;
        if (!is_part(part)) continue;
        const Move whole = as_listed(part);
        for (const std::int64_t length : rounder_than(system_.span(part).count())) {
          if (Duration(length) >= system_.span(whole)) continue;
          auto changed = deviations;
          changed[i].move = system_.shortened(whole, Duration(length));
          if (improves(Anchored<S>{std::move(changed)})) break;
        }
      }
    }
  }

  /// Where the run comes back to a state, what lies in between led nowhere.
  void cut_loops() {
    std::map<Digest, std::size_t> last_visit;
    auto state = system_.initial();
    last_visit[system_.digest(state)] = 0;
    std::vector<Digest> visited{system_.digest(state)};
    for (const Decision<Move>& decision : best_.trail) {
      system_.apply(state, decision.move);
      visited.push_back(system_.digest(state));
      last_visit[visited.back()] = visited.size() - 1;
    }
    std::vector<Move> kept;
    for (std::size_t at = last_visit[visited[0]]; at < best_.trail.size(); at = last_visit[visited[at + 1]]) {
      kept.push_back(best_.trail[at].move);
    }
    if (kept.size() < best_.trail.size()) improves(Lenient<S>{std::move(kept)});
  }

  /// Halves the part before the default rest for as long as that can be done.
  void return_to_default_sooner() {
    std::size_t low = 0;
    while (low < cost_.last_deviation) {
      std::vector<Move> kept = moves_of(best_.trail);
      kept.resize((low + cost_.last_deviation) / 2);
      const std::size_t tried = kept.size();
      if (!improves(Lenient<S>{std::move(kept)})) low = tried + 1;
    }
  }

  void drop_faults() {
    const auto is_fault = [](const Decision<Move>& decision) { return decision.move.is_fault(); };
    auto none = best_.trail;
    if (std::erase_if(none, is_fault) > 1) improves(Lenient<S>{moves_of(none)});
    for (std::size_t i = 0; i < best_.trail.size();) {
      if (!is_fault(best_.trail[i]) || !improves(Lenient<S>{without(moves_of(best_.trail), i, 1)})) ++i;
    }
  }

  /// Leaves out stretches of the run, keeping the order of the rest.
  void drop_moves() {
    for (std::size_t chunk = cost_.last_deviation; chunk >= 1; chunk /= 2) {
      for (std::size_t i = 0; i < cost_.last_deviation;) {
        std::vector<Move> followed = moves_of(best_.trail);
        followed.resize(cost_.last_deviation);
        if (!improves(Lenient<S>{without(std::move(followed), i, chunk)})) i += chunk;
      }
    }
  }

  /// Takes the default where the run deviated, keeping the other deviations at their steps.
  void drop_deviations() {
    for (std::size_t chunk = cost_.deviations; chunk >= 1; chunk /= 2) {
      for (std::size_t i = 0; i < cost_.deviations;) {
        auto deviations = deviations_of<Move>(best_.trail).moves;
        if (!improves(Anchored<S>{without(std::move(deviations), i, chunk)})) i += chunk;
      }
    }
  }

  /// Deviates as soon as it can, with some of the deviations left out: then they move to other steps.
  void deviate_sooner() {
    for (std::size_t chunk = 0; chunk <= cost_.deviations; chunk = chunk == 0 ? 1 : 2 * chunk) {
      for (std::size_t i = 0; i < std::max<std::size_t>(1, cost_.deviations);) {
        std::vector<Move> followed;
        for (const auto& planned : deviations_of<Move>(best_.trail).moves) followed.push_back(planned.move);
        if (followed.empty() || !improves(Patient<S>{without(std::move(followed), i, chunk)}))
          i += std::max<std::size_t>(1, chunk);
        if (chunk == 0) break;
      }
    }
  }

  /// Takes one deviation where it was possible too, sooner or later, without those that lie in between. Not
  /// tried of many, of which there are as many as deviations times moves.
  void deviate_elsewhere() {
    if (cost_.deviations * cost_.length > moved_max) return;
    for (std::size_t i = 0; i < cost_.deviations; ++i) {
      const auto deviations = deviations_of<Move>(best_.trail).moves;
      for (const std::size_t step : steps_at_which_possible(deviations[i].move)) {
        auto moved = deviations;
        const std::size_t from = moved[i].step;
        moved[i].step = step;
        std::erase_if(moved, [&, one = moved[i]](const auto& other) {
          return !(other == one) && other.step >= std::min(from, step) && other.step <= std::max(from, step);
        });
        std::stable_sort(moved.begin(), moved.end(),
                         [](const auto& a, const auto& b) { return a.step < b.step; });
        if (improves(Anchored<S>{std::move(moved)})) break;
      }
    }
  }

  std::vector<std::size_t> steps_at_which_possible(const Move& move) {
    std::vector<std::size_t> steps;
    std::vector<Move> moves;
    auto state = system_.initial();
    for (std::size_t step = 1; step <= best_.trail.size(); ++step) {
      system_.enabled(state, moves);
      if (find_fitting<Move>(move, moves)) steps.push_back(step);
      system_.apply(state, best_.trail[step - 1].move);
    }
    return steps;
  }

  static constexpr std::size_t moved_max = 4'000;

  /// Runs a candidate and keeps it if it still shows it for less.
  template <class Candidate>
  bool improves(Candidate policy) {
    if (runs_ >= runs_max_ || (limits_.stop && limits_.stop())) return false;
    ++runs_;
    Run<S> candidate = run(system_, system_.initial(), policy, limits_);
    const RunCost cost = cost_with_wish(candidate.trail);
    if (!(cost < cost_) || !shows_(candidate)) return false;
    best_ = std::move(candidate);
    cost_ = cost;
    return true;
  }

  static std::vector<Move> moves_of(const std::vector<Decision<Move>>& trail) {
    std::vector<Move> moves;
    for (const Decision<Move>& decision : trail) moves.push_back(decision.move);
    return moves;
  }

  template <class T>
  static std::vector<T> without(std::vector<T> all, std::size_t first, std::size_t count) {
    const auto begin = all.begin() + static_cast<std::ptrdiff_t>(first);
    all.erase(begin, begin + static_cast<std::ptrdiff_t>(std::min(count, all.size() - first)));
    return all;
  }

  S& system_;
  Shows<S> shows_;
  RunLimits limits_;
  std::size_t runs_max_;
  ShrinkWish<S> wish_;
  std::size_t runs_ = 0;
  Run<S> best_;
  RunCost cost_;
};

/// Shrinks a run that violates `goal`.
template <System S>
Result<Shrunk<S>> shrink(S& system, const std::vector<Decision<typename S::Move>>& trail, PropertyMask goal,
                         RunLimits limits = {}, std::size_t runs_max = 10'000, ShrinkWish<S> wish = {}) {
  limits.stop_at = goal;
  return Shrinker<S>{system, violates<S>(goal), limits, runs_max, std::move(wish)}.shrink(trail);
}

}  // namespace lockstep::sim
