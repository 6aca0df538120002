// policy.h: who decides.
//
// Everything uncertain in a run is one call of pick(). Random walks, replay and shrinking differ only in
// their policy.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "sim/system.h"

namespace lockstep::sim {

template <System S>
class Policy {
 public:
  virtual ~Policy() = default;

  /// The index of one of `moves` (never empty), or nothing to end the run here.
  virtual std::optional<std::size_t> pick(const S& system, const typename S::State& state,
                                          std::span<const typename S::Move> moves) = 0;
};

/// What the default schedule does: the first move, but never a fault. Faults are listed last, so a fault in
/// first place means that only the adversary could still act, and the default schedule ends there.
template <MoveLike M>
std::optional<std::size_t> default_pick(std::span<const M> moves) {
  if (moves.front().is_fault()) return std::nullopt;
  return 0;
}

/// The first move every time.
template <System S>
class DefaultSchedule final : public Policy<S> {
 public:
  std::optional<std::size_t> pick(const S&, const typename S::State&,
                                  std::span<const typename S::Move> moves) override {
    return default_pick(moves);
  }
};

}  // namespace lockstep::sim
