#include "sim/run/replay.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "sim/toys/graph.h"
#include "sim/toys/needle.h"
#include "sim/run/lenient.h"
#include "sim/run/shifted.h"
#include "sim/run/uniform.h"

namespace lockstep::sim {
namespace {

using namespace toys;

Run<Needle> random_run(std::uint64_t seed) {
  Needle needle;
  Uniform<Needle> policy{Random{seed}};
  return run(needle, needle.initial(), policy, {.stop_at = 0});
}

/// Writes a trail down, reads it again and runs it.
Replayed<Needle> replay_text(const Trail& trail) {
  Needle needle;
  const auto read = parse_trail(text_of(trail), "t.trail");
  RC_ASSERT(read.ok());
  const auto plan = plan_of(needle, *read);
  RC_ASSERT(plan.ok());
  return replay(needle, *plan);
}

RC_GTEST_PROP(Replay, AFullTrailAndItsDeviationsBothGiveTheSameRunAgain, (std::uint64_t seed)) {
  const Needle needle;
  const Run<Needle> original = random_run(seed);
  Trail full, deviations;
  full.scenario = deviations.scenario = "needle";
  record_all<Needle>(needle, original.trail, full);
  record_deviations<Needle>(needle, original.trail, deviations);
  RC_ASSERT(full.lines.size() == original.trail.size());
  RC_ASSERT(deviations.lines.size() < full.lines.size());
  for (const Trail& trail : {full, deviations}) {
    const auto again = replay_text(trail);
    RC_ASSERT(!again.divergence);
    RC_ASSERT(again.run.trail == original.trail);
    RC_ASSERT(again.run.last == original.last);
    RC_ASSERT(again.run.violations == original.violations);
  }
}

/// What a hand-written trail of the Needle does.
Replayed<Needle> replay_lines(std::string_view lines) {
  Needle needle;
  const auto trail = parse_trail("lockstep-trail 1\nscenario = needle\n" + std::string(lines), "t.trail");
  EXPECT_TRUE(trail.ok()) << trail.problem().text;
  const auto plan = plan_of(needle, *trail);
  EXPECT_TRUE(plan.ok()) << plan.problem().text;
  return replay(needle, *plan);
}

TEST(Replay, AMoveThatIsNotEnabledIsDescribedWithWhatIs) {
  const auto result = replay_lines("0/3 walk 0\n2/3 strike 2\n2/3 strike 2\n2/3 strike 2\n");
  ASSERT_TRUE(result.divergence);
  EXPECT_EQ(result.divergence->step, 4u);
  EXPECT_EQ(result.run.trail.size(), 3u);
  EXPECT_EQ(text_of(*result.divergence),
            "the run differs from its trail at step 4\n"
            "  the trail takes: strike 2\n"
            "  that is not enabled here\n"
            "  enabled here:\n"
            "    0/2 walk 0\n"
            "    1/2 idle 1\n");
}

TEST(Replay, AnotherArityOrPlaceIsADivergence) {
  const auto arity = replay_lines("0/4 walk 0\n");
  ASSERT_TRUE(arity.divergence);
  EXPECT_NE(text_of(*arity.divergence).find("recorded as 0/4, but it stands at 0/3 here"), std::string::npos);
  EXPECT_TRUE(replay_lines("1/3 walk 0\n").divergence);
  EXPECT_FALSE(replay_lines("0/3 walk 0\n").divergence);
}

TEST(Replay, AQuestionMarkTakesTheMoveWhereverItStands) {
  const auto result = replay_lines("then = default\n@6 ? strike 2\n");
  EXPECT_FALSE(result.divergence);
  EXPECT_EQ(result.run.violated & 1, 1u);
  EXPECT_EQ(result.run.trail[5].index, 2u);
}

TEST(Replay, ThenSaysWhatFollowsTheLastLine) {
  EXPECT_EQ(replay_lines("then = stop\n@3 ? idle 1\n").run.trail.size(), 3u);
  EXPECT_EQ(replay_lines("then = default until 5\n@3 ? idle 1\n").run.trail.size(), 5u);
  EXPECT_EQ(replay_lines("then = default\n@3 ? idle 1\n").run.trail.size(), 14u);
  EXPECT_EQ(replay_lines("then = stop\n").run.trail.size(), 0u);
}

TEST(Replay, DecisionsThatAreLeftWhenTheRunIsOverAreADivergence) {
  const auto result = replay_lines("@40 ? strike 2\n");
  ASSERT_TRUE(result.divergence);
  EXPECT_EQ(result.divergence->step, 40u);
  EXPECT_NE(text_of(*result.divergence).find("the run comes to rest before that"), std::string::npos);
  Graph graph;
  graph.arcs = {{0, 1}};
  Plan<Graph::Move> plan;
  plan.moves = {{1, {}, Graph::move(0, 0)}, {2, {}, Graph::move(0, 0)}};
  EXPECT_TRUE(replay(graph, plan).divergence);
}

TEST(Replay, ALimitThatEndsTheRunEarlierIsNoDivergence) {
  Needle needle;
  const auto plan = plan_of<Needle::Move>(random_run(3).trail);
  EXPECT_FALSE(replay(needle, plan, {.steps_max = 2}).divergence);
}

TEST(Replay, AMoveThatTheSystemDoesNotKnowIsAProblemThatNamesItsStep) {
  Trail trail;
  trail.lines = {{4, {}, "fly 0"}};
  const auto plan = plan_of(Needle{}, trail);
  ASSERT_FALSE(plan.ok());
  EXPECT_EQ(plan.problem().text, "step 4: 'fly 0' is not a move of this toy");
}

TEST(Lenient, SkipsWhatDoesNotApplyAndTakesTheDefaultOnceUsedUp) {
  Needle needle;
  const auto strike = Needle::move(2, NeedleVerb::strike);
  Lenient<Needle> policy{{strike, strike, strike, strike, Needle::move(1, NeedleVerb::idle)}};
  const auto result = run(needle, needle.initial(), policy, {.stop_at = 0});
  std::string text;
  for (std::size_t i = 0; i < 4; ++i) text += needle.show(result.trail[i].move) + ", ";
  EXPECT_EQ(text, "strike 2, strike 2, idle 1, walk 0, ");
}

TEST(Anchored, KeepsTheStepsAndTakesTheDefaultInBetweenAndWhereAMoveDoesNotApply) {
  Needle needle;
  const auto strike = Needle::move(2, NeedleVerb::strike);
  Anchored<Needle> policy{
      {{2, {}, strike}, {3, {}, strike}, {4, {}, strike}, {6, {}, Needle::move(1, NeedleVerb::idle)}}};
  const auto result = run(needle, needle.initial(), policy, {.stop_at = 0});
  std::string text;
  for (std::size_t i = 0; i < 6; ++i) text += needle.show(result.trail[i].move) + ", ";
  EXPECT_EQ(text, "walk 0, strike 2, strike 2, walk 0, walk 0, idle 1, ");
}

RC_GTEST_PROP(Shifted, FollowsExactlyWhatCanBeFollowedExactly, (std::uint64_t seed)) {
  Needle needle;
  const Run<Needle> original = random_run(seed);
  Shifted<Needle> policy{deviations_of<Needle::Move>(original.trail)};
  const auto again = run(needle, needle.initial(), policy, {.stop_at = 0});
  RC_ASSERT(again.trail == original.trail);
}

TEST(Shifted, TakesAMoveAsSoonAsItCanAndWhatFollowsLaterByAsMuch) {
  // 0 to 4 by default; 2 to 5 by slip 4, and from there two steps on, beside which a fault leads away.
  Graph graph;
  graph.arcs = {
      {0, 1}, {1, 2}, {2, 3}, {3, 4}, {2, 5, Nature::timeless}, {5, 6}, {6, 7}, {6, 8, Nature::fault}};
  const auto slip = Graph::move(4, Nature::timeless), fault = Graph::move(7, Nature::fault);
  const auto followed = [&](std::vector<PlannedMove<Graph::Move>> moves, Then then) {
    Shifted<Graph> policy{{.moves = std::move(moves), .then = then}};
    std::string text;
    for (const auto& decision : run(graph, graph.initial(), policy, {.stop_at = 0}).trail)
      text += graph.show(decision.move) + ", ";
    return text;
  };
  const Then to_the_end{.by_default = true, .until = {}};
  // The slip was to be the second, and the fault the fourth: both are late by one.
  EXPECT_EQ(followed({{2, {}, slip}, {4, {}, fault}}, to_the_end),
            "step 0, step 1, slip 4, step 5, fault 7, ");
  EXPECT_EQ(followed({{2, {}, slip}}, {.by_default = true, .until = 3}), "step 0, step 1, slip 4, step 5, ");
  // A move that never comes keeps nothing back that is due.
  const auto other = Graph::move(6, Nature::takes_time);
  EXPECT_EQ(followed({{1, {}, other}, {3, {}, slip}}, {.by_default = false, .until = {}}),
            "step 0, step 1, slip 4, ");
}

}  // namespace
}  // namespace lockstep::sim
