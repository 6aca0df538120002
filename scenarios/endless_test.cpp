// Programs that go round for ever: finite graphs, and what a verdict on them says.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>

#include "lua/sha1.h"
#include "properties/check/check.h"
#include "scenarios/exploring.h"
#include "scenarios/format/normalise.h"

namespace lockstep::scenarios {
namespace {

using properties::CheckReport;
using properties::Verdict;
using ::testing::HasSubstr;

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

TEST(EndlessPrograms, ThatSendAWordOfItsOwnInEachCallAreRefused) {
  const auto problem = [](const std::string& more) {
    const auto setup = read_scenario(rounds_of("forever", "lock a; work 1s; unlock a", 1, more), "x.toml",
                                     shipped_scripts(), test_vocabulary());
    return setup.ok() ? "none" : setup.problem().text;
  };
  EXPECT_EQ(problem("scripts = \"redisson@3.22.0\"\n"), "none");
  EXPECT_THAT(problem("scripts = \"redisson@3.24.0\"\n"),
              HasSubstr("A1 goes round for ever, and each `unlock`"));
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

TEST(EndlessPrograms, WhatIsAskedWhereAllHasEndedIsNotDecided) {
  const CheckReport report = properties::check(
      setup_of(
          rounds_of("forever", "lock a; work 1s; unlock a", 1,
                    "[[property]]\nname = \"ev\"\nkind = \"eventually\"\nlua = \"stored('no') ~= nil\"\n")),
      {});
  EXPECT_TRUE(report.complete);
  const auto is_own = [&](const properties::PropertyResult& one) { return one.verdict == Verdict::unknown; };
  const auto own = std::find_if(report.results.begin(), report.results.end(), is_own);
  ASSERT_NE(own, report.results.end());
  EXPECT_THAT(own->why, HasSubstr("who goes round for ever has no end"));
}

}  // namespace
}  // namespace lockstep::scenarios
