// elections.h: equal actors inside of equal actors: parties, each of which favours another one, and their
// members, each of which may vote for any member.
//
// Names of both levels occur in the parts of others, and a vote across parties ties members to members that
// stand elsewhere: what a reduction of two levels gets wrong when it treats them one after the other. The
// last member of each party may be a clerk, who is equal to the clerks of other parties only. There are
// `moves` moves in all. Property 0: no member votes for one that votes for it.
#pragma once

#include <vector>

#include "sim/system.h"
#include "sim/toys/toy.h"

namespace lockstep::sim::toys {

struct ElectionsState {
  std::vector<std::uint16_t> favours;  // by party; its own number: none
  std::vector<std::uint16_t> votes;    // by member, party after party; its own number: not yet
  int moves_left = 0;
  bool operator==(const ElectionsState&) const = default;
  static auto fields(auto& s) { return std::tie(s.favours, s.votes, s.moves_left); }
};

inline constexpr Verb elections_verbs[] = {{"favour-0"}, {"favour-1"}, {"favour-2"}, {"vote-0"}, {"vote-1"},
                                           {"vote-2"},   {"vote-3"},   {"vote-4"},   {"vote-5"}};
inline constexpr std::uint16_t first_vote = 3;

enum class Clerks : std::uint8_t { none, last_of_each };

struct Elections : SymmetricToy<Elections, ElectionsState, elections_verbs> {
  std::size_t parties, members;  // at most three parties, at most six members in all
  int moves;
  Clerks clerks;

  Elections(std::size_t how_many, std::size_t of_each, int moves_max, Clerks which)
      : parties(how_many), members(of_each), moves(moves_max), clerks(which) {}

  State initial() const { return {class_of(parties), class_of(parties * members), moves}; }

  void enabled(const State& s, std::vector<Move>& list) const {
    list.clear();
    if (s.moves_left == 0) return;
    for (std::size_t p = 0; p < parties; ++p)
      for (std::size_t to = 0; to < parties && s.favours[p] == p; ++to)
        if (to != p) list.push_back(move(p, to));
    for (std::size_t m = 0; m < parties * members; ++m)
      for (std::size_t to = 0; to < parties * members && s.votes[m] == m; ++to)
        if (to != m) list.push_back(move(m, first_vote + to));
  }

  WitnessMask apply(State& s, const Move& m) const {
    if (m.verb < first_vote) s.favours[m.who] = m.verb;
    else s.votes[m.who] = static_cast<std::uint16_t>(m.verb - first_vote);
    --s.moves_left;
    return 0;
  }

  PropertyMask violated(const State& s) const {
    for (std::size_t m = 0; m < s.votes.size(); ++m)
      if (s.votes[m] != m && s.votes[s.votes[m]] == m) return 1;
    return 0;
  }

  ActorClasses classes() const {
    ActorClasses all{{class_of(parties)}, {}};
    const std::size_t voters = clerks == Clerks::none ? members : members - 1;
    for (std::size_t p = 0; p < parties; ++p) {
      const auto first = static_cast<std::uint16_t>(p * members);
      all.inner.push_back({class_of(voters, first)});
      if (voters < members)
        all.inner.back().push_back(class_of(1, static_cast<std::uint16_t>(first + voters)));
    }
    return all;
  }
  Digest signature(const State& s, std::size_t party) const { return digest_of(s.favours[party] == party); }
  Digest inner_signature(const State& s, std::size_t member) const {
    return digest_of(s.votes[member] == member);
  }
  static State permuted(const State& s, Permutation p) {
    State renamed = s;
    for (std::size_t i = 0; i < s.favours.size(); ++i)
      renamed.favours[p.outer[i]] = p.outer[s.favours[i]];
    for (std::size_t i = 0; i < s.votes.size(); ++i) renamed.votes[p.inner[i]] = p.inner[s.votes[i]];
    return renamed;
  }
};
static_assert(System<Elections> && SymmetricSystem<Elections>);

}  // namespace lockstep::sim::toys
