// needle.h: a walk that ends badly only if the adversary strikes at the right moment. It must fail: a search
// that calls it safe is broken, and a shrunk run that keeps more than one fault and nothing else is not
// shrunk.
//
// One walker takes `length` steps; another one idles, `idle` times, whenever it likes. The adversary may
// strike twice. Property 0: no strike came exactly when the walker had taken `soft_spot` steps and the walker
// then arrived. Property 1, "no strike at all", is violated by any strike.
#pragma once

#include <vector>

#include "sim/system.h"
#include "sim/toys/toy.h"

namespace lockstep::sim::toys {

struct NeedleState {
  int walked = 0;
  int idled = 0;
  int strikes_left = 2;
  bool hit = false;
  bool operator==(const NeedleState&) const = default;
  static auto fields(auto& s) { return std::tie(s.walked, s.idled, s.strikes_left, s.hit); }
};

enum class NeedleVerb { walk, idle, strike };
inline constexpr Verb needle_verbs[] = {{"walk"}, {"idle"}, {"strike", Nature::fault}};

struct Needle : Toy<NeedleState, needle_verbs> {
  static constexpr int length = 8;
  static constexpr int soft_spot = 5;
  static constexpr int idle = 6;

  State initial() const { return {}; }

  void enabled(const State& s, std::vector<Move>& moves) const {
    moves.clear();
    if (s.walked < length) moves.push_back(move(0, NeedleVerb::walk));
    if (s.idled < idle) moves.push_back(move(1, NeedleVerb::idle));
    if (s.strikes_left > 0) moves.push_back(move(2, NeedleVerb::strike));
  }

  WitnessMask apply(State& s, const Move& m) const {
    switch (static_cast<NeedleVerb>(m.verb)) {
      case NeedleVerb::walk: ++s.walked; return 0;
      case NeedleVerb::idle: ++s.idled; return 0;
      case NeedleVerb::strike:
        --s.strikes_left;
        s.hit = s.hit || s.walked == soft_spot;
        return 1;
    }
    return 0;
  }

  PropertyMask violated(const State& s) const {
    return (s.hit && s.walked == length ? 1u : 0u) | (s.strikes_left < 2 ? 2u : 0u);
  }
};
static_assert(System<Needle>);

}  // namespace lockstep::sim::toys
