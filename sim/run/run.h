// run.h: the core loop. Read `run` at the bottom first.
//
// Steps are counted from 1: step n is the n-th decision, and "violated at step n" means in the state after
// it; step 0 is the initial state. A run is a pure function of the initial state and the decisions in its
// trail.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "sim/base/verify.h"
#include "sim/run/policy.h"
#include "sim/system.h"

namespace lockstep::sim {

/// One step of a trail: which move was taken, at which place of a list of how many. Replay compares all
/// three.
template <MoveLike M>
struct Decision {
  M move{};
  std::uint32_t index = 0;
  std::uint32_t arity = 0;

  /// Whether the default schedule would have done something else here.
  bool is_deviation() const { return index != 0 || move.is_fault() || is_part(move); }
  bool operator==(const Decision&) const = default;
};

enum class End {
  at_rest,    // no move was left
  steps_max,  // the limit was reached: nothing follows for what lies beyond it
  stopped,    // the policy, or RunLimits::stop, did not want to go on
  violated,   // a property of RunLimits::stop_at is broken
  zeno,       // the run is back in a state, and no time has passed since
  endless,    // the run is back in a state, by no move of the adversary
};

struct RunLimits {
  std::size_t steps_max = 100'000;
  PropertyMask stop_at = ~PropertyMask{0};  // the run ends in the first state that violates one of these
  std::size_t unwatched = 2'000;  // for so many steps nobody looks whether a state comes back
  std::function<bool()> stop = {};  // asked now and then; true ends the run where it is
};

struct FirstViolation {
  unsigned property = 0;
  std::size_t step = 0;
  bool operator==(const FirstViolation&) const = default;
};

template <System S>
struct Run {
  std::vector<Decision<typename S::Move>> trail;
  typename S::State last{};
  End end = End::stopped;
  WitnessMask witnesses = 0;
  PropertyMask violated = 0;
  std::vector<FirstViolation> violations;  // in the order in which they happened
};

/// Notices when a run is back in a state that it was in before, without a move of the adversary in between:
/// then it may go on so for ever. One state is remembered, and exchanged for a later one after 1, 2, 4, …
/// steps (Brent's algorithm), so that a cycle is noticed within three times its length.
template <System S>
class LoopWatch {
 public:
  enum class Loop : std::uint8_t { none, timeless, endless };

  Loop after(const S& system, const typename S::State& state, const typename S::Move& move) {
    if (move.is_fault()) remembered_.reset();
    time_passed_ = time_passed_ || move.passes_time();
    const Digest digest = digest_of_normal(system, state);
    if (remembered_ == digest) return time_passed_ ? Loop::endless : Loop::timeless;
    if (remembered_ && --left_ > 0) return Loop::none;
    remembered_ = digest;
    left_ = span_ *= 2;
    time_passed_ = false;
    return Loop::none;
  }

 private:
  static Digest digest_of_normal(const S& system, const typename S::State& state) {
    if constexpr (NormalisingSystem<S>) return system.digest(system.normal(state));
    else return system.digest(state);
  }

  std::optional<Digest> remembered_;
  std::size_t span_ = 1, left_ = 1;
  bool time_passed_ = false;
};

/// What an observer is shown after each step. `state` is the state that the step led to.
template <System S>
struct Step {
  std::size_t number;
  const S& system;
  const typename S::State& state;
  const Decision<typename S::Move>& decision;
  WitnessMask witnesses;
};

template <System S>
using Observer = std::function<void(const Step<S>&)>;

namespace detail {
template <System S>
void note_violations(const S& system, Run<S>& run) {
  const PropertyMask fresh = system.violated(run.last) & ~run.violated;
  if (fresh == 0) return;
  run.violated |= fresh;
  for (unsigned property = 0; property < 64; ++property) {
    if ((fresh >> property) & 1) run.violations.push_back({property, run.trail.size()});
  }
}

/// Whether the run must end here, whatever could happen next; if so, says why.
template <System S>
bool over(Run<S>& run, const RunLimits& limits) {
  if ((run.violated & limits.stop_at) != 0) return run.end = End::violated, true;
  if (run.trail.size() >= limits.steps_max) return run.end = End::steps_max, true;
  if (limits.stop && run.trail.size() % 128 == 127 && limits.stop()) return run.end = End::stopped, true;
  return false;
}

/// What may happen next, in `scratch` unless the system keeps its lists itself.
template <System S>
const std::vector<typename S::Move>& moves_in(const S& system, const typename S::State& state,
                                              std::vector<typename S::Move>& scratch) {
  if constexpr (requires { system.listed(state); }) return system.listed(state);
  system.enabled(state, scratch);
  return scratch;
}

template <MoveLike M>
Decision<M> decision(const std::vector<M>& moves, std::size_t index) {
  return {moves[index], static_cast<std::uint32_t>(index), static_cast<std::uint32_t>(moves.size())};
}

/// A system may know moves by their places.
template <System S>
WitnessMask apply(S& system, typename S::State& state, const Decision<typename S::Move>& decision) {
  if constexpr (requires { system.apply_decision(state, decision); })
    return system.apply_decision(state, decision);
  else return system.apply(state, decision.move);
}

/// Carries one decision out and writes down what it showed.
template <System S>
void take(S& system, Run<S>& run, const Decision<typename S::Move>& decision, const Observer<S>& observe) {
  const WitnessMask shown = detail::apply(system, run.last, decision);
  run.trail.push_back(decision);
  run.witnesses |= shown;
  note_violations(system, run);
  if (observe) observe({run.trail.size(), system, run.last, decision, shown});
}
}  // namespace detail

/// Lets `policy` decide from `start` until nothing can happen, the policy stops, or a limit says so.
template <System S>
Run<S> run(S& system, typename S::State start, Policy<S>& policy, const RunLimits& limits = {},
           const Observer<S>& observe = {}) {
  Run<S> result;
  result.last = std::move(start);
  detail::note_violations(system, result);
  std::vector<typename S::Move> scratch;
  LoopWatch<S> watch;
  while (!detail::over(result, limits)) {
    const std::vector<typename S::Move>& moves = detail::moves_in(system, result.last, scratch);
    result.end = moves.empty() ? End::at_rest : End::stopped;
    if (moves.empty()) break;
    const std::optional<std::size_t> picked = policy.pick(system, result.last, moves);
    if (!picked) break;
    VERIFY(*picked < moves.size());
    auto decision = detail::decision(moves, *picked);
    decision.move = policy.taken(decision.move);
    VERIFY(as_listed(decision.move) == moves[*picked]);
    detail::take(system, result, decision, observe);
    if (result.trail.size() <= limits.unwatched) continue;
    const auto loop = watch.after(system, result.last, result.trail.back().move);
    if (loop == LoopWatch<S>::Loop::none) continue;
    result.end = loop == LoopWatch<S>::Loop::timeless ? End::zeno : End::endless;
    break;
  }
  return result;
}

}  // namespace lockstep::sim
