// The policies by which scenarios are sampled: all find what is easy, a run follows from its number, and what
// is said of runs that found nothing holds.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "properties/check/coverage.h"
#include "properties/check/sampling.h"
#include "properties/check/walks.h"
#include "scenarios/exploring.h"

namespace lockstep::scenarios {
namespace {

using properties::CheckReport;
using properties::Strategy;
using properties::Verdict;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

const Strategy policies[] = {Strategy::uniform, Strategy::swarm, Strategy::pct,
                             Strategy::pos,     Strategy::surw,  Strategy::guided};

const char* const contended =
    "[process.P]\ncount = 2\nthreads = [[\"lock a lease=2s\", \"work {}\", \"unlock a\"]]\n";

std::string two_that_work(std::string_view span, std::string_view more = "") {
  std::string text = contended;
  return text.replace(text.find("{}"), 2, span) + std::string(more);
}

CheckReport sampled(const model::Setup& setup, Strategy strategy, std::uint64_t runs) {
  return properties::check(setup, {.strategy = strategy, .runs = runs, .shrink = false});
}

bool breaks(const CheckReport& report, Property property) {
  return std::any_of(report.results.begin(), report.results.end(), [&](const auto& result) {
    return result.property == property && result.verdict == Verdict::violated;
  });
}

TEST(Walks, EachFindsALeaseThatIsTooShort) {
  const model::Setup setup = setup_of(two_that_work("3s"));
  for (const Strategy one : policies)
    EXPECT_TRUE(breaks(sampled(setup, one, 40), Property::mutual_exclusion))
        << properties::name_of(properties::walk_of(one, 0));
}

/// A uniform walk ends a pause as soon as it has begun.
TEST(Walks, EachButTheUniformOneStrikesWithFaults) {
  const model::Setup setup =
      setup_of(two_that_work("1s", "[faults]\npause-process = 1\npause-max = \"8s\"\n"));
  for (const Strategy one : policies)
    if (one != Strategy::uniform) {
      EXPECT_TRUE(breaks(sampled(setup, one, 400), Property::mutual_exclusion))
          << properties::name_of(properties::walk_of(one, 0));
    }
}

TEST(Walks, TheSameSeedDrawsTheSameRuns) {
  const model::Setup setup =
      setup_of(two_that_work("0..1s", "[faults]\npause-process = 1\ncrash-process = 1\n"));
  for (const Strategy one : policies) {
    const CheckReport first = sampled(setup, one, 30), second = sampled(setup, one, 30);
    EXPECT_EQ(first.steps, second.steps);
    EXPECT_EQ(first.witnesses, second.witnesses);
    EXPECT_EQ(first.sampled_by, second.sampled_by);
  }
}

TEST(Walks, TakeTurnsByTheNumbersOfRuns) {
  const CheckReport report = sampled(setup_of(two_that_work("1s")), Strategy::random, 60);
  EXPECT_EQ(report.sampled_by.at("swarm").runs, 20U);
  for (const char* name : {"pct", "pos", "surw", "uniform"}) EXPECT_EQ(report.sampled_by.at(name).runs, 10U);
  EXPECT_FALSE(report.sampled_by.contains("guided"));
}

TEST(Walks, ABudgetEndsThem) {
  const model::Setup setup = setup_of(two_that_work("1s"));
  const CheckReport report = properties::check(
      setup, {.strategy = Strategy::random, .runs = ~std::uint64_t{0}, .sampled_steps_max = 500});
  EXPECT_GE(report.steps, 500U);
  EXPECT_LT(report.steps, 700U);
}

TEST(Walks, ACertificateIsGivenOnlyWhereItHolds) {
  model::Setup calm = setup_of("[process.P]\nthreads = [[\"lock a\", \"unlock a\"]]\n");
  CheckReport report = sampled(calm, Strategy::pct, 100);
  ASSERT_EQ(properties::why_no_certificate(calm, report), "");
  const auto certificate = properties::certificate_of(calm, report);
  ASSERT_TRUE(certificate);
  EXPECT_EQ(certificate->runs, 100U);
  EXPECT_EQ(certificate->depth, 3U);
  EXPECT_EQ(certificate->steps, report.thought_steps);
  EXPECT_GE(certificate->actors, 2U);
  report.sampled_by["pct"].longest = report.thought_steps + 1;
  EXPECT_THAT(properties::why_no_certificate(calm, report), HasSubstr("were thought to be enough"));
  const model::Setup struck = setup_of(two_that_work("1s", "[faults]\ncrash-process = 1\n"));
  EXPECT_FALSE(properties::certificate_of(struck, sampled(struck, Strategy::pct, 5)));
  const model::Setup drawn = setup_of(two_that_work("0..1s"));
  EXPECT_FALSE(properties::certificate_of(drawn, sampled(drawn, Strategy::pct, 5)));
  EXPECT_FALSE(properties::certificate_of(calm, sampled(calm, Strategy::pos, 5)));
}

TEST(Coverage, NamesSituationsThatWereNeverMet) {
  const model::Setup setup = setup_of(
      "[process.P]\nthreads = [[\"lock a\", \"unlock a\"]]\n[faults]\ncrash-process = 1\n");
  const CheckReport report = sampled(setup, Strategy::guided, 60);
  ASSERT_EQ(report.covered.size(), 1U);
  const properties::Covered& one = report.covered.front();
  EXPECT_EQ(one.never.size(), one.all - one.met);
  EXPECT_THAT(one.never, Contains("lock, the lock is another's, without a fault"));
  EXPECT_THAT(one.never, Not(Contains("lock, the lock is free, without a fault")));
  EXPECT_THAT(one.never, Not(Contains("unlock, the lock is its asker's own, without a fault")));
}

}  // namespace
}  // namespace lockstep::scenarios
