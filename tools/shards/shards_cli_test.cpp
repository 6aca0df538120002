// `check --shard` and `merge`: parts say together what one check says, and what is no part of it is refused.
#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "tools/cli/cli_fixture.h"
#include "tools/shards/place.h"

namespace lockstep::tools {
namespace {

using ::testing::HasSubstr;

// ---- which shard it is

std::string shard_of(const std::string& word, std::map<std::string, std::string> around = {}) {
  const auto shard = parse_shard(word, [&](const char* name) {
    const auto found = around.find(name);
    return found == around.end() ? std::nullopt : std::optional(found->second);
  });
  return shard ? tools::text_of(*shard) : shard.problem().text;
}

TEST(Shards, AreNumberedFromOne) {
  EXPECT_EQ(shard_of("1/1"), "1/1");
  EXPECT_EQ(shard_of("8/8"), "8/8");
  for (const char* wrong :
       {"0/8", "9/8", "1", "1/", "/8", "a/8", "1/0", "-1/8", "1/8/2", "auto/0", "auto/x", ""})
    EXPECT_THAT(shard_of(wrong), HasSubstr("wants I/N with I from 1 to N")) << wrong;
}

TEST(Shards, BatchSystemsSayTheirPlace) {
  EXPECT_EQ(shard_of("auto", {{"SLURM_ARRAY_TASK_ID", "7"},
                              {"SLURM_ARRAY_TASK_COUNT", "4"},
                              {"SLURM_ARRAY_TASK_MIN", "1"},
                              {"SLURM_ARRAY_TASK_MAX", "7"},
                              {"SLURM_ARRAY_TASK_STEP", "2"}}),
            "4/4");
  EXPECT_EQ(shard_of("auto", {{"SLURM_ARRAY_TASK_ID", "0"}, {"SLURM_ARRAY_TASK_COUNT", "4"}}), "1/4");
  EXPECT_EQ(shard_of("auto/8", {{"JOB_COMPLETION_INDEX", "0"}}), "1/8");
  EXPECT_EQ(shard_of("auto", {{"OMPI_COMM_WORLD_RANK", "2"}, {"OMPI_COMM_WORLD_SIZE", "3"}}), "3/3");
  EXPECT_EQ(shard_of("auto", {{"OMPI_COMM_WORLD_RANK", "2"},
                              {"OMPI_COMM_WORLD_SIZE", "3"},
                              {"SLURM_ARRAY_TASK_ID", "1"},
                              {"SLURM_ARRAY_TASK_COUNT", "4"}}),
            "6/12")
      << "a task of the array starts mpirun";
  EXPECT_EQ(
      shard_of("auto/8",
               {{"OMPI_COMM_WORLD_RANK", "1"}, {"OMPI_COMM_WORLD_SIZE", "2"}, {"JOB_COMPLETION_INDEX", "7"}}),
      "16/16");
  EXPECT_EQ(shard_of("2/3", {{"OMPI_COMM_WORLD_RANK", "0"}, {"OMPI_COMM_WORLD_SIZE", "9"}}), "2/3")
      << "what is said counts";
}

TEST(Shards, ABatchSystemThatDoesNotSayEnoughIsRefused) {
  EXPECT_THAT(shard_of("auto"), HasSubstr("say I/N"));
  EXPECT_THAT(shard_of("auto", {{"JOB_COMPLETION_INDEX", "0"}}), HasSubstr("say auto/N"));
  EXPECT_THAT(shard_of("auto/4", {{"JOB_COMPLETION_INDEX", "4"}}),
              HasSubstr("there are 4, and this is number 5"));
  EXPECT_THAT(shard_of("auto", {{"OMPI_COMM_WORLD_RANK", "2"}}),
              HasSubstr("OMPI_COMM_WORLD_SIZE is not set"));
  EXPECT_THAT(shard_of("auto", {{"OMPI_COMM_WORLD_RANK", "x"}, {"OMPI_COMM_WORLD_SIZE", "3"}}),
              HasSubstr("which is no number of a task"));
  EXPECT_THAT(shard_of("auto", {{"SLURM_ARRAY_TASK_ID", "5"},
                                {"SLURM_ARRAY_TASK_COUNT", "3"},
                                {"SLURM_ARRAY_TASK_MIN", "1"},
                                {"SLURM_ARRAY_TASK_MAX", "9"}}),
              HasSubstr("do not lie evenly"));
}

// ---- parts and the whole

class ShardsCli : public CliTest {
 protected:
  static constexpr const char* broken = "plain/pause-outlives-lease";
  static constexpr const char* kept = "plain/two-clients";

  std::string shard(const std::vector<std::string>& what, int i, int n, const std::string& name) const {
    std::vector<std::string> words{"check", "--shard", std::to_string(i) + "/" + std::to_string(n), "-o",
                                   at(name)};
    words.insert(words.end(), what.begin(), what.end());
    const Finished it = here(words);
    EXPECT_EQ(it.status, 0) << it.err;
    return at(name);
  }
  std::vector<std::string> shards(const std::vector<std::string>& what, int n) const {
    std::vector<std::string> files;
    for (int i = n; i >= 1; --i)  // the last first
      files.push_back(shard(what, i, n, std::to_string(i) + "-of-" + std::to_string(n)));
    return files;
  }
  Finished merged(std::vector<std::string> files, std::vector<std::string> more = {}) const {
    std::vector<std::string> words{"merge"};
    words.insert(words.end(), files.begin(), files.end());
    words.insert(words.end(), more.begin(), more.end());
    return here(words);
  }
};

TEST_F(ShardsCli, PartsSayTogetherWhatOneCheckSays) {
  for (const char* strategy : {"random", "pct"})
    for (const std::vector<std::string>& scenarios :
         {std::vector<std::string>{broken}, {kept, "failover/master-dies-before-replication"}}) {
      std::vector<std::string> what = scenarios;
      for (const char* word :
           {"--runs", "21", "--seed", "5", "--max-steps", "25", "--strategy", strategy})
        what.emplace_back(word);
      std::vector<std::string> whole{"check"};
      whole.insert(whole.end(), what.begin(), what.end());
      const Finished one = here(whole);
      EXPECT_THAT(one.out, HasSubstr("21 sampled schedules")) << one.err;
      for (const int n : {1, 3}) {
        const Finished all = merged(shards(what, n));
        EXPECT_EQ(all.out, one.out) << n;
        EXPECT_EQ(all.status, one.status);
        EXPECT_EQ(all.err, "");
      }
    }
}

/// Of more than one scenario, one of them with a fault; each shard meets less than all of them together.
TEST_F(ShardsCli, TogetherTheyCoverWhatOneCheckCovers) {
  const std::vector<std::string> what{kept,         "failover/master-dies-before-replication",
                                      "--runs",     "12",
                                      "--seed",     "3",
                                      "--strategy", "random",
                                      "--coverage"};
  std::vector<std::string> whole{"check"};
  whole.insert(whole.end(), what.begin(), what.end());
  const Finished one = here(whole);
  EXPECT_THAT(one.out, HasSubstr("ways of conditions in scripts that ran")) << one.err;
  EXPECT_THAT(one.out, HasSubstr("behind crash-node"));
  const auto covered = [](const Finished& it) {
    std::vector<nlohmann::json> all;
    for (const auto& result : nlohmann::json::parse(it.out)) all.push_back(result["covered"]);
    return all;
  };
  whole.insert(whole.end(), {"--format", "json"});
  const auto in_json = covered(here(whole));
  ASSERT_EQ(in_json.size(), 2U);
  EXPECT_GT(in_json[1]["met"], 20);
  for (const int n : {1, 2, 4}) {
    std::vector<std::string> files = shards(what, n);
    EXPECT_EQ(merged(files).out, one.out) << n;
    std::reverse(files.begin(), files.end());
    EXPECT_EQ(merged(files).out, one.out) << n;
    const auto part = files.front();
    files.insert(files.begin(), {"--format", "json"});
    EXPECT_EQ(covered(merged(files)), in_json) << n;
    if (n == 4) { EXPECT_LT(covered(merged({"--format", "json", part}))[1]["met"], in_json[1]["met"]); }
  }
}

TEST_F(ShardsCli, MoreShardsThanRunsIsNoMistake) {
  const std::vector<std::string> what{kept, "--runs", "2", "--strategy", "random"};
  EXPECT_EQ(merged(shards(what, 3)).out, here({"check", kept, "--runs", "2", "--strategy", "random"}).out);
}

TEST_F(ShardsCli, AMissingShardIsSaidAndNothingHolds) {
  std::vector<std::string> files = shards({kept, "--runs", "20"}, 4);
  files.erase(files.begin());
  const Finished it = merged(files);
  EXPECT_EQ(it.status, 3);
  EXPECT_THAT(it.err, HasSubstr("of 4 shards 1 is missing: 4"));
  EXPECT_THAT(it.out, HasSubstr("unknown"));
  EXPECT_THAT(it.out, ::testing::Not(HasSubstr("passed")));
}

TEST_F(ShardsCli, WhatIsNoPartOfItIsRefused) {
  const std::string one = shard({kept, "--runs", "20"}, 1, 2, "one");
  const auto refused = [&](const std::string& other, const std::string& sentence) {
    const Finished it = merged({one, other});
    EXPECT_EQ(it.status, 2) << sentence;
    EXPECT_EQ(it.out, "");
    EXPECT_THAT(it.err, HasSubstr(sentence));
  };
  refused(one, "shard 1/2 is there already");
  refused(shard({broken, "--runs", "20"}, 2, 2, "scenario"), "of another scenario");
  refused(shard({kept, "--runs", "20", "--scripts", "redisson@3.12.3"}, 2, 2, "scripts"), "of other scripts");
  refused(shard({kept, "--runs", "21"}, 2, 2, "runs"), "of another question");
  refused(shard({kept, "--runs", "20", "--seed", "2"}, 2, 2, "seed"), "of another question");
  refused(shard({kept, "--runs", "20", "--coverage"}, 2, 2, "coverage"), "of another question");
  refused(shard({kept, "--runs", "20"}, 2, 3, "division"), "of another division (2/3 and not 1/2)");
  std::string text = content(one);
  const auto change = [&](const std::string& from, const std::string& to) {
    std::string changed = text;
    changed.replace(changed.find(from), from.size(), to);
    return file("changed", changed);
  };
  refused(change("\"runs\":20", "\"runs\":30"), "its sum differs");
  refused(change("\"v\":4", "\"v\":3"), "it is of format 3");
  for (const std::string& bad : bad_files()) EXPECT_EQ(merged({one, bad}).status, 2) << bad;
}

TEST_F(ShardsCli, ASceneThatChangedIsRefused) {
  const std::string scenario = file("mine.toml", content("scenarios/plain/two-clients.toml"));
  const std::string only = shard({scenario, "--runs", "5"}, 1, 1, "only");
  EXPECT_EQ(merged({only}).status, 1) << "it expects a proof, and these are samples";
  file("mine.toml", content("scenarios/plain/three-clients.toml"));
  EXPECT_EQ(merged({only}).status, 2);
}

TEST_F(ShardsCli, OnlySamplesAreDivided) {
  EXPECT_EQ(here({"check", kept, "--shard", "1/2"}).status, 2) << "how many runs?";
  EXPECT_EQ(here({"check", kept, "--runs", "5", "--shard", "1/2", "--strategy", "bfs"}).status, 2);
  EXPECT_EQ(here({"check", kept, "--runs", "5", "--shard", "3/2"}).status, 2);
  EXPECT_EQ(here({"merge"}).status, 2);
}

}  // namespace
}  // namespace lockstep::tools
