// `lockstep check-history`: what it reads, what it answers and with which exit code; and histories that runs
// of scenarios leave, held against the verdicts of their monitors.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "properties/check/check.h"
#include "properties/histories/linearizable.h"
#include "reports/exports/exports.h"
#include "tools/cli/cli_fixture.h"
#include "tools/cli/load.h"
#include "tools/cli/schedule.h"
#include "tools/history/edn.h"
#include "tools/history/recorded.h"

namespace lockstep::tools {
namespace {

using ::testing::HasSubstr;

class HistoryCli : public CliTest {
 protected:
  static std::string line(const std::string& type, const std::string& process, const std::string& more = "") {
    return R"({"type":")" + type + R"(","process":")" + process + "\"" + (more.empty() ? "" : "," + more) +
           "}\n";
  }
  static std::string call(const std::string& process, const std::string& what, const std::string& more = "") {
    return line("invoke", process,
                R"("call":")" + what + R"(","lock":"orders")" + (more.empty() ? "" : "," + more));
  }
  static std::string two_at_once() {
    return call("A", "lock") + line("ok", "A") + call("B", "lock") + line("ok", "B");
  }
  Finished asked(const std::string& text, const std::string& spec, std::vector<std::string> more = {}) const {
    std::vector<std::string> words{"check-history", file("h", text), "--lock", spec};
    words.insert(words.end(), more.begin(), more.end());
    return here(words);
  }
};

TEST_F(HistoryCli, ExitCodesAreThoseOfTheOtherVerbs) {
  EXPECT_EQ(asked(call("A", "lock") + line("ok", "A"), "mutex").status, 0);
  EXPECT_EQ(asked(two_at_once(), "mutex").status, 1);
  EXPECT_EQ(asked(call("A", "lock") + line("ok", "A"), "fenced").status, 3);
  EXPECT_EQ(asked("", "mutex").status, 4);
  EXPECT_EQ(here({"check-history", "nowhere", "--lock", "mutex"}).status, 2);
  EXPECT_EQ(here({"check-history", file("h", "")}).status, 2) << "which lock?";
}

TEST_F(HistoryCli, AByteOrderMarkInFrontIsNoPartOfTheHistory) {
  const std::string mark = "\xEF\xBB\xBF";
  EXPECT_EQ(asked(mark + call("A", "lock") + line("ok", "A"), "mutex").status, 0);
  EXPECT_EQ(asked(mark + two_at_once(), "mutex").status, 1);
  EXPECT_EQ(asked(mark + "{:type :invoke, :process 0, :f :acquire}\n{:type :ok, :process 0, :f :acquire}\n",
                  "mutex")
                .status,
            0);
}

TEST_F(HistoryCli, AFailureShowsThePrefixAndWhatWasPossible) {
  const Finished it = asked(two_at_once(), "mutex");
  EXPECT_THAT(it.out, HasSubstr("✗ orders           not linearizable (2 calls"));
  EXPECT_THAT(it.out, HasSubstr("orders, explained up to line 3, for example in this order"));
  EXPECT_THAT(it.out, HasSubstr("line 1, 2    A lock: granted"));
  EXPECT_THAT(it.out, HasSubstr("▶ line 3, 4    B lock: granted"));
  EXPECT_THAT(it.out, HasSubstr("there it is held by A: possible was refused"));
  const auto json = nlohmann::json::parse(asked(two_at_once(), "mutex", {"--format", "json"}).out);
  EXPECT_EQ(json["locks"][0]["verdict"], "not linearizable");
  EXPECT_EQ(json["locks"][0]["explained_to"], 3);
  EXPECT_EQ(json["locks"][0]["stuck"]["end"], 4);
}

TEST_F(HistoryCli, ThePrefixGoesOnToTheLastLineThatBreaksNothing) {
  const std::string waiting = call("A", "lock") + line("ok", "A") + call("B", "lock") + call("C", "unlock");
  for (const std::string& silent :
       {line("info", "C"), line("info", "C") + line("invoke", "D", R"("call":"write")"),
        line("info", "C") + line("waits", "B") + line("waits", "B")}) {
    const auto lines = std::count(silent.begin(), silent.end(), '\n');
    EXPECT_THAT(
        asked(waiting + call("D", "is-held") + line("fail", "D") + silent + line("ok", "B"), "mutex").out,
        HasSubstr(fmt::format("explained up to line {}, ", 6 + lines)));
  }
}

TEST_F(HistoryCli, WhatAPrefixDoesNotAnswerYetIsToldSo) {
  const Finished it = asked(call("A", "lock") + line("ok", "A") + call("C", "force-unlock") +
                                call("B", "trylock") + line("ok", "B") + line("fail", "C"),
                            "mutex");
  EXPECT_EQ(it.status, 1);
  EXPECT_THAT(it.out, HasSubstr("explained up to line 5"));
  EXPECT_THAT(it.out, HasSubstr("line 3, 6    C force-unlock: not answered yet"));
  EXPECT_THAT(it.out, HasSubstr("▶ line 3, 6    C force-unlock: failed"));
}

TEST_F(HistoryCli, AForcedUnlockIsToldThatNobodyHeldTheLockInEitherWord) {
  for (const std::string answer : {"not-held", "false"})
    for (const std::string type : {"ok", "fail"}) {
      const std::string told = line(type, "B", R"("answer":")" + answer + R"(")");
      const std::string held = call("A", "lock") + line("ok", "A"), asks = call("B", "force-unlock");
      EXPECT_EQ(asked(held + asks + told, "mutex").status, 1) << type << ' ' << answer;
      EXPECT_EQ(asked(asks + told, "mutex").status, 0) << type << ' ' << answer;
    }
}

TEST_F(HistoryCli, LeasesAreOfTheCallOrOfTheOption) {
  const std::string text = call("A", "lock", R"("time":0,"lease":1000)") + line("ok", "A", R"("time":1)") +
                           call("B", "lock", R"("time":1000.5)") + line("ok", "B", R"("time":1001)");
  EXPECT_EQ(asked(text, "lease").status, 0);
  EXPECT_EQ(asked(text, "mutex").status, 1);
  EXPECT_EQ(asked(text, "mutex", {"--lease", "1s"}).status, 0);
  const std::string soon = call("A", "lock", R"("time":0)") + line("ok", "A", R"("time":1)") +
                           call("B", "lock", R"("time":900)") + line("ok", "B", R"("time":901)");
  EXPECT_EQ(asked(soon, "lease", {"--lease", "1s"}).status, 1);
  EXPECT_EQ(asked(soon, "lease", {"--lease", "1s", "--clock-error", "100ms"}).status, 0);
}

TEST_F(HistoryCli, APrefixThatALimitCutIsToldToBePerhapsLonger) {
  const std::string text = call("A", "lock") + line("ok", "A") + call("C", "force-unlock") +
                           call("B", "lock") + line("ok", "B") +
                           line("ok", "C", R"("answer":"not-held")");
  EXPECT_THAT(asked(text, "mutex").out, Not(HasSubstr("a limit")));
  const Finished it = asked(text, "mutex", {"--max-states", "1"});
  EXPECT_EQ(it.status, 1);
  EXPECT_THAT(it.out, HasSubstr("orders, a limit was met in asking how far it is explained"));
}

TEST_F(HistoryCli, LimitsAndStrangersEndInUnknown) {
  EXPECT_EQ(asked(two_at_once(), "mutex", {"--max-states", "0"}).status, 3);
  const std::string del = line("invoke", "O", R"("call":"redis","lock":"DEL orders")") + line("ok", "O");
  const Finished it =
      asked(call("A", "lock") + line("ok", "A") + del + call("B", "lock") + line("ok", "B"), "mutex");
  EXPECT_EQ(it.status, 3);
  EXPECT_THAT(it.out, HasSubstr("line 3: nobody knows what `redis DEL orders` did to the lock"));
}

TEST_F(HistoryCli, BadInputIsOneSentenceWithItsLine) {
  const std::vector<std::pair<std::string, std::string>> all{
      {"{\"type\": nonsense}\n", "h:1: this line is no JSON object"},
      {line("ok", "A"), "h:1: A has called nothing that could end"},
      {call("A", "lock") + call("A", "lock"), "h:2: A calls again before its `lock` has ended"},
      {call("A", "lokc"), "h:1: `lokc` is no call of a lock; did you mean `lock`?"},
      {call("A", "lock") + line("okay", "A"), "h:2: `type` is `okay`, not invoke, ok, fail, info or waits"},
      {call("A", "lock") + line("ok", "A", R"("answer":"perhaps")"),
       "h:2: `perhaps` is no answer of this call"},
      {call("A", "lock") + line("ok", "A", R"("answer":"not-held")"),
       "h:2: `not-held` is no answer of this call"},
      {call("A", "unlock") + line("ok", "A", R"("answer":"granted")"),
       "h:2: `granted` is no answer of this call"},
      {call("A", "lock") + line("fail", "A", R"("answer":true)"), "h:2: it failed, and its answer is `true`"},
      {call("A", "force-unlock") + line("fail", "A", R"("answer":"done")"),
       "h:2: it failed, and its answer is `done`"},
      {call("A", "force-unlock") + line("fail", "A", R"("answer":true)"),
       "h:2: it failed, and its answer is `true`"},
      {call("A", "lock", R"("time":"noon")"), "h:1: `time` wants milliseconds"},
      {call("A", "lock", R"("time":5)") + line("ok", "A", R"("time":4)"),
       "h:2: it ends before it begins, in line 1"},
      {call("A", "lock", R"("mode":"both")"), "h:1: `mode` is `both`, not read or write"},
      {line("waits", "A"), "h:1: A waits, and has called nothing to wait in"},
      {"{\"type\":\"invoke\",\"call\":\"lock\"}\n", "h:1: it says no `process`"},
      {"{\"lockstep\":\"history\",\"v\":2}\n", "h:1: this is no history of format 1"},
      {"{:type :invoke", "h:1: a `}` is missing"},
      {"\n[{:type}]", "h:2: a map has a key without a value"},
      {"[1]", "h:1: this is no map of an operation"},
      {"{:type :invoke :process 0 :f :acquire :value 7}", "h:1: `:value` is the name of the lock, or a map"},
      {"\n{:type :invoke :process 0 :f :acquire :value [:a 7]}", "h:2: `:value` is the name of the lock"},
      {"{:type :invoke :process 0 :f :acquire :value {:lock [:a]}}", "h:1: `:lock` wants a text"},
      {R"({"type":"invoke","process":"A","call":"lock","call":"unlock"})",
       "h:1: the member `call` stands there twice"},
      {R"({"type":"invoke","process":"A","call":"lock","lock":"a"})"
       "\n"
       R"({"type":"ok","process":"A","token":1,"token":2})",
       "h:2: the member `token` stands there twice"},
      {line("invoke", "A", R"("call":"lock","lock":"a")") + line("ok", "A", R"("lock":"b")"),
       "h:2: A called for `a`, and this ends a call for `b`"}};
  for (const auto& [text, sentence] : all) {
    const Finished it = asked(text, "mutex");
    EXPECT_EQ(it.status, 2) << text;
    EXPECT_TRUE(it.out.empty()) << it.out;
    EXPECT_THAT(it.err, HasSubstr(sentence)) << text;
  }
}

TEST_F(HistoryCli, ReadersOfALockWithoutAnyAreAMistakeOfTheirLine) {
  const std::string writes = call("A", "write-lock") + line("ok", "A");
  for (const std::string& reads : {call("B", "read-lock"), call("B", "trylock", R"("mode":"read")"),
                                   call("B", "is-locked", R"("mode":"shared")")}) {
    EXPECT_EQ(asked(writes + reads, "read-write").status, 0) << reads;
    for (const std::string spec : {"mutex", "reentrant", "lease", "fair", "fenced"}) {
      file("h", writes + reads);
      const Finished it = here({"check-history", "h", "--lock", spec});
      EXPECT_EQ(it.status, 2) << reads;
      EXPECT_EQ(it.err, "error: h:3: a " + spec + " lock has no readers; one of --lock read-write has\n");
    }
  }
}

TEST_F(HistoryCli, NumbersOfJepsensNotationAreNumbersOrAMistakeOfTheirLine) {
  const auto with = [](const std::string& member) {
    return "{:type :invoke :process 0 :f :acquire\n" + member +
           "}\n{:type :ok :process 0 :f :acquire :value {:lock :a " + member + "}}\n";
  };
  const std::vector<std::string> no_numbers{"\"a\"", "1.5", "99999999999999999999", ":x", "7x", "+-5", "[1]"};
  for (const auto& [name, wanted] : {std::pair<std::string, std::string>{":lease ", "whole milliseconds"},
                                     {":time ", "whole nanoseconds"},
                                     {":token ", "a whole number"},
                                     {":fence ", "a whole number"}}) {
    for (const std::string& word : no_numbers) {
      const Finished it = asked(with(name + word), "fenced");
      expect_one_sentence(it, name + word);
      const std::string said = "h:2: `" + name.substr(0, name.size() - 1) + "` wants " + wanted;
      EXPECT_THAT(it.err, HasSubstr(said)) << word;
    }
    for (const char* word : {"5", "+5", "5N", "nil"})
      EXPECT_NE(asked(with(name + word), "mutex").status, 2) << name << word;
  }
  for (const char* word : {"-5", "9000000000001"})
    expect_one_sentence(asked(with(std::string(":lease ") + word), "mutex"), word);
  const std::string nemesis = "{:process :nemesis :type :info :f :kill :time :never}";
  EXPECT_EQ(asked(nemesis + with(":time 5"), "mutex").status, 0) << "the nemesis is passed over";
}

TEST_F(HistoryCli, JepsensNotationIsReadWithWhatOthersPutIntoIt) {
  const std::string text =
      "; a comment\n[#jepsen.history.Op{:process 0, :type :invoke, :f :acquire, :value nil, :time 0}\n"
      " #_{:ignored [1 2]} {:process :nemesis, :type :info, :f :kill, :value #{1 2}}\n"
      " {:process 0 :type :ok :f :acquire :value {:lock \"a\" :fence 7} :time 10}\n"
      " {:process 1, :type :invoke, :f :acquire, :value nil, :time 20}\n"
      " {:process 1, :type :info, :f :acquire, :error [:timeout \"x\"], :value nil, :time 30}]";
  EXPECT_EQ(asked(text, "fenced").status, 0);
  const auto read = parse_history(text, "h");
  ASSERT_TRUE(read.ok()) << read.problem().text;
  ASSERT_EQ(read->operations.size(), 2u);
  EXPECT_EQ(read->operations[0].answer.token, 7);
  EXPECT_EQ(read->operations[0].end->line, 4u);
  EXPECT_FALSE(read->operations[1].end);
}

TEST_F(HistoryCli, AKeywordNamesALockAsATextDoes) {
  const auto two_locks = [](const std::string& one, const std::string& other) {
    return "{:type :invoke :process 0 :f :acquire :value " + one +
           "}{:type :ok :process 0 :f :acquire :value " + one +
           "}{:type :invoke :process 1 :f :acquire :value " + other + "}{:type :ok :process 1 :f :acquire}";
  };
  for (const char* quote : {":a :b", "\"a\" \"b\"", "{:lock\"a\"} {:lock\"b\"}"}) {
    const std::string both = quote, a = both.substr(0, both.find(' ')), b = both.substr(both.find(' ') + 1);
    EXPECT_EQ(asked(two_locks(a, b), "mutex").status, 0) << both;
    EXPECT_EQ(asked(two_locks(a, a), "mutex").status, 1) << both;
  }
}

// ---- what runs leave

histories::History history_of_trail(const model::Setup& setup, const sim::Trail& trail) {
  auto history = parse_history(reports::jepsen_history(properties::tell(setup, trail).trace), "run");
  EXPECT_TRUE(history.ok()) << (history ? "" : history.problem().text);
  return history ? *std::move(history) : histories::History{};
}

histories::Explained verdict_of(const histories::History& history, histories::JudgeOptions how) {
  return histories::all_explained(histories::judge(history, how));
}

constexpr histories::Time one_ms = 1'000'000;

TEST(RunHistories, ATrailThatBreaksMutualExclusionIsRefused) {
  for (const char* name : {"failover/master-dies-before-replication", "plain/pause-outlives-lease"}) {
    const auto setup = load_scenario(name, {});
    ASSERT_TRUE(setup.ok()) << setup.problem().text;
    const auto report =
        properties::check(*setup, {.watched = properties::bit(properties::Property::mutual_exclusion)});
    ASSERT_TRUE(report.results.front().trail) << name;
    const auto history = history_of_trail(*setup, *report.results.front().trail);
    EXPECT_EQ(verdict_of(history, {.spec = histories::LockSpec::mutex}), histories::Explained::no) << name;
  }
}

struct KeptPromise {
  const char* scenario;
  histories::LockSpec spec;
  std::optional<histories::Time> lease;
};

/// What is proved is explained, whatever the schedule.
TEST(RunHistories, RunsOfProvedScenariosAreExplained) {
  for (const KeptPromise& held :
       {KeptPromise{"plain/two-clients", histories::LockSpec::mutex, {}},
        KeptPromise{"plain/three-clients", histories::LockSpec::reentrant, {}},
        KeptPromise{"fair/three-clients", histories::LockSpec::fair, {}},
        KeptPromise{"fair/try-lock-timeout", histories::LockSpec::fair, {}},
        KeptPromise{"fenced/two-clients", histories::LockSpec::fenced, {}},
        KeptPromise{"fenced/reentrant", histories::LockSpec::fenced, {}},
        KeptPromise{"readwrite/readers-share", histories::LockSpec::read_write, {}},
        KeptPromise{"readwrite/writer-excludes", histories::LockSpec::read_write, {}},
        KeptPromise{"readwrite/downgrade", histories::LockSpec::read_write, {}},
        KeptPromise{"readwrite/holder-crashes", histories::LockSpec::read_write, 30'000 * one_ms}}) {
    const auto setup = load_scenario(held.scenario, {});
    ASSERT_TRUE(setup.ok()) << setup.problem().text;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      const auto history = history_of_trail(*setup, schedule(*setup, {.seed = seed, .until = {}}));
      EXPECT_EQ(verdict_of(history, {.spec = held.spec, .lease = held.lease}), histories::Explained::yes)
          << held.scenario << " --seed " << seed;
    }
  }
}

/// Where nobody dies, a history of a plain lock is explained if and only if no two threads believed at once.
TEST(RunHistories, TheMonitorAndTheSpecificationSayTheSame) {
  std::size_t broken = 0, kept = 0;
  for (const auto& [scenario, spec] :
       {std::pair{"plain/pause-outlives-lease", histories::LockSpec::mutex},
        std::pair{"claims/outlived-lease", histories::LockSpec::mutex},
        std::pair{"failover/master-dies-before-replication", histories::LockSpec::mutex},
        std::pair{"readwrite/writer-excludes", histories::LockSpec::read_write},
        std::pair{"fair/two-clients", histories::LockSpec::reentrant}}) {
    const auto setup = load_scenario(scenario, {});
    ASSERT_TRUE(setup.ok()) << setup.problem().text;
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
      const sim::Trail trail = schedule(*setup, {.seed = seed, .until = {}});
      const bool clash = (properties::tell(*setup, trail).violated &
                          properties::bit(properties::Property::mutual_exclusion)) != 0;
      ++(clash ? broken : kept);
      EXPECT_EQ(verdict_of(history_of_trail(*setup, trail), {.spec = spec}),
                clash ? histories::Explained::no : histories::Explained::yes)
          << scenario << " --seed " << seed;
    }
  }
  EXPECT_GT(broken, 0u);
  EXPECT_GT(kept, 0u);
}

}  // namespace
}  // namespace lockstep::tools
