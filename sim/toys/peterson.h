// peterson.h: Peterson's lock for two processes, which excludes, and a version that forgets to give way and
// does not.
//
// Each process, for ever: raises its flag; gives the turn away; waits until the other's flag is down or the
// turn is its own; is inside; lowers its flag. Property 0: they are not inside together. Witness 0: one had
// to wait for the other.
#pragma once

#include <array>
#include <utility>
#include <vector>

#include "sim/system.h"
#include "sim/toys/toy.h"

namespace lockstep::sim::toys {

enum class PetersonAt : std::uint8_t { outside, flag_raised, waiting, inside };

struct PetersonState {
  std::array<PetersonAt, 2> at{};
  std::array<bool, 2> flag{};
  std::uint8_t turn = 0;
  bool operator==(const PetersonState&) const = default;
  static auto fields(auto& s) { return std::tie(s.at, s.flag, s.turn); }
};

enum class PetersonVerb { raise_flag, give_way, enter, leave };
inline constexpr Verb peterson_verbs[] = {{"raise-flag"}, {"give-way"}, {"enter"}, {"leave"}};

enum class Manners { gives_way, forgets_to_wait };

struct Peterson : SymmetricToy<Peterson, PetersonState, peterson_verbs> {
  Manners manners = Manners::gives_way;

  explicit Peterson(Manners how = Manners::gives_way) : manners(how) {}

  State initial() const { return {}; }

  void enabled(const State& s, std::vector<Move>& moves) const {
    moves.clear();
    for (std::size_t i = 0; i < 2; ++i) {
      const bool may_enter = !s.flag[1 - i] || s.turn == i || manners == Manners::forgets_to_wait;
      if (s.at[i] != PetersonAt::waiting || may_enter) moves.push_back(move(i, s.at[i]));
    }
  }

  WitnessMask apply(State& s, const Move& m) const {
    const std::size_t i = m.who;
    switch (static_cast<PetersonVerb>(m.verb)) {
      case PetersonVerb::raise_flag: s.flag[i] = true; s.at[i] = PetersonAt::flag_raised; break;
      case PetersonVerb::give_way:
        s.turn = static_cast<std::uint8_t>(1 - i);
        s.at[i] = PetersonAt::waiting;
        break;
      case PetersonVerb::enter: s.at[i] = PetersonAt::inside; break;
      case PetersonVerb::leave: s.flag[i] = false; s.at[i] = PetersonAt::outside; break;
    }
    return s.at[i] == PetersonAt::waiting && s.flag[1 - i] ? 1 : 0;
  }

  PropertyMask violated(const State& s) const {
    return s.at[0] == PetersonAt::inside && s.at[1] == PetersonAt::inside ? 1 : 0;
  }

  // The two are interchangeable, with the turn renamed along.
  ActorClasses classes() const { return {{class_of(2)}, {}}; }
  Digest signature(const State& s, std::size_t i) const {
    return digest_of(std::pair{s.at[i], std::pair{s.flag[i], s.turn == i}});
  }
  static State permuted(const State& s, Permutation p) {
    State renamed;
    for (std::size_t i = 0; i < 2; ++i) {
      renamed.at[p.outer[i]] = s.at[i];
      renamed.flag[p.outer[i]] = s.flag[i];
    }
    renamed.turn = static_cast<std::uint8_t>(p.outer[s.turn]);
    return renamed;
  }
};
static_assert(System<Peterson>);

}  // namespace lockstep::sim::toys
