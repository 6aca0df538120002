// check by samples: strategies, budgets, what was met and what never was.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include <nlohmann/json.hpp>

#include "tools/cli/cli_fixture.h"

namespace lockstep::tools {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class SamplingCli : public CliTest {
 protected:
  nlohmann::json result_of(std::vector<std::string> words) const {
    words.insert(words.begin(), "check");
    words.insert(words.end(), {"--format", "json"});
    return nlohmann::json::parse(here(words).out)[0];
  }
};

TEST_F(SamplingCli, EachPolicyHasABoundOfItsOwn) {
  const auto result = result_of({"plain/two-clients", "--strategy", "random", "--runs", "30"});
  ASSERT_EQ(result["sampled_by"].size(), 5U);
  for (const auto& by : result["sampled_by"]) {
    const double runs = by["runs"].get<double>();
    EXPECT_EQ(runs, by["policy"] == "swarm" ? 10 : 5);
    EXPECT_NEAR(by["failure_rate_below"].get<double>(), 1 - std::pow(0.05, 1 / runs), 1e-9);
  }
}

TEST_F(SamplingCli, OfRunsThatDependOnEachOtherNothingFollows) {
  const auto result = result_of({"plain/two-clients", "--strategy", "guided", "--runs", "30"});
  EXPECT_FALSE(result.contains("failure_rate_below"));
  EXPECT_FALSE(result["sampled_by"][0].contains("failure_rate_below"));
  const Finished it = here({"check", "plain/two-clients", "--strategy", "guided", "--runs", "30"});
  EXPECT_THAT(it.out, HasSubstr("guided: its runs depend on each other"));
  EXPECT_THAT(it.out, Not(HasSubstr("would have shown")));
}

TEST_F(SamplingCli, ACertificateIsGivenOrItIsSaidWhyNot) {
  const auto one = result_of({"plain/reentrant", "--strategy", "pct", "--runs", "10"})["sampled_by"][0];
  EXPECT_TRUE(one.contains("certificate") != one.contains("no_certificate")) << one;
  const auto struck =
      result_of({"plain/pause-against-lease", "--strategy", "pct", "--runs", "10"})["sampled_by"][0];
  EXPECT_EQ(struck["no_certificate"], "faults are not among the orders that it counts");
}

TEST_F(SamplingCli, TheConfidenceOfACertificateFollowsFromItsNumbers) {
  file("one.toml", "format = 1\nname = \"one\"\n[process.A]\nthreads = [[\"lock a\", \"unlock a\"]]\n");
  for (const int runs : {1, 100, 3'000}) {
    const auto by =
        result_of({at("one.toml"), "--strategy", "pct", "--runs", std::to_string(runs)})["sampled_by"][0];
    const std::string certificate = by["certificate"];
    int depth = 0, moves = 0, actors = 0;
    double percent = 0;
    ASSERT_EQ(std::sscanf(certificate.c_str(),
                          "no bug of depth %d in at most %d moves of %d actors, with %lf %% confidence",
                          &depth, &moves, &actors, &percent),
              4)
        << certificate;
    EXPECT_EQ(depth, 3);
    EXPECT_EQ(actors, 3) << "the thread, its process and the node";
    const double found_in_one = 1 / (actors * std::pow(moves, depth - 1));
    EXPECT_EQ(by["runs"], runs);
    EXPECT_NEAR(percent, 100 * (1 - std::pow(1 - found_in_one, runs)), percent / 2'000) << certificate;
  }
  const std::string sure =
      result_of({at("one.toml"), "--strategy", "pct", "--runs", "20000"})["sampled_by"][0]["certificate"];
  EXPECT_THAT(sure, HasSubstr("more than 99.99 % confidence"));
}

TEST_F(SamplingCli, ABudgetIsOfAllSamplesTogether) {
  const auto result = result_of({"plain/two-clients", "--strategy", "pos", "--budget", "400"});
  EXPECT_GE(result["steps"].get<int>(), 400);
  EXPECT_LT(result["steps"].get<int>(), 600);
}

TEST_F(SamplingCli, CoverageNamesWhatWasNeverMet) {
  const Finished it =
      here({"check", "plain/two-clients", "--strategy", "random", "--runs", "40", "--coverage"});
  EXPECT_THAT(it.out, HasSubstr("met 8 of 12 ways of conditions in scripts that ran"));
  EXPECT_THAT(it.out, HasSubstr("  never: unlock 1 was never true: if (redis.call('exists', KEYS[1]) == 0)"));
  EXPECT_THAT(here({"check", "plain/two-clients", "--strategy", "random", "--runs", "40"}).out,
              Not(HasSubstr("never: ")));
}

/// They go by ways of scripts in either case.
TEST_F(SamplingCli, GuidedRunsAreTheSameWhetherTheirCoverageIsToldOrNot) {
  const std::vector<std::string> asked{"readwrite/readers-share", "--strategy", "guided", "--runs", "100"};
  std::vector<std::string> telling = asked;
  telling.emplace_back("--coverage");
  const auto silent = result_of(asked), told = result_of(telling);
  EXPECT_EQ(silent["steps"], told["steps"]);
  EXPECT_FALSE(silent.contains("covered"));
  EXPECT_TRUE(told.contains("covered"));
}

/// Which way a condition goes depends on whose the lock is, and that on the faults before it.
TEST_F(SamplingCli, CoverageIsOfWaysWithLocksAndFaults) {
  file("two.toml", "format = 1\nname = \"two\"\nscripts = \"redisson@3.10.5\"\n[process.A]\nthreads = "
                   "[[\"lock x lease=2s\", \"lock x lease=2s\", \"unlock x\", \"work 3s\", \"unlock x\"]]\n"
                   "[process.B]\nthreads = [[\"lock x\", \"unlock x\"]]\n[faults]\npause-process = 1\n");
  for (const char* strategy : {"random", "guided"}) {
    const auto covered =
        result_of({at("two.toml"), "--strategy", strategy, "--runs", "200", "--coverage"})["covered"];
    ASSERT_EQ(covered["roles"][0]["role"], "lock");
    const auto& ways = covered["roles"][0]["ways"];
    EXPECT_EQ(ways[1]["line"], 1);
    EXPECT_EQ(ways[1]["text"], "if (redis.call('exists', KEYS[1]) == 0) then");
    EXPECT_EQ(ways[1]["holds"], true);
    const nlohmann::json behind_all{"no fault", "pause-process"};
    EXPECT_EQ(ways[1]["met"], (nlohmann::json{{"free", behind_all}})) << strategy;
    EXPECT_EQ(ways[3]["met"], (nlohmann::json{{"its asker's own", behind_all}})) << strategy;
    EXPECT_EQ(ways[4]["never"]["free"], behind_all) << strategy;
    const auto& unlock = covered["roles"][1]["ways"];
    EXPECT_EQ(unlock[5]["holds"], true) << "the hold is left";
    EXPECT_EQ(unlock[5]["met"], (nlohmann::json{{"taken again by its asker", behind_all}})) << strategy;
  }
}

TEST_F(SamplingCli, WhatDependsOnOtherRunsIsNotDivided) {
  const auto complaint = [&](std::vector<std::string> more) {
    std::vector<std::string> words{"check", "plain/two-clients", "--shard", "1/2", "--runs", "4"};
    words.insert(words.end(), more.begin(), more.end());
    const Finished it = here(words);
    EXPECT_EQ(it.status, 2);
    EXPECT_EQ(it.out, "");
    return it.err;
  };
  EXPECT_THAT(complaint({"--strategy", "guided"}), HasSubstr("those of --strategy guided do"));
  EXPECT_THAT(complaint({"--budget", "9"}), HasSubstr("does not go together with --budget"));
}

TEST_F(SamplingCli, AProofOfEveryMillisecondSaysSo) {
  const std::string scenario =
      "format = 1\nname = \"exact\"\n[time]\ngrain = \"exact\"\n"
      "[process.A]\nthreads = [[\"start 0..500ms\", \"trylock x\", \"unlock x\"]]\n";
  file("exact.toml", scenario);
  const Finished it = here({"check", at("exact.toml")});
  EXPECT_THAT(it.out, HasSubstr("within: every millisecond; start 0..500ms at each of its milliseconds"));
  EXPECT_THAT(it.out, HasSubstr("complete"));
}

}  // namespace
}  // namespace lockstep::tools
