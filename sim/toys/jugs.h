// jugs.h: the water jugs of "Die Hard".
//
// A jug of 3 and one of 5 litres, a tap and a drain; property 0, "never 4 litres in the big jug", is violated
// by the solution of the riddle. 16 states can be reached, and the shortest solution has 6 moves.
#pragma once

#include <algorithm>
#include <vector>

#include "sim/system.h"
#include "sim/toys/toy.h"

namespace lockstep::sim::toys {

struct JugsState {
  int small = 0;
  int big = 0;
  bool operator==(const JugsState&) const = default;
  static auto fields(auto& s) { return std::tie(s.small, s.big); }
};

enum class JugsVerb { fill_small, fill_big, empty_small, empty_big, pour_small, pour_big };
inline constexpr Verb jugs_verbs[] = {{"fill-small"},  {"fill-big"},   {"empty-small"},
                                      {"empty-big"},   {"pour-small"}, {"pour-big"}};

struct Jugs : Toy<JugsState, jugs_verbs> {
  static constexpr int small_size = 3;
  static constexpr int big_size = 5;

  State initial() const { return {}; }

  void enabled(const State& s, std::vector<Move>& moves) const {
    moves.clear();
    const auto offer = [&](bool has_effect, JugsVerb verb) {
      if (has_effect) moves.push_back(move(0, verb));
    };
    offer(s.small < small_size, JugsVerb::fill_small);
    offer(s.big < big_size, JugsVerb::fill_big);
    offer(s.small > 0, JugsVerb::empty_small);
    offer(s.big > 0, JugsVerb::empty_big);
    offer(s.small > 0 && s.big < big_size, JugsVerb::pour_small);
    offer(s.big > 0 && s.small < small_size, JugsVerb::pour_big);
  }

  WitnessMask apply(State& s, const Move& m) const {
    switch (static_cast<JugsVerb>(m.verb)) {
      case JugsVerb::fill_small: s.small = small_size; break;
      case JugsVerb::fill_big: s.big = big_size; break;
      case JugsVerb::empty_small: s.small = 0; break;
      case JugsVerb::empty_big: s.big = 0; break;
      case JugsVerb::pour_small: pour(s.small, s.big, big_size); break;
      case JugsVerb::pour_big: pour(s.big, s.small, small_size); break;
    }
    return 0;
  }

  PropertyMask violated(const State& s) const { return s.big == 4 ? 1 : 0; }

 private:
  static void pour(int& from, int& to, int size) {
    const int amount = std::min(from, size - to);
    from -= amount;
    to += amount;
  }
};
static_assert(System<Jugs>);

}  // namespace lockstep::sim::toys
