// What shrinking makes of a sampled counterexample, beside the shortest one that there is.
#include <gtest/gtest.h>

#include <functional>

#include <fmt/format.h>

#include "properties/check/check.h"
#include "properties/monitors/all_properties.h"
#include "scenarios/exploring.h"
#include "sim/run/replay.h"
#include "sim/run/shrink.h"

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

std::optional<Lengths> lengths_of(const model::Setup& setup, const CheckReport& report, Property property) {
  const properties::Checked system(setup);
  for (const auto& result : report.results) {
    if (result.property != property || !result.trail) continue;
    Lengths lengths{.moves = result.trail->lines.size(), .deviations = result.deviations->lines.size()};
    for (const auto& planned : sim::plan_of(system, *result.trail)->moves)
      lengths.faults += planned.move.is_fault() ? 1 : 0;
    return lengths;
  }
  return std::nullopt;
}

/// One line for each property that a search finds broken.
struct Row {
  std::string scenario, property;
  Lengths shortest;  // of the search, breadth first
  std::optional<Lengths> shrunk;  // of samples
};

std::vector<Row> compared(const model::Setup& setup, std::uint64_t states_max, std::uint64_t runs) {
  const CheckReport searched = properties::check(
      setup, {.strategy = Strategy::search, .states_max = states_max, .shrink = false});
  const CheckReport sampled = properties::check(
      setup, {.strategy = Strategy::random, .runs = runs, .sampled_steps_max = ~std::uint64_t{0}});
  std::vector<Row> rows;
  for (const auto& result : searched.results) {
    if (result.property == Property::no_zeno || result.property == Property::calls_return) continue;
    const auto shortest = lengths_of(setup, searched, result.property);
    if (!shortest) continue;
    rows.push_back({setup.name, std::string(properties::name_of(result.property, setup)), *shortest,
                    lengths_of(setup, sampled, result.property)});
  }
  return rows;
}

std::string text(const Row& row) {
  const std::string shrunk =
      row.shrunk ? fmt::format("{} ({}, {})", row.shrunk->moves, row.shrunk->deviations, row.shrunk->faults)
                 : "not sampled";
  const bool longer = row.shrunk && row.shrunk->is_longer_than(row.shortest);
  return fmt::format("{:<8} {} {}: shortest {} ({}, {}), shrunk {}\n", longer ? "LONGER" : "", row.scenario,
                     row.property, row.shortest.moves, row.shortest.deviations, row.shortest.faults, shrunk);
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

struct Longer {
  int longer = 0, all = 0;
};

/// Of one in so many of the scenarios that expect something to be violated; `show` is told each row.
Longer longer_in(std::uint64_t one_of, std::uint64_t states_max, std::uint64_t runs,
                     const std::function<void(const Row&)>& show) {
  Longer found;
  std::uint64_t number = 0;
  for (const EmbeddedFile& file : embedded_scenarios()) {
    const auto instances = scenario_instances(file.text, file.name, shipped_scripts());
    if (!instances.ok()) continue;
    for (const std::string& instance : *instances) {
      const auto setup = read_scenario(file.text, file.name, shipped_scripts(), test_vocabulary(), instance);
      if (!setup.ok()) continue;
      const auto breaks = [](const auto& one) { return one.second == model::Expected::violated; };
      if (std::none_of(setup->expect.begin(), setup->expect.end(), breaks)) continue;
      if (number++ % one_of != 0) continue;
      for (const Row& row : compared(*setup, states_max, runs)) {
        ++found.all;
        found.longer += row.shrunk && row.shrunk->is_longer_than(row.shortest);
        show(row);
      }
    }
  }
  return found;
}

TEST(Shrinking, IsAsShortAsCanBeInSmallWorlds) {
  const Longer found = longer_in(5, 250, 20, [](const Row& row) {
    EXPECT_FALSE(row.shrunk && row.shrunk->is_longer_than(row.shortest)) << text(row);
  });
  EXPECT_GT(found.all, 10);
}

/// By hand: --gtest_also_run_disabled_tests. A table of all scenarios that expect something to be violated.
TEST(Shrinking, DISABLED_OfEveryScenario) {
  const Longer found = longer_in(1, 60'000, 600, [](const Row& row) {
    fmt::print("{}", text(row));
    std::fflush(stdout);
  });
  fmt::print("{} of {} are longer\n", found.longer, found.all);
}

}  // namespace
}  // namespace lockstep::scenarios
