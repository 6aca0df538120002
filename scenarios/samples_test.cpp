// Samples draw instants inside intervals uniformly, and what they draw is replayed and shrunk exactly.
#include <gtest/gtest.h>

#include <array>

#include "properties/check/check.h"
#include "scenarios/exploring.h"
#include "sim/run/intervals.h"
#include "sim/run/replay.h"
#include "sim/run/shrink.h"
#include "sim/run/uniform.h"
#include "sim/run/weighted.h"

namespace lockstep::scenarios {
namespace {

using properties::bit;

sim::Run<Checked> drawn_run(Checked& system, std::uint64_t seed, sim::PropertyMask stop_at = 0) {
  sim::Random random{seed};
  sim::Weighted<Checked> weighted(random.split());
  sim::InIntervals<Checked> policy(random.split(), weighted);
  return sim::run(system, system.initial(), static_cast<sim::Policy<Checked>&>(policy), {.stop_at = stop_at});
}

/// The instant at which the first move of this text was taken.
std::optional<std::int64_t> instant_of(const Checked& system, const sim::Run<Checked>& run,
                                       const std::string& text) {
  std::int64_t now = 0;
  for (const auto& decision : run.trail) {
    if (system.show(decision.move).starts_with(text)) return now;
    now += system.span(decision.move).count();
  }
  return std::nullopt;
}

/// How often each tenth of `over` ms was drawn.
std::array<int, 10> tenths(const model::Setup& setup, const std::string& text, std::int64_t over, int runs) {
  Checked system(setup);
  std::array<int, 10> counts{};
  for (int seed = 0; seed < runs; ++seed)
    if (const auto at = instant_of(system, drawn_run(system, static_cast<std::uint64_t>(seed)), text))
      ++counts[static_cast<std::size_t>(std::min<std::int64_t>(*at * 10 / over, 9))];
  return counts;
}

TEST(Samples, DrawAStartUniformly) {
  const auto setup = setup_of("[process.A]\nthreads = [[\"start 0..1s\", \"trylock a\", \"unlock a\"]]\n");
  // The first step of the thread begins the wait, the second one ends it: so it is the request that counts.
  for (const int count : tenths(setup, "request A/0", 1'000, 1'000)) {
    EXPECT_GT(count, 60);
    EXPECT_LT(count, 150);
  }
}

TEST(Samples, DrawDelaysUniformly) {
  const auto setup = setup_of(
      "[process.A]\nthreads = [[\"trylock a\", \"unlock a\"]]\n[time]\nnetwork = \"100..1100ms\"\n");
  const auto counts = tenths(setup, "request A/0", 1'200, 1'200);
  EXPECT_LT(counts[0], 50) << "no message is faster than 100 ms";
  for (std::size_t i = 1; i < 9; ++i) {
    EXPECT_GT(counts[i], 75);
    EXPECT_LT(counts[i], 175);
  }
}

TEST(Samples, StopBetweenTheInstantsOfASearch) {
  const auto setup = setup_of("[process.A]\nthreads = [[\"start 0..1s\", \"trylock a\", \"unlock a\"]]\n");
  Checked system(setup);
  const auto run = drawn_run(system, 3);
  const auto is_part = [](const auto& decision) { return decision.move.is_part(); };
  EXPECT_TRUE(std::any_of(run.trail.begin(), run.trail.end(), is_part));
}

TEST(Samples, ReplayFromTheTextOfTheirTrails) {
  const auto setup = setup_of(
      "[process.P]\ncount = 2\n"
      "threads = [[\"start 0..1s\", \"lock a lease=2s\", \"work 1s\", \"unlock a\"]]\n"
      "[time]\nnetwork = \"0..500ms\"\n[faults]\npause-process = 1\n");
  Checked system(setup), other(setup);
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const auto run = drawn_run(system, seed);
    for (const bool deviations : {false, true}) {
      sim::Trail trail = properties::trail_header(setup, "", "passed");
      if (deviations) sim::record_deviations<Checked>(system, run.trail, trail);
      else sim::record_all<Checked>(system, run.trail, trail);
      const auto read = sim::parse_trail(sim::text_of(trail), "test.trail");
      ASSERT_TRUE(read.ok());
      const auto plan = sim::plan_of(other, *read);
      ASSERT_TRUE(plan.ok()) << plan.problem().text;
      const auto again = sim::replay(other, *plan);
      ASSERT_FALSE(again.divergence) << sim::text_of(*again.divergence);
      EXPECT_EQ(again.run.trail, run.trail);
      EXPECT_TRUE(again.run.last == run.last);
    }
  }
}

TEST(Samples, ThatBreakSomethingBetweenTheInstantsOfASearchAreShrunk) {
  const auto setup = setup_of(
      "[process.P]\ncount = 2\nthreads = [[\"lock a lease=2s\", \"work 1s\", \"unlock a\"]]\n"
      "[time]\nnetwork = \"0..3s\"\n");
  Checked system(setup);
  const sim::PropertyMask goal = bit(Property::mutual_exclusion);
  std::size_t shown = 0;
  for (std::uint64_t seed = 0; seed < 1'000 && shown < 5; ++seed) {
    const auto run = drawn_run(system, seed, goal);
    if ((run.violated & goal) == 0) continue;
    ++shown;
    const auto shrunk = sim::shrink(system, run.trail, goal, {}, 500);
    ASSERT_TRUE(shrunk.ok());
    EXPECT_FALSE(sim::cost_of(run.trail) < sim::cost_of(shrunk->run.trail));
    const auto again = sim::replay(system, sim::deviations_of<model::Move>(shrunk->run.trail));
    ASSERT_FALSE(again.divergence);
    EXPECT_EQ(again.run.trail, shrunk->run.trail);
  }
  EXPECT_EQ(shown, 5U);
}

TEST(Samples, OfAStrictTrailDivergeWhereTimeCouldPassElsewhere) {
  const auto setup = setup_of("[process.A]\nthreads = [[\"start 0..1s\", \"trylock a\", \"unlock a\"]]\n");
  Checked system(setup);
  auto run = drawn_run(system, 3);
  const auto part = std::find_if(run.trail.begin(), run.trail.end(),
                                 [](const auto& decision) { return decision.move.is_part(); });
  ASSERT_NE(part, run.trail.end());
  part->move.listed += 1;
  EXPECT_TRUE(sim::replay(system, sim::plan_of<model::Move>(run.trail)).divergence);
}

}  // namespace
}  // namespace lockstep::scenarios
