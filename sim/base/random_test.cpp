#include "sim/base/random.h"

#include <array>

#include <gtest/gtest.h>

namespace lockstep::sim {
namespace {

TEST(Random, GivesTheNumbersOfSplitMix64) {
  Random random{1234567};  // the reference sequence published with the algorithm
  EXPECT_EQ(random.next(), 6457827717110365317u);
  EXPECT_EQ(random.next(), 3203168211198807973u);
  EXPECT_EQ(random.next(), 9817491932198370423u);
}

TEST(Random, BelowStaysBelowAndReachesEveryNumber) {
  Random random{7};
  std::array<int, 6> drawn{};
  for (int i = 0; i < 6000; ++i) ++drawn.at(random.below(6));
  for (const int times : drawn) {
    EXPECT_GT(times, 850);  // 1000 expected, standard deviation 29
    EXPECT_LT(times, 1150);
  }
}

TEST(Random, BelowIsUnbiasedForBoundsThatDoNotDivideTheRange) {
  // With a bound of 3 * 2^62 a plain remainder would hit the lowest quarter of the numbers twice as often as
  // the others.
  constexpr std::uint64_t third = std::uint64_t{1} << 62;
  Random random{11};
  std::array<int, 3> drawn{};
  for (int i = 0; i < 3000; ++i) ++drawn.at(random.below(3 * third) / third);
  for (const int times : drawn) {
    EXPECT_GT(times, 870);  // 1000 expected, standard deviation 26
    EXPECT_LT(times, 1130);
  }
}

TEST(Random, ASplitGeneratorGoesItsOwnWayAndIsDeterminedByTheSeed) {
  Random first{5};
  Random second{5};
  Random child = first.split();
  Random same_child = second.split();
  EXPECT_EQ(first, second);
  EXPECT_EQ(child, same_child);
  for (int i = 0; i < 100; ++i) EXPECT_NE(child.next(), first.next());
}

TEST(RandomDeathTest, BelowZeroIsAMistakeOfOurs) {
  Random random{1};
  EXPECT_EXIT(random.below(0), testing::ExitedWithCode(70), "bound != 0");
}

}  // namespace
}  // namespace lockstep::sim
