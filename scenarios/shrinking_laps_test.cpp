// What shrinking makes of runs that go round for ever, and of those that come back without time.
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "properties/check/check.h"
#include "properties/monitors/all_properties.h"
#include "scenarios/exploring.h"

namespace lockstep::scenarios {
namespace {

using properties::CheckOptions;
using properties::PropertyResult;
using properties::Strategy;

constexpr sim::PropertyMask starves = properties::bit(Property::no_starvation);

PropertyResult found(const model::Setup& setup, CheckOptions options, Property property) {
  options.watched = properties::bit(property);
  return properties::check(setup, options).results.at(0);
}

CheckOptions sampling(Strategy strategy = Strategy::pos) { return {.strategy = strategy, .runs = 200}; }

std::size_t moves_of(const PropertyResult& one) { return one.trail ? one.trail->lines.size() : 0; }
std::size_t decisions_of(const PropertyResult& one) {
  return one.deviations ? one.deviations->lines.size() : 0;
}

bool shows(const model::Setup& setup, const PropertyResult& one, sim::PropertyMask what = starves) {
  return (properties::tell(setup, *one.trail).violated & properties::tell(setup, *one.deviations).violated &
          what) != 0;
}

model::Setup three_in_two_queues() {
  return setup_of(
      "[process.A]\nthreads = [[\"repeat forever { lock a lease=5s; work 1s; unlock a; think 2s }\"]]\n"
      "[process.C]\nthreads = [[\"repeat forever { lock b lease=5s; work 1s; unlock b; think 3s }\"]]\n"
      "[process.B]\nthreads = [[\"repeat forever { lock a lease=5s; work 1s; unlock a }\"]]\n");
}

TEST(ShrinkingLaps, ASampledOneBecomesWhatASearchFinds) {
  const model::Setup setup = three_in_two_queues();
  const auto shortest = found(setup, {.strategy = Strategy::search}, Property::no_starvation);
  const auto sampled = found(setup, sampling(), Property::no_starvation);
  ASSERT_TRUE(shortest.trail && sampled.trail);
  EXPECT_EQ(moves_of(sampled), moves_of(shortest));
  EXPECT_LE(decisions_of(sampled), decisions_of(shortest));
  EXPECT_LE(decisions_of(shortest), 18U);
  EXPECT_TRUE(shows(setup, sampled) && shows(setup, shortest));
}

TEST(ShrinkingLaps, TrailsOfThemAreTaken) {
  const model::Setup setup = three_in_two_queues();
  CheckOptions how = sampling();
  how.shrink = false;
  const auto sampled = found(setup, how, Property::no_starvation);
  ASSERT_TRUE(sampled.trail);
  EXPECT_GT(moves_of(sampled), 1'000U);
  const auto shrunk = properties::shrink_trail(setup, *sampled.trail, 10'000);
  ASSERT_TRUE(shrunk.ok()) << shrunk.problem().text;
  EXPECT_LE(shrunk->full.lines.size(), 85U);
  EXPECT_NE(properties::tell(setup, shrunk->deviations).violated & starves, 0U);
  sim::Trail cut = *sampled.trail;
  cut.lines.resize(100);
  EXPECT_FALSE(properties::shrink_trail(setup, cut, 10'000).ok()) << "it has not gone round";
}

/// Where the graph is too large to be searched: what leads nowhere is cut out of the run itself.
TEST(ShrinkingLaps, WithoutASearchTheyBecomeShortAllTheSame) {
  const model::Setup setup = three_in_two_queues();
  CheckOptions how = sampling();
  how.shrink_states = 0;
  const auto sampled = found(setup, how, Property::no_starvation);
  ASSERT_TRUE(sampled.trail);
  EXPECT_LE(moves_of(sampled), 170U);
  EXPECT_LE(decisions_of(sampled), 40U);
  EXPECT_TRUE(shows(setup, sampled));
}

/// One that works again at once starves another, who thinks in between or not.
TEST(ShrinkingLaps, OfOtherProgramsAreNearTheShortestToo) {
  int compared = 0;
  for (const char* think : {"", "; think 1s", "; think 3s"})
    for (const char* lease : {" lease=5s", " lease=3s"}) {
      const auto client = [&](char name, const char* rest) {
        return fmt::format(
            "[process.{}]\nthreads = [[\"repeat forever {{ lock a{}; work 1s; unlock a{} }}\"]]\n", name,
            lease, rest);
      };
      const model::Setup setup = setup_of(client('A', think) + client('B', ""));
      const auto shortest = found(setup, {.strategy = Strategy::search}, Property::no_starvation);
      const auto sampled = found(setup, sampling(Strategy::random), Property::no_starvation);
      if (!shortest.trail || !sampled.trail) continue;
      ++compared;
      const std::string told = fmt::format("{}{}: {} moves, {} decisions; shortest {}, {}", think, lease,
                                           moves_of(sampled), decisions_of(sampled), moves_of(shortest),
                                           decisions_of(shortest));
      EXPECT_LE(10 * moves_of(sampled), 11 * moves_of(shortest)) << told;
      EXPECT_LE(decisions_of(sampled), decisions_of(shortest) + 3) << told;
      EXPECT_TRUE(shows(setup, sampled)) << told;
    }
  EXPECT_GE(compared, 4);
}

TEST(ShrinkingLaps, WhatIsNeverTrueIsToldOfOneRoundOnly) {
  const model::Setup setup = setup_of(
      "[process.A]\nthreads = [[\"repeat forever { lock a lease=5s; work 1s; unlock a; think 2s }\"]]\n"
      "[process.B]\nthreads = [[\"repeat forever { lock a lease=5s; work 1s; unlock a }\"]]\n"
      "[[property]]\nname = \"b-ends\"\nkind = \"eventually\"\nlua = \"ended('B1')\"\n");
  const auto property = properties::find_property("b-ends", setup);
  ASSERT_TRUE(property);
  const auto shortest = found(setup, {.strategy = Strategy::search}, *property);
  const auto sampled = found(setup, sampling(), *property);
  ASSERT_TRUE(shortest.trail && sampled.trail);
  EXPECT_LE(10 * moves_of(sampled), 11 * moves_of(shortest));
  EXPECT_TRUE(shows(setup, sampled, properties::bit(*property)));
}

TEST(ShrinkingLaps, OneWithoutTimeIsCutWhereItComesBack) {
  model::Setup setup = setup_of(
      "[process.A]\nthreads = [[\"lock a lease=1s\", \"work 3s\"]]\n"
      "[process.C]\nthreads = [[\"think 1s\", \"lock c\", \"work 1s\", \"unlock c\"]]\n"
      "[process.B]\nthreads = [[\"lock a lease=1s\"]]\n");
  setup.client.ttl_wait_extra = sim::Duration::zero();
  const auto shortest = found(setup, {.strategy = Strategy::search}, Property::no_zeno);
  const auto sampled = found(setup, sampling(), Property::no_zeno);
  ASSERT_TRUE(shortest.trail && sampled.trail);
  EXPECT_EQ(moves_of(sampled), moves_of(shortest));
  EXPECT_TRUE(shows(setup, sampled, properties::bit(Property::no_zeno)));
  const auto shrunk = properties::shrink_trail(setup, *sampled.trail, 1'000);
  EXPECT_TRUE(shrunk.ok()) << shrunk.problem().text;
}

}  // namespace
}  // namespace lockstep::scenarios
