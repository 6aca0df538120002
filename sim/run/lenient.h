// lenient.h: follows decisions loosely, as shrinking and edited scripts need it.
//
// What no longer applies is skipped, and when nothing is left to follow the default schedule goes on. Three
// ways of being loose: `Lenient` keeps the order of the moves and forgets their steps, which suits a list
// with every move in it; `Anchored` keeps the steps, which suits a list of deviations; `Patient` suits such a
// list as well, and takes each as soon as it can, with the default schedule in between.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "sim/run/plan.h"
#include "sim/run/policy.h"

namespace lockstep::sim {

template <System S>
class Lenient final : public Policy<S> {
 public:
  using Move = typename S::Move;

  explicit Lenient(std::vector<Move> moves) : plan_(std::move(moves)) {}

  std::optional<std::size_t> pick(const S&, const typename S::State&, std::span<const Move> moves) override {
    while (at_ < plan_.size()) {
      part_ = find_fitting(plan_[at_++], moves);
      if (part_) return part_->index;
    }
    return default_pick(moves);
  }

  Move taken(const Move& listed) override { return part_ ? std::exchange(part_, {})->move : listed; }

 private:
  std::vector<Move> plan_;
  std::size_t at_ = 0;
  std::optional<Fitting<Move>> part_;  // what the last pick found
};

template <System S>
class Anchored final : public Policy<S> {
 public:
  using Move = typename S::Move;

  /// Steps ascend; the recorded places are not looked at.
  explicit Anchored(std::vector<PlannedMove<Move>> moves) : plan_(std::move(moves)) {}

  std::optional<std::size_t> pick(const S&, const typename S::State&, std::span<const Move> moves) override {
    ++step_;
    if (at_ < plan_.size() && plan_[at_].step == step_) {
      part_ = find_fitting(plan_[at_++].move, moves);
      if (part_) return part_->index;
    }
    return default_pick(moves);
  }

  Move taken(const Move& listed) override { return part_ ? std::exchange(part_, {})->move : listed; }

 private:
  std::vector<PlannedMove<Move>> plan_;
  std::size_t at_ = 0;
  std::optional<Fitting<Move>> part_;  // what the last pick found
  std::size_t step_ = 0;
};

template <System S>
class Patient final : public Policy<S> {
 public:
  using Move = typename S::Move;

  explicit Patient(std::vector<Move> moves) : plan_(std::move(moves)) {}

  std::optional<std::size_t> pick(const S&, const typename S::State&, std::span<const Move> moves) override {
    if (at_ < plan_.size()) {
      part_ = find_fitting(plan_[at_], moves);
      if (part_) {
        ++at_;
        return part_->index;
      }
    }
    return default_pick(moves);
  }

  Move taken(const Move& listed) override { return part_ ? std::exchange(part_, {})->move : listed; }

 private:
  std::vector<Move> plan_;
  std::size_t at_ = 0;
  std::optional<Fitting<Move>> part_;  // what the last pick found
};

}  // namespace lockstep::sim
