// Programs that go round for ever: finite graphs, and what a verdict on them says.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>

#include "lua/sha1.h"
#include "properties/check/check.h"
#include "properties/monitors/all_properties.h"
#include "scenarios/exploring.h"
#include "scenarios/format/normalise.h"

namespace lockstep::scenarios {
namespace {

using properties::CheckReport;
using properties::Verdict;
using ::testing::HasSubstr;
using ::testing::Not;

std::string rounds_of(const std::string& often, const std::string& steps, int processes = 2,
                      const std::string& more = "") {
  const bool of_scripts = more.starts_with("scripts");
  std::string text = "format = 1\nname = \"rounds\"\n" + (of_scripts ? more : "");
  for (int i = 0; i < processes; ++i)
    text += std::string("[process.") + static_cast<char>('A' + i) + "]\nthreads = [[\"repeat " + often +
            " { " + steps + " }\"]]\n";
  return text + (of_scripts ? "" : more);
}

const properties::PropertyResult* result_for(const CheckReport& report, Property property) {
  for (const properties::PropertyResult& one : report.results)
    if (one.property == property) return &one;
  return nullptr;
}

TEST(EndlessPrograms, AGraphOfRoundsWithoutEndIsFiniteAndTheProofIsForAnyNumberOfThem) {
  const CheckReport report = properties::check(shipped_setup("endless/two-clients"), {});
  EXPECT_TRUE(report.complete);
  EXPECT_THAT(report.bounds, HasSubstr("for any number of rounds"));
  EXPECT_EQ(result_for(report, Property::mutual_exclusion)->verdict, Verdict::proved);
  EXPECT_EQ(result_for(report, Property::calls_return)->verdict, Verdict::proved);
}

TEST(EndlessPrograms, CountsAreTheSameWithAndWithoutRememberedStepsAndVerdictsWithAndWithoutSymmetry) {
  for (const char* steps :
       {"lock a; work 1s; unlock a", "lock a; work 11s; unlock a", "trylock a; work 1s; unlock a; think 1s",
        "lock a lease=5s; lock a; work 1s; unlock a; unlock a"}) {
    const model::Setup setup = setup_of(rounds_of("forever", steps));
    Checked remembering(setup), plain(setup), apart(setup);
    sim::SearchOptions<Checked> options;
    options.symmetry = true;
    const auto one = properties::search(remembering, options);
    const auto other = properties::search(plain, options, properties::Memories::none);
    options.symmetry = false;
    const auto whole = properties::search(apart, options);
    EXPECT_TRUE(one.complete()) << steps;
    EXPECT_EQ(one.states, other.states) << steps;
    EXPECT_EQ(one.transitions, other.transitions) << steps;
    EXPECT_EQ(one.violated, whole.violated) << steps;
    EXPECT_LE(one.states, whole.states) << steps;
  }
}

TEST(EndlessPrograms, RoundsAreNotToldApart) {
  const CheckReport endless =
      properties::check(setup_of(rounds_of("forever", "lock a; work 1s; unlock a")), {});
  const CheckReport three = properties::check(setup_of(rounds_of("3", "lock a; work 1s; unlock a")), {});
  EXPECT_TRUE(endless.complete);
  EXPECT_LT(endless.states, three.states);  // rounds are not told apart
}

/// From the third grant on it grants to anybody.
constexpr const char* generous_later =
    "local n = redis.call('get', KEYS[1] .. ':n')\n"
    "if n == '2' and redis.call('exists', KEYS[1]) == 1 then return nil end\n"
    "if redis.call('exists', KEYS[1]) == 0 then\n"
    "  redis.call('set', KEYS[1] .. ':n', n and '2' or '1')\n"
    "  redis.call('hset', KEYS[1], ARGV[2], 1)\n  redis.call('pexpire', KEYS[1], ARGV[1])\n  return "
    "nil\nend\n"
    "return redis.call('pttl', KEYS[1])";

TEST(EndlessPrograms, AFaultThatOnlyALaterRoundHasIsFound) {
  const auto verdict = [](const std::string& often) {
    model::Setup setup = setup_of(rounds_of(often, "lock a; work 1s; unlock a"));
    lua::Script& lock = setup.scripts.roles.at("lock");
    lock.text = generous_later;
    lock.sha1 = lua::sha1_hex(lock.text);
    return result_for(properties::check(setup, {}), Property::mutual_exclusion)->verdict;
  };
  EXPECT_EQ(verdict("1"), Verdict::proved);
  EXPECT_EQ(verdict("2"), Verdict::violated);
  EXPECT_EQ(verdict("forever"), Verdict::violated);
}

std::string problem_of(const std::string& steps) {
  const auto setup = read_scenario("format = 1\nname = \"x\"\n[process.A]\nthreads = [[" + steps + "]]\n",
                                   "x.toml", shipped_scripts(), test_vocabulary());
  return setup.ok() ? "none" : setup.problem().text;
}

TEST(EndlessPrograms, WhatCannotGoOnForEverIsRefusedWithItsPlace) {
  EXPECT_EQ(problem_of("\"work 1s; repeat forever { lock a; think 1s; unlock a }\""), "none");
  EXPECT_EQ(problem_of("\"repeat forever { repeat 2 { lock a }; work 1s; repeat 2 { unlock a } }\""), "none");
  EXPECT_EQ(problem_of("\"repeat forever { try { lock a; work 1s } finally { unlock a } }\""), "none");
  const auto refused = [](const std::string& steps, const std::string& why) {
    EXPECT_THAT(problem_of(steps), HasSubstr("x.toml:4:")) << steps;
    EXPECT_THAT(problem_of(steps), HasSubstr(why)) << steps;
  };
  refused("\"repeat forever { lock a; think 1s; unlock a }; work 1s\"", "nothing follows `repeat forever`");
  refused("\"repeat forever { lock a; think 1s; unlock a }\", \"work 1s\"",
          "nothing follows `repeat forever`");
  refused("\"repeat forever { lock a; unlock a }; work 1s\"", "nothing follows `repeat forever`");
  refused("\"repeat forever { lock a; unlock a }\", \"work 1s\"", "nothing follows `repeat forever`");
  refused("\"repeat 2 { repeat forever { lock a; think 1s; unlock a } }\"", "in no other block");
  refused("\"try { repeat forever { lock a; think 1s; unlock a } } finally { work 1s }\"",
          "in no other block");
  refused("\"repeat forever { signal s }\"", "must take time");
  refused("\"repeat forever { lock a; unlock a }\"", "must take time");
  refused("\"repeat forever { await s }\"", "must take time");
  refused("\"repeat forever { work 0s }\"", "must take time");
  refused("\"repeat forever { lock a#fresh; work 1s; unlock a#fresh }\"", "a key of its own in each round");
  refused("\"repeat forever lock a\"", "`repeat forever` wants a `{`");
  refused("\"repeat 0 { lock a }\"", "`repeat` wants a number from 1");
}

TEST(EndlessPrograms, TheTextOfAStepIsReadAgain) {
  const model::Setup setup = setup_of(rounds_of("forever", "lock a; work 1s; unlock a"));
  const std::string text = normalised(setup);
  EXPECT_THAT(text, HasSubstr("repeat forever { lock a; work 1s; unlock a }"));
  const auto again = read_scenario(text, "again.toml", shipped_scripts(), test_vocabulary());
  ASSERT_TRUE(again.ok()) << again.problem().text;
  EXPECT_EQ(normalised(*again), text);
}

TEST(EndlessPrograms, ATokenThatGrowsWithoutEndIsNeverProvedAndTheReasonIsSaid) {
  const CheckReport report =
      properties::check(setup_of(rounds_of("forever", "lock fenced:a token; work 1s; unlock fenced:a", 1,
                                           "scripts = \"redisson@3.22.0\"\n")),
                        {.states_max = 2'000, .runs = 0});
  EXPECT_FALSE(report.complete);
  const auto* result = result_for(report, Property::mutual_exclusion);
  if (result == nullptr) result = &report.results.front();
  EXPECT_EQ(result->verdict, Verdict::unknown);
  EXPECT_THAT(result->why, HasSubstr("the token of a grows in each round"));
}

/// Of two processes that take a fair lock of such scripts again and again.
CheckReport fair_rounds(const std::string& version, const std::string& steps, std::uint64_t states_max,
                        const std::string& more = "") {
  const model::Setup setup = setup_of(
      fmt::format("scripts = \"redisson@{}\"\n[process.P]\ncount = 2\n"
                  "threads = [[\"repeat forever {{ {} }}\"]]\n{}",
                  version, steps, more));
  return properties::check(setup, {.states_max = states_max, .runs = 0});
}

// Until 3.11.0 who queues gets the deadline of the first plus fair-wait, 5 s. If the queue never empties,
// each round puts the deadlines 5 s further and takes as long as somebody works.
TEST(EndlessPrograms, AFairLockWhoseTimesRunAwayFromTheClockIsNeverProvedAndTheReasonIsSaid) {
  const std::string round = "lock fair:a; work 1s; unlock fair:a";
  const CheckReport report = fair_rounds("3.10.5", round, 5'000, "[faults]\ncrash-process = 1\n");
  EXPECT_FALSE(report.complete);
  const auto* result = result_for(report, Property::mutual_exclusion);
  EXPECT_EQ(result->verdict, Verdict::unknown);
  EXPECT_THAT(result->why, HasSubstr("the times in the queue of fair:a drift against the clock"));
  const CheckReport wears_off = fair_rounds("3.22.0", round, 5'000);
  EXPECT_FALSE(wears_off.complete);
  EXPECT_THAT(result_for(wears_off, Property::mutual_exclusion)->why, Not(HasSubstr("drift")))
      << "since 3.11.1 each grant takes fair-wait off the others";
}

TEST(EndlessPrograms, WhatHasBeenAsFarAheadBeforeDoesNotDrift) {
  properties::Drift drift;
  for (int round = 0; round < 2'000; ++round) {
    drift.note("wears off", sim::Duration{35'000 - 10 * (round % 300)});
    if (round < 100) drift.note("seldom met", sim::Duration{1'000'000 + round});
    drift.note("runs away", sim::Duration{35'000 + 4 * round});
  }
  ASSERT_TRUE(drift.found());
  EXPECT_EQ(drift.found()->where, "runs away");
  EXPECT_EQ(drift.found()->ahead, sim::Duration{42'996});
}

TEST(EndlessPrograms, AFairLockWhoseTimesKeepPaceWithTheClockComesBackToTheSameSituations) {
  for (const char* version : {"3.10.5", "3.22.0"})
    EXPECT_TRUE(fair_rounds(version, "lock fair:a; work 1s; unlock fair:a; think 1s", 1'000).complete);
  EXPECT_TRUE(fair_rounds("3.10.5", "lock fair:a; work 5s; unlock fair:a", 1'000).complete);
  EXPECT_TRUE(fair_rounds("3.10.5", "lock fair:a; work 6s; unlock fair:a", 10'000).complete)
      << "they fall behind, and begin anew";
}

/// What is said of whether calls return, of programs of one thread each.
std::string calls_of(const std::vector<std::string>& programs) {
  std::string text = "format = 1\nname = \"rounds\"\n";
  for (std::size_t i = 0; i < programs.size(); ++i)
    text += fmt::format("[process.{}]\nthreads = [[\"{}\"]]\n", static_cast<char>('A' + i), programs[i]);
  const CheckReport report = properties::check(setup_of(text), {});
  EXPECT_TRUE(report.complete) << text;
  const auto* result = result_for(report, Property::calls_return);
  return result == nullptr ? "not asked"
                           : fmt::format("{} {}", properties::name_of(result->verdict), result->why);
}

TEST(EndlessPrograms, ACallThatNeverReturnsIsFoundWhoeverGoesOn) {
  const std::string ab = "lock a; work 1s; lock b; unlock b; unlock a",
                    ba = "lock b; work 1s; lock a; unlock a; unlock b";
  const auto for_ever = [](const std::string& steps) { return "repeat forever { " + steps + " }"; };
  const std::string other = for_ever("lock z; work 1s; unlock z");
  const auto stuck = HasSubstr("A1 waits for b, which B1 holds; B1 waits for a, which A1 holds");
  EXPECT_THAT(calls_of({for_ever(ab), for_ever(ba)}), stuck);
  EXPECT_THAT(calls_of({for_ever(ab), for_ever(ba), other}), stuck) << "C1 goes on";
  EXPECT_THAT(calls_of({ab, ba, other}), stuck) << "theirs have an end";
  EXPECT_THAT(calls_of({for_ever("lock read:x; work 1s; lock write:x; unlock write:x; unlock read:x")}),
              HasSubstr("A1 waits for x, which A1 holds"));
  EXPECT_EQ(calls_of({for_ever(ab), for_ever(ab)}), "proved ");
  EXPECT_EQ(calls_of({for_ever(ab), ab, other}), "proved ");
}

TEST(EndlessPrograms, ASampleThatComesToRestIsStuckAndOneThatIsCutSaysNothing) {
  const auto sampled = [](const std::string& steps) {
    const CheckReport report = properties::check(
        setup_of(rounds_of("forever", steps, 1)),
        {.strategy = properties::Strategy::random, .runs = 4, .steps_max = 300, .shrink = false});
    return result_for(report, Property::calls_return)->verdict;
  };
  EXPECT_EQ(sampled("lock x; work 1s; unlock x; await s; signal s"), Verdict::violated);
  EXPECT_EQ(sampled("lock x; work 1s; unlock x"), Verdict::unknown);
}

/// With one property of its own.
Verdict own_verdict(const std::string& scenario, const std::string& kind, const std::string& lua,
                    const properties::CheckOptions& options = {}) {
  const model::Setup setup = setup_of(
      scenario + fmt::format("[[property]]\nname = \"own\"\nkind = \"{}\"\nlua = \"{}\"\n", kind, lua));
  const CheckReport report = properties::check(setup, options);
  const auto* own = result_for(report, properties::own_property(0));
  if (own == nullptr) return ADD_FAILURE() << scenario, Verdict::unknown;
  if (own->verdict != Verdict::violated) return own->verdict;
  const properties::Told told = properties::tell(setup, *own->trail);
  EXPECT_TRUE((told.violated & properties::bit(properties::own_property(0))) != 0) << "as its trail shows";
  return own->verdict;
}

/// All that decides it, each on the same question.
std::vector<properties::CheckOptions> ways_to_search() {
  return {{.strategy = properties::Strategy::search},
          {.strategy = properties::Strategy::search_deep},
          {.strategy = properties::Strategy::search, .exact = true},
          {.strategy = properties::Strategy::search, .workers = 2}};
}

TEST(GoingRound, WhatNeverComesInARunThatGoesOnForEverIsViolated) {
  // Each waits for the other, and watchdogs renew for ever: no run comes to rest.
  const std::string deadlock =
      "format = 1\n[process.A]\nthreads = [[\"lock a\", \"signal s\", \"await t\", \"lock b\"]]\n"
      "[process.B]\nthreads = [[\"lock b\", \"signal t\", \"await s\", \"lock a\"]]\n";
  const std::string round = rounds_of("forever", "lock a; work 1s; unlock a", 1, "");
  for (const properties::CheckOptions& how : ways_to_search()) {
    EXPECT_EQ(own_verdict(deadlock, "eventually", "stored('no') ~= nil", how), Verdict::violated);
    EXPECT_EQ(own_verdict(deadlock, "eventually", "holds('b', 'B1') == 1", how), Verdict::proved);
    EXPECT_EQ(own_verdict(round, "eventually", "stored('no') ~= nil", how), Verdict::violated);
    EXPECT_EQ(own_verdict(round, "eventually", "stored('a') ~= nil", how), Verdict::proved);
  }
  const properties::CheckOptions sampled{.strategy = properties::Strategy::random, .runs = 5};
  EXPECT_EQ(own_verdict(deadlock, "eventually", "stored('no') ~= nil", sampled), Verdict::violated);
  EXPECT_NE(own_verdict(round, "eventually", "stored('no') ~= nil", sampled), Verdict::proved);
}

TEST(GoingRound, OfTwoWaysToOneStateTheOneThatNeverHadItCounts) {
  // B may hold the lock before A goes round for ever, or never: it gives up where A came first.
  const std::string joined =
      "format = 1\n[process.A]\nthreads = [[\"repeat forever { lock a lease=5s; work 1s; unlock a }\"]]\n"
      "[process.B]\nthreads = [[\"trylock a wait=0s lease=5s\", \"unlock a\"]]\n";
  for (const properties::CheckOptions& how : ways_to_search()) {
    EXPECT_EQ(own_verdict(joined, "eventually", "holds('a', 'B1') == 1", how), Verdict::violated);
    EXPECT_EQ(own_verdict(joined, "eventually", "ended('B1')", how), Verdict::proved) << "it does not wait";
  }
}

TEST(GoingRound, WhoWaitsForALockThatIsTakenAgainAtOnceMayStarve) {
  const auto verdict = [](const std::string& others, const std::string& scripts = "") {
    const model::Setup setup = setup_of(
        "format = 1\n" + scripts + "[process.A]\nthreads = [[\"" + others +
        "\"]]\n[process.B]\nthreads = [[\"lock a lease=5s\", \"unlock a\"]]\n");
    const CheckReport report = properties::check(
        setup,
        {.strategy = properties::Strategy::search, .watched = properties::bit(Property::no_starvation)});
    const auto* result = result_for(report, Property::no_starvation);
    if (result->verdict != Verdict::violated) return result->verdict;
    const properties::Told told = properties::tell(setup, *result->trail);
    EXPECT_TRUE((told.violated & properties::bit(Property::no_starvation)) != 0) << "as its trail shows";
    EXPECT_THAT(result->why, HasSubstr("the call of B1 has not returned"));
    return result->verdict;
  };
  EXPECT_EQ(verdict("repeat forever { lock a lease=5s; work 1s; unlock a }"), Verdict::violated);
  EXPECT_EQ(verdict("repeat forever { lock a lease=5s; work 1s; unlock a; think 1s }"), Verdict::proved)
      << "while A pauses, B is told, asks, and gets it";
  EXPECT_EQ(verdict("repeat 3 { lock a lease=5s; work 1s; unlock a }"), Verdict::proved);
  EXPECT_EQ(verdict("lock a\", \"repeat forever { think 1s }"), Verdict::violated) << "A is renewed for ever";
}

TEST(GoingRound, SamplesThatGoRoundForEverPassNothing) {
  const model::Setup setup = setup_of(rounds_of("forever", "lock a lease=5s; work 1s; unlock a", 2, ""));
  for (const Property property :
       {Property::mutual_exclusion, Property::calls_return, Property::no_starvation}) {
    const CheckReport report = properties::check(
        setup, {.strategy = properties::Strategy::uniform, .runs = 3, .watched = properties::bit(property)});
    EXPECT_EQ(report.cut, report.runs);
    EXPECT_NE(result_for(report, property)->verdict, Verdict::passed);
  }
}

/// Monitors that are not asked still learn in the round: granted-in-time, that who waits has waited too long.
TEST(GoingRound, WhatOtherPropertiesRememberOfTheRoundDoesNotHideIt) {
  for (const char* name : {"mysql/row-orphan", "schemes/setnx-expire-orphan"}) {
    const model::Setup setup = shipped_setup(name);
    for (const bool boxes : {false, true}) {
      const CheckReport report =
          properties::check(setup, {.strategy = properties::Strategy::search,
                                    .watched = properties::bit(Property::no_starvation),
                                    .boxes = boxes});
      const auto* found = result_for(report, Property::no_starvation);
      ASSERT_EQ(found->verdict, Verdict::violated) << name;
      EXPECT_THAT(found->why, HasSubstr("lead back to where they began")) << name;
      EXPECT_NE(properties::tell(setup, *found->trail).violated & properties::bit(Property::no_starvation),
                0U)
          << name;
    }
  }
}

TEST(GoingRound, SamplesThatAllEndShowThatNobodyWaitsForEver) {
  const auto sampled = [](const std::string& scenario) {
    const CheckReport report = properties::check(
        setup_of(scenario),
        {.strategy = properties::Strategy::random,
         .runs = 20,
         .watched = properties::bit(Property::no_starvation) | properties::bit(Property::calls_return)});
    return result_for(report, Property::no_starvation)->verdict;
  };
  EXPECT_EQ(sampled(rounds_of("3", "lock a lease=5s; work 1s; unlock a", 2, "")), Verdict::passed);
  EXPECT_EQ(sampled("format = 1\n[process.A]\nthreads = [[\"lock a\"]]\n"
                    "[process.B]\nthreads = [[\"think 1s\", \"lock a\"]]\n"),
            Verdict::violated);
}

TEST(GoingRound, ALimitLeavesItUnknown) {
  const model::Setup setup = setup_of(rounds_of("forever", "lock a lease=5s; work 1s; unlock a", 2, ""));
  const properties::CheckOptions cut{.strategy = properties::Strategy::search,
                                     .states_max = 20,
                                     .watched = properties::bit(Property::no_starvation)};
  EXPECT_EQ(result_for(properties::check(setup, cut), Property::no_starvation)->verdict, Verdict::unknown);
  const properties::CheckOptions one{.strategy = properties::Strategy::uniform,
                                     .runs = 1,
                                     .steps_max = 100,
                                     .settling_max = 0,
                                     .watched = properties::bit(Property::no_starvation)};
  EXPECT_EQ(result_for(properties::check(setup, one), Property::no_starvation)->verdict, Verdict::unknown);
}

}  // namespace
}  // namespace lockstep::scenarios
