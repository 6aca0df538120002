// pos.h: partial order sampling (Yuan, Yang, Gu: "Partial order aware concurrency sampling", CAV 2018).
//
// Each move that is enabled draws a priority, and the highest is taken. Those that race with it draw a new
// one. So an order of two moves that race is met about as often as the other, however many moves that race
// with neither come before them; a walk that draws at each step would meet one of them next to never.
//
// A system that knows it says which moves race; of one that does not, any two. Faults have no priority: they
// strike at steps drawn beforehand (fault_points.h).
#pragma once

#include <cstdint>
#include <map>

#include "sim/base/random.h"
#include "sim/run/fault_points.h"
#include "sim/run/policy.h"

namespace lockstep::sim {

/// Two moves that are enabled together may not change places, or not for certain.
template <System S>
bool race(const S& system, const typename S::Move& one, const typename S::Move& other) {
  if constexpr (requires { { system.races(one, other) } -> std::convertible_to<bool>; })
    return system.races(one, other);
  else return true;
}

struct PosOptions {
  unsigned faults_max = 3;
  std::uint64_t steps = 200;  // how long a run is thought to be
};

template <System S>
class Pos final : public Policy<S> {
 public:
  using Move = typename S::Move;

  explicit Pos(Random random, PosOptions options = {})
      : random_(random), faults_(random_.split(), options.faults_max, options.steps) {}

  std::optional<std::size_t> pick(const S& system, const typename S::State&,
                                  std::span<const Move> moves) override {
    if (const auto fault = faults_.strike(moves)) return fault;
    const Move* const taken = highest(moves);
    if (taken == nullptr) return std::nullopt;  // only faults are left
    const Move chosen = *taken;
    priority_.erase(chosen);
    for (auto& [move, priority] : priority_)
      if (race(system, chosen, move)) priority = random_.next();
    return static_cast<std::size_t>(taken - moves.data());
  }

 private:
  /// Of moves that are no longer enabled nothing is remembered.
  const Move* highest(std::span<const Move> moves) {
    std::map<Move, std::uint64_t> listed;
    const Move* best = nullptr;
    std::uint64_t most = 0;
    for (const Move& move : moves) {
      if (!faults_.leaves(move)) continue;
      const auto known = priority_.find(move);
      const std::uint64_t priority = known != priority_.end() ? known->second : random_.next();
      listed[move] = priority;
      if (best == nullptr || priority > most) best = &move, most = priority;
    }
    priority_.swap(listed);
    return best;
  }

  Random random_;
  FaultPoints faults_;
  std::map<Move, std::uint64_t> priority_;
};

}  // namespace lockstep::sim
