// The policies by which scenarios are sampled: all find what is easy, a run follows from its number, and what
// is said of runs that found nothing holds.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "properties/check/coverage.h"
#include "properties/check/sampling.h"
#include "properties/check/walking.h"
#include "properties/check/walks.h"
#include "scenarios/exploring.h"
#include "sim/run/weighted.h"

namespace lockstep::scenarios {
namespace {

using properties::CheckReport;
using properties::Strategy;
using properties::Verdict;
using testing::HasSubstr;

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

/// Each thousandth run, and of the first ones those whose number is a power of two.
TEST(Walks, SomeRunsAreMadeTwice) {
  const model::Setup setup = setup_of(two_that_work("1s"));
  const properties::CheckOptions options{.strategy = Strategy::random};
  properties::Walker walker(setup, options, {}, {.drawn = 2'000, .settling = 2'000});
  std::vector<std::uint64_t> twice;
  for (std::uint64_t run = 1; run <= 1'100; ++run)
    if (walker.walked(run - 1, sim::Random{run}).made_twice) twice.push_back(run);
  EXPECT_THAT(twice, testing::ElementsAre(1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024));
}

/// A guided run draws as a swarm does until one met something new.
TEST(Walks, GuidedRunsFollowOthers) {
  const model::Setup setup = setup_of(two_that_work("1s", "[faults]\npause-process = 1\n"));
  EXPECT_EQ(sampled(setup, Strategy::guided, 1).steps, sampled(setup, Strategy::swarm, 1).steps);
  EXPECT_NE(sampled(setup, Strategy::guided, 60).steps, sampled(setup, Strategy::swarm, 60).steps);
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
  EXPECT_GE(certificate->chains, 2U);
  report.sampled_by["pct"].longest = report.thought_steps + 1;
  EXPECT_THAT(properties::why_no_certificate(calm, report), HasSubstr("were thought to be enough"));
  const model::Setup struck = setup_of(two_that_work("1s", "[faults]\ncrash-process = 1\n"));
  EXPECT_FALSE(properties::certificate_of(struck, sampled(struck, Strategy::pct, 5)));
  const model::Setup drawn = setup_of(two_that_work("0..1s"));
  EXPECT_FALSE(properties::certificate_of(drawn, sampled(drawn, Strategy::pct, 5)));
  EXPECT_FALSE(properties::certificate_of(calm, sampled(calm, Strategy::pos, 5)));
}

TEST(Walks, ARunOfWhichTheEndIsNotDrawnHasNoCertificate) {
  const model::Setup setup = setup_of("[process.P]\nthreads = [[\"lock a\", \"unlock a\"]]\n");
  const CheckReport report =
      properties::check(setup, {.strategy = Strategy::pct, .runs = 3, .steps_max = 2});
  EXPECT_EQ(report.cut, 0U);
  EXPECT_EQ(properties::why_no_certificate(setup, report), "3 of its 3 runs were not drawn to the end");
}

/// By default B is refused and does nothing more; where it comes first it has much to do.
TEST(Walks, ARunThatIsLongerThanWasThoughtVoidsTheCertificate) {
  std::string more;
  for (int i = 0; i < 5; ++i) more += "\"lock b\", \"unlock b\", ";
  const model::Setup setup = setup_of(
      "[process.A]\nthreads = [[\"trylock a\", \"work 1s\", \"unlock a\"]]\n"
      "[process.B]\nthreads = [[\"trylock a\", " + more + "\"unlock a\"]]\n");
  int longer = 0, given = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const CheckReport report = properties::check(
        setup, {.strategy = Strategy::pct, .runs = 1, .seed = seed, .shrink = false});
    const properties::SampledBy& by = report.sampled_by.at("pct");
    if (!by.one_move_each) continue;
    const bool is_longer = by.longest > report.thought_steps;
    ++(is_longer ? longer : given);
    EXPECT_EQ(properties::certificate_of(setup, report).has_value(), !is_longer) << seed;
    if (is_longer) {
      EXPECT_THAT(properties::why_no_certificate(setup, report), HasSubstr("were thought to be enough"));
    }
  }
  EXPECT_GE(longer, 3);
  EXPECT_GE(given, 3);
}

/// Four sorts of run, by which of two kinds of fault may strike in them; one in four leaves out a kind.
TEST(Walks, ASwarmLeavesWholeKindsOfFaultOutOfSomeRuns) {
  const model::Setup setup =
      setup_of(two_that_work("1s", "[faults]\npause-process = 3\ncrash-process = 3\n"));
  Checked system(setup);
  const auto kinds_left_out = [&](std::uint64_t seed) {
    std::map<std::uint16_t, std::vector<model::Move>> faults;  // at the start, by kind
    std::vector<model::Move> moves;
    const Checked::State start = system.initial();
    system.enabled(start, moves);
    for (const model::Move& move : moves)
      if (move.is_fault()) faults[move.kind()].push_back(move);
    EXPECT_EQ(faults.size(), 2U);
    std::set<std::uint16_t> left_out;
    for (const auto& [kind, its] : faults) {
      sim::Weighted<Checked> policy{sim::Random{seed}};
      if (!policy.pick(system, start, its)) left_out.insert(kind);
    }
    return left_out;
  };
  std::map<std::set<std::uint16_t>, int> sorts;
  std::size_t struck = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const std::set<std::uint16_t> left_out = kinds_left_out(seed);
    ++sorts[left_out];
    sim::Weighted<Checked> policy{sim::Random{seed}};
    for (const auto& decision :
         sim::run(system, system.initial(), policy, {.steps_max = 300, .stop_at = 0}).trail) {
      EXPECT_FALSE(left_out.contains(decision.move.kind())) << seed;
      struck += decision.move.is_fault() ? 1 : 0;
    }
  }
  ASSERT_EQ(sorts.size(), 4U);
  for (const auto& [left_out, runs] : sorts) {
    const int expected = left_out.empty() ? 225 : left_out.size() == 1 ? 75 : 25;
    EXPECT_NEAR(runs, expected, expected / 2) << left_out.size();
  }
  EXPECT_GT(struck, 100U);
}

// ---- what runs met

using properties::Coverage;
using properties::Whose;
using Behind = properties::SeenBehind;

/// The number of a role of plain locks.
std::uint16_t role_of(const model::Setup& setup, std::string_view name) {
  std::uint16_t role = 0;
  while (setup.kinds[0]->roles[role].name != name) ++role;
  return role;
}

Behind behind(std::initializer_list<std::pair<Whose, properties::FaultMask>> all) {
  Behind made{};
  for (const auto& [whose, faults] : all) made[with_queue(whose, false)] = faults;
  return made;
}

TEST(Coverage, IsOfRequestsByTheLockAndTheFaultsBeforeThem) {
  const model::Setup setup = setup_of(
      "[process.P]\nthreads = [[\"lock a\", \"lock a\", \"unlock a\", \"unlock a\"]]\n"
      "[faults]\ncrash-process = 1\n");
  const properties::Seen seen = sampled(setup, Strategy::guided, 60).seen;
  ASSERT_EQ(setup.kinds[0]->name, "plain");
  EXPECT_EQ(seen.at({0, role_of(setup, "lock"), 0}), behind({{Whose::nobodys, 3}, {Whose::askers, 3}}));
  EXPECT_EQ(seen.at({0, role_of(setup, "unlock"), 0}),
            behind({{Whose::askers_again, 3}, {Whose::askers, 3}}));
}

TEST(Coverage, AFixedFaultIsOneBehindWhichRequestsAreServed) {
  const model::Setup setup = setup_of(
      "[process.P]\nthreads = [[\"lock a\", \"work 5s\", \"unlock a\"]]\n"
      "[faults]\nfixed = [\"pause P at 1s\", \"resume P at 3s\"]\n");
  const properties::Seen seen = sampled(setup, Strategy::guided, 20).seen;
  EXPECT_EQ(seen.at({0, role_of(setup, "lock"), 0}), behind({{Whose::nobodys, 1}}));
  EXPECT_EQ(seen.at({0, role_of(setup, "unlock"), 0}), behind({{Whose::askers, 2}}));
}

/// A way, a state of the lock and a fault that were met, each with others, are news when they meet.
TEST(Coverage, NewsIsWhatWasNeverMetTogether) {
  const model::Setup setup = setup_of(
      "[process.P]\nthreads = [[\"lock a\", \"unlock a\"]]\n[faults]\ncrash-process = 1\n");
  Checked system(setup);
  std::vector<model::Move> moves;
  system.enabled(system.initial(), moves);
  const auto is_crash = [](const model::Move& move) { return move.is_fault(); };
  const auto crash = std::find_if(moves.begin(), moves.end(), is_crash);
  ASSERT_NE(crash, moves.end());
  const model::Move other = *std::find_if_not(moves.begin(), moves.end(), is_crash);
  Coverage coverage(setup, nullptr, {});
  const auto meets = [&](std::vector<std::uint32_t> ways, Whose whose, bool crashed) {
    coverage.begin_run();
    if (crashed) coverage.meet({}, *crash);
    coverage.meet({.situation = Coverage::Situation{0, 0, with_queue(whose, false)}, .ways = std::move(ways)},
                  other);
    return coverage.is_news();
  };
  EXPECT_TRUE(meets({0, 1}, Whose::nobodys, false));
  EXPECT_FALSE(meets({0}, Whose::nobodys, false));
  EXPECT_TRUE(meets({0, 2}, Whose::anothers, false));
  EXPECT_TRUE(meets({0, 2}, Whose::nobodys, false)) << "way and state";
  EXPECT_TRUE(meets({0, 1}, Whose::nobodys, true));
  EXPECT_TRUE(meets({0, 2}, Whose::nobodys, true)) << "way and fault";
  EXPECT_FALSE(meets({0, 1, 2}, Whose::nobodys, true));
  const properties::Seen before = coverage.seen();
  EXPECT_TRUE(meets({7}, Whose::anothers, true));
  EXPECT_NE(coverage.seen(), before);
  coverage.take_back();
  EXPECT_EQ(coverage.seen(), before);
  Coverage behind_a_crash(setup, nullptr, {{*crash, 0, 0}});
  behind_a_crash.begin_run();
  behind_a_crash.meet({.situation = Coverage::Situation{}, .ways = {}}, other);
  EXPECT_EQ(behind_a_crash.seen().at({0, 0, 0}), behind({{Whose::nobodys, 2}})) << "in what runs begin with";
}

TEST(Coverage, KnowsWhetherSomebodyIsInLine) {
  const auto queues = [](const std::string& lock) {
    const std::string program = "lock " + lock + "\", \"unlock " + lock;
    const model::Setup setup = setup_of("[process.P]\ncount = 3\nthreads = [[\"" + program + "\"]]\n");
    const properties::Seen seen = sampled(setup, Strategy::guided, 40).seen;
    std::set<std::uint8_t> met;
    for (const auto& [what, states] : seen)
      for (std::uint8_t state = with_queue(Whose::nobodys, true); state < properties::lock_states; ++state)
        if (states[state] != 0) met.insert(state);
    return met;
  };
  EXPECT_THAT(queues("fair:a"), testing::IsSupersetOf({with_queue(Whose::askers, true),
                                                       with_queue(Whose::anothers, true)}));
  EXPECT_THAT(queues("a"), testing::IsEmpty());
}

}  // namespace
}  // namespace lockstep::scenarios
