// replay.h: follows a trail exactly.
//
// At every step that the trail speaks of, the move must be enabled, at the recorded place of a list of the
// recorded length; at steps that it leaves out the default is taken. The first difference ends the run and
// is described, never papered over: either the trail belongs to something else, or the run is not a function
// of its decisions.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "sim/run/divergence.h"
#include "sim/run/plan.h"
#include "sim/run/run.h"

namespace lockstep::sim {

template <System S>
class Replay final : public Policy<S> {
 public:
  using Move = typename S::Move;

  explicit Replay(Plan<Move> plan) : plan_(std::move(plan)) {}

  std::optional<std::size_t> pick(const S& system, const typename S::State&,
                                  std::span<const Move> moves) override {
    ++step_;
    if (at_ == plan_.moves.size()) return after_the_last(moves);
    const PlannedMove<Move>& planned = plan_.moves[at_];
    if (planned.step != step_) return default_pick(moves);
    const auto found = std::find(moves.begin(), moves.end(), as_listed(planned.move));
    const auto index = static_cast<std::size_t>(found - moves.begin());
    const bool as_recorded =
        !planned.choice || (planned.choice->index == index && planned.choice->arity == moves.size());
    if (found == moves.end() || !as_recorded) {
      diverge(system, moves);
      return std::nullopt;
    }
    ++at_;
    follows_plan_ = true;
    return index;
  }

  Move taken(const Move& listed) override {
    return std::exchange(follows_plan_, false) ? plan_.moves[at_ - 1].move : listed;
  }

  const std::optional<Divergence>& divergence() const { return divergence_; }

  /// To be told when the run has nothing more to do: decisions that are left then are a divergence too.
  void at_rest(const S& system) {
    if (at_ < plan_.moves.size() && !divergence_) diverge(system, {});
  }

 private:
  std::optional<std::size_t> after_the_last(std::span<const Move> moves) const {
    const Then& then = plan_.then;
    if (!then.by_default || (then.until && step_ > *then.until)) return std::nullopt;
    return default_pick(moves);
  }

  void diverge(const S& system, std::span<const Move> moves) {
    const PlannedMove<Move>& planned = plan_.moves[at_];
    divergence_ = Divergence{planned.step, system.show(planned.move), planned.choice, {}};
    for (const Move& move : moves) divergence_->enabled.push_back(system.show(move));
  }

  Plan<Move> plan_;
  std::size_t at_ = 0;
  std::size_t step_ = 0;
  bool follows_plan_ = false;  // the last pick was a planned one
  std::optional<Divergence> divergence_;
};

template <System S>
struct Replayed {
  Run<S> run;
  std::optional<Divergence> divergence;
};

/// Runs a plan from the initial state, through violations unless `limits` says otherwise. Limits may end the
/// run before the plan does; that is no divergence.
template <System S>
Replayed<S> replay(S& system, Plan<typename S::Move> plan, const RunLimits& limits = {.stop_at = 0},
                   const Observer<S>& observe = {}) {
  Replay<S> policy{std::move(plan)};
  Run<S> replayed = run(system, system.initial(), policy, limits, observe);
  // A default stretch also ends where only faults are left; a decision that was to come after it cannot be
  // made any more.
  if (replayed.end == End::at_rest || replayed.end == End::stopped) policy.at_rest(system);
  return {std::move(replayed), policy.divergence()};
}

}  // namespace lockstep::sim
