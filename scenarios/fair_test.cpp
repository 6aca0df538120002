// The fair lock: instants that are told from now on, and what it costs to wait behind the dead.
#include <gtest/gtest.h>

#include "scenarios/exploring.h"

namespace lockstep::scenarios {
namespace {

std::string fair_pair(const std::string& first, const std::string& more = "") {
  return "scripts = \"redisson@3.32.0\"\n[process.P]\ncount = 2\nthreads = [[" + first +
         "\"lock fair:orders lease=10s\", \"work 1s\", \"unlock fair:orders\"]]\n" + more;
}

std::uint64_t states_with_now(const model::Setup& setup) {
  Checked system(setup, {.with_now = true});
  sim::SearchOptions<Checked> how;
  how.limits.states_max = 400'000;
  const auto found = sim::explore(system, std::move(how));
  EXPECT_TRUE(found.complete());
  return found.states;
}

TEST(FairWorlds, ComeBackToTheSameSituationAtAnotherTime) {
  const model::Setup setup = setup_of(fair_pair("\"start 0..3s\", "));
  const auto found = search(setup, {.symmetry = false});
  EXPECT_TRUE(found.complete());
  EXPECT_LT(found.states, states_with_now(setup));
}

TEST(FairWorlds, AreTheSameByDigestsAndByWholeStatesAndWithAllActorsToldApart) {
  const model::Setup setup = shipped_setup("fair/round-and-round");
  const auto usual = search(setup), exact = search(setup, {.key = sim::StateKey::exact}),
             apart = search(setup, {.symmetry = false});
  EXPECT_EQ(usual.states, exact.states);
  EXPECT_EQ(usual.transitions, exact.transitions);
  EXPECT_EQ(names_of(usual.violated), "");
  EXPECT_EQ(names_of(apart.violated), "");
  EXPECT_EQ(usual.witnesses, apart.witnesses);
}

/// Behind a WAIT that nobody answers the unlock is begun anew later; until then it has no words, and so no
/// instants among them.
TEST(FairWorlds, AnUnlockThatIsBegunAnewHasNoInstantsBeforeItIsSent) {
  const model::Setup setup = setup_of(
      "scripts = \"redisson@4.7.0\"\n[redis]\nmode = \"replicated\"\nnodes = 2\n[process.A]\n"
      "threads = [[\"lock fair:x lease=9s\", \"unlock fair:x\"]]\n[faults]\nfixed = [\"cut R1 after A "
      "acquires x\"]\n");
  const auto usual = search(setup), exact = search(setup, {.key = sim::StateKey::exact});
  EXPECT_TRUE(usual.complete());
  EXPECT_EQ(usual.states, exact.states);
  EXPECT_GT(usual.states, 100U);
}

/// A script of the fair lock with something in front of it.
bool needs_now(const std::string& front) {
  model::Setup setup = setup_of(fair_pair(""));
  lua::Script& lock = setup.scripts.roles.at("fair-lock");
  lock.text = front + lock.text;
  Checked system(setup);
  sim::SearchOptions<Checked> how;
  how.limits.stop = [&] { return system.needs_now(); };
  sim::explore(system, std::move(how));
  return system.needs_now();
}

TEST(FairWorlds, CountWhatTimeItIsOnlyIfAScriptLooksAtMoreThanDifferences) {
  EXPECT_FALSE(needs_now(""));
  EXPECT_TRUE(needs_now("redis.call('set', KEYS[1] .. ':asked', ARGV[4], 'px', 500) "));
  EXPECT_TRUE(needs_now("if tonumber(ARGV[4]) % 2 == 1 then return 7 end "));
  EXPECT_TRUE(needs_now("redis.call('zadd', KEYS[3], 5, 'x') redis.call('zrem', KEYS[3], 'x') "
                        "redis.call('zadd', KEYS[3], 6, 'y') "));
}

TEST(FairWorlds, PlainLocksHaveNoQueueToJudge) {
  const auto found = search(shipped_setup("plain/two-clients"));
  const sim::WitnessMask of_queues = properties::bit(properties::Witness::queued);
  EXPECT_EQ(found.witnesses & of_queues, 0U);
}

}  // namespace
}  // namespace lockstep::scenarios
