// token.h: a token that n equal actors hand to each other without any time passing, unless they tire: a zeno
// cycle.
//
// Under symmetry all states are one, and the cycle is an edge from it to itself. An actor may also let time
// pass, which brings the clock one further, up to a last hour.
#pragma once

#include <vector>

#include "sim/system.h"
#include "sim/toys/toy.h"

namespace lockstep::sim::toys {

enum class Stamina : std::uint8_t { endless, one_pass_an_hour };

struct TokenState {
  std::uint16_t holder = 0;
  int hour = 0;
  bool is_tired = false;
  bool operator==(const TokenState&) const = default;
  static auto fields(auto& s) { return std::tie(s.holder, s.hour, s.is_tired); }
};

inline constexpr Verb token_verbs[] = {{"wait"},
                                       {"hand-to-0", Nature::timeless},
                                       {"hand-to-1", Nature::timeless},
                                       {"hand-to-2", Nature::timeless}};

struct Token : SymmetricToy<Token, TokenState, token_verbs> {
  static constexpr std::uint16_t actors = 3;
  static constexpr int last_hour = 4;
  Stamina stamina = Stamina::endless;

  explicit Token(Stamina how) : stamina(how) {}

  State initial() const { return {}; }

  void enabled(const State& s, std::vector<Move>& moves) const {
    moves.clear();
    for (std::uint16_t to = 0; to < actors; ++to) {
      if (to != s.holder && !s.is_tired) moves.push_back(move(s.holder, to + 1));
    }
    if (s.hour < last_hour) moves.push_back(move(s.holder, 0));
  }

  WitnessMask apply(State& s, const Move& m) const {
    if (m.verb == 0) {
      ++s.hour;
      s.is_tired = false;
    } else {
      s.holder = static_cast<std::uint16_t>(m.verb - 1);
      s.is_tired = stamina == Stamina::one_pass_an_hour;
    }
    return 0;
  }

  PropertyMask violated(const State&) const { return 0; }

  ActorClasses classes() const { return {{class_of(actors)}, {}}; }
  Digest signature(const State& s, std::size_t actor) const { return digest_of(s.holder == actor); }
  static State permuted(State s, Permutation p) {
    s.holder = p.outer[s.holder];
    return s;
  }
};
static_assert(System<Token>);

}  // namespace lockstep::sim::toys
