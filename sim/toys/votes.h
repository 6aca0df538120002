// votes.h: n equal actors, each of which may once vote for another.
//
// A state is a partial map from actors to actors, so actors occur in each other's parts, and there are actors
// that look alike but are not interchangeable in the state at hand (those on two cycles of different length).
// That is what symmetry reduction gets wrong when it stops at sorting. Property 0: no two actors vote for
// each other.
#pragma once

#include <vector>

#include "sim/system.h"
#include "sim/toys/toy.h"

namespace lockstep::sim::toys {

struct VotesState {
  std::vector<std::uint16_t> vote;  // of each actor; its own index: not yet
  bool operator==(const VotesState&) const = default;
  static auto fields(auto& s) { return std::tie(s.vote); }
};

inline constexpr std::size_t votes_max = 6;
inline constexpr Verb votes_verbs[] = {{"vote-0"}, {"vote-1"}, {"vote-2"},
                                       {"vote-3"}, {"vote-4"}, {"vote-5"}};

struct Votes : SymmetricToy<Votes, VotesState, votes_verbs> {
  std::size_t actors = 2;

  explicit Votes(std::size_t count) : actors(count) {}

  State initial() const { return {class_of(actors)}; }

  void enabled(const State& s, std::vector<Move>& moves) const {
    moves.clear();
    for (std::size_t i = 0; i < actors; ++i) {
      for (std::size_t j = 0; j < actors; ++j) {
        if (s.vote[i] == i && j != i) moves.push_back(move(i, j));
      }
    }
  }

  WitnessMask apply(State& s, const Move& m) const {
    s.vote[m.who] = m.verb;
    return 0;
  }

  PropertyMask violated(const State& s) const {
    for (std::size_t i = 0; i < actors; ++i) {
      if (s.vote[i] != i && s.vote[s.vote[i]] == i) return 1;
    }
    return 0;
  }

  ActorClasses classes() const { return {{class_of(actors)}, {}}; }
  Digest signature(const State& s, std::size_t actor) const {
    int received = 0;
    for (std::size_t i = 0; i < actors; ++i) received += s.vote[i] == actor ? 1 : 0;
    return digest_of(std::pair{s.vote[actor] == actor, received});
  }
  static State permuted(const State& s, Permutation p) {
    State renamed = s;
    for (std::size_t i = 0; i < s.vote.size(); ++i) renamed.vote[p.outer[i]] = p.outer[s.vote[i]];
    return renamed;
  }
};
static_assert(System<Votes>);

}  // namespace lockstep::sim::toys
