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

/// What the three have in common: a plan, the place in it, and what the last pick found there.
template <System S, class Planned>
class Following : public Policy<S> {
 public:
  using Move = typename S::Move;

  explicit Following(std::vector<Planned> plan) : plan_(std::move(plan)) {}

  Move taken(const Move& listed) override { return part_ ? std::exchange(part_, {})->move : listed; }

 protected:
  std::vector<Planned> plan_;
  std::size_t at_ = 0;
  std::optional<Fitting<Move>> part_;
};

template <System S>
class Lenient final : public Following<S, typename S::Move> {
 public:
  using typename Following<S, typename S::Move>::Move;
  using Following<S, Move>::Following;

  std::optional<std::size_t> pick(const S&, const typename S::State&, std::span<const Move> moves) override {
    while (this->at_ < this->plan_.size()) {
      this->part_ = find_fitting(this->plan_[this->at_++], moves);
      if (this->part_) return this->part_->index;
    }
    return default_pick(moves);
  }
};

/// Steps ascend; the recorded places are not looked at.
template <System S>
class Anchored final : public Following<S, PlannedMove<typename S::Move>> {
 public:
  using typename Following<S, PlannedMove<typename S::Move>>::Move;
  using Following<S, PlannedMove<Move>>::Following;

  std::optional<std::size_t> pick(const S&, const typename S::State&, std::span<const Move> moves) override {
    ++step_;
    if (this->at_ < this->plan_.size() && this->plan_[this->at_].step == step_) {
      this->part_ = find_fitting(this->plan_[this->at_++].move, moves);
      if (this->part_) return this->part_->index;
    }
    return default_pick(moves);
  }

 private:
  std::size_t step_ = 0;
};

template <System S>
class Patient final : public Following<S, typename S::Move> {
 public:
  using typename Following<S, typename S::Move>::Move;
  using Following<S, Move>::Following;

  std::optional<std::size_t> pick(const S&, const typename S::State&, std::span<const Move> moves) override {
    if (this->at_ < this->plan_.size()) {
      this->part_ = find_fitting(this->plan_[this->at_], moves);
      if (this->part_) {
        ++this->at_;
        return this->part_->index;
      }
    }
    return default_pick(moves);
  }
};

}  // namespace lockstep::sim
