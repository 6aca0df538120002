// Symmetry against brute force: as many representatives as there are orbits, whatever order states come in.
#include "sim/search/symmetry.h"

#include <numeric>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "sim/search/exhaustive.h"
#include "sim/toys/brute_force.h"
#include "sim/toys/lost_update.h"
#include "sim/toys/peterson.h"
#include "sim/toys/token.h"
#include "sim/toys/votes.h"

namespace lockstep::sim {
namespace {

using namespace toys;
static_assert(SymmetricSystem<LostUpdate> && SymmetricSystem<Peterson> && SymmetricSystem<Token> &&
              SymmetricSystem<Votes>);

/// The least encoding over all permutations of n actors.
template <System S>
std::string least_of_all(const S& rules, const typename S::State& state, std::size_t actors) {
  std::vector<std::uint16_t> p(actors);
  std::iota(p.begin(), p.end(), std::uint16_t{0});
  std::string least;
  do {
    Encoder out;
    rules.encode_permuted(state, p, out);
    if (least.empty() || out.bytes() < least) least = out.bytes();
  } while (std::next_permutation(p.begin(), p.end()));
  return least;
}

template <SymmetricSystem S>
void expect_orbits(S system, std::size_t actors, std::size_t expected) {
  const auto brute = brute_force(system, [&](const S& rules, const typename S::State& state) {
    return least_of_all(rules, state, actors);
  });
  EXPECT_EQ(brute.states, expected);
  for (const StateKey key : {StateKey::digest, StateKey::exact}) {
    SearchOptions<S> options;
    options.key = key;
    const auto outcome = explore(system, options);
    EXPECT_TRUE(outcome.symmetry);
    EXPECT_TRUE(outcome.complete());
    EXPECT_EQ(outcome.states, expected);
    EXPECT_EQ(outcome.depth, brute.depth);
  }
}

TEST(Symmetry, HasOneStateForEachOrbitOfTheVotes) {
  // The orbits are the maps of n things to themselves up to renaming: 3, 7, 19, 47 (OEIS A001372).
  expect_orbits(Votes{2}, 2, 3);
  expect_orbits(Votes{3}, 3, 7);
  expect_orbits(Votes{4}, 4, 19);
  expect_orbits(Votes{5}, 5, 47);
}

TEST(Symmetry, HasOneStateForEachOrbitOfTheOtherToys) {
  expect_orbits(Peterson{}, 2, 10);
  expect_orbits(LostUpdate{3}, 3, 20);
  expect_orbits(Token{Stamina::endless}, 3, 5);
}

TEST(Symmetry, EqualActorsByTheDozenCostNoFactorial) {
  LostUpdate system{12};  // 12! orders of twelve clients that have not begun would never end
  const auto outcome = explore(system);
  EXPECT_TRUE(outcome.complete());
  EXPECT_EQ(outcome.violated, 1u);
}

VotesState any_votes(std::uint16_t actors) {
  VotesState state;
  for (std::uint16_t i = 0; i < actors; ++i)
    state.vote.push_back(*rc::gen::inRange<std::uint16_t>(0, actors));
  return state;
}

RC_GTEST_PROP(Symmetry, TheRepresentativeDoesNotDependOnTheNamesAndTellsOrbitsApart, ()) {
  constexpr std::uint16_t actors = 5;
  const Votes votes{actors};
  const VotesState state = any_votes(actors);
  std::vector<std::uint16_t> p(actors);
  std::iota(p.begin(), p.end(), std::uint16_t{0});
  for (std::size_t i = actors; i > 1; --i) std::swap(p[i - 1], p[*rc::gen::inRange<std::size_t>(0, i)]);
  const VotesState renamed = Votes::permuted(state, p);
  const VotesState other = any_votes(actors);

  Canonical<Votes> canonical{votes};
  RC_ASSERT(canonical.digest(state) == canonical.digest(renamed));
  RC_ASSERT(canonical.encoding(state) == canonical.encoding(renamed));
  const bool same_orbit = least_of_all(votes, state, actors) == least_of_all(votes, other, actors);
  RC_ASSERT((canonical.digest(state) == canonical.digest(other)) == same_orbit);
  RC_ASSERT((canonical.encoding(state) == canonical.encoding(other)) == same_orbit);
}

/// Two classes: actors 0 and 2 are of one, 1 and 3 of the other.
struct Teams : Votes {
  Teams() : Votes(4) {}
  std::vector<std::vector<std::uint16_t>> classes() const { return {{0, 2}, {1, 3}}; }
  State initial() const { return {{0, 1, 2, 3}}; }
};

TEST(Symmetry, ActorsOfDifferentClassesAreNotExchanged) {
  const Teams teams;
  Canonical<Teams> canonical{teams};
  const VotesState first{{1, 1, 2, 3}};   // 0 votes for 1,
  const VotesState same{{0, 1, 3, 3}};    // 2 votes for 3,
  const VotesState other{{2, 1, 2, 3}};   // 0 votes for 2, which is of its own class
  EXPECT_EQ(canonical.digest(first), canonical.digest(same));
  EXPECT_NE(canonical.digest(first), canonical.digest(other));
}

}  // namespace
}  // namespace lockstep::sim
