// Worlds that users write first, and how few states they need: what the identity of a state leaves out
// (model/world/identity.h), and what is not offered where it makes no difference (model/world/lazy.h).
//
// A change of a number is a change of what a state is, and the commit that makes it says why.
#include <gtest/gtest.h>

#include "scenarios/exploring.h"
#include "sim/testing/sanitizers.h"

namespace lockstep::scenarios {
namespace {

/// States differ in what was broken on the way to them; these counts are without how programs end, and
/// without what is judged on request only.
constexpr sim::PropertyMask counted_with = [] {
  sim::PropertyMask mask =
      ~(properties::bit(Property::no_script_error) | properties::bit(Property::no_uncaught_exception));
  for (const properties::PropertyInfo& one : properties::catalog)
    if (one.on_request) mask &= ~properties::bit(one.property);
  return mask;
}();

struct World {
  const char* name;
  const char* scenario;
  std::uint64_t states, transitions;
  const char* violated;
};

void PrintTo(const World& world, std::ostream* out) { *out << world.name; }

const std::vector<World> worlds = {
    {"five_processes_try", "[process.P]\ncount = 5\nthreads = [[\"trylock orders\"]]\n", 513, 2'092, ""},
    {"five_threads_try",
     "[process.P]\nthreads = [[\"trylock orders\"], [\"trylock orders\"], [\"trylock orders\"], "
     "[\"trylock orders\"], [\"trylock orders\"]]\n",
     513, 2'092, ""},
    {"one_cut_link",
     "[process.A]\nthreads = [[\"lock orders\", \"work 10s\", \"unlock orders\"]]\n[faults]\ncut-link = 1\n",
     8'642, 34'724, "reentrancy"},
    {"one_process_under_failover",
     "[redis]\nmode = \"replicated\"\nnodes = 2\n"
     "[process.A]\nthreads = [[\"lock orders\", \"work 10s\", \"unlock orders\"]]\n"
     "[faults]\ncrash-node = 1\nfailover = 1\nfailover-needs-dead-master = true\n",
     1'379, 2'397, "reentrancy"},
    {"beside_an_idle_one",
     "[redis]\nmode = \"replicated\"\nnodes = 2\n"
     "[process.A]\nthreads = [[\"lock orders\", \"work 10s\", \"unlock orders\"]]\n"
     "[process.B]\nthreads = [[\"think 0s\"]]\n"
     "[faults]\ncrash-node = 1\nfailover = 1\nfailover-needs-dead-master = true\n",
     1'521, 2'763, "reentrancy"},
    {"beside_two_idle_ones",
     "[redis]\nmode = \"replicated\"\nnodes = 2\n"
     "[process.A]\nthreads = [[\"lock orders\", \"work 10s\", \"unlock orders\"]]\n"
     "[process.B]\ncount = 2\nthreads = [[\"think 0s\"]]\n"
     "[faults]\ncrash-node = 1\nfailover = 1\nfailover-needs-dead-master = true\n",
     1'799, 3'865, "reentrancy"},
};

class SmallerWorlds : public testing::TestWithParam<World> {};

TEST_P(SmallerWorlds, HaveNoMoreStatesThanTheyNeed) {
  const World& world = GetParam();
  const auto found = search(setup_of(world.scenario), {.watched = counted_with});
  EXPECT_TRUE(found.complete());
  EXPECT_EQ(found.states, world.states);
  EXPECT_EQ(found.transitions, world.transitions);
  EXPECT_EQ(names_of(found.violated), world.violated);
}

INSTANTIATE_TEST_SUITE_P(All, SmallerWorlds, testing::ValuesIn(worlds),
                         [](const auto& world) { return std::string(world.param.name); });

TEST(SmallerWorlds, TwoProcessesUnderFailoverNeedATenthOfAMillionStates) {
  const auto found =
      search(shipped_setup("failover/master-dies-before-replication"), {.watched = counted_with});
  EXPECT_TRUE(found.complete());
  EXPECT_EQ(found.states, 94'189U);
  EXPECT_EQ(names_of(found.violated),
            "mutual-exclusion mutual-exclusion-within-lease reentrancy nothing-left-behind");
}

TEST(SmallerWorlds, WithFewerOrdersNeedAFifthOfThem) {
  if (sim::testing::address_sanitizer) GTEST_SKIP() << "too slow under a sanitizer";
  const auto found = search(shipped_setup("failover/master-dies-before-replication"),
                            {.watched = counted_with, .reduce = true});
  EXPECT_TRUE(found.complete());
  EXPECT_EQ(found.states, 17'226U);
  EXPECT_EQ(names_of(found.violated),
            "mutual-exclusion mutual-exclusion-within-lease reentrancy nothing-left-behind");
}

/// The worlds that have an aim (BENCHMARKS.md), all that is usual judged, with fewer orders.
std::uint64_t states_of_aim(const std::string& processes, const std::string& faults) {
  const auto found =
      search(setup_of("[process.P]\n" + processes +
                      "threads = [[\"lock orders\", \"work 10s\", \"unlock orders\"]]\n" + faults),
             {.states_max = 1'000'000, .reduce = true});
  EXPECT_TRUE(found.complete());
  return found.states;
}

constexpr const char* failover_of_the_dead =
    "[redis]\nmode = \"replicated\"\nnodes = 2\n"
    "[faults]\ncrash-node = 1\nfailover = 1\nfailover-needs-dead-master = true\n";

TEST(SmallerWorlds, OfTwoProcessesUnderFailoverAndOfThreeWithAPauseKeepBelowTheirAims) {
  if (sim::testing::address_sanitizer) GTEST_SKIP() << "too slow under a sanitizer";
  EXPECT_EQ(states_of_aim("count = 2\n", failover_of_the_dead), 17'993U);
  EXPECT_EQ(states_of_aim("count = 3\n", "[faults]\npause-process = 1\n"), 14'462U);
}

TEST(SmallerWorlds, OfThreeProcessesUnderFailoverKeepBelowTheirAim) {
  if (sim::testing::address_sanitizer) GTEST_SKIP() << "too slow under a sanitizer";
  EXPECT_EQ(states_of_aim("count = 3\n", failover_of_the_dead), 267'205U);
}

/// Larger ones: not where each step is checked for its use of memory, which takes minutes.
TEST(SmallerWorlds, ThreeProcessesWithAPauseOrACrash) {
  if (sim::testing::address_sanitizer) GTEST_SKIP() << "too slow under a sanitizer";
  const auto paused = search(setup_of("[process.P]\ncount = 3\n"
                                      "threads = [[\"lock orders\", \"work 10s\", \"unlock orders\"]]\n"
                                      "[faults]\npause-process = 1\n"),
                             {.watched = counted_with});
  EXPECT_TRUE(paused.complete());
  EXPECT_EQ(paused.states, 133'265U);
  const std::string steps = "[\"lock orders lease=10s\", \"work 3s\", \"unlock orders\"]";
  const auto crashed = search(setup_of("[process.P]\ncount = 3\nthreads = [" + steps + ", " + steps +
                                       "]\n[faults]\ncrash-process = 1\n"),
                              {.watched = counted_with});
  EXPECT_TRUE(crashed.complete());
  EXPECT_EQ(crashed.states, 88'414U);
}

}  // namespace
}  // namespace lockstep::scenarios
