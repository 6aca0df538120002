// Programs that go round for ever and send words that are new in each call: request ids and tokens.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "model/client/complete.h"
#include "properties/check/check.h"
#include "scenarios/exploring.h"
#include "scenarios/with_and_without.h"

namespace lockstep::scenarios {
namespace {

using properties::CheckReport;
using properties::Strategy;
using properties::Verdict;
using ::testing::HasSubstr;

std::string rounds(const std::string& lease, const std::string& work = "work 1s") {
  return "[process.P]\ncount = 2\nthreads = [[\"repeat forever { lock a" + lease + "; " + work +
         "; unlock a }\"]]\n";
}

std::string of_release(const std::string& release, const std::string& text) {
  return "scripts = \"redisson@" + release + "\"\n" + text;
}

std::string of_scheme(const std::string& more = "") {
  return "schemes = \"python-token-lock\"\n[process.P]\ncount = 2\n"
         "threads = [[\"repeat forever { lock python-token-lock:a lease=3s; work 1s; "
         "unlock python-token-lock:a }\"]]\n" +
         more;
}

std::string with_fault(const std::string& fault) {
  return "[redisson]\nresponse-timeout = \"1s\"\nretry-attempts = 1\n[faults]\npause-max = \"2s\"\n" + fault +
         " = 1\n";
}

Verdict verdict_on(const CheckReport& report, Property property) {
  for (const properties::PropertyResult& one : report.results)
    if (one.property == property) return one.verdict;
  return Verdict::unknown;
}

CheckReport expect_for_any_number_of_rounds(const std::string& text) {
  const CheckReport report = properties::check(setup_of(text), {.runs = 0});
  EXPECT_TRUE(report.complete) << text;
  EXPECT_THAT(report.bounds, HasSubstr("for any number of rounds"));
  EXPECT_EQ(verdict_on(report, Property::mutual_exclusion), Verdict::proved) << text;
  return report;
}

// Without a lease the watchdog since 3.44.0 has one timer more in each round (renewal_per_client.cpp, 4.).
TEST(EndlessWords, ThatAreDrawnComeToAnEndInEachReleaseThatSendsThem) {
  for (const char* release : {"3.24.0", "3.27.2", "3.30.0", "3.43.0"}) {
    const CheckReport report = expect_for_any_number_of_rounds(of_release(release, rounds("")));
    EXPECT_EQ(verdict_on(report, Property::calls_return), Verdict::proved) << release;
    EXPECT_EQ(verdict_on(report, Property::granted_in_time), Verdict::proved) << release;
  }
  for (const char* release : {"3.44.0", "3.51.0", "4.3.0", "4.7.0"})
    expect_for_any_number_of_rounds(of_release(release, rounds(" lease=5s")));
}

// Nobody deletes a latch there: who held the lock as long as latches are kept is told apart.
TEST(EndlessWords, ThatStayUntilTheirTimeIsOverComeToAnEndWhereRoundsAreLong) {
  const CheckReport report =
      expect_for_any_number_of_rounds(of_release("3.52.0", rounds(" lease=9s", "work 6s")));
  EXPECT_EQ(verdict_on(report, Property::calls_return), Verdict::proved);
}

TEST(EndlessWords, ComeToAnEndWithFaultsAsWell) {
  for (const char* fault : {"crash-process", "lose-message", "pause-process"}) {
    for (const char* release : {"3.24.0", "3.27.2", "4.7.0"})
      expect_for_any_number_of_rounds(of_release(release, rounds(" lease=5s") + with_fault(fault)));
  }
}

TEST(EndlessWords, OfASchemeThatSendsTokensComeToAnEnd) {
  const CheckReport report = expect_for_any_number_of_rounds(of_scheme());
  EXPECT_EQ(verdict_on(report, Property::owner_only), Verdict::proved);
}

// One id for all its calls: an unlock finds the answer that an earlier one was given, and unlocks nothing.
TEST(EndlessWords, ThatAreNotNewAreTakenForEarlierOnes) {
  // There latches stay, and here the message that would delete one may be lost.
  for (const std::string& text : {of_release("3.52.0", rounds(" lease=9s", "work 6s")),
                                  of_release("4.7.0", rounds(" lease=5s") + with_fault("lose-message"))})
    for (const bool same : {false, true}) {
      model::Setup setup = setup_of(text);
      ASSERT_TRUE(setup.threads.front().draws_numbers);
      for (model::ThreadSetup& thread : setup.threads) thread.draws_numbers = !same;
      const auto outcome = search(setup, {.enough = properties::bit(Property::reentrancy)});
      EXPECT_EQ((outcome.violated & properties::bit(Property::reentrancy)) != 0, same) << text;
      EXPECT_EQ(outcome.complete(), !same) << "then it holds ever more often, and a search has no end";
    }
}

TEST(EndlessWords, AreDrawnByThreadsThatNeedThemOnly) {
  const auto draws = [](const std::string& text) { return setup_of(text).threads.front().draws_numbers; };
  EXPECT_TRUE(draws(of_release("3.24.0", rounds(""))));
  EXPECT_TRUE(draws(of_scheme()));
  EXPECT_FALSE(draws(of_release("3.22.0", rounds(""))));
  EXPECT_FALSE(draws(of_release("3.24.0", "[process.A]\nthreads = [[\"repeat 2 { lock a; unlock a }\"]]\n")));
  EXPECT_FALSE(draws(of_release(
      "3.24.0", "[process.A]\nthreads = [[\"repeat forever { lock a; work 1s; force-unlock a }\"]]\n")));
}

TEST(EndlessWords, ThatAScriptMayHideAreRefused) {
  model::Setup setup = setup_of(of_release("3.24.0", rounds("")));
  lua::Script& unlock = setup.scripts.roles.at("unlock");
  const std::string text = unlock.text;
  for (const char* hidden : {"redis.sha1hex", "string.sub(ARGV[1], -4)", "KEYS[1]:gsub('a', 'b')"}) {
    unlock.text = text + " -- " + hidden;
    const auto completed = model::complete(setup);
    ASSERT_FALSE(completed.ok()) << hidden;
    EXPECT_THAT(completed.problem().text, HasSubstr("the script in the role `unlock` says `"));
  }
  unlock.text = "";
  EXPECT_TRUE(model::complete(setup).ok());
}

TEST(EndlessWords, ThatAScenarioSpellsAreRefused) {
  const auto told = [](const std::string& more) {
    const auto setup =
        read_scenario("format = 1\n" + of_scheme(more), "test.toml", shipped_scripts(), test_vocabulary());
    return setup.ok() ? std::string() : setup.problem().text;
  };
  const std::string id = "aaaaaaaa-1111-2222-3333-444444444444";
  const std::string process =
      "[process.Q]\nid = \"" + id +
      "\"\nthreads = [[\"repeat forever { lock python-token-lock:a lease=3s; work 1s; "
      "unlock python-token-lock:a }\"]]\n[process.O]\nthreads = [[\"redis GET k:";
  EXPECT_THAT(told(process + id + ":1:100000\"]]\n"), HasSubstr("spells one"));
  EXPECT_EQ(told(process + id + ":1:\"]]\n"), "");
  EXPECT_EQ(told(process + "another:1:100000\"]]\n"), "");
}

std::string refusal_with(const std::string& before, const std::string& release = "4.7.0") {
  model::Setup setup = setup_of(of_release(release, rounds(" lease=5s")));
  lua::Script& unlock = setup.scripts.roles.at("unlock");
  unlock.text = before + " " + unlock.text;
  const CheckReport searched = properties::check(setup, {.states_max = 2'000, .runs = 0});
  const CheckReport sampled =
      properties::check(setup, {.strategy = Strategy::random, .runs = 10, .steps_max = 400});
  EXPECT_EQ(searched.refusal, sampled.refusal) << before;
  return searched.refusal.value_or("");
}

// KEYS[3] is the latch of the request, whose name ends in its id: <client>:<thread>:<number>.
TEST(EndlessWords, ThatAScriptLooksIntoAreRefusedWhenItDoes) {
  for (const char* look : {
           "redis.call('sadd', 'all', string.match(KEYS[3], '(%d+)$'))",
           "redis.call('sadd', 'all', string.match(KEYS[3], '[^:]+:%d+$'))",
           "redis.call('sadd', 'all', string.sub (KEYS[3], -3))",
           "redis.call('sadd', 'all', string['sub'](KEYS[3], -1))",
           "redis.call('set', 'it', KEYS[3]) "
           "redis.call('sadd', 'all', redis.call('getrange', 'it', -6, -1))",
           "redis.call('set', 'all', tonumber(string.match(KEYS[3], '%d+$')) % 7)",
           "if string.match(KEYS[3], '9$') then redis.call('del', KEYS[1]) end",
           "if #KEYS[3] % 2 == 0 then redis.call('del', KEYS[1]) end",
           // Hardly ever true.
           "if string.find(KEYS[3], '77', 1, true) then redis.call('del', KEYS[1]) end",
           "if string.find(KEYS[3], '00[4-6]$') then redis.call('del', KEYS[1]) end",
           "if string.match(KEYS[3], '(%d)%1%1%1') then redis.call('del', KEYS[1]) end",
           "if tonumber(string.match(KEYS[3], '%d+$')) % 1000 == 777 then redis.call('del', KEYS[1]) end",
           "for d in string.gmatch(KEYS[3], '%d') do if d == '8' then redis.call('del', KEYS[1]) end end",
           "string.gsub(KEYS[3], '%d', function(d) if d == '8' then redis.call('del', KEYS[1]) end end)",
           "if select(2, string.gsub(KEYS[3], '9', '')) > 3 then redis.call('del', KEYS[1]) end",
           "if struct.unpack('>I2', KEYS[3], #KEYS[3] - 2) == 77 then redis.call('del', KEYS[1]) end",
           "if redis.call('keys', '*77*')[1] then redis.call('del', KEYS[1]) end",
           "redis.call('set', 'it', KEYS[3]) "
           "if redis.call('getrange', 'it', -2, -1) == '77' then redis.call('del', KEYS[1]) end",
           // No word of the search comes there, in the order of texts.
           "if KEYS[3] > 'redisson_unlock_latch:{a}:' .. ARGV[3] .. ':99' then redis.call('set', 'b', 1) end",
           "if KEYS[3] < 'redisson_unlock_latch:{a}:' .. ARGV[3] .. ':1' then redis.call('set', 'b', 1) end",
           "if KEYS[3] > 'redisson_unlock_latch:{a}:m' then redis.call('del', KEYS[1]) end",
           "if KEYS[3] < 'redisson_unlock_latch:{a}:0' then redis.call('del', KEYS[1]) end",
           "local last = redis.call('get', 'last') if last and last > KEYS[3] then "
           "redis.call('del', KEYS[1]) end redis.call('set', 'last', KEYS[3])",
       })
    EXPECT_THAT(refusal_with(look),
                HasSubstr("and the script in the role `unlock` does not treat all such words alike"))
        << look;
  for (const char* keep :
       {"", "redis.call('set', 'it', KEYS[3])", "if string.find(KEYS[3], '[^0-9]', 2) then end",
        "redis.call('set', 'it', 'x' .. KEYS[3] .. '-')",
        "redis.call('set', 'it', string.match(KEYS[3], '^.-([^{}]+)$'))"})
    EXPECT_EQ(refusal_with(keep), "") << keep;
}

// No situation comes back then, which runs over a graph and runs over states have to agree on.
TEST(EndlessWords, AreSampledAlsoWhereAScriptReadsTheTime) {
  for (const std::string time : {"'time'", "'TI' .. 'ME'"}) {
    model::Setup setup = setup_of(of_release("4.7.0", rounds(" lease=5s")));
    lua::Script& lock = setup.scripts.roles.at("lock");
    lock.text = "redis.call(" + time + ") " + lock.text;
    for (const Strategy strategy : {Strategy::random, Strategy::uniform, Strategy::guided}) {
      const CheckReport report = properties::check(
          setup, {.strategy = strategy, .runs = 3, .steps_max = 2'000, .settling_max = 2'000});
      EXPECT_EQ(report.runs, 3u);
      EXPECT_EQ(verdict_on(report, Property::mutual_exclusion) == Verdict::violated, false);
    }
  }
}

/// Small, and with whatever makes words stay: lost replies, requests that come late, dead processes.
std::vector<std::string> worlds() {
  std::vector<std::string> worlds{of_scheme(), of_scheme(with_fault("lose-message")),
                                  of_scheme(with_fault("pause-process"))};
  for (const char* release : {"3.24.0", "4.7.0"}) {
    worlds.push_back(of_release(release, rounds(" lease=5s")));
    for (const char* fault : {"crash-process", "crash-process = 1\nrestart-process", "lose-message"})
      worlds.push_back(of_release(release, rounds(" lease=5s", "work 3s") + with_fault(fault)));
  }
  return worlds;
}

void expect_same(const sim::Outcome<Checked>& one, const sim::Outcome<Checked>& other, bool counts) {
  EXPECT_TRUE(one.complete() && other.complete());
  EXPECT_EQ(names_of(one.violated), names_of(other.violated));
  EXPECT_EQ(one.witnesses, other.witnesses);
  EXPECT_EQ(one.zeno.has_value(), other.zeno.has_value());
  EXPECT_EQ(one.dead_end.has_value(), other.dead_end.has_value());
  if (!counts) return;
  EXPECT_EQ(one.states, other.states);
  EXPECT_EQ(one.transitions, other.transitions);
}

TEST(EndlessWords, HaveTheSameOutcomeInWhateverWayTheyAreSearched) {
  for (const std::string& text : worlds()) {
    SCOPED_TRACE(text);
    const model::Setup setup = setup_of(text);
    const auto usual = search(setup);
    expect_same(search(setup, {.memory = properties::Memories::none}), usual, true);
    expect_same(search(setup, {.memory = properties::Memories::short_lived}), usual, true);
    expect_same(search(setup, {.workers = 2}), usual, true);
    expect_same(search(setup, {.key = sim::StateKey::exact}), usual, true);
    expect_same(search(setup, {.symmetry = false}), usual, false);
    if (can_be_reduced(setup)) agrees_with_and_without(setup, {});
    model::Setup whole = setup;
    whole.reductions = model::Reductions::none();
    const auto without = search(whole, {.states_max = 60'000});
    if (without.complete()) { EXPECT_EQ(names_of(without.violated), names_of(usual.violated)); }
  }
}

}  // namespace
}  // namespace lockstep::scenarios
