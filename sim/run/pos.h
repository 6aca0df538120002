// pos.h: partial order sampling (Yuan, Yang, Gu: "Partial order aware concurrency sampling", CAV 2018).
//
// Each move that is enabled draws a priority, and the highest is taken. Those that race with it draw a new
// one. So an order of two moves that race is met about as often as the other, however many moves that race
// with neither come before them; a walk that draws at each step would meet one of them next to never.
//
// A system that knows it says which moves race; of one that does not, any two. Faults have no priority: they
// strike at steps drawn beforehand (fault_points.h).
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <numeric>
#include <vector>

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

/// The places of moves in the order of the moves themselves.
template <MoveLike M>
std::vector<std::uint32_t> order_of(std::span<const M> moves) {
  std::vector<std::uint32_t> order(moves.size());
  std::iota(order.begin(), order.end(), 0U);
  const auto is_before = [&](std::uint32_t a, std::uint32_t b) { return moves[a] < moves[b]; };
  std::sort(order.begin(), order.end(), is_before);
  return order;
}

/// What is asked of two moves in a list. A system may know it by their places in the whole list of a state.
template <System S>
class Contest {
 public:
  using Move = typename S::Move;

  Contest(const S& system, const typename S::State& state, std::span<const Move> moves)
      : system_(system), state_(state), moves_(moves) {}

  bool race(std::size_t one, std::size_t other) const {
    if constexpr (knows_places)
      if (is_whole()) return system_.races(state_, one, other);
    return sim::race(system_, moves_[one], moves_[other]);
  }
  template <class Visit>
  void in_order(Visit visit) const {
    if constexpr (knows_places) {
      if (is_whole()) return visit_all(system_.in_order(state_), visit);
    }
    visit_all(order_of(moves_), visit);
  }

 private:
  static constexpr bool knows_places =
      requires(const S& system, const typename S::State& state) { system.in_order(state); };

  bool is_whole() const { return system_.listed(state_).data() == moves_.data(); }
  template <class Visit>
  static void visit_all(const std::vector<std::uint32_t>& order, Visit visit) {
    for (const std::uint32_t place : order) visit(place);
  }

  const S& system_;
  const typename S::State& state_;
  std::span<const Move> moves_;
};

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

  std::optional<std::size_t> pick(const S& system, const typename S::State& state,
                                  std::span<const Move> moves) override {
    if (const auto fault = faults_.strike(moves)) return fault;
    const auto taken = highest(moves);
    if (!taken) return std::nullopt;  // only faults are left
    const Contest<S> contest(system, state, moves);
    entries_[*taken].has_priority = false;
    contest.in_order([&](std::size_t place) {
      Entry& entry = entries_[place];
      if (entry.has_priority && contest.race(*taken, place)) entry.priority = random_.next();
    });
    return taken;
  }

 private:
  /// Of the moves that were listed last, in their places.
  struct Entry {
    Move move{};
    bool has_priority = false;
    std::uint64_t priority = 0;
  };

  /// Of moves that are no longer enabled nothing is remembered.
  std::optional<std::size_t> highest(std::span<const Move> moves) {
    before_.swap(entries_);
    entries_.resize(moves.size());
    std::optional<std::size_t> best;
    std::size_t near = 0;
    for (std::size_t place = 0; place < moves.size(); ++place) {
      Entry& entry = entries_[place];
      entry.has_priority = faults_.leaves(moves[place]);
      if (!entry.has_priority) continue;
      entry.move = moves[place];
      const Entry* const known = find_before(entry.move, near);
      entry.priority = known != nullptr ? known->priority : random_.next();
      if (!best || entry.priority > entries_[*best].priority) best = place;
    }
    return best;
  }

  /// It often stands near where the one before it stood.
  const Entry* find_before(const Move& move, std::size_t& near) const {
    for (std::size_t i = 0; i < before_.size(); ++i) {
      const std::size_t place = near + i < before_.size() ? near + i : near + i - before_.size();
      if (!before_[place].has_priority || !(before_[place].move == move)) continue;
      near = place + 1 == before_.size() ? 0 : place + 1;
      return &before_[place];
    }
    return nullptr;
  }

  Random random_;
  FaultPoints faults_;
  std::vector<Entry> entries_, before_;
};

}  // namespace lockstep::sim
