// check with other ways to search: several workers, steps taken anew, fewer orders. The answer is the same.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "sim/testing/sanitizers.h"
#include "tools/cli/cli_fixture.h"
#include "tools/cli/exit_code.h"

namespace lockstep::tools {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class SearchCli : public CliTest {};

using Words = std::vector<std::string>;

/// Under a sanitizer not to the end: the same code runs in less.
Words to_search(const Words& asked) {
  Words words{"check", "--strategy", "bfs", "--format", "json"};
  words.insert(words.end(), asked.begin(), asked.end());
  const bool is_limited = std::find(asked.begin(), asked.end(), "--max-states") != asked.end();
  if (sim::testing::address_sanitizer && !is_limited) words.insert(words.end(), {"--max-states", "800"});
  return words;
}

/// Every way an answer may be reached: complete, violated, cut by a limit, begun again without symmetry.
TEST_F(SearchCli, AnyNumberOfWorkersGivesTheSameAnswer) {
  for (const Words& asked :
       {Words{"plain/three-clients"}, {"failover/master-dies-before-replication"},
        {"plain/three-clients", "--max-states", "500"}, {"fair/holder-crashes"},
        {"plain/three-clients", "--no-symmetry", "--property", "mutual-exclusion"},
        {"plain/pause-outlives-lease", "--reduce"}}) {
    const Words words = to_search(asked);
    const Finished alone = here(words);
    ASSERT_THAT(alone.out, HasSubstr("\"states\"")) << alone.err;
    for (const char* workers : {"2", "3"}) {
      auto with = words;
      with.insert(with.end(), {"-j", workers});
      const Finished several = here(with);
      EXPECT_EQ(several.out, alone.out) << asked.front();
      EXPECT_EQ(several.status, alone.status);
    }
  }
}

TEST_F(SearchCli, StepsThatAreTakenAnewLeadToTheSame) {
  for (const Words& asked :
       {Words{"plain/three-clients"}, {"failover/master-dies-before-replication"},
        {"plain/three-clients", "--max-states", "500"}, {"fair/holder-crashes", "--no-symmetry"},
        {"plain/pause-outlives-lease", "--reduce"}}) {
    Words words = to_search(asked);
    const Finished usual = here(words);
    ASSERT_THAT(usual.out, HasSubstr("\"states\"")) << usual.err;
    words.emplace_back("--no-memo");
    const Finished anew = here(words);
    EXPECT_EQ(anew.out, usual.out) << asked.front();
    EXPECT_EQ(anew.status, usual.status);
  }
  for (const std::vector<std::string>& other :
       {std::vector<std::string>{"--deepen"}, {"--preemptions", "1"}, {"--strategy", "pct"},
        {"--save", "kept"}}) {
    std::vector<std::string> words{"check", "plain/two-clients", "--no-memo"};
    words.insert(words.end(), other.begin(), other.end());
    EXPECT_EQ(here(words).status, status(ExitCode::usage)) << other.front();
  }
}

TEST_F(SearchCli, WithFewerOrdersTheVerdictsAreTheSame) {
  const Finished whole = here({"check", "plain/three-clients"});
  const Finished reduced = here({"check", "plain/three-clients", "--reduce"});
  EXPECT_EQ(reduced.status, whole.status);
  EXPECT_THAT(reduced.out, HasSubstr(", under symmetry, with partial-order reduction, complete\n"));
  EXPECT_THAT(whole.out, Not(HasSubstr("partial-order")));
  const auto verdicts = [](const std::string& out) { return out.substr(out.find(", complete\n")); };
  EXPECT_EQ(verdicts(reduced.out), verdicts(whole.out));
  EXPECT_THAT(here({"check", "plain/three-clients", "--reduce", "--format", "json"}).out,
              HasSubstr("\"reduction\": \"partial order\""));
}

/// Whichever way the search goes: the same verdicts, and the same vacuity, with all orders and with fewer.
TEST_F(SearchCli, WithFewerOrdersEveryWayOfSearchingHasTheSameVerdicts) {
  const std::regex verdict("\"(name|property|verdict|vacuous)\": [^\n]*");
  const auto verdicts = [&](const std::vector<std::string>& words) {
    const std::string out = here(words).out;
    std::vector<std::string> all;
    for (std::sregex_iterator at(out.begin(), out.end(), verdict), end; at != end; ++at)
      all.push_back(at->str());
    return all;
  };
  for (const char* scenario : {"multi/lease", "plain/stale-write"})
    for (const std::vector<std::string>& way :
         {std::vector<std::string>{"--strategy", "bfs"}, {"--strategy", "bfs", "-j", "2"},
          {"--strategy", "dfs"}, {"--strategy", "bfs", "--deepen"}}) {
      std::vector<std::string> words{"check", scenario, "--no-shrink", "--format", "json"};
      words.insert(words.end(), way.begin(), way.end());
      const auto whole = verdicts(words);
      words.emplace_back("--reduce");
      EXPECT_FALSE(whole.empty());
      EXPECT_EQ(verdicts(words), whole) << scenario << " " << way.back();
    }
}

TEST_F(SearchCli, WhyOrdersWereNotLeftOutIsSaid) {
  const std::string text =
      "format = 1\n[time]\nhorizon = \"40s\"\n[process.A]\nthreads = [[\"trylock a\"]]\n";
  const Finished it = here({"check", file("horizon.toml", text), "--reduce"});
  EXPECT_THAT(it.out, HasSubstr("complete; partial-order reduction: off, because there is a horizon"));
  EXPECT_THAT(it.out, Not(HasSubstr("with partial-order reduction")));
  EXPECT_THAT(here({"check", file("horizon.toml", text), "--reduce", "--format", "json"}).out,
              HasSubstr("\"reduction_off\": \"there is a horizon\""));
}

TEST_F(SearchCli, SamplesLeaveOutNoOrders) {
  const Finished it = here({"check", "plain/two-clients", "--reduce", "--strategy", "pct"});
  EXPECT_EQ(it.status, status(ExitCode::usage));
  EXPECT_THAT(it.err,
              HasSubstr("--reduce leaves out what a search would do, and --strategy pct only samples"));
  const Finished counted = here({"check", "plain/two-clients", "--reduce", "--preemptions", "2"});
  EXPECT_EQ(counted.status, status(ExitCode::usage));
  EXPECT_THAT(counted.err, HasSubstr("--preemptions counts how moves follow each other"));
}

TEST_F(SearchCli, AtLeastOneWorkerSearches) {
  for (const char* workers : {"0", "257", "-1", "two"}) {
    const Finished it = here({"check", "plain/two-clients", "-j", workers});
    EXPECT_EQ(it.status, status(ExitCode::usage));
    EXPECT_THAT(it.err, HasSubstr(fmt::format("-j wants a number of workers from 1 to 256, not `{}`",
                                              workers)));
  }
}

}  // namespace
}  // namespace lockstep::tools
