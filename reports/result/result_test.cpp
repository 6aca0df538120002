#include "reports/result/result.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace lockstep::reports {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

CheckResult two_properties() {
  CheckResult result{.scenario = "plain/two", .scripts = "redisson@3.10.5", .bounds = "2 processes"};
  result.searched = result.complete = true;
  result.states = 1234;
  result.properties.push_back({.property = "mutual-exclusion",
                               .verdict = "violated",
                               .expected = "violated",
                               .named = true,
                               .as_expected = true,
                               .why = "both are inside",
                               .trail_file = "out/a.trail",
                               .trace_file = "out/a.jsonl",
                               .steps = 3,
                               .story = "    0  A1\n"});
  result.properties.push_back({.property = "owner-only",
                               .verdict = "proved",
                               .expected = "holds",
                               .as_expected = true,
                               .vacuous = true,
                               .premise = "release-by-another"});
  return result;
}

TEST(Result, TheOutcomeIsTheWorstOfItsParts) {
  CheckResult result = two_properties();
  EXPECT_EQ(outcome_of(result), Outcome::as_expected) << "nobody asked about the vacuous one";
  result.properties[1].named = true;
  EXPECT_EQ(outcome_of(result), Outcome::vacuous);
  result.properties[1].verdict = "unknown";
  result.properties[1].as_expected = false;
  EXPECT_EQ(outcome_of(result), Outcome::unknown);
  result.properties[0].as_expected = false;
  EXPECT_EQ(outcome_of(result), Outcome::different);
  EXPECT_EQ(outcome_of(CheckResult{.unseen = {"contention"}}), Outcome::vacuous);
}

TEST(Result, OfSamplesItSaysWhichFailureRateTheyWouldHaveShown) {
  CheckResult result = two_properties();
  result.runs = 1'000;
  EXPECT_FALSE(failure_rate_bound(result)) << "nothing rests on them";
  result.properties[1].verdict = "passed";
  EXPECT_NEAR(failure_rate_bound(result).value(), 0.002991, 1e-6);
  EXPECT_THAT(result_text(result),
              HasSubstr("a failure in more than 0.3 % of such schedules would have shown"));
  EXPECT_NEAR(nlohmann::json::parse(results_json({result}))[0]["failure_rate_below"], 0.002991, 1e-6);
  result.cut = 1;  // which may be the one that fails
  EXPECT_FALSE(failure_rate_bound(result));
}

TEST(Result, WhatIsNotExpectedComesFirstAndIsTold) {
  CheckResult result = two_properties();
  PropertyResult surprise = result.properties[0];
  surprise.property = "reentrancy";
  surprise.as_expected = false;
  surprise.trail_file = "out/b.trail";
  result.properties.push_back(surprise);
  const std::string text = result_text(result);
  EXPECT_LT(text.find("reentrancy"), text.find("mutual-exclusion"));
  EXPECT_THAT(text, HasSubstr("trail   out/b.trail"));
  EXPECT_THAT(text, Not(HasSubstr("trail   out/a.trail")));
}

TEST(Result, OneLineTellsHowManyVerdictsThereAreAndWhatIsVacuous) {
  EXPECT_EQ(result_line(two_properties()),
            "✓ plain/two: as expected (1 proved, 1 violated; vacuous: owner-only)\n");
  EXPECT_EQ(summary_text({two_properties(), CheckResult{.unseen = {"contention"}}}),
            "\n2 scenarios, 1 as expected, 1 vacuous\n");
}

TEST(Result, TheTextSaysWhatWasExpectedBesideEachVerdict) {
  CheckResult result = two_properties();
  EXPECT_EQ(result_text(result, {.counterexample = false}),
            "plain/two · redisson@3.10.5 · 2 processes\n"
            "  1 234 states, 0 transitions, depth 0, complete\n"
            "  ✗ mutual-exclusion               violated (expected: violated): both are inside\n"
            "  ○ owner-only                     proved   (expected: holds; vacuous: release-by-another never "
            "occurred)\n");
  result.properties[0].as_expected = false;
  result.properties[0].expected = "holds";
  EXPECT_THAT(result_text(result), HasSubstr("violated (NOT as expected: holds)"));
}

TEST(Result, TheTextTellsTheFirstCounterexampleAndHowToSeeItAgain) {
  const std::string text = result_text(two_properties());
  EXPECT_THAT(text, HasSubstr("mutual-exclusion, the plainest story found (3 steps):\n    0  A1\n"));
  EXPECT_THAT(text, HasSubstr("  replay  lockstep replay out/a.trail\n"));
}

TEST(Result, ColourAddsNoWordAndTakesNoneAway) {
  const std::string plain = result_text(two_properties());
  EXPECT_THAT(plain, Not(HasSubstr("\x1b")));
  std::string coloured = result_text(two_properties(), {.colour = true});
  EXPECT_THAT(coloured, HasSubstr("\x1b[32m"));
  for (auto at = coloured.find('\x1b'); at != std::string::npos; at = coloured.find('\x1b'))
    coloured.erase(at, coloured.find('m', at) - at + 1);
  EXPECT_EQ(coloured, plain);
}

TEST(Result, TheJsonHasTheExpectationTheVerdictAndTheFiles) {
  const auto json = nlohmann::json::parse(results_json({two_properties()}));
  ASSERT_EQ(json.size(), 1u);
  const auto& one = json[0]["properties"][0];
  EXPECT_EQ(one["verdict"], "violated");
  EXPECT_EQ(one["expected"], "violated");
  EXPECT_EQ(one["as_expected"], true);
  EXPECT_EQ(one["trail"], "out/a.trail");
  EXPECT_FALSE(json[0]["properties"][1].contains("trail"));
  EXPECT_EQ(json[0]["unseen"].size(), 0u);
}

TEST(Result, HostileNamesAreShownAndParsed) {
  CheckResult result = two_properties();
  result.properties[0].why = "\x1b[2J\n\xff is held";
  EXPECT_THAT(result_text(result), HasSubstr("\\x1b[2J\\n\\xff is held"));
  EXPECT_TRUE(nlohmann::json::accept(results_json({result})));
}

}  // namespace
}  // namespace lockstep::reports
