// `lockstep measure`: known answers from a trace made by hand and from scenarios without any choice, and what
// it refuses.
#include <nlohmann/json.hpp>

#include "tools/cli/cli_fixture.h"
#include "tools/measure/figures.h"

namespace lockstep::tools {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

sim::TraceEvent event(sim::TraceKind kind, std::int64_t ms, const std::string& who, const std::string& act) {
  sim::TraceEvent made;
  made.kind = kind;
  made.time_us = ms * 1'000;
  made.who = who;
  made.act = act;
  made.lock = "orders";
  return made;
}

TEST(Measured, AWaitIsFromTheCallToTheHoldAndAHoldToItsEnd) {
  using sim::TraceKind;
  sim::Trace trace;
  trace.events = {event(TraceKind::inv, 0, "A1", "lock orders"), event(TraceKind::enter, 5, "A1", ""),
                  event(TraceKind::inv, 1, "B1", "lock orders"), event(TraceKind::timer, 3, "B1", "woken"),
                  event(TraceKind::recv, 4, "B1", ""),           event(TraceKind::leave, 12, "A1", ""),
                  event(TraceKind::enter, 16, "B1", "")};
  trace.events[3].meaning = "wake-up";
  trace.events[4].meaning = "refused";
  Measured measured;
  measured.add(trace);
  EXPECT_THAT(measured.wait_ms.samples, ::testing::ElementsAre(5, 15));
  EXPECT_THAT(measured.hold_ms.samples, ::testing::ElementsAre(7));
  EXPECT_EQ(measured.wake_ups_in_vain, 1u);
  EXPECT_DOUBLE_EQ(measured.fair_waits.mean(), 20.0 * 20 / (2 * (25 + 225)));
  EXPECT_DOUBLE_EQ(measured.fair_grants.mean(), 1);
}

TEST(Measured, QuantilesAreSamplesAndJainIsOneWhereAllAreAlike) {
  const Distribution some{{4, 1, 3, 2}};
  EXPECT_EQ(some.quantile(.5), 2);
  EXPECT_EQ(some.quantile(.75), 3);
  EXPECT_EQ(some.quantile(1), 4);
  EXPECT_EQ(Distribution{}.quantile(.5), 0);
  EXPECT_DOUBLE_EQ(jain({3, 3, 3}), 1);
  EXPECT_DOUBLE_EQ(jain({1, 0, 0, 0}), .25);
  EXPECT_DOUBLE_EQ(jain({}), 1);
}

class MeasureCli : public CliTest {
 protected:
  /// One thread, so that nothing is left to chance: it holds the lock for a second.
  std::string alone() const {
    return file("alone.toml",
                "format = 1\n[process.A]\nthreads = [[\"lock a lease=5s\", \"work 1s\", \"unlock a\"]]\n");
  }
};

TEST_F(MeasureCli, OneThreadAloneWaitsForNobody) {
  const Finished it = lockstep({"measure", alone(), "--runs", "3", "--format", "json"});
  ASSERT_EQ(it.status, 0) << it.err;
  const auto point = nlohmann::json::parse(it.out).at("points").at(0);
  EXPECT_EQ(point.at("acquires"), 3);
  EXPECT_EQ(point.at("wait_ms").at("max"), 0);
  EXPECT_EQ(point.at("hold_ms").at("p50"), 1000);
  EXPECT_EQ(point.at("commands").at("mean"), 2);
  EXPECT_TRUE(point.at("violated").empty());
}

TEST_F(MeasureCli, ASweepChangesOneValueAndASeedIsThatOfRun) {
  const Finished it =
      lockstep({"measure", alone(), "--runs", "2", "--format", "csv", "--sweep", "step.lease=500ms,3s"});
  ASSERT_EQ(it.status, 0) << it.err;
  EXPECT_THAT(it.out, StartsWith("key,value,quantity,samples,mean,p50,p90,p99,max\n"
                                 "\"step.lease\",\"500ms\",wait_ms,2,0,0,0,0,0\n"));
  EXPECT_THAT(it.out, HasSubstr("\"3s\",hold_ms,2,1000,1000,1000,1000,1000\n"));
  const Finished again =
      lockstep({"measure", alone(), "--runs", "2", "--format", "csv", "--sweep", "step.lease=500ms,3s"});
  EXPECT_EQ(it.out, again.out);
}

TEST_F(MeasureCli, TheTableSaysWhatTheNumbersAreOf) {
  const Finished it = lockstep({"measure", alone(), "--runs", "1"});
  EXPECT_THAT(it.out, HasSubstr("schedules drawn uniformly, in virtual time"));
  EXPECT_THAT(it.out, HasSubstr("no property was broken in these runs"));
}

TEST_F(MeasureCli, WhatCannotBeMeasuredIsOneSentence) {
  for (const char* sweep : {"x", "=1", "time.watchdog=", "time.watchdog=9s,", "step.wait=1s", "name.x=1",
                            "time.wachdog=9s", "time.watchdog=soon"}) {
    const Finished it = here({"measure", alone(), "--runs", "1", "--sweep", sweep, "-o", "none.csv"});
    EXPECT_EQ(it.status, 2) << sweep;
    EXPECT_THAT(it.err, HasSubstr("--sweep")) << sweep;
    EXPECT_FALSE(std::filesystem::exists(at("none.csv"))) << sweep;
  }
  EXPECT_EQ(here({"measure", alone(), "--runs", "0"}).status, 2);
}

TEST_F(MeasureCli, WithoutGnuplotItSaysWhatToInstall) {
  const Finished it = lockstep({"measure", alone(), "--runs", "1", "--format", "svg"},
                               {.environment = {"PATH=/nowhere"}, .directory = directory_.string()});
  EXPECT_EQ(it.status, 2);
  EXPECT_THAT(it.err, HasSubstr("install gnuplot-nox"));
}

TEST(MeasurePlot, NamesCannotLeaveTheirQuotes) {
  Measurement of{.scenario = "it's\nplot", .scripts = "s", .key = "k", .seed = 1, .runs = 1, .points = {}};
  of.points.push_back({"'; system 'x", {}});
  const std::string plot = measurement_plot(of);
  EXPECT_THAT(plot, HasSubstr("'it''s\\nplot · s'"));
  EXPECT_THAT(plot, HasSubstr("'''; system ''x' 0"));
}

TEST(MeasurePlot, ShowsTheShareOfRunsThatBreakEachPropertyWhereAnyDoes) {
  Measurement of{.scenario = "s", .scripts = "t", .key = "lease", .seed = 1, .runs = 4, .points = {}};
  of.points.push_back({"1s", {}});
  of.points.push_back({"9s", {}});
  for (MeasuredPoint& point : of.points) point.measured.runs = 4;
  EXPECT_THAT(measurement_plot(of), ::testing::Not(HasSubstr("share of runs")));
  of.points[0].measured.violated["mutual-exclusion"] = 3;
  const std::string plot = measurement_plot(of);
  EXPECT_THAT(plot, HasSubstr("$shares << END\n0 0.75\n1 0\nEND\n"));
  EXPECT_THAT(plot, HasSubstr("title 'mutual-exclusion' noenhanced\nunset multiplot\n"));
}

}  // namespace
}  // namespace lockstep::tools
