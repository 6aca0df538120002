// A limit never turns into a success: whatever ends a check too soon leaves verdicts unknown.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "properties/check/check.h"
#include "scenarios/exploring.h"

namespace lockstep::scenarios {
namespace {

using properties::CheckOptions;
using properties::CheckReport;
using properties::Outside;
using properties::bit;
using properties::Strategy;
using properties::Verdict;
using testing::HasSubstr;

const char* const limited_world =
    "[process.P]\ncount = 2\nthreads = [[\"lock a\", \"work 10s\", \"unlock a\"]]\n";

CheckReport checked(CheckOptions options, const std::string& more = "") {
  return properties::check(setup_of(limited_world + more), options);
}

void expect_unknown(const CheckReport& report, const std::string& why) {
  for (const auto& result : report.results) {
    EXPECT_EQ(result.verdict, Verdict::unknown) << properties::info(result.property).name;
    EXPECT_THAT(result.why, HasSubstr(why));
  }
}

TEST(Limits, OfStatesLeaveTheVerdictUnknownWhateverIsSampledThen) {
  const CheckReport report = checked({.states_max = 50, .runs = 20});
  EXPECT_EQ(report.runs, 20U);
  expect_unknown(report, "there are more than 50 states; no violation in 20 sampled runs");
  expect_unknown(checked({.strategy = Strategy::search, .states_max = 50}), "there are more than 50 states");
}

TEST(Limits, ARunOfALongProgramIsCutAsWell) {
  const auto most_of = [](const std::string& program) {
    return properties::usual_steps_max(setup_of("[process.P]\nthreads = [[\"" + program + "\"]]\n"));
  };
  EXPECT_EQ(most_of("lock a; unlock a"), 20'000U);
  EXPECT_EQ(most_of("repeat 100 { lock a; unlock a }"), 40'000U);
  EXPECT_EQ(most_of("repeat 10000 { repeat 10000 { lock a; unlock a } }"), 1'000'000U);
  EXPECT_EQ(most_of("repeat forever { lock a; unlock a; think 1s }"), 20'000U);
}

TEST(Limits, OfDepthAndMemoryLeaveTheVerdictUnknown) {
  expect_unknown(checked({.depth_max = 5, .runs = 20}), "there is more beyond 5 moves; no violation in 20");
  expect_unknown(checked({.memory_bytes_max = 1 << 20,
                          .runs = 20,
                          .outside = {.memory_held = [] { return std::uint64_t{1} << 21; }}}),
                 "more memory than 1 MiB; no violation in 20");
}

std::string why_of(const CheckReport& report, Property property) {
  for (const auto& result : report.results)
    if (result.property == property && result.verdict == Verdict::unknown) return result.why;
  return "";
}

/// What goes on for ever is asked of a graph of its own, after the search.
TEST(Limits, HoldForWhatIsAskedOfAGraphOfItsOwn) {
  constexpr sim::PropertyMask for_ever =
      properties::bit(Property::calls_return) | properties::bit(Property::no_starvation);
  const std::string text =
      "[process.P]\ncount = 3\nthreads = [[\"repeat forever { lock a; work 1s; unlock a }\"]]\n";
  int looks = 0;
  const auto asked = [&](sim::PropertyMask watched, int looks_max, const std::string& more = "") {
    looks = 0;
    return properties::check(setup_of(text + more),
                             {.strategy = Strategy::search,
                              .memory_bytes_max = 1 << 20,
                              .watched = watched,
                              .outside = {.memory_held = [&, looks_max] {
                                return std::uint64_t{++looks > looks_max ? 1u << 21 : 0u};
                              }}});
  };
  EXPECT_TRUE(asked(properties::bit(Property::mutual_exclusion), 1'000'000).complete);
  const int in_the_search = looks;
  EXPECT_EQ(why_of(asked(for_ever, 1'000'000), Property::calls_return), "");
  EXPECT_GT(looks, in_the_search);
  const CheckReport cut = asked(for_ever, in_the_search);
  EXPECT_TRUE(cut.complete);
  for (const Property one : {Property::calls_return, Property::no_starvation})
    EXPECT_THAT(why_of(cut, one),
                HasSubstr("is asked with all actors told apart, and then that needs more memory than 1 MiB"));
  EXPECT_EQ(why_of(asked(for_ever, 1'000'000, "[time]\nhorizon = \"3s\"\n"), Property::calls_return),
            "what happens beyond the horizon of 3000 ms was not looked at");
}

/// Some runs are made twice and compared; time may be up between the two.
TEST(Limits, OfTimeMayCutARunThatIsMadeAgain) {
  for (int cut_at = 1; cut_at <= 40; ++cut_at) {
    int asked = 0;
    const CheckReport sampled = properties::check(
        setup_of("[process.P]\ncount = 2\nthreads = [[\"repeat forever { lock a; work 1s; unlock a }\"]]\n"),
        {.strategy = Strategy::random, .runs = 1'000, .steps_max = 400, .outside = {.time_is_up = [&] {
                                                                          return ++asked > cut_at;
                                                                        }}});
    EXPECT_TRUE(sampled.time_was_up);
  }
}

TEST(Limits, OfTimeLeaveTheVerdictUnknown) {
  int asked = 0;
  const Outside soon{.search_time_is_up = [&] { return ++asked > 1; }};
  const CheckReport report = checked({.runs = 20, .outside = soon});
  EXPECT_EQ(report.runs, 20U) << "what is left of the time is for samples";
  expect_unknown(report, "the time was up; no violation in 20 sampled runs");
  const Outside later{.time_is_up = [&] { return ++asked > 100; }};
  asked = 0;
  const CheckReport sampled =
      checked({.strategy = Strategy::random, .runs = 1'000'000, .outside = later});
  EXPECT_TRUE(sampled.time_was_up);
  EXPECT_GT(sampled.runs, 0U);
  expect_unknown(sampled, "the time was up; no violation in");
}

TEST(Limits, OfTimeDoNotCountForASearchThatEnded) {
  const CheckReport report = checked({.outside = {.search_time_is_up = [] { return false; }}});
  for (const auto& result : report.results) EXPECT_EQ(result.verdict, Verdict::proved);
}

TEST(Limits, ThatEverySampledRunReachesLeaveTheVerdictUnknown) {
  const CheckReport report =
      checked({.strategy = Strategy::random, .runs = 20, .steps_max = 3, .settling_max = 0});
  EXPECT_EQ(report.cut, 20U);
  expect_unknown(report, "every sampled run was cut off after 3 moves");
  expect_unknown(checked({.strategy = Strategy::random, .runs = 20, .steps_max = 3, .settling_max = 2}),
                 "every sampled run was cut off after 3 moves and 2 more without faults");
}

/// What is under way when enough was drawn goes on without faults, and comes to an end.
TEST(Limits, OfWhatIsDrawnLetARunComeToItsEnd) {
  const model::Setup setup = setup_of("[process.P]\ncount = 2\n"
                                      "threads = [[\"lock x lease=5s; work 1s; unlock x\"]]\n"
                                      "[faults]\ncrash-process = 1\n");
  const CheckReport report =
      properties::check(setup, {.strategy = Strategy::uniform, .runs = 50, .steps_max = 1});
  EXPECT_EQ(report.cut, 0U);
  const auto& by = report.sampled_by.at("uniform");
  EXPECT_EQ(by.settled, 50U);
  EXPECT_GT(by.longest, 5U);
  for (const auto& result : report.results)
    if (result.property == properties::Property::calls_return) {
      EXPECT_EQ(result.verdict, Verdict::passed) << result.why;
    }
}

/// A gives the lock back once too seldom, so B does not return if A is first: those runs are the long ones.
constexpr const char* too_seldom = "[process.A]\nthreads = [[\"lock x\", \"lock x\", \"unlock x\"]]\n"
                                   "[process.B]\nthreads = [[\"lock x\", \"unlock x\"]]\n";

TEST(Limits, OfWhatIsDrawnShowWhoIsStuck) {
  const auto calls_return = [&](std::uint64_t settling_max) {
    const CheckReport report =
        properties::check(setup_of(too_seldom), {.strategy = Strategy::uniform,
                                                 .runs = 8,
                                                 .steps_max = 3,
                                                 .settling_max = settling_max,
                                                 .watched = bit(properties::Property::calls_return)});
    return report.results.at(0).verdict;
  };
  EXPECT_EQ(calls_return(30), Verdict::violated) << "what can follow is looked at";
  EXPECT_EQ(calls_return(20'000), Verdict::violated) << "and they come back to where they were";
}

TEST(Limits, ThatSomeSampledRunsReachLeaveTheVerdictUnknown) {
  const CheckReport report =
      properties::check(setup_of(too_seldom), {.strategy = Strategy::random,
                                               .runs = 100,
                                               .steps_max = 80,
                                               .settling_max = 0,
                                               .watched = bit(properties::Property::mutual_exclusion)});
  EXPECT_GT(report.cut, 0U);
  EXPECT_LT(report.cut, report.runs);
  std::uint64_t by_policies = 0;
  for (const auto& [policy, by] : report.sampled_by) by_policies += by.cut;
  EXPECT_EQ(report.cut, by_policies);
  expect_unknown(report, fmt::format("{} of 100 sampled runs were cut off after 80 moves", report.cut));
}

TEST(Limits, OfRunsThatGoRoundWithoutTimeLeaveNothingPassed) {
  // Who is refused asks again at once.
  const model::Setup setup = setup_of(
      "[process.A]\nthreads = [[\"lock z:x\", \"work 1s\", \"unlock z:x\"]]\n"
      "[process.B]\nthreads = [[\"lock z:x\", \"unlock z:x\"]]\n"
      "[scheme.z]\nlease = \"10s\"\nretry = { poll = \"500ms\" }\nholder = { string = \"{token}\" }\n"
      "acquire = { send = \"SET {lock} {token} NX PX {lease}\", reply = { OK = \"granted\", nil = \"again\" "
      "} }\n"
      "release = { send = \"DEL {lock}\", reply = { 1 = \"released\", 0 = \"not the holder\" } }\n");
  for (const auto& result : properties::check(setup, {.strategy = Strategy::uniform, .runs = 20}).results)
    EXPECT_NE(result.verdict, Verdict::passed) << properties::info(result.property).name;
}

TEST(Limits, AreNoneWhereSamplesAreAllThatWasAsked) {
  for (const auto& result : checked({.strategy = Strategy::random, .runs = 20}).results)
    EXPECT_EQ(result.verdict, Verdict::passed);
  const CheckReport report =
      checked({.states_max = 50, .runs = 20}, "[expect]\nmutual-exclusion = \"passed\"\n");
  for (const auto& result : report.results)
    EXPECT_EQ(result.verdict,
              result.property == Property::mutual_exclusion ? Verdict::passed : Verdict::unknown);
}

TEST(Limits, OfTheHorizonLeaveUnknownWhetherALockOfTheDeadGoes) {
  for (const Strategy strategy : {Strategy::search, Strategy::random}) {
    const CheckReport report =
        properties::check(setup_of("[time]\nhorizon = \"5s\"\n[process.A]\nthreads = [[\"lock x lease=10s\", "
                                   "\"work 1s\", \"crash\"]]\n"),
                          {.strategy = strategy, .runs = 5, .watched = bit(Property::free_after_crash)});
    ASSERT_EQ(report.results.size(), 1U);
    EXPECT_FALSE(report.results.at(0).vacuous);
    expect_unknown(report, "what happens beyond the horizon of 5000 ms was not looked at");
  }
}

TEST(Limits, OfTheNetworkAreSaid) {
  const CheckReport report = checked({.states_max = 3'000, .runs = 20}, "[time]\nnetwork = \"any\"\n");
  for (const auto& result : report.results) EXPECT_NE(result.verdict, Verdict::proved);
  for (const auto& result : report.results) EXPECT_NE(result.verdict, Verdict::passed);
}

TEST(Limits, OfClocksSayTheJumpsThatAreFixedAndThoseThatMayCome) {
  const auto within = [](const std::string& faults) {
    return properties::within_of(setup_of(limited_world + ("[faults]\n" + faults)));
  };
  EXPECT_THAT(within("fixed = [\"jump R0 +11s at 1s\", \"jump R0 +11s at 2s\"]\n"),
              testing::Contains("clocks jump by +11 s"));
  EXPECT_THAT(within("clock-jump = 1\nclock-jumps = [\"-2s\"]\nfixed = [\"jump R0 +11s at 1s\"]\n"),
              testing::Contains("clocks jump by -2 s, +11 s"));
}

TEST(AnInterrupt, LeavesWhatIsKnownByThen) {
  int asked = 0;
  const Outside outside{.interrupted = [&] { return ++asked > 3; }};
  const CheckReport report = checked({.outside = outside});
  EXPECT_TRUE(report.interrupted);
  EXPECT_EQ(report.runs, 0U);
  expect_unknown(report, "interrupted");
}

TEST(Progress, IsToldWhileItSearchesAndWhileItSamples) {
  std::vector<properties::CheckProgress> told;
  const Outside outside{.on_progress = [&](const auto& progress) { told.push_back(progress); }};
  const CheckReport report = checked({.states_max = 200, .runs = 5, .outside = outside});
  ASSERT_GT(told.size(), 6U);
  EXPECT_EQ(told.front().runs_max, 0U);
  EXPECT_GT(told[3].search.states, 0U);
  EXPECT_EQ(told.back().runs, 5U);
  EXPECT_EQ(told.back().runs_max, 5U);
  EXPECT_EQ(told.back().search.states, report.states);
}

}  // namespace
}  // namespace lockstep::scenarios
