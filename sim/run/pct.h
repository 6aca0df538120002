// pct.h: probabilistic concurrency testing (Burckhardt et al., ASPLOS 2010).
//
// Each chain of moves, that of a thread or of what one connection carries, has a random rank, and the highest
// one that can move does. At d - 1 steps, drawn beforehand, the chain whose turn it is falls below all that
// have not fallen; how those stand that have is drawn too. With n chains and k steps a bug that needs d such
// orderings is found with a chance of at least 1 / (n * k^(d-1)) in each run.
//
// Two choices go beyond the paper, because here one chain may have several moves and an adversary takes part:
// among the moves of the chosen chain one is drawn uniformly, and a fault is never part of that; it may
// happen at a change point only, where a coin decides between the fall of the chain and a fault drawn
// uniformly from those enabled.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "sim/base/random.h"
#include "sim/run/policy.h"

namespace lockstep::sim {

struct PctOptions {
  unsigned depth = 3;             // d: how many orderings the bug is thought to need
  std::uint64_t steps = 200;      // k: how long a run is thought to be; change points are drawn from 1 … k
};

template <System S>
class Pct final : public Policy<S> {
 public:
  Pct(Random random, PctOptions options) : random_(random) {
    for (unsigned i = 1; i < options.depth; ++i)
      change_points_.push_back({.step = 1 + random_.below(options.steps), .rank = -std::int64_t{i}});
    std::sort(change_points_.begin(), change_points_.end());
  }

  std::optional<std::size_t> pick(const S&, const typename S::State&,
                                  std::span<const typename S::Move> moves) override {
    ++step_;
    for (; changed_ < change_points_.size() && change_points_[changed_].step <= step_; ++changed_) {
      candidates(moves, [](const auto& move) { return move.is_fault(); });
      if (!candidates_.empty() && random_.below(2) == 0) {
        ++changed_;
        return draw();
      }
      if (const auto chain = highest(moves)) rank(*chain) = change_points_[changed_].rank;
    }
    const auto chain = highest(moves);
    if (!chain) return std::nullopt;  // only faults are left, and they wait for change points
    candidates(moves, [&](const auto& move) { return !move.is_fault() && chain_of(move) == *chain; });
    return draw();
  }

 private:
  using Chain = decltype(chain_of(std::declval<const typename S::Move&>()));
  struct ChangePoint {
    std::uint64_t step;
    std::int64_t rank;  // that of the chain which falls there: below 0, and which fall is the deeper is drawn
    friend auto operator<=>(const ChangePoint&, const ChangePoint&) = default;
  };

  /// The chain of the highest rank among those that can move by themselves.
  std::optional<Chain> highest(std::span<const typename S::Move> moves) {
    std::optional<Chain> best;
    for (const auto& move : moves) {
      if (move.is_fault()) continue;
      const Chain chain = chain_of(move);
      if (!best || is_higher(chain, *best)) best = chain;
    }
    return best;
  }

  /// Drawn when the chain is first met; equal ranks fall to the one listed first.
  std::int64_t& rank(const Chain& chain) {
    const auto known =
        std::find_if(rank_.begin(), rank_.end(), [&](const auto& one) { return one.first == chain; });
    if (known != rank_.end()) return known->second;
    return rank_.emplace_back(chain, static_cast<std::int64_t>(random_.below(std::uint64_t{1} << 62))).second;
  }
  bool is_higher(const Chain& one, const Chain& other) {
    const std::int64_t its = rank(one);
    return its > rank(other);
  }

  template <class Wanted>
  void candidates(std::span<const typename S::Move> moves, Wanted wanted) {
    candidates_.clear();
    for (std::size_t i = 0; i < moves.size(); ++i) {
      if (wanted(moves[i])) candidates_.push_back(i);
    }
  }
  std::size_t draw() { return candidates_[random_.below(candidates_.size())]; }

  Random random_;
  std::vector<ChangePoint> change_points_;
  std::size_t changed_ = 0;
  std::uint64_t step_ = 0;
  std::vector<std::pair<Chain, std::int64_t>> rank_;  // few; in the order in which they were met
  std::vector<std::size_t> candidates_;
};

}  // namespace lockstep::sim
