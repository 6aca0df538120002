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

  /// The move to take for the one that was picked: that one, or a part of it. Called once after each pick.
  virtual typename S::Move taken(const typename S::Move& listed) { return listed; }
};

// A listed move may be taken in part, if moves know parts: time need not pass as far as it might. A part
// names the whole that it was listed as, and is always a deviation.

template <MoveLike M>
bool is_part(const M& move) {
  if constexpr (requires { move.is_part(); }) return move.is_part();
  else return false;
}

/// How the move stands in the list.
template <MoveLike M>
M as_listed(const M& move) {
  if constexpr (requires { move.whole(); }) return move.whole();
  else return move;
}

/// Looks a move up loosely: itself, or something that it can be a part of. What to take of it, and where.
template <MoveLike M>
struct Fitting {
  std::size_t index = 0;
  M move{};
};
template <MoveLike M>
std::optional<Fitting<M>> find_fitting(const M& move, std::span<const M> moves) {
  for (std::size_t i = 0; i < moves.size(); ++i) {
    if (moves[i] == move) return Fitting<M>{i, move};
    if constexpr (requires { move.fitted(moves[i]); }) {
      if (const auto fitted = move.fitted(moves[i])) return Fitting<M>{i, *fitted};
    }
  }
  return std::nullopt;
}

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
