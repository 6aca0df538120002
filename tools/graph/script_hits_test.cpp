// Counts of lines and branches, on scripts whose ways are known.
#include "tools/graph/script_hits.h"

#include <gtest/gtest.h>

#include <array>

#include "lua/engine/engine.h"
#include "properties/check/check.h"
#include "tools/cli/load.h"
#include "tools/graph/script_layout.h"

namespace lockstep::tools {
namespace {

class Nobody final : public lua::Host {
 public:
  lua::Reply call(std::span<const std::string_view>) override { return std::int64_t{1}; }
};

/// The hits of a script that ran once for each of the words.
HitCounter::Hits hits_of(const std::string& text, const std::vector<std::string_view>& words) {
  HitCounter counter;
  lua::Engine engine({.overseer = &counter});
  lua::Error problem;
  const lua::LoadedScript* const script = engine.load(text, problem);
  EXPECT_NE(script, nullptr) << problem.text;
  Nobody host;
  for (const std::string_view word : words) {
    const std::array<std::string_view, 1> argv{word};
    engine.eval(*script, {}, argv, host);
  }
  const HitCounter::Hits* const found = counter.find(script->sha1);
  return found ? *found : HitCounter::Hits{};
}

TEST(ScriptHits, EachLineIsCountedAsOftenAsItRuns) {
  const auto hits = hits_of("if ARGV[1] == 'a' then return 1; end; return 2;", {"a", "b", "a"});
  EXPECT_EQ(hits.runs, 3u);
  EXPECT_EQ(hits.lines.at(1), 3u);
  EXPECT_EQ(hits.lines.at(2), 2u);
  EXPECT_EQ(hits.lines.at(4), 1u);
}

TEST(ScriptHits, ALoopIsCountedOnceForEachRound) {
  const auto hits = hits_of("local n = 0 for i = 1, 5 do n = n + i end return n", {"x"});
  EXPECT_EQ(hits.lines.at(3), 5u);
}

TEST(ScriptHits, ABreakThatIsAllOfABodyIsSeen) {
  const auto hits = hits_of("for i = 1, 5 do if i == 3 then break end end return 1", {"x"});
  EXPECT_EQ(hits.lines.at(2), 3u);
  EXPECT_EQ(hits.lines.at(3), 1u);
}

TEST(ScriptHits, ARunIsCountedAsTheScriptsRanInIt) {
  const auto setup = load_scenario("plain/two-clients", {});
  ASSERT_TRUE(setup.ok());
  sim::Trail trail = properties::trail_header(*setup, "", "");
  trail.then = {.by_default = true, .until = {}};
  const auto counted = count_run(*setup, trail);
  ASSERT_TRUE(counted.ok());
  std::uint64_t evals = 0, runs = 0;
  for (const sim::TraceEvent& event : properties::tell(*setup, trail).trace.events)
    evals += event.kind == sim::TraceKind::eval ? 1 : 0;
  for (const reports::CountedScript& script : counted->counted.scripts) {
    runs += script.runs;
    for (const reports::CountedLine& line : script.lines) {
      if (!line.branch) continue;
      EXPECT_EQ(line.branch->taken + line.branch->not_taken, line.hits) << line.text;
    }
  }
  EXPECT_GT(evals, 2u);
  EXPECT_EQ(runs, evals);
}

TEST(ScriptHits, ASearchReachesWhatOneRunDoesNot) {
  const auto setup = load_scenario("plain/two-clients", {});
  ASSERT_TRUE(setup.ok());
  const CountedSearch counted = count_search(*setup, 100'000);
  EXPECT_TRUE(counted.complete);
  ASSERT_FALSE(counted.counted.scripts.empty());
  for (const reports::CountedScript& script : counted.counted.scripts) {
    if (script.role != "lock") continue;
    EXPECT_GT(script.lines.front().branch->taken, 0u);
    EXPECT_GT(script.lines.front().branch->not_taken, 0u);
    EXPECT_GT(script.lines.back().hits, 0u) << "refused";
  }
}

TEST(ScriptHits, ASearchThatIsCutCountsAsFarAsItCame) {
  const auto setup = load_scenario("plain/two-clients", {});
  ASSERT_TRUE(setup.ok());
  const CountedSearch counted = count_search(*setup, 20);
  EXPECT_FALSE(counted.complete);
  EXPECT_NE(counted.counted.title.find("search cut at the limit"), std::string::npos);
}

TEST(ScriptHits, TheLineOfTheViolatingWriteIsMarked) {
  const auto setup = load_scenario("failover/master-dies-before-replication", {});
  ASSERT_TRUE(setup.ok());
  const CountedSearch counted = count_search(*setup, 8'000);
  std::string broken;
  for (const reports::CountedScript& script : counted.counted.scripts)
    for (const reports::CountedLine& line : script.lines)
      if (!line.broken.empty()) broken += script.role + ": " + line.text + "\n";
  EXPECT_EQ(broken, "lock: redis.call('pexpire', KEYS[1], ARGV[1]);\n");
}

TEST(ScriptHits, StatesAndVerdictsAreWhatTheyAreWithoutCounting) {
  const auto setup = load_scenario("fair/two-clients", {});
  ASSERT_TRUE(setup.ok());
  const properties::CheckReport report =
      properties::check(*setup, {.strategy = properties::Strategy::search, .symmetry = false});
  const CountedSearch counted = count_search(*setup, 2'000'000);
  EXPECT_EQ(counted.states, report.states);
  EXPECT_EQ(counted.transitions, report.transitions);
}

}  // namespace
}  // namespace lockstep::tools
