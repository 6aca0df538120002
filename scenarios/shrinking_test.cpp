// What shrinking makes of a sampled counterexample, beside the shortest one that there is.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "properties/check/check.h"
#include "properties/check/going_round.h"
#include "properties/check/small_run.h"
#include "properties/monitors/all_properties.h"
#include "scenarios/exploring.h"
#include "scenarios/plainer_stories.h"
#include "scenarios/shipped_folders.h"
#include "sim/run/replay.h"
#include "sim/run/shrink.h"
#include "sim/testing/sanitizers.h"

namespace lockstep::scenarios {
namespace {

using properties::CheckReport;
using properties::Strategy;

struct Lengths {
  std::size_t moves = 0, deviations = 0, faults = 0;

  /// With as few faults: fewer come before a shorter run.
  bool is_longer_than(const Lengths& shortest) const {
    return faults >= shortest.faults && moves > shortest.moves;
  }
};

Lengths lengths_of(const properties::Decisions& run) {
  const sim::RunCost cost = sim::cost_of(run);
  return {.moves = run.size(), .deviations = cost.deviations, .faults = cost.faults};
}

properties::Decisions run_of(const model::Setup& setup, const sim::Trail& trail) {
  Checked system(setup, {.watch_instants = false});
  const auto plan = sim::plan_of(system, trail);
  const auto again = sim::replay(system, *plan);
  EXPECT_FALSE(again.divergence) << setup.name;
  return again.run.trail;
}

std::optional<Lengths> lengths_of(const model::Setup& setup, const CheckReport& report, Property property) {
  for (const auto& result : report.results)
    if (result.property == property && result.trail) return lengths_of(run_of(setup, *result.trail));
  return std::nullopt;
}

/// What was made of one property that a search finds broken.
struct Row {
  std::string scenario, property;
  Lengths shortest;  // of the search, breadth first
  Lengths told;                   // as that is told
  std::optional<Lengths> shrunk;  // of samples
  bool deep = false;  // no sample met it: of a search depth first

  bool is_equal() const { return shrunk && shrunk->moves == shortest.moves; }
  /// Both have as few faults and moves, and one needs more decisions.
  bool is_less_plain() const {
    return is_equal() && shrunk->faults == told.faults && told.moves == shortest.moves &&
           shrunk->deviations != told.deviations;
  }
};

/// What a check makes of the shortest run. None of its decisions is needless.
Lengths told_of(const model::Setup& setup, const sim::Trail& shortest, Property property) {
  const properties::Decisions run = run_of(setup, shortest);
  const auto told =
      properties::small_run(Checked(setup, {.watch_instants = false}), run, property, {.is_shortest = true});
  EXPECT_TRUE(told.ok()) << setup.name;
  const Lengths lengths = lengths_of(told->trail);
  EXPECT_LE(lengths.faults, lengths_of(run).faults) << setup.name;
  const auto plainer = plainer_than(setup, property, told->trail);
  EXPECT_FALSE(plainer) << setup.name << " " << properties::name_of(property, setup) << ": "
                        << lengths.deviations << " deviations, " << lengths_of(*plainer).deviations
                        << " are enough in " << plainer->size() << " moves";
  return lengths;
}

std::vector<Row> compared(const model::Setup& setup, std::uint64_t states_max, std::uint64_t runs) {
  const CheckReport searched = properties::check(
      setup, {.strategy = Strategy::search, .states_max = states_max, .shrink = false});
  const CheckReport sampled = properties::check(
      setup, {.strategy = Strategy::random, .runs = runs, .sampled_steps_max = ~std::uint64_t{0}});
  std::vector<Row> rows;
  for (const auto& result : searched.results) {
    // What is about whole runs is not shrunk.
    if (result.property == Property::no_zeno || result.property == Property::calls_return ||
        properties::asks_for_cycles(result.property, setup))
      continue;
    const auto shortest = lengths_of(setup, searched, result.property);
    const bool is_expected = properties::expected_of(setup, result.property) == model::Expected::violated;
    EXPECT_TRUE(shortest || !is_expected) << setup.name << " " << properties::name_of(result.property, setup);
    if (!shortest) continue;
    Row row{.scenario = setup.name,
            .property = std::string(properties::name_of(result.property, setup)),
            .shortest = *shortest,
            .told = told_of(setup, *result.trail, result.property),
            .shrunk = lengths_of(setup, sampled, result.property)};
    if (!row.shrunk) {
      const auto deep = properties::check(setup, {.strategy = Strategy::search_deep,
                                                  .states_max = 400'000,
                                                  .watched = properties::bit(result.property)});
      row.shrunk = lengths_of(setup, deep, result.property);
      row.deep = row.shrunk.has_value();
    }
    rows.push_back(row);
  }
  return rows;
}

std::string text(const Row& row) {
  const auto shown = [](const Lengths& one) {
    return fmt::format("{} ({}, {})", one.moves, one.deviations, one.faults);
  };
  return fmt::format("{} {}: shortest {}, told {}, {} {}\n", row.scenario, row.property,
                     shown(row.shortest), shown(row.told), row.deep ? "deep, shrunk" : "shrunk",
                     row.shrunk ? shown(*row.shrunk) : "not at all");
}

TEST(Shrinking, ComesDownToTheShortestStory) {
  for (const char* name : {"claims/outlived-lease", "claims/watchdog-per-thread"}) {
    for (const Row& row : compared(shipped_setup(name), 50'000, 300)) {
      ASSERT_TRUE(row.shrunk) << text(row);
      EXPECT_EQ(row.shrunk->moves, row.shortest.moves) << text(row);
    }
  }
}

/// A is to start 301 to 499 ms behind the beginning: 400 is the plainest of these.
TEST(Shrinking, LeavesRoundLengthsOfTime) {
  const model::Setup setup = setup_of(
      "[process.A]\nthreads = [[\"start 0..1s\", \"lock x lease=900ms\", \"crash\"]]\n"
      "[process.B]\nthreads = [[\"start 1201ms\", \"trylock x\", \"crash\", \"unlock x\", "
      "\"think 199ms\", \"trylock x\", \"expect false\", \"unlock x\"]]\n");
  const CheckReport report = properties::check(setup, {.strategy = Strategy::random, .runs = 200});
  std::string parts;
  for (const auto& result : report.results)
    if (result.property == Property::expectations && result.deviations)
      for (const auto& line : result.deviations->lines)
        if (line.move.find(" of ") != std::string::npos) parts += line.move + "\n";
  EXPECT_TRUE(parts.starts_with("pass 400ms of ")) << parts;
}

TEST(Shrinking, OfARunThatEndsInADeadlockKeepsWhatLeadsThere) {
  const model::Setup setup =
      setup_of("[process.A]\nthreads = [[\"lock f\", \"lock g\", \"unlock g\", \"unlock f\"]]\n"
               "[process.B]\nthreads = [[\"lock g\", \"lock f\", \"unlock f\", \"unlock g\"]]\n");
  const sim::PropertyMask asked = properties::bit(Property::calls_return);
  const auto found = [&](Strategy strategy) {
    return properties::check(setup, {.strategy = strategy, .runs = 50, .watched = asked}).results.at(0);
  };
  const auto shortest = found(Strategy::search), sampled = found(Strategy::random),
             deep = found(Strategy::search_deep);
  ASSERT_TRUE(shortest.trail && sampled.trail && deep.trail);
  EXPECT_EQ(sampled.trail->lines.size(), shortest.trail->lines.size());
  EXPECT_EQ(deep.trail->lines.size(), shortest.trail->lines.size());
  EXPECT_NE(properties::tell(setup, *sampled.deviations).violated & asked, 0U);
  const auto again = properties::shrink_trail(setup, *sampled.trail, 100);
  ASSERT_TRUE(again.ok()) << again.problem().text;
  EXPECT_NE(properties::tell(setup, again->deviations).violated & asked, 0U);
}

/// B learns of the new master and asks it; it does not wait until the old one has not answered for long.
TEST(Shrinking, TellsThePlainestStoryOfAFailover) {
  const auto report = properties::check(shipped_setup("failover/master-dies-before-replication"),
                                        {.watched = properties::bit(Property::mutual_exclusion)});
  ASSERT_TRUE(report.results.at(0).deviations);
  bool learns = false;
  for (const auto& line : report.results[0].deviations->lines) {
    learns = learns || line.move == "learn B";
    EXPECT_FALSE(line.move.starts_with("pass")) << line.move;
  }
  EXPECT_TRUE(learns);
  EXPECT_LE(report.results[0].trail->lines.size(), 11U);
}

/// A pauses, who holds the lock or does not know it yet; while it does, all the rest is the default.
TEST(Shrinking, LeavesOfAPauseTheDecisionsThatMatter) {
  struct Case {
    const char* scenario;
    const char* property;
    Lengths told;
  };
  for (const Case& one : {Case{"plain/pause-outlives-lease", "reentrancy", {20, 3, 1}},
                          Case{"plain/pause-outlives-lease", "nothing-left-behind", {46, 3, 1}},
                          Case{"plain/stale-write", "writes-in-turn", {37, 5, 1}}}) {
    const model::Setup setup = shipped_setup(one.scenario);
    const auto property = properties::find_property(one.property, setup);
    ASSERT_TRUE(property);
    const CheckReport report = properties::check(setup, {.watched = properties::bit(*property)});
    const auto told = lengths_of(setup, report, *property);
    ASSERT_TRUE(told) << one.property;
    EXPECT_EQ(told->moves, one.told.moves) << one.property;
    EXPECT_EQ(told->deviations, one.told.deviations) << one.property;
    EXPECT_EQ(told->faults, one.told.faults) << one.property;
    const auto again = properties::shrink_trail(setup, *report.results.at(0).trail, 10'000);
    ASSERT_TRUE(again.ok());
    EXPECT_EQ(again->deviations.lines, report.results.at(0).deviations->lines) << "nothing comes before it";
  }
}

bool expects_a_violation(const model::Setup& setup) {
  const auto breaks = [](const auto& one) { return one.second == model::Expected::violated; };
  return std::any_of(setup.expect.begin(), setup.expect.end(), breaks);
}

/// Of each scenario that expects something to be violated, folder by folder: as many moves as the shortest
/// run has, or fewer faults, and with those as few decisions as are told of that.
class ShortestStories : public testing::TestWithParam<std::string> {};

TEST_P(ShortestStories, AreWhatOthersShrinkTo) {
  if (sim::testing::address_sanitizer) GTEST_SKIP() << "too slow under a sanitizer";
  int all = 0, equal = 0;
  for (const model::Setup& setup : setups_in(GetParam())) {
    if (!expects_a_violation(setup)) continue;
    for (const Row& row : compared(setup, 60'000, 600)) {
      EXPECT_TRUE(row.shrunk) << text(row);
      EXPECT_FALSE(row.shrunk && row.shrunk->is_longer_than(row.shortest)) << text(row);
      EXPECT_FALSE(row.is_less_plain()) << text(row);
      ++all;
      if (row.is_equal()) ++equal;
      else fmt::print("{}", text(row));
    }
  }
  RecordProperty("properties", all);
  RecordProperty("as_short", equal);
  EXPECT_EQ(equal > 0, all > 0);
}

INSTANTIATE_TEST_SUITE_P(All, ShortestStories, testing::ValuesIn(shipped_folders()),
                         [](const auto& folder) { return test_name_of(folder.param); });

}  // namespace
}  // namespace lockstep::scenarios
