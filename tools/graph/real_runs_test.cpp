// The traces that the tests of the reports draw and tell: real runs of shipped scenarios, without digests of
// states, so that they change when the story does. LOCKSTEP_UPDATE_GOLDENS=1 writes them anew; then those of
// reports_test follow.
#include <gtest/gtest.h>

#include "properties/check/check.h"
#include "reports/files/trace_file.h"
#include "reports/testing/golden.h"
#include "tools/cli/load.h"

namespace lockstep::tools {
namespace {

void expect_trace(const std::string& name, const model::Setup& setup, sim::Trail trail) {
  trail.scenario_digest.clear();
  properties::Told told = properties::tell(setup, trail);
  EXPECT_EQ(told.divergence, std::nullopt);
  told.trace.scenario_digest.clear();
  for (sim::TraceEvent& event : told.trace.events) event.state.clear();
  reports::expect_golden("reports/goldens/" + name + ".jsonl", reports::write_trace(told.trace));
}

/// The schedule that breaks the property with the fewest deviations: more happens in it than in the shortest.
void expect_counterexample(const std::string& name, const std::string& scenario,
                           properties::Property property = properties::Property::mutual_exclusion) {
  const auto setup = load_scenario(scenario, {});
  ASSERT_TRUE(setup.ok());
  const properties::CheckReport report =
      properties::check(*setup, {.shrink_states = 0, .watched = properties::bit(property)});
  ASSERT_EQ(report.results.size(), 1u);
  ASSERT_TRUE(report.results[0].deviations.has_value());
  expect_trace(name, *setup, *report.results[0].deviations);
}

/// What happens when every decision is the first of its list.
void expect_default_schedule(const std::string& name, const std::string& scenario) {
  const auto setup = load_scenario(scenario, {});
  ASSERT_TRUE(setup.ok());
  const auto trail =
      sim::parse_trail("lockstep-trail 1\nscenario = " + scenario + "\nthen = default\n", name);
  ASSERT_TRUE(trail.ok()) << trail.problem().text;
  expect_trace(name, *setup, *trail);
}

TEST(RealRuns, TheFailoverThatLosesTheLockIsAsReviewed) {
  expect_counterexample("failover", "failover/master-dies-before-replication");
}

TEST(RealRuns, ThePauseThatOutlivesTheLeaseIsAsReviewed) {
  expect_counterexample("pause", "plain/pause-outlives-lease");
}

TEST(RealRuns, TheWakeUpThatIsTakenInVainIsAsReviewed) {
  expect_counterexample("permit", "plain/permit-swallowed", properties::Property::granted_in_time);
}

TEST(RealRuns, TheDefaultScheduleOfTwoClientsIsAsReviewed) {
  expect_default_schedule("two-clients", "plain/two-clients");
}

}  // namespace
}  // namespace lockstep::tools
