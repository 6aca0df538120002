// Partial-order reduction hides nothing in the scenarios that come with the program and in the corpus of
// properties/verdicts: as reduced_prop.cpp has it of drawn worlds.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "scenarios/corpus.h"
#include "scenarios/shipped_folders.h"
#include "scenarios/with_and_without.h"
#include "sim/testing/sanitizers.h"

namespace lockstep::scenarios {
namespace {

/// Faults that are fixed, nodes that judge each other, sessions, queues, horizons: not_reduced() says why.
const std::set<std::string> never_reduced{"cluster", "fair",   "faster-multi", "mongodb",
                                          "mysql",   "pubsub", "sentinel",     "zookeeper"};

/// More states where the smallest world that can be reduced is a large one.
std::uint64_t states_max_of(const std::string& folder) {
  if (sim::testing::address_sanitizer) return 400;
  return folder == "failover" ? 100'000 : 2'000;
}

class ReducedScenarios : public testing::TestWithParam<std::string> {};

TEST_P(ReducedScenarios, HaveTheSameVerdictsAndTheSameStatesInWhichTimePasses) {
  constexpr std::size_t threads_max = 16;
  constexpr std::uint64_t quiet_max = sim::testing::address_sanitizer ? 200 : 1'000;
  std::size_t could_be = 0, fewer = 0;
  for (const model::Setup& setup : setups_in(GetParam())) {
    if (setup.threads.size() > threads_max || !can_be_reduced(setup)) continue;
    ++could_be;
    SCOPED_TRACE(setup.name);
    const bool with_now = setup.name.starts_with("schemes/setnx-getset");
    Searching how{.states_max = states_max_of(GetParam()), .with_now = with_now};
    if (agrees_with_and_without(setup, how)) ++fewer;
    how.symmetry = false;
    agrees_with_and_without(setup, how);
    if (!with_now) meets_the_same_quiet_states(setup, quiet_max);
  }
  EXPECT_EQ(could_be == 0, never_reduced.contains(GetParam()));
  if (could_be > 0 && !sim::testing::address_sanitizer) { EXPECT_GT(fewer, 0U); }
}

INSTANTIATE_TEST_SUITE_P(All, ReducedScenarios, testing::ValuesIn(shipped_folders()),
                         [](const auto& folder) { return test_name_of(folder.param); });

/// Of 802 files 522 can be reduced, and 483 are whole within so many states: all of these have fewer then.
TEST(ReducedCorpus, HasTheSameVerdictsAndMeetsTheSameStatesInWhichTimePasses) {
  constexpr bool slow = sim::testing::address_sanitizer;
  constexpr std::uint64_t states_max = slow ? 200 : 2'000;
  std::size_t fewer = 0;
  for (const std::string& name : names_in_corpus()) {
    if (slow && name.size() % 4 != 0) continue;
    SCOPED_TRACE(name);
    const model::Setup setup = setup_in_corpus(name);
    if (!agrees_with_and_without(setup, {.symmetry = false, .states_max = states_max})) continue;
    EXPECT_TRUE(meets_the_same_quiet_states(setup, states_max));
    ++fewer;
  }
  EXPECT_GE(fewer, slow ? 1U : 483U);
}

}  // namespace
}  // namespace lockstep::scenarios
