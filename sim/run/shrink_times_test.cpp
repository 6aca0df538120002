// Rounder numbers, and deviations that are taken as soon as they can be.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/run/lenient.h"
#include "sim/run/run.h"
#include "sim/run/shrink.h"
#include "sim/toys/needle.h"

namespace lockstep::sim {
namespace {

using namespace toys;
using testing::Contains;
using testing::Not;

TEST(RoundTimes, DigitsAreCountedWithoutTheZerosBehindThem) {
  EXPECT_EQ(digits_of(0), 0U);
  EXPECT_EQ(digits_of(2'000), 1U);
  EXPECT_EQ(digits_of(1'370), 3U);
  EXPECT_EQ(digits_of(1'003), 4U);
}

TEST(RoundTimes, RounderNumbersAreNearAndNeverZero) {
  const std::vector<std::int64_t> rounder = rounder_than(437);
  for (const std::int64_t near : {400, 440, 450, 500}) EXPECT_THAT(rounder, Contains(near));
  EXPECT_THAT(rounder, Not(Contains(0)));
  for (const std::int64_t one : rounder) EXPECT_LT(digits_of(one), digits_of(437));
  EXPECT_TRUE(rounder_than(400).empty());
}

TEST(Patient, TakesEachMoveAsSoonAsItCan) {
  Needle needle;
  const auto strike = Needle::move(2, NeedleVerb::strike), idle = Needle::move(1, NeedleVerb::idle);
  Patient<Needle> policy{{strike, strike, strike, idle}};
  const auto done = run(needle, needle.initial(), policy, {.stop_at = 0});
  ASSERT_GE(done.trail.size(), 3U);
  EXPECT_EQ(done.trail[0].move, strike);
  EXPECT_EQ(done.trail[1].move, strike);
  // A third one there never is, so what comes behind it waits for ever, and the default goes on.
  for (std::size_t i = 2; i < done.trail.size(); ++i) EXPECT_EQ(done.trail[i].index, 0U);
}

}  // namespace
}  // namespace lockstep::sim
