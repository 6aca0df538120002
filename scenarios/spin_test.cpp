// The spin lock: sleeps that grow, no channel, the plain scripts where a set has none of its own.
#include <gtest/gtest.h>

#include "scenarios/exploring.h"

namespace lockstep::scenarios {
namespace {

constexpr const char* two_spinners = R"([process.P]
count = 2
threads = [["lock spin:orders", "work 50ms", "unlock spin:orders"]])";

TEST(Spin, TwoClientsTakeTurnsWithoutAChannel) {
  const auto found = search(shipped_setup("spin/two-clients"));
  EXPECT_TRUE(found.complete());
  EXPECT_EQ(found.states, 685U);
  EXPECT_EQ(names_of(found.violated), "");
  using properties::Witness;
  EXPECT_NE(found.witnesses & properties::bit(Witness::contention), 0U);
  EXPECT_EQ(found.witnesses & properties::bit(Witness::parked), 0U) << "nobody waits for a message";
}

TEST(Spin, IsServedByThePlainScriptsOfASetWithoutItsOwn) {
  const auto found = search(setup_of(two_spinners));
  EXPECT_TRUE(found.complete());
  EXPECT_EQ(names_of(found.violated), "");
}

TEST(Spin, ABoundShorterThanItsLongestSleepIsBroken) {
  const auto found = search(setup_of(std::string(two_spinners) + "\n[bounds]\ngrant = \"1ms\"\n"));
  EXPECT_EQ(names_of(found.violated), "granted-in-time");
}

TEST(Spin, AnUnlockThatIgnoresItsHolderIsCaught) {
  model::Setup setup = setup_of("scripts = \"redisson@3.12.3\"\n" + std::string(R"([process.A]
threads = [["lock spin:orders", "work 50ms", "unlock spin:orders"]]
[process.B]
threads = [["unlock spin:orders"]])"));
  setup.scripts.roles["unlock"].text = "return redis.call('del', KEYS[1])";
  const auto found = search(setup, {.enough = properties::bit(properties::Property::owner_only)});
  EXPECT_NE(found.violated & properties::bit(properties::Property::owner_only), 0U);
}

TEST(Spin, AnInterruptOfTheSleepThrowsOutOfLock) {
  const auto found = search(setup_of(R"([process.A]
threads = [["lock spin:orders", "work 20ms", "unlock spin:orders"]]
[process.B]
threads = [["start 5ms", "lock spin:orders", "unlock spin:orders"]]
[faults]
interrupt-thread = 1)"));
  EXPECT_TRUE(found.complete());
  EXPECT_NE(found.witnesses & properties::bit(properties::Witness::interrupted), 0U);
  EXPECT_EQ(names_of(found.violated).find("mutual-exclusion"), std::string::npos);
}

}  // namespace
}  // namespace lockstep::scenarios
