// philosophers.h: n philosophers around a table, each taking the left fork and then the right one.
//
// Property 0, "somebody can always go on", is violated when each holds its left fork.
#pragma once

#include <vector>

#include "sim/system.h"
#include "sim/toys/toy.h"

namespace lockstep::sim::toys {

enum class Dining : std::uint8_t { thinking, has_left, eating };

struct PhilosophersState {
  std::vector<Dining> seats;
  bool operator==(const PhilosophersState&) const = default;
  static auto fields(auto& s) { return std::tie(s.seats); }
};

enum class DiningVerb { put_down, take_right, take_left };
inline constexpr Verb dining_verbs[] = {{"put-down"}, {"take-right"}, {"take-left"}};

struct Philosophers : Toy<PhilosophersState, dining_verbs> {
  std::size_t seats = 2;

  explicit Philosophers(std::size_t count) : seats(count) {}

  State initial() const { return {std::vector<Dining>(seats, Dining::thinking)}; }

  void enabled(const State& s, std::vector<Move>& moves) const {
    moves.clear();
    offer(s, moves, Dining::eating, DiningVerb::put_down);
    offer(s, moves, Dining::has_left, DiningVerb::take_right);
    offer(s, moves, Dining::thinking, DiningVerb::take_left);
  }

  WitnessMask apply(State& s, const Move& m) const {
    constexpr Dining after[] = {Dining::thinking, Dining::eating, Dining::has_left};
    s.seats[m.who] = after[m.verb];
    return m.verb == static_cast<std::uint16_t>(DiningVerb::take_right) ? 1 : 0;  // witness 0: somebody ate
  }

  PropertyMask violated(const State& s) const {
    std::vector<Move> moves;
    enabled(s, moves);
    return moves.empty() ? 1 : 0;
  }

 private:
  void offer(const State& s, std::vector<Move>& moves, Dining from, DiningVerb verb) const {
    for (std::size_t i = 0; i < seats; ++i) {
      if (s.seats[i] == from && is_possible(s, i, verb)) moves.push_back(move(i, verb));
    }
  }

  /// Fork i lies to the left of seat i; it is held by seat i from has_left on, or by the eater to its left.
  bool is_possible(const State& s, std::size_t seat, DiningVerb verb) const {
    const std::size_t left = (seat + seats - 1) % seats;
    const std::size_t right = (seat + 1) % seats;
    if (verb == DiningVerb::take_left) return s.seats[left] != Dining::eating;
    if (verb == DiningVerb::take_right) return s.seats[right] == Dining::thinking;
    return true;
  }
};
static_assert(System<Philosophers>);

}  // namespace lockstep::sim::toys
