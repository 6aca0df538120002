// weighted.h: a random walk that draws by kind of move, with weights of its own in each run ("swarm").
//
// Faults are rare, so that a run gets somewhere before it is hit. On top of that each run multiplies the
// weight of each kind by a factor drawn for that run, and leaves some kinds of fault out altogether: runs
// then differ in character, and a bug that needs many crashes but no pause is not drowned (Groce et al.:
// "Swarm testing", 2012).
//
// A move says its kind by a member `kind`, a function or a number; without one there are three kinds:
// ordinary moves, moves that pass time, and faults.
#pragma once

#include <concepts>
#include <cstdint>
#include <utility>
#include <vector>

#include "sim/base/random.h"
#include "sim/run/policy.h"

namespace lockstep::sim {

template <MoveLike M>
std::uint16_t kind_of(const M& move) {
  using Kind = std::uint16_t;
  if constexpr (requires { { move.kind() } -> std::convertible_to<Kind>; }) return move.kind();
  else if constexpr (requires { static_cast<Kind>(move.kind); }) return static_cast<Kind>(move.kind);
  else return move.is_fault() ? 2 : move.passes_time() ? 1 : 0;
}

/// A move may say that it ends a fault (a pause, a cut). Such moves are as rare as faults: otherwise no fault
/// would last.
template <MoveLike M>
bool ends_fault(const M& move) {
  if constexpr (requires { { move.ends_fault() } -> std::convertible_to<bool>; }) return move.ends_fault();
  else return false;
}

struct Weights {
  std::uint32_t ordinary = 100;
  std::uint32_t fault = 5;
  bool swarm = true;  // factors 1/16, 1, 16 per kind and run; one kind of fault in four is left out
};

template <System S>
class Weighted final : public Policy<S> {
 public:
  explicit Weighted(Random random, Weights weights = {})
      : random_(random), character_(random_.next()), weights_(weights) {}

  std::optional<std::size_t> pick(const S&, const typename S::State&,
                                  std::span<const typename S::Move> moves) override {
    std::uint64_t sum = 0;
    each_.clear();
    for (const auto& move : moves) sum += each_.emplace_back(weight(move));
    if (sum == 0) return std::nullopt;  // only faults that this run leaves out
    std::uint64_t drawn = random_.below(sum);
    std::size_t index = 0;
    while (drawn >= each_[index]) drawn -= each_[index++];
    return index;
  }

 private:
  std::uint64_t weight(const typename S::Move& move) {
    const std::uint16_t kind = kind_of(move);
    for (const auto& [known, its] : by_kind_)
      if (known == kind) return its;
    return by_kind_.emplace_back(kind, draw_weight(kind, move.is_fault(), ends_fault(move))).second;
  }

  /// Depends on the run and the kind only, not on when the kind is first met.
  std::uint64_t draw_weight(std::uint16_t kind, bool is_fault, bool is_ending) const {
    const std::uint64_t base = is_fault || is_ending ? weights_.fault : weights_.ordinary;
    if (!weights_.swarm) return 16 * base;
    Random random{character_ ^ (std::uint64_t{kind} << 48)};
    if (is_fault && random.below(4) == 0) return 0;
    constexpr std::uint64_t sixteenths[] = {1, 16, 256};
    return sixteenths[random.below(3)] * base;
  }

  Random random_;
  std::uint64_t character_;
  Weights weights_;
  std::vector<std::pair<std::uint16_t, std::uint64_t>> by_kind_;  // few
  std::vector<std::uint64_t> each_;                               // of the listed moves
};

}  // namespace lockstep::sim
