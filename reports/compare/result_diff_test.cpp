// Two results of checks beside each other: what counts, and what is only told.
#include "reports/compare/result_diff.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "reports/result/result_reader.h"

namespace lockstep::reports {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

CheckResult one_scenario() {
  CheckResult result{
      .scenario = "plain/two", .digest = "12", .scripts = "redisson@3.10.5", .bounds = "2 processes"};
  result.complete = true;
  result.states = 10;
  result.seen = {"contention"};
  result.properties.push_back(
      {.property = "mutual-exclusion", .verdict = "proved", .expected = "holds", .as_expected = true});
  return result;
}

std::vector<ResultChange> changes(const CheckResult& b) {
  const ResultDiff diff = compare_results({one_scenario()}, {b});
  return diff.scenarios.empty() ? std::vector<ResultChange>{} : diff.scenarios.front().changes;
}

TEST(ResultDiff, AResultIsTheSameAsItselfAndAsItIsReadBack) {
  EXPECT_THAT(changes(one_scenario()), IsEmpty());
  const auto read = read_results(results_json({one_scenario()}), "a.json");
  ASSERT_TRUE(read.ok());
  EXPECT_THAT(changes(read->front()), IsEmpty());
  EXPECT_THAT(result_diff_text(compare_results({one_scenario()}, *read)), HasSubstr("the same\n"));
}

TEST(ResultDiff, AVerdictThatChangedCounts) {
  CheckResult b = one_scenario();
  b.properties[0].verdict = "violated";
  b.properties[0].steps = 7;
  const ResultDiff diff = compare_results({one_scenario()}, {b});
  EXPECT_TRUE(differ(diff));
  EXPECT_THAT(result_diff_text(diff), HasSubstr("plain/two\n  ✗ mutual-exclusion: proved → violated\n"));
  EXPECT_THAT(result_diff_text(diff), HasSubstr("they differ\n"));
}

TEST(ResultDiff, AVerdictThatBecameVacuousCounts) {
  CheckResult b = one_scenario();
  b.properties[0].vacuous = true;
  ASSERT_EQ(changes(b).size(), 1u);
  EXPECT_EQ(changes(b)[0].b, "proved (vacuous)");
  EXPECT_TRUE(changes(b)[0].counts);
}

TEST(ResultDiff, BoundsLimitsAndWitnessesCount) {
  CheckResult b = one_scenario();
  b.bounds = "3 processes";
  b.complete = false;
  b.limit = "states";
  b.unseen = b.seen;
  b.seen.clear();
  std::vector<std::string> what;
  for (const ResultChange& change : changes(b)) what.push_back(change.what);
  EXPECT_THAT(what, ElementsAre("bounds", "search", "seen", "not seen"));
  EXPECT_TRUE(differ(compare_results({one_scenario()}, {b})));
}

TEST(ResultDiff, OtherWorkForTheSameVerdictsIsToldAndDoesNotCount) {
  CheckResult b = one_scenario();
  b.states = 11;
  b.digest = "13";
  const ResultDiff diff = compare_results({one_scenario()}, {b});
  EXPECT_FALSE(differ(diff));
  EXPECT_THAT(result_diff_text(diff), HasSubstr("  · states: 10 → 11\n"));
  EXPECT_THAT(result_diff_text(diff), HasSubstr("the same verdicts within the same bounds\n"));
}

TEST(ResultDiff, AScenarioOrAPropertyThatOnlyOneHasCounts) {
  CheckResult another = one_scenario(), without = one_scenario();
  another.scenario = "plain/three";
  without.properties.clear();
  EXPECT_THAT(compare_results({one_scenario()}, {one_scenario(), another}).only_b,
              ElementsAre("plain/three"));
  EXPECT_TRUE(differ(compare_results({another, one_scenario()}, {one_scenario()})));
  ASSERT_EQ(changes(without).size(), 1u);
  EXPECT_EQ(changes(without)[0].b, "not asked");
}

TEST(ResultDiff, HostileNamesAreShownAndParsed) {
  CheckResult b = one_scenario();
  b.bounds = "\x1b[2J\n\xff";
  const ResultDiff diff = compare_results({one_scenario()}, {b});
  EXPECT_THAT(result_diff_text(diff), HasSubstr("\\x1b[2J\\n\\xff"));
  EXPECT_TRUE(nlohmann::json::accept(result_diff_json(diff)));
}

}  // namespace
}  // namespace lockstep::reports
