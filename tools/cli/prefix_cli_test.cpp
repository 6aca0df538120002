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

}  // namespace
}  // namespace lockstep::tools
