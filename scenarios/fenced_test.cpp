// The fenced lock: what it sends, which token a write goes with, and what resources do with it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scenarios/test_told.h"

namespace lockstep::scenarios {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// What is sent is the same, whether the script tells the token or not.
class FencedAcquire : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Fenced, FencedAcquire, testing::Values("", " token"),
                         [](const auto& it) { return it.param.empty() ? "Plain" : "AndGetToken"; });

TEST_P(FencedAcquire, CountsEachGrantBesideTheHashOfThePlainLock) {
  const std::string lock = "\"lock fenced:o" + GetParam() + "\", ";
  const auto told = told_by(lock + lock + R"("unlock fenced:o", "is-held fenced:o")", "redisson@3.19.0");
  ASSERT_GT(told.size(), 16U);
  EXPECT_THAT(std::vector(told.begin(), told.begin() + 16),
              ElementsAre("EVAL 2 o redisson_lock_token:{o} 30000 a:1",  //
                          "lua: exists o", "lua: incr redisson_lock_token:{o}", "lua: hincrby o a:1 1",
                          "lua: pexpire o 30000",                        //
                          "EVAL 2 o redisson_lock_token:{o} 30000 a:1",  //
                          "lua: exists o", "lua: hexists o a:1", "lua: incr redisson_lock_token:{o}",
                          "lua: hincrby o a:1 1", "lua: pexpire o 30000",      //
                          "EVAL 2 o redisson_lock__channel:{o} 0 30000 a:1",  //
                          "lua: hexists o a:1", "lua: hincrby o a:1 -1", "lua: pexpire o 30000",
                          "HEXISTS o a:1"));
}

/// What the default schedule of one process tells about resources and tokens.
std::vector<std::string> notes_of(const std::string& programs, const std::string& rest = "") {
  const model::Setup setup = setup_of("scripts = \"redisson@3.19.0\"\n" + rest +
                                      "[process.A]\nthreads = [[" + programs + "]]\n");
  Checked system(setup);
  model::Tracer tracer(setup);
  system.tell(&tracer);
  sim::DefaultSchedule<Checked> policy;
  sim::run(system, system.initial(), policy);
  std::vector<std::string> notes;
  for (const sim::TraceEvent& event : tracer.events())
    if (event.kind == sim::TraceKind::note) notes.push_back(event.who + ": " + event.act);
  return notes;
}

TEST(Fenced, AWriteGoesWithTheLastTokenOfItsThread) {
  constexpr const char* checks = "[resource.r]\nfenced = true\n";
  EXPECT_THAT(notes_of(R"("write r", "expect false", "lock fenced:a token", "write r", "lock fenced:b token",
                          "write r", "lock fenced:a token", "unlock fenced:a", "unlock fenced:a", "write r")",
                       checks),
              ElementsAre("r: refuses a write of A1, which believes it holds nothing",
                          "A1: was given the token 1", "r: written by A1, which believes it holds a",
                          "A1: was given the token 1", "r: written by A1, which believes it holds a and b",
                          "A1: was given the token 2", "r: written by A1, which believes it holds b"));
  EXPECT_THAT(notes_of(R"("write r", "expect true")"),
              ElementsAre("r: written by A1, which believes it holds nothing"));
}

TEST(Fenced, LockAndTryLockTellNoToken) {
  EXPECT_THAT(notes_of(R"("lock fenced:a", "write r", "expect false", "trylock fenced:a", "write r",
                          "expect false", "trylock fenced:a wait=1s token", "write r", "expect true",
                          "lock fenced:a", "write r", "expect true")",
                       "[resource.r]\nfenced = true\n"),
              ElementsAre("r: refuses a write of A1, which believes it holds a",
                          "r: refuses a write of A1, which believes it holds a",
                          "A1: was given the token 3", "r: written by A1, which believes it holds a",
                          "r: written by A1, which believes it holds a"));
}

TEST(Fenced, TryLockAndGetTokenWithoutAWaitWaits) {
  const auto found = search(setup_of(R"(scripts = "redisson@3.19.0"
[process.P]
count = 2
threads = [["trylock fenced:a token", "expect true", "unlock fenced:a"]])"));
  EXPECT_TRUE(found.complete());
  EXPECT_EQ(names_of(found.violated), "");
  EXPECT_NE(found.witnesses & properties::bit(Witness::another_token), 0U);
}

TEST(Fenced, AFencedMemberOfAMultiLockTellsNoToken) {
  EXPECT_THAT(notes_of(R"("lock multi:fenced:a+b", "write r", "expect false", "unlock multi:fenced:a+b")",
                       "[resource.r]\nfenced = true\n"),
              testing::Each(testing::Not(HasSubstr("token"))));
}

TEST(Fenced, WithoutAScriptThatTellsTheTokenThereIsNone) {
  model::Setup setup = setup_of(R"(scripts = "redisson@3.19.0"
[resource.r]
fenced = true
[process.P]
count = 2
threads = [["lock fenced:a token", "write r", "expect false", "unlock fenced:a"]])");
  setup.scripts.roles.erase("fenced-lock-token");
  const auto found = search(setup);
  EXPECT_TRUE(found.complete());
  EXPECT_EQ(names_of(found.violated), "");
  EXPECT_EQ(found.witnesses & properties::bit(Witness::another_token), 0U);
  EXPECT_NE(found.witnesses & properties::bit(Witness::stale_write_refused), 0U);
}

TEST(Fenced, OlderSetsHaveNoScriptForIt) {
  const auto setup = read_scenario("format = 1\nscripts = \"redisson@3.15.0\"\n[process.A]\n"
                                   "threads = [[\"lock fenced:a\"]]\n",
                                   "a.toml", shipped_scripts(), test_vocabulary());
  ASSERT_FALSE(setup.ok());
  EXPECT_THAT(setup.problem().text,
              HasSubstr("no script for the role `fenced-lock`; Redisson has a fenced lock since 3.19.0"));
}

}  // namespace
}  // namespace lockstep::scenarios
