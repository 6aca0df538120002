#include "sim/run/run.h"

#include <gtest/gtest.h>

#include "sim/toys/graph.h"
#include "sim/toys/jugs.h"
#include "sim/toys/needle.h"
#include "sim/toys/token.h"

namespace lockstep::sim {
namespace {

using namespace toys;

TEST(Run, TheDefaultScheduleTakesTheFirstMoveEachTime) {
  Jugs jugs;
  DefaultSchedule<Jugs> policy;
  const auto result = run(jugs, jugs.initial(), policy, {.steps_max = 2});
  ASSERT_EQ(result.trail.size(), 2u);
  EXPECT_EQ(jugs.show(result.trail[0].move), "fill-small 0");
  EXPECT_EQ(result.trail[0].index, 0u);
  EXPECT_EQ(result.trail[0].arity, 2u);
  EXPECT_EQ(result.last, (JugsState{3, 5}));
  EXPECT_EQ(result.end, End::steps_max);
}

TEST(Run, TheDefaultScheduleEndsWhereOnlyFaultsAreLeft) {
  Needle needle;
  DefaultSchedule<Needle> policy;
  const auto result = run(needle, needle.initial(), policy);
  EXPECT_EQ(result.end, End::stopped);
  EXPECT_EQ(result.last.strikes_left, 2);
  EXPECT_EQ(result.trail.size(), static_cast<std::size_t>(Needle::length + Needle::idle));
}

TEST(Run, IsAtRestWhenNothingCanHappen) {
  Graph graph;
  graph.arcs = {{0, 1}};
  DefaultSchedule<Graph> policy;
  const auto result = run(graph, graph.initial(), policy);
  EXPECT_EQ(result.end, End::at_rest);
  EXPECT_EQ(result.trail.size(), 1u);
}

TEST(Run, EndsInTheFirstStateThatViolatesAPropertyItStopsAt) {
  Graph graph;
  graph.arcs = {{0, 1}, {1, 2}, {2, 3}};
  graph.breaks = {{1, 0b01}, {2, 0b10}};
  DefaultSchedule<Graph> policy;
  const auto first = run(graph, graph.initial(), policy);
  EXPECT_EQ(first.end, End::violated);
  EXPECT_EQ(first.trail.size(), 1u);
  const auto second = run(graph, graph.initial(), policy, {.stop_at = 0b10});
  EXPECT_EQ(second.end, End::violated);
  EXPECT_EQ(second.violations, (std::vector<FirstViolation>{{0, 1}, {1, 2}}));
  const auto whole = run(graph, graph.initial(), policy, {.stop_at = 0});
  EXPECT_EQ(whole.end, End::at_rest);
  EXPECT_EQ(whole.violated, 0b11u);
}

TEST(Run, AViolationInTheInitialStateIsAtStepZero) {
  Graph graph;
  graph.arcs = {{0, 1}};
  struct Broken : Graph {
    PropertyMask violated(const State&) const { return 1; }
  } broken;
  DefaultSchedule<Broken> policy;
  const auto result = run(broken, broken.initial(), policy);
  EXPECT_EQ(result.violations, (std::vector<FirstViolation>{{0, 0}}));
  EXPECT_TRUE(result.trail.empty());
}

TEST(Run, GathersTheWitnessesOfAllSteps) {
  Graph graph;
  graph.arcs = {{0, 3}, {3, 5}};
  DefaultSchedule<Graph> policy;
  EXPECT_EQ(run(graph, graph.initial(), policy).witnesses, (1u << 3) | (1u << 5));
}

TEST(Run, AStateThatComesBackWithoutTimeEndsTheRun) {
  Token token{Stamina::endless};
  DefaultSchedule<Token> policy;
  const auto result = run(token, token.initial(), policy, {.unwatched = 50});
  EXPECT_EQ(result.end, End::zeno);
  EXPECT_LT(result.trail.size(), 100u);
}

TEST(Run, ManyMovesWithoutTimeAreNoCycle) {
  Jugs jugs;  // no move of theirs lets time pass, and the default schedule comes to rest
  DefaultSchedule<Jugs> policy;
  EXPECT_EQ(run(jugs, jugs.initial(), policy, {.steps_max = 3, .stop_at = 0, .unwatched = 0}).end,
            End::steps_max);
  Token token{Stamina::one_pass_an_hour};
  DefaultSchedule<Token> hours;
  EXPECT_EQ(run(token, token.initial(), hours, {.unwatched = 0}).end, End::at_rest);
}

TEST(Run, TheObserverSeesEachStepWithTheStateItLedTo) {
  Jugs jugs;
  DefaultSchedule<Jugs> policy;
  std::vector<std::pair<std::size_t, JugsState>> seen;
  const Observer<Jugs> observe = [&](const Step<Jugs>& step) { seen.emplace_back(step.number, step.state); };
  run(jugs, jugs.initial(), policy, {.steps_max = 2}, observe);
  EXPECT_EQ(seen, (std::vector<std::pair<std::size_t, JugsState>>{{1, {3, 0}}, {2, {3, 5}}}));
}

}  // namespace
}  // namespace lockstep::sim
