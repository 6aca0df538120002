// shifted.h: follows a list of deviations through another system than the one it was made with.
//
// A move is taken at its step, and the default schedule goes on in between, so a run that can be followed
// exactly is followed exactly. Where a move is not possible at its step, it is taken as soon as it is, and
// what was to come behind it is late by as much. It is skipped if one behind it is due and possible by then.
#pragma once

#include <optional>
#include <utility>

#include "sim/run/plan.h"
#include "sim/run/policy.h"

namespace lockstep::sim {

template <System S>
class Shifted final : public Policy<S> {
 public:
  using Move = typename S::Move;

  /// Steps ascend; the recorded places are not looked at.
  explicit Shifted(Plan<Move> plan) : plan_(std::move(plan)) {}

  std::optional<std::size_t> pick(const S&, const typename S::State&, std::span<const Move> moves) override {
    ++step_;
    if (const auto due = take_next(moves, false)) return due;
    if (at_ == plan_.moves.size() && is_over()) return std::nullopt;
    if (const auto by_default = default_pick(moves)) return by_default;
    return take_next(moves, true);  // the adversary alone can act
  }

  Move taken(const Move& listed) override { return part_ ? std::exchange(part_, {})->move : listed; }

 private:
  bool is_over() const {
    return !plan_.then.by_default || (plan_.then.until && step_ > *plan_.then.until + late_);
  }

  std::optional<std::size_t> take_next(std::span<const Move> moves, bool early) {
    for (std::size_t i = at_; i < plan_.moves.size(); ++i) {
      const std::size_t due = plan_.moves[i].step + late_;
      if (due > step_ && !early) break;
      part_ = find_fitting(plan_.moves[i].move, moves);
      if (!part_) continue;
      if (step_ > due) late_ += step_ - due;
      at_ = i + 1;
      return part_->index;
    }
    return std::nullopt;
  }

  Plan<Move> plan_;
  std::size_t at_ = 0;
  std::size_t step_ = 0;
  std::size_t late_ = 0;               // by so many steps
  std::optional<Fitting<Move>> part_;  // what the last pick found
};

}  // namespace lockstep::sim
