// mutated.h: a run that was made before, changed somewhere.
//
// It follows the moves of its parent loosely (lenient.h) up to a point that is drawn; there it leaves out a
// stretch of them, does otherwise for a few moves, or leaves for good. What follows nothing is left to
// another policy. Runs that are drawn so depend on their parents: nothing can be said of how many there were.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "sim/base/random.h"
#include "sim/run/policy.h"

namespace lockstep::sim {

template <System S>
class Mutated final : public Policy<S> {
 public:
  using Move = typename S::Move;

  /// `beyond` must outlive it, and decides where the parent does not.
  Mutated(Random random, std::vector<Move> parent, Policy<S>& beyond)
      : plan_(std::move(parent)), beyond_(beyond) {
    constexpr std::uint64_t strayed_max = 6;
    cut_ = random.below(plan_.size() + 1);
    const std::uint64_t left = plan_.size() - cut_;
    switch (random.below(3)) {
      case 0: plan_.resize(cut_); break;
      case 1: skipped_ = left == 0 ? 0 : 1 + random.below(left); break;
      default: strays_ = 1 + random.below(strayed_max); break;
    }
  }

  std::optional<std::size_t> pick(const S& system, const typename S::State& state,
                                  std::span<const Move> moves) override {
    part_.reset();
    if (at_ == cut_ && skipped_ > 0) at_ += std::exchange(skipped_, 0);
    if (at_ == cut_ && strays_ > 0) {
      --strays_;
      return beyond_.pick(system, state, moves);
    }
    while (at_ < plan_.size()) {
      part_ = find_fitting(plan_[at_++], moves);
      if (part_) return part_->index;
    }
    return beyond_.pick(system, state, moves);
  }

  Move taken(const Move& listed) override { return part_ ? part_->move : beyond_.taken(listed); }

 private:
  std::vector<Move> plan_;
  Policy<S>& beyond_;
  std::size_t cut_ = 0, at_ = 0;
  std::size_t skipped_ = 0, strays_ = 0;
  std::optional<Fitting<Move>> part_;
};

}  // namespace lockstep::sim
