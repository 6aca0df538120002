// fault_points.h: where the adversary strikes in a run whose policy says nothing of faults.
//
// How often is drawn first, from never to `most`, then at which steps of `steps`. At such a step one of the
// faults that are enabled happens, drawn uniformly; if none is, at the next step at which one is. What ends a
// fault is possible at one step in sixteen, and where nothing else is: otherwise no fault would last.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sim/base/random.h"
#include "sim/run/weighted.h"
#include "sim/system.h"

namespace lockstep::sim {

class FaultPoints {
 public:
  FaultPoints(Random random, unsigned most, std::uint64_t steps) : random_(random) {
    const std::uint64_t count = random_.below(std::uint64_t{most} + 1);
    for (std::uint64_t i = 0; i < count; ++i)
      points_.push_back(1 + random_.below(std::max<std::uint64_t>(1, steps)));
    std::sort(points_.begin(), points_.end());
  }

  /// To be asked once for each step; the index of a fault that happens now.
  template <MoveLike M>
  std::optional<std::size_t> strike(std::span<const M> moves) {
    ++step_;
    ends_ = random_.below(16) == 0 || std::all_of(moves.begin(), moves.end(), [](const M& move) {
              return move.is_fault() || ends_fault(move);
            });
    if (at_ == points_.size() || points_[at_] > step_) return std::nullopt;
    const auto is_fault = [](const M& move) { return move.is_fault(); };
    const auto first = std::find_if(moves.begin(), moves.end(), is_fault);
    if (first == moves.end()) return std::nullopt;
    ++at_;
    // Faults stand last in the list.
    const auto before = static_cast<std::size_t>(first - moves.begin());
    return before + random_.below(moves.size() - before);
  }

  /// Whether the policy may take it at this step.
  template <MoveLike M>
  bool leaves(const M& move) const {
    return !move.is_fault() && (ends_ || !ends_fault(move));
  }

 private:
  Random random_;
  bool ends_ = false;
  std::vector<std::uint64_t> points_;
  std::size_t at_ = 0;
  std::uint64_t step_ = 0;
};

}  // namespace lockstep::sim
