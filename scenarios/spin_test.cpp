// The spin lock: sleeps that grow, no channel.
#include <gtest/gtest.h>

#include "scenarios/exploring.h"

namespace lockstep::scenarios {
namespace {

constexpr const char* two_spinners = R"(scripts = "redisson@3.15.0"
[process.P]
count = 2
threads = [["lock spin:orders", "work 50ms", "unlock spin:orders"]])";

/// A dies with the lock, for which it gave no lease the last time; B waits a second for it.
std::string lease_of_the_last_call(const std::string& kind) {
  const std::string lock = kind + ":orders";
  return "scripts = \"redisson@3.15.0\"\n[process.A]\nthreads = [[\"lock " + lock +
         " lease=300ms\", \"unlock " + lock + "\", \"lock " + lock +
         "\", \"signal held\", \"crash\"]]\n[process.B]\nthreads = [[\"await held\", \"trylock " + lock +
         " wait=1s\", \"expect true\", \"unlock " + lock + "\"]]\n";
}

TEST(Spin, TwoClientsTakeTurnsWithoutAChannel) {
  const auto found = search(shipped_setup("spin/two-clients"));
  EXPECT_TRUE(found.complete());
  EXPECT_EQ(names_of(found.violated), "");
  EXPECT_NE(found.witnesses & properties::bit(Witness::contention), 0U);
  EXPECT_EQ(found.witnesses & properties::bit(Witness::parked), 0U) << "nobody waits for a message";
}

TEST(Spin, ASetThatIsOlderThanItHasNoneAndSaysSo) {
  const auto setup = read_scenario(
      "format = 1\nscripts = \"redisson@3.14.1\"\n[process.A]\nthreads = [[\"trylock spin:a\"]]\n", "a.toml",
      shipped_scripts(), test_vocabulary());
  ASSERT_FALSE(setup.ok());
  const std::string said =
      "the script set redisson@3.14.1 has no script for the role `spin-lock`; Redisson has a spin lock since "
      "3.15.0";
  EXPECT_NE(setup.problem().text.find(said), std::string::npos) << setup.problem().text;
}

TEST(Spin, ABoundShorterThanItsLongestSleepIsBroken) {
  const auto found = search(setup_of(std::string(two_spinners) + "\n[bounds]\ngrant = \"1ms\"\n"));
  EXPECT_EQ(names_of(found.violated), "granted-in-time");
}

TEST(Spin, AsksForTheLeaseThatItsObjectAskedForLastIfItIsGivenNone) {
  const auto spun = search(setup_of(lease_of_the_last_call("spin")));
  EXPECT_TRUE(spun.complete());
  EXPECT_EQ(names_of(spun.violated), "");
  EXPECT_EQ(names_of(search(setup_of(lease_of_the_last_call("plain"))).violated), "expectations");
}

TEST(Spin, ATryWhoseTimeIsUpSleepsOnAndMayStillGetTheLock) {
  const std::string world = R"(
[process.A]
threads = [["lock spin:orders", "signal held", "work 25ms", "unlock spin:orders"]]
[process.B]
threads = [["await held", "trylock spin:orders wait=21ms", "expect true", "unlock spin:orders"]])";
  const auto found = search(setup_of("scripts = \"redisson@3.19.0\"" + world));
  EXPECT_TRUE(found.complete());
  EXPECT_EQ(names_of(found.violated), "");
  // Up to 3.17.0 it got the lock, was told that it had not, and it stayed.
  const auto refused = search(setup_of("scripts = \"redisson@3.15.0\"" + world));
  EXPECT_NE(names_of(refused.violated).find("expectations"), std::string::npos);
}

}  // namespace
}  // namespace lockstep::scenarios
