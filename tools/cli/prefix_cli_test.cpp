// `--from TRAIL[:N]`: what may follow the moves of a trail.
#include <nlohmann/json.hpp>

#include "tools/cli/cli_fixture.h"

namespace lockstep::tools {
namespace {

using ::testing::HasSubstr;

constexpr const char* begun_scenario = "plain/stale-write";

class PrefixCli : public CliTest {
 protected:
  /// The default schedule, in which nobody fails.
  std::string default_trail() const {
    const std::string trail = at("default.trail");
    EXPECT_EQ(lockstep({"run", begun_scenario, "-o", trail}).status, 0);
    return trail;
  }
  nlohmann::json checked(const std::vector<std::string>& more) const {
    std::vector<std::string> words{"check", begun_scenario, "--format", "json", "--out-dir", at("out")};
    words.insert(words.end(), more.begin(), more.end());
    const Finished it = lockstep(words);
    EXPECT_TRUE(it.status == 0 || it.status == 1) << it.err;
    return nlohmann::json::parse(it.out)[0];
  }
  static std::string verdict(const nlohmann::json& result, const std::string& property) {
    for (const auto& one : result["properties"])
      if (one["name"] == property) return one["verdict"];
    return "";
  }
};

TEST_F(PrefixCli, ACheckAsksOnlyWhatMayFollowAndItsCounterexampleBeginsSo) {
  const std::string trail = default_trail();
  const auto all = checked({}), rest = checked({"--from", trail + ":3"});
  EXPECT_LT(rest["states"], all["states"]);
  EXPECT_EQ(verdict(rest, "mutual-exclusion"), "violated");
  EXPECT_THAT(rest["within"].dump(), HasSubstr("only what may follow 3 moves that were given"));
  const std::string found = at("out") + "/" + begun_scenario + "/mutual-exclusion.trail";
  EXPECT_EQ(lockstep({"replay", found}).status, 0);
  const auto again = checked({"--from", found});
  EXPECT_EQ(verdict(again, "mutual-exclusion"), "violated") << "it was broken before";
}

TEST_F(PrefixCli, BehindARunThatEndedNothingBreaksAnyMore) {
  const auto rest = checked({"--from", default_trail()});
  EXPECT_EQ(verdict(rest, "mutual-exclusion"), "proved");
  EXPECT_TRUE(rest["complete"]);
}

TEST_F(PrefixCli, ARunAndAStepBeginBehindIt) {
  const std::string from = default_trail() + ":4", other = at("other.trail");
  EXPECT_EQ(lockstep({"run", begun_scenario, "--from", from, "--seed", "3", "-o", other}).status, 0);
  EXPECT_EQ(lockstep({"replay", other}).status, 0);
  EXPECT_THAT(content(other),
              HasSubstr("\n\n0/4 run A1\n0/3 request A/0 -> R0\n0/4 reply R0 -> A/0\n0/4 run A1\n"));
  const Finished it = lockstep({"step", begun_scenario, "--from", from, "--choose", "u"});
  EXPECT_EQ(it.status, 0) << it.err;
  EXPECT_THAT(it.out, ::testing::StartsWith("step 4 · "));
  EXPECT_THAT(it.out, HasSubstr("step 3 · "));
}

TEST_F(PrefixCli, WhatCannotBeAPrefixIsRefused) {
  const std::string trail = default_trail();
  expect_one_sentence(lockstep({"check", begun_scenario, "--from", trail + ":100000"}), "too many");
  expect_one_sentence(lockstep({"check", begun_scenario, "--from", trail + ":0"}), "none");
  expect_one_sentence(lockstep({"check", "plain/two-clients", "--from", trail}), "of another scenario");
  expect_one_sentence(lockstep({"check", begun_scenario, "plain/two-clients", "--from", trail}),
                      "two scenarios");
  for (const std::string& bad : bad_files())
    expect_one_sentence(lockstep({"run", begun_scenario, "--from", bad}), bad);
}

/// The line behind `  again   `.
std::string again_line(const std::string& out) {
  const auto at = out.find("  again   ");
  return at == std::string::npos ? "" : out.substr(at + 10, out.find('\n', at) - at - 10);
}

TEST_F(PrefixCli, TheLineAgainFindsTheSameWithoutAnyFile) {
  const std::string scenario = "failover/master-dies-before-replication";
  const Finished it = here({"check", scenario, "--property", "mutual-exclusion"});
  const std::string line = again_line(it.out);
  ASSERT_THAT(line, ::testing::StartsWith("lockstep check " + scenario +
                                          " --property mutual-exclusion --choices 0.0.0.3.2."));
  std::filesystem::remove_all(at("out"));
  const Finished again = typed(line);
  EXPECT_EQ(again.status, 0) << again.err;
  EXPECT_THAT(again.out, HasSubstr("mutual-exclusion               violated (expected: violated)"));
  EXPECT_EQ(again_line(again.out), line);
  std::string run = line;
  run.replace(0, run.find(" failover"), "lockstep run").erase(run.find(" --property"), 28);
  const Finished played = typed(run);
  EXPECT_EQ(played.status, 0) << played.err;
  EXPECT_THAT(played.out, ::testing::HasSubstr("✗ mutual-exclusion"));
}

TEST_F(PrefixCli, ChoicesThatCannotBeMadeAreOneSentence) {
  for (const auto& [choices, why] : std::vector<std::pair<std::string, std::string>>{
           {"9", "choice 1 is 9, and the moves there are 0 to 1"}, {"0.x", "choice 2 is `x`"},
           {"0..1", "choice 2 is ``"}, {"-1", "choice 1 is `-1`"}, {"0.", "choice 2 is ``"}}) {
    const Finished it = here({"check", "plain/two-clients", "--choices=" + choices});
    expect_one_sentence(it, choices);
    EXPECT_THAT(it.err, ::testing::HasSubstr(why));
  }
  const Finished both = here({"run", "plain/two-clients", "--choices", "0", "--from", "x.trail"});
  EXPECT_EQ(both.status, 2);
  EXPECT_THAT(both.err, ::testing::HasSubstr("--from and --choices"));
}

}  // namespace
}  // namespace lockstep::tools
