#include <map>
#include <set>

#include <gtest/gtest.h>

#include "sim/run/pct.h"
#include "sim/run/run.h"
#include "sim/toys/graph.h"
#include "sim/toys/needle.h"
#include "sim/toys/lost_update.h"
#include "sim/run/uniform.h"
#include "sim/run/weighted.h"

namespace lockstep::sim {
namespace {

using namespace toys;

template <class P, class... Options>
auto needle_run(std::uint64_t seed, Options... options) {
  Needle needle;
  P policy{Random{seed}, options...};
  return run(needle, needle.initial(), policy, {.stop_at = 0});
}

template <class R>
std::size_t faults(const R& run) {
  std::size_t count = 0;
  for (const auto& decision : run.trail) count += decision.move.is_fault() ? 1 : 0;
  return count;
}

TEST(Policies, ASeedNamesOneRun) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    EXPECT_EQ(needle_run<Uniform<Needle>>(seed).trail, needle_run<Uniform<Needle>>(seed).trail);
    EXPECT_EQ(needle_run<Weighted<Needle>>(seed).trail, needle_run<Weighted<Needle>>(seed).trail);
    EXPECT_EQ(needle_run<Pct<Needle>>(seed, PctOptions{}).trail,
              needle_run<Pct<Needle>>(seed, PctOptions{}).trail);
  }
}

TEST(Uniform, EveryMoveIsAsLikelyAsEveryOther) {
  Graph graph;
  graph.arcs = {{0, 1}, {0, 2}, {0, 3, Nature::fault}};
  std::map<std::uint16_t, int> reached;
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    Uniform<Graph> policy{Random{seed}};
    ++reached[run(graph, graph.initial(), policy).last.place];
  }
  for (std::uint16_t place = 1; place <= 3; ++place) EXPECT_NEAR(reached[place], 1000, 130) << place;
}

TEST(Weighted, FaultsAreAsRareAsTheirWeightSays) {
  Graph graph;
  graph.arcs = {{0, 1}, {0, 2, Nature::fault}};
  int struck = 0;
  for (std::uint64_t seed = 0; seed < 4000; ++seed) {
    Weighted<Graph> policy{Random{seed}, {.ordinary = 90, .fault = 10, .swarm = false}};
    struck += run(graph, graph.initial(), policy).last.place == 2 ? 1 : 0;
  }
  EXPECT_NEAR(struck, 400, 80);
}

TEST(Weighted, SomeRunsOfASwarmLeaveAKindOfFaultOutAndMostDoNot) {
  Graph graph;
  graph.arcs = {{0, 0}, {0, 1, Nature::fault}};
  int without = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Weighted<Graph> policy{Random{seed}};
    without += run(graph, graph.initial(), policy, {.steps_max = 40'000, .unwatched = 40'000}).last.place == 0
                   ? 1
                   : 0;
  }
  EXPECT_NEAR(without, 75, 30);
}

TEST(Weighted, ARunThatLeavesOutTheOnlyMovesLeftStops) {
  Graph graph;
  graph.arcs = {{0, 1, Nature::fault}};
  std::set<End> ends;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    Weighted<Graph> policy{Random{seed}};
    ends.insert(run(graph, graph.initial(), policy).end);
  }
  EXPECT_EQ(ends, (std::set<End>{End::at_rest, End::stopped}));
}

TEST(Pct, WithoutChangePointsTheHighestActorRunsUntilItCannotAndNoFaultHappens) {
  std::set<Actor> first_actors;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const auto result = needle_run<Pct<Needle>>(seed, PctOptions{.depth = 1, .steps = 20});
    EXPECT_EQ(faults(result), 0u);
    int changes = 0;
    for (std::size_t i = 1; i < result.trail.size(); ++i) {
      changes += result.trail[i].move.actor() != result.trail[i - 1].move.actor() ? 1 : 0;
    }
    EXPECT_EQ(changes, 1);
    first_actors.insert(result.trail.front().move.actor());
  }
  EXPECT_EQ(first_actors, (std::set<Actor>{{0, 0}, {0, 1}}));
}

TEST(Pct, HasNoMoreFaultsThanChangePoints) {
  std::size_t most = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const auto result = needle_run<Pct<Needle>>(seed, PctOptions{.depth = 2, .steps = 14});
    most = std::max(most, faults(result));
  }
  EXPECT_EQ(most, 1u);
}

TEST(Pct, FindsABugOfDepthTwoAtLeastAsOftenAsItsGuaranteeSays) {
  // Two clients and four steps: the chance of a lost update is at least 1 / (2 * 4) in each run.
  LostUpdate system{2};
  int found = 0;
  for (std::uint64_t seed = 0; seed < 800; ++seed) {
    Pct<LostUpdate> policy{Random{seed}, {.depth = 2, .steps = 4}};
    found += run(system, system.initial(), policy).violated != 0 ? 1 : 0;
  }
  EXPECT_GE(found, 100);
}

TEST(Pct, EitherOfTwoThatHaveFallenMayStandHigher) {
  LostUpdate system{3};  // each of three reads and writes
  std::set<std::string> orders;
  for (std::uint64_t seed = 0; seed < 2'000; ++seed) {
    Pct<LostUpdate> policy{Random{seed}, {.depth = 3, .steps = 6}};
    std::string order, names;
    for (const auto& step : run(system, system.initial(), policy).trail) {
      const char name = static_cast<char>('a' + step.move.actor().index);
      if (names.find(name) == std::string::npos) names += name;
      order += "xyz"[names.find(name)];
    }
    orders.insert(order);
  }
  EXPECT_TRUE(orders.contains("xyzzxy"));
  EXPECT_TRUE(orders.contains("xyzzyx"));
}

}  // namespace
}  // namespace lockstep::sim
