// The toys have known answers: state counts are pinned and checked against a brute force that shares no code
// with the explorers, and every explorer must find the bugs that are there and none where there are none.
#include <gtest/gtest.h>

#include "sim/search/search.h"
#include "sim/run/pct.h"
#include "sim/toys/brute_force.h"
#include "sim/toys/jugs.h"
#include "sim/toys/lost_update.h"
#include "sim/toys/needle.h"
#include "sim/toys/peterson.h"
#include "sim/toys/philosophers.h"
#include "sim/toys/token.h"
#include "sim/toys/votes.h"
#include "sim/run/uniform.h"
#include "sim/run/weighted.h"

namespace lockstep::sim {
namespace {

using namespace toys;

template <System S>
Outcome<S> explore_literally(S system, StateKey key = StateKey::digest) {
  SearchOptions<S> options;
  options.symmetry = false;
  options.key = key;
  return explore(system, options);
}

/// Both kinds of key and the brute force agree on the count.
template <System S>
void expect_states(S system, std::size_t states) {
  EXPECT_EQ(brute_force(system).states, states);
  EXPECT_EQ(explore_literally(system).states, states);
  EXPECT_EQ(explore_literally(system, StateKey::exact).states, states);
}

template <System S>
PropertyMask violated_in_runs(S system, auto make_policy) {
  PropertyMask violated = 0;
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    auto policy = make_policy(Random{seed});
    violated |= run(system, system.initial(), policy, {.steps_max = 60, .stop_at = 0}).violated;
  }
  return violated;
}

/// Random walks, PCT and exhaustive search violate the same properties.
template <System S>
void expect_violated_everywhere(S system, PropertyMask expected) {
  EXPECT_EQ(explore(system).violated, expected);
  EXPECT_EQ(violated_in_runs(system, [](Random r) { return Uniform<S>{r}; }), expected);
  EXPECT_EQ(violated_in_runs(system, [](Random r) { return Weighted<S>{r}; }), expected);
  EXPECT_EQ(violated_in_runs(system,
                             [](Random r) {
                               return Pct<S>{r, {.depth = 4, .steps = 16}};
                             }),
            expected);
}

TEST(Toys, TheJugsHave16StatesAndASolutionOfSixMoves) {
  expect_states(Jugs{}, 16);
  Jugs jugs;
  const auto outcome = explore(jugs);
  ASSERT_EQ(outcome.violations.size(), 1u);
  std::string solution;
  for (const auto& decision : outcome.violations[0].trail) solution += jugs.show(decision.move) + "; ";
  EXPECT_EQ(solution, "fill-big 0; pour-big 0; empty-small 0; pour-big 0; fill-big 0; pour-big 0; ");
  EXPECT_TRUE(outcome.complete());
}

TEST(Toys, UpdatesAreLostAndWitnessed) {
  expect_states(LostUpdate{2}, 12);
  expect_states(LostUpdate{3}, 59);
  expect_states(LostUpdate{4}, 330);
  expect_violated_everywhere(LostUpdate{2}, 1);
  expect_violated_everywhere(LostUpdate{1}, 0);
  LostUpdate system{2};
  EXPECT_EQ(explore(system).witnesses, 1u);
  LostUpdate alone{1};
  EXPECT_EQ(explore(alone).witnesses, 0u);
}

TEST(Toys, PhilosophersDeadlockInAsManyMovesAsTheyAre) {
  const std::size_t states[] = {6, 14, 34, 82};
  for (std::size_t n = 2; n <= 5; ++n) {
    expect_states(Philosophers{n}, states[n - 2]);
    Philosophers table{n};
    const auto outcome = explore(table);
    ASSERT_EQ(outcome.violations.size(), 1u);
    EXPECT_EQ(outcome.violations[0].trail.size(), n);
    EXPECT_EQ(outcome.at_rest, 1u);
    expect_violated_everywhere(table, 1);
  }
}

TEST(Toys, PetersonExcludesAndIsNotVacuous) {
  expect_states(Peterson{}, 20);
  expect_violated_everywhere(Peterson{}, 0);
  Peterson peterson;
  const auto outcome = explore(peterson);
  EXPECT_EQ(outcome.states, 10u);  // under symmetry
  EXPECT_TRUE(outcome.complete());
  EXPECT_EQ(outcome.witnesses, 1u);  // one had to wait
  EXPECT_FALSE(outcome.zeno.has_value());
}

TEST(Toys, PetersonWithoutWaitingIsCaught) {
  expect_violated_everywhere(Peterson{Manners::forgets_to_wait}, 1);
}

TEST(Toys, TheNeedleMustBeFound) {
  expect_states(Needle{}, 245);
  expect_violated_everywhere(Needle{}, 0b11);
  Needle needle;
  const auto outcome = explore(needle);
  ASSERT_EQ(outcome.violations.size(), 2u);
  EXPECT_EQ(outcome.violations[0].property, 1u);  // the search goes on after the first violation
  EXPECT_EQ(outcome.violations[0].trail.size(), 1u);
  EXPECT_EQ(outcome.violations[1].trail.size(), static_cast<std::size_t>(Needle::length + 1));
}

TEST(Toys, VotesAndTokensHaveTheStatesThatArithmeticSays) {
  expect_states(Votes{3}, 27);     // n to the n
  expect_states(Votes{4}, 256);
  expect_states(Token{Stamina::endless}, 15);  // three holders, five hours
}

template <System S>
void expect_moves_read_back(S system) {
  SearchOptions<S> options;
  options.on_edge = [&](const Edge<S>& edge) {
    const auto read = system.parse(system.show(edge.move));
    ASSERT_TRUE(read.ok());
    EXPECT_EQ(*read, edge.move);
  };
  explore(system, options);
  EXPECT_FALSE(system.parse("").ok());
  EXPECT_FALSE(system.parse("fly 0").ok());
  EXPECT_FALSE(system.parse(system.show(typename S::Move{}) + "x").ok());
}

TEST(Toys, MovesAreReadBackAsTheyAreShown) {
  expect_moves_read_back(Jugs{});
  expect_moves_read_back(LostUpdate{2});
  expect_moves_read_back(Philosophers{3});
  expect_moves_read_back(Peterson{});
  expect_moves_read_back(Needle{});
  expect_moves_read_back(Token{Stamina::endless});
  expect_moves_read_back(Votes{3});
}

}  // namespace
}  // namespace lockstep::sim
