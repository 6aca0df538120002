// The command line of lockstep-differential, and its words when there is nothing to compare with.
#include <gtest/gtest.h>

#include "tools/differential/arguments.h"
#include "tools/differential/real_server.h"
#include "tools/testing/test_process.h"

namespace lockstep::differential {
namespace {

std::string problem(const std::vector<std::string>& words) {
  const auto parsed = parse_request(words);
  const auto* const sentence = std::get_if<std::string>(&parsed);
  return sentence ? *sentence : "";
}

TEST(Arguments, SayWhatAndHowMuchToCompare) {
  const auto parsed = parse_request({"--commands", "5", "--seed", "9", "--families", "keys,sorted-sets"});
  const Request& request = std::get<Request>(parsed);
  EXPECT_EQ(request.commands, 5u);
  EXPECT_EQ(request.scripts, 0u) << "what is not asked for does not run";
  EXPECT_EQ(request.seed, 9u);
  ASSERT_EQ(request.chosen.size(), 2u);
  EXPECT_EQ(request.chosen[1].name, "sorted-sets");
}

TEST(Arguments, NoneMeanARunOfEverything) {
  const Request request = std::get<Request>(parse_request({}));
  EXPECT_GT(request.commands, 0u);
  EXPECT_GT(request.scripts, 0u);
  EXPECT_GT(request.lock_scripts, 0u);
}

TEST(Arguments, WrongOnesAreNamed) {
  EXPECT_EQ(problem({"--comands", "5"}), "there is no option `--comands`");
  EXPECT_EQ(problem({"--commands"}), "`--commands` needs a value behind it");
  EXPECT_EQ(problem({"--commands", "-5"}), "`--commands -5`: a whole number belongs here");
  EXPECT_EQ(problem({"--effects", "paper"}), "`--effects paper`: file or replica belongs here");
  EXPECT_EQ(problem({"--families", "keys,trees"}), "there is no family `trees`");
}

TEST(Program, WithoutAServerSaysSoAndEndsWithTwo) {
  const auto finished = tools::run_program(LOCKSTEP_DIFFERENTIAL, {"--server", "no-such-server"});
  EXPECT_EQ(finished.status, 2);
  EXPECT_EQ(
      finished.err,
      "lockstep-differential: there is no program `no-such-server` here (Debian has it in redis-server).\n");
}

TEST(Program, WithWrongWordsShowsItsUsageAndEndsWithTwo) {
  const auto finished = tools::run_program(LOCKSTEP_DIFFERENTIAL, {"--many"});
  EXPECT_EQ(finished.status, 2);
  EXPECT_NE(finished.err.find("--lock-scripts N"), std::string::npos);
}

TEST(Program, CountsWhatItCompared) {
  if (RealServer().missing()) GTEST_SKIP() << "there is no redis-server here";
  const auto finished = tools::run_program(LOCKSTEP_DIFFERENTIAL, {"--commands", "500", "--seed", "3"});
  EXPECT_EQ(finished.status, 0) << finished.out;
  EXPECT_EQ(finished.out.rfind("commands: 500 commands", 0), 0u) << finished.out;
  EXPECT_NE(finished.out.find(" 0 differences"), std::string::npos) << finished.out;
}

}  // namespace
}  // namespace lockstep::differential
