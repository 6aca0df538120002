// `lockstep diff` on files, run as a user runs it.
#include <nlohmann/json.hpp>

#include "tools/cli/cli_fixture.h"

namespace lockstep::tools {
namespace {

using ::testing::HasSubstr;

using DiffCli = CliTest;

constexpr const char* failover_run = "reports/goldens/failover.jsonl";
constexpr const char* pause_run = "reports/goldens/pause.jsonl";

TEST_F(DiffCli, TwoTracesAreComparedEventByEvent) {
  const Finished same = lockstep({"diff", failover_run, failover_run});
  EXPECT_EQ(same.status, 0) << same.err;
  EXPECT_THAT(same.out, HasSubstr("the same events\n"));
  const Finished other = lockstep({"diff", failover_run, pause_run});
  EXPECT_EQ(other.status, 1);
  EXPECT_THAT(other.out, HasSubstr("▶"));
  EXPECT_THAT(lockstep({"diff", failover_run, pause_run, "--by-actor"}).out, HasSubstr("\nA1\n"));
  const auto json =
      nlohmann::json::parse(lockstep({"diff", failover_run, pause_run, "--format", "json"}).out);
  EXPECT_EQ(json["outcome"], "differ");
  EXPECT_FALSE(json["rows"].empty());
}

TEST_F(DiffCli, TwoResultsAreComparedByTheirVerdicts) {
  const Finished one = here({"check", "plain/two-clients", "--format", "json", "-o", "a.json"});
  ASSERT_EQ(one.status, 0) << one.err;
  here({"check", "plain/two-clients", "--format", "json", "--max-states", "5", "-o", "b.json"});
  EXPECT_EQ(here({"diff", "a.json", "a.json"}).status, 0);
  const Finished it = here({"diff", "a.json", "b.json"});
  EXPECT_EQ(it.status, 1);
  EXPECT_THAT(it.out, HasSubstr("search: all met → cut: states\n"));
}

TEST_F(DiffCli, TheLinesOfScriptsStandBesideEachOtherAndChangeNothing) {
  const std::string loud = content("lua/scripts/unlock.lua");
  const std::string publish = "redis.call('publish', KEYS[2], ARGV[1]);";
  file("silent.lua", std::string(loud).replace(loud.find(publish), publish.size(), ""));
  const std::vector<std::string> words{"diff", "redisson@3.12.3", "unlock=silent.lua"};
  std::vector<std::string> lines = words;
  lines.emplace_back("--lines");
  const Finished plain = here(words), beside = here(lines);
  EXPECT_EQ(plain.status, 1) << plain.err;
  EXPECT_EQ(beside.status, 1);
  EXPECT_THAT(beside.out, HasSubstr(publish + "         <\n"));
  std::vector<std::string> as_json = words;
  for (std::vector<std::string>* all : {&as_json, &lines}) all->insert(all->end(), {"--format", "json"});
  auto json = nlohmann::json::parse(here(lines).out);
  auto bare = json;
  for (auto& kind : bare["kinds"]) kind.erase("scripts");
  EXPECT_EQ(bare, nlohmann::json::parse(here(as_json).out)) << "counting changes no answer";
  const auto& script = json["kinds"][0]["scripts"][0];
  EXPECT_EQ(script["role"], "unlock");
  EXPECT_GT(script["runs_a"], 0);
  std::size_t only_a = 0, same = 0;
  for (const auto& row : script["rows"]) {
    only_a += row["b"].is_null() ? 1 : 0;
    same += row["same"] == true ? 1 : 0;
  }
  EXPECT_EQ(only_a, 1u);
  EXPECT_EQ(same + 1, script["rows"].size());
}

TEST_F(DiffCli, RepliesAreComparedAsClientsReadThemOnRequest) {
  std::string text = content("lua/scripts/unlock.lua");
  text.replace(text.find("return 0"), 8, "return -1");
  const std::string unlock = "unlock=" + file("unlock.lua", text);
  EXPECT_EQ(lockstep({"diff", "redisson@3.12.3", unlock}).status, 1);
  const Finished it = lockstep({"diff", "redisson@3.12.3", unlock, "--as-read"});
  EXPECT_EQ(it.status, 0) << it.out;
  EXPECT_THAT(it.out, HasSubstr("; replies as clients read them"));
}

TEST_F(DiffCli, WhatIsNoPairOfOneKindIsRefused) {
  const std::string result = file("a.json", lockstep({"check", "plain/two-clients", "--format", "json"}).out);
  expect_one_sentence(lockstep({"diff", failover_run, result}), "a trace and a result");
  expect_one_sentence(lockstep({"diff", failover_run, "redisson@3.10.5"}), "a trace and scripts");
  const std::string whole = content(failover_run);
  expect_one_sentence(lockstep({"diff", failover_run, file("cut.jsonl", whole.substr(0, whole.size() / 2))}),
                      "cut");
  for (const std::string& bad : bad_files()) expect_one_sentence(lockstep({"diff", failover_run, bad}), bad);
  for (const std::string& bad : bad_files()) expect_one_sentence(lockstep({"diff", bad, result}), bad);
}

}  // namespace
}  // namespace lockstep::tools
