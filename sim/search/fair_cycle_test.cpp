// Fair cycles: in graphs drawn by hand, whose answer is known from thinking, and in random ones, against
// every way to go round.
#include "sim/search/fair_cycle.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <set>

namespace lockstep::sim {
namespace {

constexpr std::uint16_t a = 0, b = 1, clock = 2;

/// Edges by hand: from, to, who, and what kind.
struct Drawn {
  std::uint32_t from, to;
  std::uint16_t actor;
  bool fault = false, passes_time = false;
};

FairGraph graph_of(const std::vector<QuestionMask>& open, const std::vector<Drawn>& steps) {
  FairGraph graph(open.front());
  std::uint32_t met = 1;
  for (const Drawn& one : steps) {
    EXPECT_LE(one.to, met) << "states are met in their order";
    met = std::max(met, one.to + 1);
    graph.add(one.from, {one.to, one.actor, one.fault, one.passes_time}, open[one.to]);
  }
  return graph;
}

/// 0 → 1 → 0, and time passes on the way back.
std::vector<Drawn> round_of_two() { return {{0, 1, a}, {1, 0, clock, false, true}}; }

TEST(FairCycle, IsARoundInWhichTheQuestionStaysOpen) {
  const auto lap = graph_of({1, 1}, round_of_two()).lap(0);
  ASSERT_TRUE(lap);
  EXPECT_EQ(lap->size(), 2U);
  EXPECT_EQ(lap->front().from, 0U);
  EXPECT_FALSE(graph_of({1, 0}, round_of_two()).lap(0)) << "in state 1 it is not open";
  EXPECT_FALSE(graph_of({1, 1}, round_of_two()).lap(1)) << "another question";
}

TEST(FairCycle, LetsTimePassAndTheAdversaryDoNothing) {
  EXPECT_FALSE(graph_of({1, 1}, {{0, 1, a}, {1, 0, b}}).lap(0)) << "no time passes";
  EXPECT_FALSE(graph_of({1, 1}, {{0, 1, a, true}, {1, 0, clock, false, true}}).lap(0)) << "by a fault";
}

TEST(FairCycle, KeepsNobodyFromActingWhoAlwaysCould) {
  // b could leave from both states, and never does.
  std::vector<Drawn> steps{{0, 1, a}, {0, 2, b}, {1, 0, clock, false, true}, {1, 2, b}};
  EXPECT_FALSE(graph_of({1, 1, 0}, steps).lap(0));
  steps.pop_back();
  EXPECT_TRUE(graph_of({1, 1, 0}, steps).lap(0)) << "in state 1 it cannot";
  // What b could do is open as well: then b takes it, and the round goes on through it.
  steps = {{0, 1, a}, {0, 2, b}, {1, 0, clock, false, true}, {1, 2, b}, {2, 0, b}};
  const auto lap = graph_of({1, 1, 1}, steps).lap(0);
  ASSERT_TRUE(lap);
  EXPECT_GE(lap->size(), 3U);
}

TEST(FairCycle, WhatTheAdversaryCouldDoIsNobodysTurn) {
  std::vector<Drawn> steps = round_of_two();
  steps.insert(steps.begin() + 1, {0, 1, b, true});
  steps.push_back({1, 1, b, true});
  EXPECT_TRUE(graph_of({1, 1}, steps).lap(0)) << "b could only do harm";
}

TEST(FairCycle, BeginsInTheLeastStateOfAnyPart) {
  // Two rounds, 1 → 2 → 1 and 3 → 4 → 3; of the first the question is open in one state only.
  const std::vector<Drawn> steps{{0, 1, a}, {0, 3 - 1, a}, {1, 3, a},
                                 {2, 4, a}, {3, 1, clock, false, true}, {4, 2, clock, false, true}};
  EXPECT_EQ(graph_of({0, 1, 1, 1, 1}, steps).lap(0)->front().from, 1U);
  EXPECT_EQ(graph_of({0, 0, 1, 1, 1}, steps).lap(0)->front().from, 2U);
}

// ---- random graphs

struct World {
  std::vector<QuestionMask> open;
  std::vector<Drawn> steps;
};

World random_world() {
  const auto states = *rc::gen::inRange<std::uint32_t>(1, 6);
  World world;
  for (std::uint32_t state = 0; state < states; ++state)
    world.open.push_back(*rc::gen::inRange(0, 6) > 0 ? 1 : 0);
  std::uint32_t met = 1;
  for (std::uint32_t from = 0; from < states; ++from) {
    const int count = *rc::gen::inRange(0, 5);
    for (int i = 0; i < count && from < met; ++i) {
      const auto to = *rc::gen::inRange<std::uint32_t>(0, std::min(met + 1, states));
      met = std::max(met, to + 1);
      const auto actor = *rc::gen::elementOf(std::vector<std::uint16_t>{a, b, clock, clock, 3});
      world.steps.push_back({from, to, actor, *rc::gen::inRange(0, 8) == 0, actor == clock});
    }
  }
  world.open.resize(met);
  return world;
}

bool can_act(const World& world, std::uint32_t state, std::uint16_t actor) {
  return std::any_of(world.steps.begin(), world.steps.end(), [&](const Drawn& one) {
    return one.from == state && one.actor == actor && !one.fault;
  });
}

/// Whether these steps, taken again and again, are fair.
bool is_fair(const World& world, const std::vector<Drawn>& lap) {
  std::set<std::uint16_t> act;
  bool time = false;
  for (const Drawn& one : lap) {
    if (one.fault || world.open[one.from] == 0 || world.open[one.to] == 0) return false;
    act.insert(one.actor);
    time = time || one.passes_time;
  }
  for (std::uint16_t actor = 0; actor < 4; ++actor)
    if (!act.contains(actor) && std::all_of(lap.begin(), lap.end(), [&](const Drawn& one) {
          return can_act(world, one.from, actor);
        }))
      return false;
  return time;
}

/// Any closed walk visits a set of steps; which sets can be gone round is tried for all of them.
bool some_set_of_steps_is_fair(const World& world) {
  const std::size_t count = world.steps.size();
  for (std::uint64_t chosen = 1; chosen < std::uint64_t{1} << count; ++chosen) {
    std::vector<Drawn> lap;
    for (std::size_t i = 0; i < count; ++i)
      if ((chosen >> i & 1) != 0) lap.push_back(world.steps[i]);
    if (!is_fair(world, lap)) continue;
    // Each step leads on, and from each state all others are reached by these steps alone.
    std::set<std::uint32_t> states;
    for (const Drawn& one : lap) states.insert({one.from, one.to});
    const auto reaches_all = [&](std::uint32_t start) {
      std::set<std::uint32_t> reached{start};
      for (bool more = true; more;) {
        more = false;
        for (const Drawn& one : lap)
          if (reached.contains(one.from) && reached.insert(one.to).second) more = true;
      }
      return reached == states;
    };
    if (std::all_of(states.begin(), states.end(), reaches_all)) return true;
  }
  return false;
}

RC_GTEST_PROP(FairCycle, IsFoundIfAndOnlyIfSomeStepsCanBeGoneRoundFairly, ()) {
  const World world = random_world();
  RC_PRE(world.steps.size() <= 12);
  const auto lap = graph_of(world.open, world.steps).lap(0);
  RC_ASSERT(lap.has_value() == some_set_of_steps_is_fair(world));
  if (!lap) return;
  std::map<std::uint32_t, std::vector<Drawn>> from;
  for (const Drawn& one : world.steps) from[one.from].push_back(one);
  std::vector<Drawn> taken;
  for (const FairGraph::Taken& one : *lap) taken.push_back(from[one.from].at(one.place));
  for (std::size_t i = 0; i < taken.size(); ++i)
    RC_ASSERT(taken[i].to == taken[(i + 1) % taken.size()].from);
  RC_ASSERT(is_fair(world, taken));
  RC_TAG(taken.size());
}

}  // namespace
}  // namespace lockstep::sim
