// `lockstep trace export … --as-scenario`, and `[schedule] prefix`, which it writes.
#include <nlohmann/json.hpp>

#include "tools/cli/cli_fixture.h"

namespace lockstep::tools {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* broken_scenario = "failover/master-dies-before-replication";

class PinnedCli : public CliTest {
 protected:
  /// The counterexample to mutual exclusion, as a check leaves it.
  std::string counterexample() const {
    EXPECT_EQ(lockstep({"check", broken_scenario, "--out-dir", at("out")}).status, 0);
    return at("out") + "/" + broken_scenario + "/mutual-exclusion";
  }
  std::string pinned(const std::string& run) const {
    const std::string to = at("pinned.toml");
    const Finished it = lockstep({"trace", "export", run, "--as-scenario", "-o", to});
    EXPECT_EQ(it.status, 0) << it.err;
    return to;
  }
  std::string with_prefix(const std::string& prefix) const {
    return file(
        "prefix.toml",
        "format = 1\n[process.A]\nthreads = [['lock x', 'unlock x']]\n[schedule]\nprefix = " + prefix + "\n");
  }
};

TEST_F(PinnedCli, ACounterexampleBecomesAScenarioThatShowsItByItself) {
  const std::string scenario = pinned(counterexample() + ".trail");
  const Finished it = lockstep({"check", scenario, "--out-dir", at("again")});
  EXPECT_EQ(it.status, 0) << it.out << it.err;
  EXPECT_THAT(it.out, AllOf(HasSubstr("mutual-exclusion"), HasSubstr("violated (expected: violated)"),
                            HasSubstr("only what may follow"), Not(HasSubstr("NOT as expected"))));
  const Finished run = lockstep({"run", scenario, "-o", at("run.trail")});
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(content(at("run.trail")), HasSubstr("verdict  = violated"));
  EXPECT_EQ(lockstep({"replay", at("run.trail"), "--scenario", scenario}).status, 0);
}

TEST_F(PinnedCli, ATraceIsPinnedLikeItsTrailAndTheScenarioReadsBackAsItIs) {
  const std::string run = counterexample();
  const std::string scenario = content(pinned(run + ".trail"));
  EXPECT_EQ(scenario, content(pinned(run + ".jsonl")));
  const std::string normalised = lockstep({"lint", at("pinned.toml"), "--print", "normalised"}).out;
  EXPECT_THAT(scenario, ::testing::EndsWith(normalised)) << "but for its first line";
  EXPECT_THAT(scenario, HasSubstr("[schedule]\nprefix = [\n  \"@"));
}

TEST_F(PinnedCli, ScriptsLieWhereTheNewFileFindsThem) {
  std::filesystem::create_directories(at("deep/er"));
  file("deep/lock.lua", content("scenarios/mutants/lock-ignores-holder.lua"));
  const Finished check =
      here({"check", "plain/two-clients", "--scripts", "lock=deep/lock.lua", "--out-dir", "out"});
  EXPECT_EQ(check.status, 1) << check.err;
  const std::string run = "out/plain/two-clients/mutual-exclusion.trail";
  EXPECT_EQ(here({"trace", "export", run, "--as-scenario", "-o", "deep/er/pinned.toml"}).status, 0);
  EXPECT_THAT(content(at("deep/er/pinned.toml")), HasSubstr("\"lock\" = \"../lock.lua\""));
  EXPECT_EQ(here({"check", "deep/er/pinned.toml", "--property", "mutual-exclusion"}).status, 0);
}

TEST_F(PinnedCli, EverythingBeginsBehindThePrefix) {
  const std::string scenario = with_prefix("['@3 reply R0 -> A/0']");
  EXPECT_THAT(lockstep({"step", scenario, "--choose", "u"}).out, ::testing::StartsWith("step 3 · "));
  EXPECT_THAT(lockstep({"graph", scenario, "--kind", "states", "-T", "mermaid"}).out,
              HasSubstr("state \"x: A1 · waits: A1\" as n0"));
  EXPECT_EQ(lockstep({"measure", scenario, "--runs", "2"}).status, 0);
  EXPECT_EQ(lockstep({"run", scenario, "--seed", "1", "-o", at("run.trail")}).status, 0);
  EXPECT_THAT(content(at("run.trail")), HasSubstr("request A/0 -> R0\n"));
}

TEST_F(PinnedCli, ADecisionThatNoRunTakesIsRefusedAtItsPlace) {
  const std::vector<std::pair<std::string, std::string>> wrong{
      {"['run A1', 'reply R0 -> A/0']", "no run takes this decision at step 2: there may happen `"},
      {"['run A1', '@1 run A1']", "step 1 does not come after step 1"},
      {"['run Z9']", "`Z9`"},
      {"['1/2 run A1']", "no run takes this decision at step 1"},
      {"['@500 run A1']", "nothing is left to happen there"},
      {"['']", "the decision names no move"}};
  for (const auto& [prefix, why] : wrong) {
    const Finished it = lockstep({"check", with_prefix(prefix)});
    expect_one_sentence(it, prefix);
    EXPECT_THAT(it.err, AllOf(HasSubstr(why), HasSubstr("prefix.toml:5:"))) << prefix;
  }
  expect_one_sentence(lockstep({"lint", with_prefix("['run B1']")}), "lint says it too");
}

TEST_F(PinnedCli, WhatCannotBePinnedIsRefused) {
  for (const std::string& bad : bad_files())
    expect_one_sentence(lockstep({"trace", "export", bad, "--as-scenario"}), bad);
  const std::string run = counterexample() + ".trail";
  for (const std::vector<std::string>& more : {std::vector<std::string>{"show", run, "--as-scenario"},
                                               {"export", run, "--as-scenario", "--as", "edn"},
                                               {"export", run, "--as", "edn", "--scenario", "x.toml"}}) {
    std::vector<std::string> words{"trace"};
    words.insert(words.end(), more.begin(), more.end());
    EXPECT_EQ(lockstep(words).status, 2);
  }
}

}  // namespace
}  // namespace lockstep::tools
