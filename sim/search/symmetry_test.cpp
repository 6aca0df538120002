// Symmetry against brute force: as many representatives as there are orbits, whatever order states come in.
#include "sim/search/symmetry.h"

#include <functional>
#include <numeric>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "sim/search/search.h"
#include "sim/search/testing/same_outcome.h"
#include "sim/testing/sanitizers.h"
#include "sim/toys/brute_force.h"
#include "sim/toys/elections.h"
#include "sim/toys/leased_lock.h"
#include "sim/toys/lost_update.h"
#include "sim/toys/peterson.h"
#include "sim/toys/token.h"
#include "sim/toys/two_phase.h"
#include "sim/toys/votes.h"

namespace lockstep::sim {
namespace {

using namespace toys;
static_assert(SymmetricSystem<LostUpdate> && SymmetricSystem<Peterson> && SymmetricSystem<Token> &&
              SymmetricSystem<Votes>);

/// Calls visit for every permutation of the outer actors, and of the inner ones with them, that the classes
/// allow. It takes each way of filling the inner groups of an outer actor from those of the one whose name it
/// gets, group by group.
void for_each_permutation(const ActorClasses& classes, const std::function<void(Permutation)>& visit) {
  std::vector<std::vector<std::uint16_t>> outers{{}}, inners;
  const auto arrange = [](const ActorClass& from, const ActorClass& to, auto& all) {
    std::vector<std::vector<std::uint16_t>> longer;
    for (const auto& one : all) {
      ActorClass order = to;
      std::sort(order.begin(), order.end());
      do {
        longer.push_back(one);
        for (std::size_t i = 0; i < from.size(); ++i) {
          longer.back().resize(std::max<std::size_t>(longer.back().size(), from[i] + 1u));
          longer.back()[from[i]] = order[i];
        }
      } while (std::next_permutation(order.begin(), order.end()));
    }
    all = std::move(longer);
  };
  for (const ActorClass& members : classes.outer) arrange(members, members, outers);
  for (const auto& outer : outers) {
    inners = {{}};
    for (std::size_t p = 0; p < classes.inner.size(); ++p)
      for (std::size_t g = 0; g < classes.inner[p].size(); ++g)
        arrange(classes.inner[p][g], classes.inner[outer[p]][g], inners);
    for (const auto& inner : inners) visit({outer, inner});
  }
}

/// The least encoding over all permutations.
template <System S>
std::string least_of_all(const S& rules, const typename S::State& state) {
  std::string least;
  for_each_permutation(rules.classes(), [&](Permutation p) {
    Encoder out;
    rules.encode_permuted(state, p, out);
    if (least.empty() || out.bytes() < least) least = out.bytes();
  });
  return least;
}

template <SymmetricSystem S>
void expect_orbits(S system, std::size_t expected) {
  const auto brute = brute_force(system, least_of_all<S>);
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
  expect_orbits(Votes{2}, 3);
  expect_orbits(Votes{3}, 7);
  expect_orbits(Votes{4}, 19);
  expect_orbits(Votes{5}, 47);
}

TEST(Symmetry, HasOneStateForEachOrbitOfTheOtherToys) {
  expect_orbits(Peterson{}, 10);
  expect_orbits(LostUpdate{3}, 20);
  expect_orbits(Token{Stamina::endless}, 5);
}

TEST(Symmetry, HasTheStatesOfTwoPhaseCommitThatOtherCheckersPublish) {
  for (const auto& [managers, states] : {std::pair{3, 288u}, std::pair{5, 8832u}}) {
    TwoPhase system(static_cast<std::size_t>(managers));
    SearchOptions<TwoPhase> options;
    options.symmetry = false;
    const auto outcome = explore(system, options);
    EXPECT_EQ(outcome.states, states);
    EXPECT_EQ(outcome.violated, 0u);
  }
  expect_orbits(TwoPhase{3}, 80);
}

TEST(Symmetry, HasTheOrbitsOfTwoPhaseCommitOfNineThatRumurCountsHoweverAndHoweverOftenTheyAreCounted) {
  const auto orbits = [](StateKey key, std::size_t workers) {
    std::vector<TwoPhase> systems(workers, TwoPhase{9});
    std::vector<TwoPhase*> others;
    for (std::size_t i = 1; i < workers; ++i) others.push_back(&systems[i]);
    SearchOptions<TwoPhase> options;
    options.key = key;
    return explore(systems[0], options, others);
  };
  const auto once = orbits(StateKey::digest, 1);
  EXPECT_EQ(once.states, 2'232u);  // of 10,340,352 states
  if (sim::testing::address_sanitizer) return;  // smaller systems are counted so too
  testing::expect_same_outcome(orbits(StateKey::digest, 1), once);
  testing::expect_same_outcome(orbits(StateKey::digest, 3), once);
  EXPECT_EQ(orbits(StateKey::exact, 1).states, once.states);
}

TEST(Symmetry, HasTheStatesOfALeasedLockThatSpinCounts) {
  for (const auto& [clients, states] : {std::pair{2u, 5'929u}, std::pair{3u, 353'244u}}) {
    LeasedLock system{clients};
    SearchOptions<LeasedLock> options;
    options.symmetry = false;
    const auto outcome = explore(system, options);
    EXPECT_EQ(outcome.states, states);
    EXPECT_EQ(outcome.violated, 0u);
  }
  expect_orbits(LeasedLock{2}, 2'966);
}

/// What they are without symmetry takes a minute and 2 GB: by hand (BENCHMARKS.md).
TEST(Symmetry, DISABLED_HasTheStatesThatSpinAndRumurCountOfTheLargestToys) {
  const auto states = [](auto system) {
    SearchOptions<decltype(system)> options;
    options.symmetry = options.zeno = options.endings = false;
    return explore(system, options).states;
  };
  EXPECT_EQ(states(LeasedLock{4}), 19'301'051u);
  EXPECT_EQ(states(TwoPhase{9}), 10'340'352u);
}

TEST(Symmetry, HasOneStateForEachOrbitOfActorsInsideActors) {
  expect_orbits(Elections{2, 2, 3, Clerks::none}, 53);
  expect_orbits(Elections{3, 2, 3, Clerks::none}, 196);
  expect_orbits(Elections{2, 3, 3, Clerks::none}, 103);
  expect_orbits(Elections{2, 3, 3, Clerks::last_of_each}, 581);
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
  const VotesState renamed = Votes::permuted(state, {p, {}});
  const VotesState other = any_votes(actors);

  Canonical<Votes> canonical{votes};
  RC_ASSERT(canonical.digest(state) == canonical.digest(renamed));
  RC_ASSERT(canonical.encoding(state) == canonical.encoding(renamed));
  const bool same_orbit = least_of_all(votes, state) == least_of_all(votes, other);
  RC_ASSERT((canonical.digest(state) == canonical.digest(other)) == same_orbit);
  RC_ASSERT((canonical.encoding(state) == canonical.encoding(other)) == same_orbit);
}

ElectionsState any_elections(std::uint16_t parties, std::uint16_t members) {
  ElectionsState state;
  for (int i = 0; i < parties; ++i) state.favours.push_back(*rc::gen::inRange<std::uint16_t>(0, parties));
  for (int i = 0; i < members; ++i) state.votes.push_back(*rc::gen::inRange<std::uint16_t>(0, members));
  return state;
}

RC_GTEST_PROP(Symmetry, TheRepresentativeOfActorsInsideActorsTellsOrbitsApart, ()) {
  const Elections elections{3, 2, 0, *rc::gen::element(Clerks::none, Clerks::last_of_each)};
  const ElectionsState state = any_elections(3, 6);
  const ElectionsState other = any_elections(3, 6);
  std::vector<ElectionsState> orbit;
  for_each_permutation(elections.classes(),
                       [&](Permutation p) { orbit.push_back(Elections::permuted(state, p)); });
  const ElectionsState& renamed = orbit[*rc::gen::inRange<std::size_t>(0, orbit.size())];
  Canonical<Elections> canonical{elections};
  RC_ASSERT(canonical.digest(state) == canonical.digest(renamed));
  RC_ASSERT(canonical.encoding(state) == canonical.encoding(renamed));
  const bool same_orbit = std::find(orbit.begin(), orbit.end(), other) != orbit.end();
  RC_ASSERT((canonical.digest(state) == canonical.digest(other)) == same_orbit);
}

/// Two classes: actors 0 and 2 are of one, 1 and 3 of the other.
struct Teams : Votes {
  Teams() : Votes(4) {}
  ActorClasses classes() const { return {{{0, 2}, {1, 3}}, {}}; }
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
