#include "scenarios/format/reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/world/faults/table.h"
#include "scenarios/format/normalise.h"
#include "scenarios/format/test_library.h"

namespace lockstep::scenarios {
namespace {

using Scenario = model::Setup;  // testing::Test has a Setup of its own
using sim::Duration;
using testing::ElementsAre;

Scenario read(std::string_view text) {
  const auto setup = read_scenario(text, "some/where/x.toml", test_library(), test_vocabulary());
  EXPECT_TRUE(setup.ok()) << (setup.ok() ? "" : setup.problem().text);
  return setup.ok() ? *setup : Scenario{};
}

std::vector<std::string> thread_names(const Scenario& setup) {
  std::vector<std::string> names;
  for (const model::ThreadSetup& thread : setup.threads) names.push_back(thread.name);
  return names;
}

TEST(Reader, ALegalScenarioFitsInThreeLinesAndEverythingElseHasADefault) {
  const Scenario setup = read("format = 1\n[process.A]\nthreads = [[\"lock a\", \"unlock a\"]]\n");
  EXPECT_EQ(setup.name, "x");
  EXPECT_EQ(setup.scripts.name, "redisson@3.10.5");
  EXPECT_EQ(setup.topology, model::Topology::single);
  ASSERT_EQ(setup.nodes.size(), 1U);
  EXPECT_EQ(setup.nodes[0].name, "R0");
  EXPECT_EQ(setup.network, model::Network{});
  EXPECT_EQ(setup.client, redisson::Settings{});
  EXPECT_EQ(setup.epoch_ms, 1'700'000'000'000);
  EXPECT_TRUE(setup.faults.none());
  EXPECT_FALSE(setup.horizon.has_value());
  EXPECT_FALSE(setup.grant_bound.has_value());
  EXPECT_EQ(setup.processes[0].client_id, "00000000-0000-4000-8000-00000000000a");
  EXPECT_EQ(setup.threads[0].java_id, 1);
  EXPECT_EQ(setup.digest.size(), 32U);
}

TEST(Reader, ThreadsAreNamedAfterTheirProcessWithADotBehindADigit) {
  const Scenario setup = read(R"(format = 1
[process.W]
count = 2
threads = [["lock a"], ["lock b"]]
[process.A]
threads = [{ count = 2, steps = ["lock a"] }, { id = 26, steps = ["lock a"] }]
[process.P1]
threads = [["lock a"]]
)");
  EXPECT_THAT(thread_names(setup), ElementsAre("A1", "A2", "A3", "P1.1", "W-1.1", "W-1.2", "W-2.1", "W-2.2"));
  EXPECT_EQ(setup.threads[2].java_id, 26);
  EXPECT_EQ(setup.threads[7].process, sim::make_id<sim::ProcessId>(3));
}

TEST(Reader, ManyEqualProcessesAreInTheirNaturalOrder) {
  const Scenario setup = read("format = 1\n[process.W]\ncount = 11\nthreads = [[\"lock a\"]]\n");
  ASSERT_EQ(setup.processes.size(), 11U);
  EXPECT_EQ(setup.processes[1].name, "W-2");
  EXPECT_EQ(setup.processes[10].name, "W-11");
  EXPECT_TRUE(natural_less("W-2", "W-10"));
  EXPECT_FALSE(natural_less("W-10", "W-2"));
  EXPECT_TRUE(natural_less("W", "W-1"));
  EXPECT_NE(natural_less("W-01", "W-1"), natural_less("W-1", "W-01"));
}

TEST(Reader, ProcessesAreAlikeIfProgramsClockAndFixedFaultsDoNotTellThemApart) {
  const Scenario setup = read(R"(format = 1
[process.A]
threads = [["lock a"]]
[process.B]
threads = [["lock   a"]]
[process.C]
threads = [["lock a"]]
clock = "+1s"
[process.D]
threads = [["lock a"]]
[process.E]
threads = [["lock b"]]
[faults]
fixed = ["pause D at 5s"]
)");
  std::vector<std::uint16_t> alike;
  for (const model::ProcessSetup& process : setup.processes) alike.push_back(process.alike);
  EXPECT_THAT(alike, ElementsAre(0, 0, 1, 2, 3));
}

TEST(Reader, TimeRedisAndRedissonAreRead) {
  const Scenario setup = read(R"(format = 1
[process.A]
threads = [["lock a"]]
[time]
watchdog = "9s"
network = "any"
held_max = 2
grain = "300ms"
horizon = "2m"
epoch = 2000-01-01T00:00:00.250+01:00
[redis]
mode = "replicated"
nodes = 3
expiry = "lazy"
persistence = "append-only"
fsync = "no"
script-cache = true
[redis.clock]
R2 = "-400ms"
[redisson]
version = "3.10.7"
response-timeout = "1s"
retry-attempts = 0
mutant = ["unlock-keeps-renewing", "ttl-wait-not-outlasted"]
[bounds]
grant = "0ms"
busy-poll = 3
)");
  EXPECT_EQ(setup.client.watchdog, Duration(9000));
  EXPECT_EQ(setup.network, (model::Network{model::NetworkKind::any, {}, 2}));
  EXPECT_EQ(setup.grain, Duration(300));
  EXPECT_EQ(setup.horizon, Duration(120'000));
  EXPECT_EQ(setup.epoch_ms, 946'681'200'250);
  ASSERT_EQ(setup.nodes.size(), 3U);
  EXPECT_EQ(setup.nodes[0].role, model::ServerRole::master);
  EXPECT_EQ(setup.nodes[2].role, model::ServerRole::replica);
  EXPECT_EQ(setup.nodes[2].clock_offset, Duration(-400));
  EXPECT_EQ(setup.expiry, model::Expiry::lazy);
  EXPECT_EQ(setup.persistence, model::Persistence::append_only);
  EXPECT_EQ(setup.fsync, model::Fsync::no);
  EXPECT_TRUE(setup.use_script_cache);
  EXPECT_EQ(setup.client.version, "3.10.7");
  EXPECT_FALSE(setup.client.renew_again_after_zero);
  EXPECT_FALSE(setup.client.lock_returns_on_interrupt);
  EXPECT_EQ(setup.client.retry_attempts, 0);
  EXPECT_TRUE(setup.client.unlock_keeps_renewing);
  EXPECT_FALSE(setup.client.permit_ignored);
  EXPECT_EQ(setup.client.ttl_wait_extra, Duration(0));
  EXPECT_EQ(setup.grant_bound, Duration(0));
  EXPECT_EQ(setup.poll_bound, 3U);
}

TEST(Reader, IndependentMastersAreGroupsOfTheirOwnWithTheirReplicas) {
  const Scenario setup = read(R"(format = 1
[process.A]
threads = [["lock a", "unlock a"]]
[redis]
mode = "independent"
nodes = 2
replicas = 1
[redis.clock]
"R1.1" = "2s"
[faults]
failover = 1
)");
  std::vector<std::string> nodes;
  for (const model::NodeSetup& node : setup.nodes)
    nodes.push_back(node.name + (node.role == model::ServerRole::master ? " master of " : " replica in ") +
                    std::to_string(node.group.index()));
  EXPECT_THAT(nodes, ElementsAre("R0 master of 0", "R0.1 replica in 0", "R1 master of 1",
                                          "R1.1 replica in 1"));
  EXPECT_EQ(setup.nodes[3].clock_offset, Duration{2'000});
  EXPECT_EQ(read(normalised(setup)).nodes, setup.nodes);
}

TEST(Reader, BudgetsLimitsAndFixedFaultsAreRead) {
  const Scenario setup = read(R"(format = 1
[process.A]
threads = [["lock a"]]
[redis]
mode = "replicated"
[faults]
crash-node = 1
failover = 2
clock-jump = 1
clock-jumps = ["30s", "-5s", "30s"]
pause-max = "40s"
learn = "1s..2s"
failover-needs-dead-master = true
fixed = ["crash R0 at 10s", "crash A at 11s", "failover  R1 at 12000ms"]
)");
  EXPECT_EQ(model::budget_for(setup, "crash-node"), 1);
  EXPECT_EQ(model::budget_for(setup, "failover"), 2);
  EXPECT_EQ(model::budget_for(setup, "pause-process"), 0);
  EXPECT_THAT(setup.limits.clock_jumps, ElementsAre(Duration(-5000), Duration(30'000)));
  EXPECT_EQ(setup.limits.pause_max, Duration(40'000));
  EXPECT_EQ(setup.limits.learn, (model::Interval{Duration(1000), Duration(2000)}));
  EXPECT_TRUE(setup.limits.failover_needs_dead_master);
  ASSERT_EQ(setup.fixed.size(), 3U);
  EXPECT_EQ(setup.fixed[0].fault, model::find_fault("crash-node", setup));
  EXPECT_EQ(setup.fixed[1].fault, model::find_fault("crash-process", setup));
  EXPECT_EQ(setup.fixed[2].target, 1);
  EXPECT_EQ(setup.fixed[2].text, "failover R1 at 12s");
}

TEST(Reader, ExpectationsWitnessesAndAnswerCountsAreRead) {
  const Scenario setup = read(R"(format = 1
[process.A]
threads = [["trylock a via=h", "unlock a"]]
[expect]
mutual-exclusion = "proved"
owner-only = "violated"
sometimes = ["expired", "contention"]
[expect.answers]
"trylock a" = { false = 2, true = 1 }
)");
  EXPECT_EQ(setup.expect.at("mutual-exclusion"), model::Expected::proved);
  EXPECT_EQ(setup.expect.at("owner-only"), model::Expected::violated);
  EXPECT_THAT(setup.sometimes, ElementsAre("contention", "expired"));
  ASSERT_EQ(setup.answers.size(), 2U);
  EXPECT_EQ(setup.answers[0].answer, model::Answer::yes);
  EXPECT_EQ(setup.answers[1].exactly, 2U);
}

TEST(Reader, AScriptSetThatLacksARoleIsRefusedWhereItIsNamed) {
  ScriptLibrary library = test_library();
  library.sets["redisson@3.12.3"].roles.erase("renew");
  const std::string_view text =
      "format = 1\nscripts = \"redisson@3.12.3\"\n[process.A]\nthreads = [[\"lock a\"]]\n";
  const auto setup = read_scenario(text, "x.toml", library, test_vocabulary());
  ASSERT_FALSE(setup.ok());
  EXPECT_EQ(setup.problem().text,
            "error: the script set redisson@3.12.3 has no script for the role `renew`\n  --> x.toml:2:11\n"
            "2 | scripts = \"redisson@3.12.3\"\n  |           ^^^^^^^^^^^^^^^^^");
}

TEST(Reader, AScriptOfASetCanBeReplacedAndTheClientFollowsTheSetsVersion) {
  const Scenario setup = read(R"(format = 1
[scripts]
set = "redisson@3.10.5"
lock = "my/lock.lua"
[process.A]
threads = [["lock a"]]
)");
  EXPECT_EQ(setup.scripts.name, "redisson@3.10.5+lock");
  EXPECT_EQ(setup.scripts.find("lock")->text, "return 3");
  EXPECT_EQ(setup.scripts.find("unlock")->text, "return 2");
  EXPECT_EQ(setup.client.version, "3.10.5");
  const Scenario later =
      read("format = 1\nscripts = \"redisson@3.12.3\"\n[process.A]\nthreads = [[\"lock a\"]]\n");
  EXPECT_EQ(later.client.version, "3.12.3");
}

}  // namespace
}  // namespace lockstep::scenarios
