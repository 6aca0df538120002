// Logs of MONITOR, as traces and as evidence.
#include "tools/import/log/imported_log.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tools/cli/load.h"

namespace lockstep::tools {
namespace {

using properties::Property;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr const char* a1 = "58c62432-bb74-4d14-8a00-9908cc8b828f:1";
constexpr const char* b7 = "00000000-bb74-4d14-8a00-9908cc8b828f:7";

const scenarios::ScriptLibrary& library() {
  static const scenarios::ScriptLibrary all = *script_library();
  return all;
}

std::string text_of(const std::string& role) {
  return library().sets.at("redisson@3.10.5").roles.at(role).text;
}

/// Writes a log, second by second.
class Log {
 public:
  Log& at(std::int64_t second) {
    second_ = second;
    return *this;
  }
  Log& says(const std::string& client, const model::Command& words) {
    text_ += fmt::format("{}.{:06} [0 {}]", 1'700'000'000 + second_, micros_++, client);
    for (const std::string& word : words) text_ += " \"" + word + "\"";
    text_ += "\n";
    return *this;
  }
  Log& sends(const std::string& role, const model::Command& keys_and_args, std::size_t keys = 1) {
    model::Command words{"EVAL", text_of(role), std::to_string(keys)};
    words.insert(words.end(), keys_and_args.begin(), keys_and_args.end());
    return says("10.0.0.1:5", words);
  }
  Log& takes(const std::string& holder, int lease_ms = 30'000) {
    return sends("lock", {"orders", std::to_string(lease_ms), holder});
  }
  Log& gives_back(const std::string& holder) {
    return sends("unlock", {"orders", "redisson_lock__channel:{orders}", "0", "30000", holder}, 2);
  }
  Log& renews(const std::string& holder) { return sends("renew", {"orders", "30000", holder}); }
  Log& calls(const model::Command& words) { return says("lua", words); }
  Log& took() {
    return calls({"exists", "orders"})
        .calls({"hset", "orders", a1, "1"})
        .calls({"pexpire", "orders", "30000"});
  }

  ImportedLog imported() const {
    const auto log = read_monitor_log(text_, "log");
    EXPECT_TRUE(log.ok()) << log.problem().text;
    return import_log(*log, library(), nullptr);
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
  std::int64_t second_ = 0, micros_ = 0;
};

const LogVerdict& verdict(const ImportedLog& imported, Property property) {
  return *std::find_if(imported.verdicts.begin(), imported.verdicts.end(),
                       [&](const LogVerdict& one) { return one.property == property; });
}

std::vector<std::string> acts(const ImportedLog& imported, sim::TraceKind kind) {
  std::vector<std::string> all;
  for (const sim::TraceEvent& event : imported.trace.events)
    if (event.kind == kind) all.push_back(event.who + " " + (event.act.empty() ? event.meaning : event.act));
  return all;
}

TEST(MonitorLog, ALineIsItsTimeItsDatabaseItsClientAndItsWords) {
  const auto log = read_monitor_log(
      "OK\n# by hand\n1568357723.205362 [3 127.0.0.1:56419] \"SET\" \"a \\\"b\\\\\" \"\\x00\\xfe\\n\"# "
      "remark\n"
      "1568357723.205452 [3 lua] \"get\" \"\"\n",
      "log");
  ASSERT_TRUE(log.ok()) << log.problem().text;
  ASSERT_THAT(log->commands, SizeIs(2));
  const MonitorCommand& set = log->commands[0];
  EXPECT_EQ(set.line, 3u);
  EXPECT_EQ(set.time_us, 1'568'357'723'205'362);
  EXPECT_EQ(set.database, 3);
  EXPECT_EQ(set.client, "127.0.0.1:56419");
  EXPECT_THAT(set.words, ElementsAre("SET", "a \"b\\", std::string("\0\xfe\n", 3)));
  EXPECT_TRUE(log->commands[1].of_script());
  EXPECT_EQ(log->remarks, 3u);
}

TEST(MonitorLog, AMistakeHasItsPlaceAndALastLineThatIsCutIsLeftOut) {
  const std::string good = "1568357723.205362 [0 1.2.3.4:5] \"GET\" \"a\"\n";
  const auto said = [](const std::string& text) {
    const auto log = read_monitor_log(text, "log");
    return log.ok() ? std::string() : log.problem().text;
  };
  EXPECT_THAT(said(good + "hello\n" + good), HasSubstr("log:2:1: a line of MONITOR wants a time"));
  EXPECT_THAT(said("1568357723.20536 [0 1.2.3.4:5] \"GET\"\n" + good), HasSubstr("log:1:"));
  EXPECT_THAT(said("1568357723.205362 [0 1.2.3.4:5] \"GET\" x\n" + good), HasSubstr("log:1:38: "));
  EXPECT_THAT(said("1568357723.205362 [0 1.2.3.4:5] \"G\\q\"\n" + good), HasSubstr("the closing quote"));
  EXPECT_THAT(said(""), HasSubstr("no line of it"));
  const auto cut = read_monitor_log(good + "1568357724.205362 [0 1.2.3.4:5] \"GE", "log");
  ASSERT_TRUE(cut.ok());
  EXPECT_TRUE(cut->cut);
  EXPECT_THAT(cut->commands, SizeIs(1));
}

TEST(ImportedLog, ALockThatIsTakenAndGivenBackIsExplained) {
  const ImportedLog imported = Log()
                                   .takes(a1)
                                   .took()
                                   .at(1)
                                   .gives_back(a1)
                                   .calls({"exists", "orders"})
                                   .calls({"hexists", "orders", a1})
                                   .calls({"hincrby", "orders", a1, "-1"})
                                   .calls({"del", "orders"})
                                   .calls({"publish", "redisson_lock__channel:{orders}", "0"})
                                   .imported();
  EXPECT_EQ(imported.scripts, 2u);
  EXPECT_EQ(imported.explained, 2u);
  EXPECT_THAT(imported.assumed, IsEmpty());
  EXPECT_THAT(acts(imported, sim::TraceKind::eval), ElementsAre("R0 granted", "R0 released"));
  EXPECT_THAT(acts(imported, sim::TraceKind::inv), ElementsAre("A1 lock orders", "A1 unlock orders"));
  EXPECT_EQ(imported.trace.events.front().time_us, 0);
  EXPECT_EQ(imported.trace.result, "passed");
  EXPECT_FALSE(verdict(imported, Property::mutual_exclusion).occasion) << "nobody else asked";
}

TEST(ImportedLog, AHoldFromBeforeTheLogIsAssumedAndSaid) {
  const ImportedLog imported = Log()
                                   .takes(a1)
                                   .calls({"exists", "orders"})
                                   .calls({"hexists", "orders", a1})
                                   .calls({"pttl", "orders"})
                                   .at(9)
                                   .takes(a1)
                                   .took()
                                   .imported();
  EXPECT_EQ(imported.explained, 2u);
  ASSERT_THAT(imported.assumed, SizeIs(2));
  EXPECT_EQ(imported.assumed[0].what, "orders was held before the log begins, by somebody else");
  EXPECT_EQ(imported.assumed[1].what, "the hold of orders from before the log begins has ended");
  EXPECT_EQ(verdict(imported, Property::lock_has_ttl).answer, LogAnswer::passed) << "its time is not known";
  for (const sim::TraceEvent& event : imported.trace.events)
    if (event.kind == sim::TraceKind::eval && event.meaning == "refused") { EXPECT_EQ(event.ret, "unknown"); }
}

TEST(ImportedLog, WhoHeldItBeforeTheLogIsKnownOnceItSpeaks) {
  const ImportedLog imported = Log()
                                   .takes(b7)
                                   .calls({"exists", "orders"})
                                   .calls({"hexists", "orders", b7})
                                   .calls({"pttl", "orders"})
                                   .at(3)
                                   .renews(a1)
                                   .calls({"hexists", "orders", a1})
                                   .calls({"pexpire", "orders", "30000"})
                                   .imported();
  EXPECT_EQ(imported.explained, 2u);
  ASSERT_THAT(imported.assumed, SizeIs(2));
  EXPECT_EQ(imported.assumed[1].what, "orders was held before the log begins, by who asks");
}

TEST(ImportedLog, WhatNoScheduleExplainsIsSaidWithBothSidesAndMakesVerdictsUnknown) {
  // Nobody gave it back, and its time is not over: the log does not show who took it away.
  const ImportedLog imported = Log()
                                   .takes(a1)
                                   .took()
                                   .at(2)
                                   .takes(b7)
                                   .calls({"exists", "orders"})
                                   .calls({"hset", "orders", b7, "1"})
                                   .calls({"pexpire", "orders", "30000"})
                                   .imported();
  EXPECT_EQ(imported.explained, 1u);
  ASSERT_THAT(imported.unexplained, SizeIs(1));
  EXPECT_EQ(imported.unexplained[0].line, 5u);
  EXPECT_THAT(imported.unexplained[0].what, HasSubstr("the model calls `exists orders; hexists orders"));
  EXPECT_THAT(imported.unexplained[0].what, HasSubstr("it is as if orders had been deleted"));
  EXPECT_EQ(verdict(imported, Property::owner_only).answer, LogAnswer::unknown);
}

TEST(ImportedLog, AGrantWhileAnotherStillBelievesIsAViolationOnlyOnceItSaysSo) {
  const Log taken = Log().takes(a1, 1'000).at(5).takes(b7);
  const ImportedLog silent = taken.imported();
  EXPECT_EQ(verdict(silent, Property::mutual_exclusion).answer, LogAnswer::unknown);
  EXPECT_THAT(verdict(silent, Property::mutual_exclusion).why, HasSubstr("the log does not say"));
  const ImportedLog late = Log(taken).at(6).gives_back(a1).imported();
  EXPECT_EQ(verdict(late, Property::mutual_exclusion).answer, LogAnswer::violated);
  EXPECT_EQ(verdict(late, Property::mutual_exclusion).line, 2u);
  EXPECT_THAT(verdict(late, Property::mutual_exclusion).why,
              HasSubstr("to A1 at line 1 and to B7 at line 2"));
  EXPECT_EQ(late.trace.result, "violated");
  EXPECT_EQ(verdict(Log(taken).at(6).renews(a1).imported(), Property::mutual_exclusion).answer,
            LogAnswer::violated);
  const ImportedLog good = Log().takes(a1).at(1).takes(b7).gives_back(a1).takes(b7).imported();
  EXPECT_EQ(verdict(good, Property::mutual_exclusion).answer, LogAnswer::passed);
  EXPECT_TRUE(verdict(good, Property::mutual_exclusion).occasion);
}

TEST(ImportedLog, ALeaseThatEndsIsAnEventOfItsOwn) {
  const ImportedLog imported = Log().takes(a1, 1'000).at(5).takes(b7).imported();
  ASSERT_THAT(acts(imported, sim::TraceKind::expire), SizeIs(1));
  for (const sim::TraceEvent& event : imported.trace.events)
    if (event.kind == sim::TraceKind::expire) { EXPECT_EQ(event.time_us / 1000, 1'001); }
}

TEST(ImportedLog, ACommandThatTakesALockAwayBreaksOwnerOnly) {
  const ImportedLog imported = Log().takes(a1).at(1).says("10.0.0.9:9", {"DEL", "orders"}).imported();
  EXPECT_EQ(verdict(imported, Property::owner_only).answer, LogAnswer::violated);
  EXPECT_THAT(verdict(imported, Property::owner_only).why,
              HasSubstr("a command of 10.0.0.9:9 takes orders away"));
  const ImportedLog stranger = Log().takes(a1).at(1).gives_back(b7).imported();
  EXPECT_EQ(verdict(stranger, Property::owner_only).answer, LogAnswer::passed);
  EXPECT_TRUE(verdict(stranger, Property::owner_only).occasion);
}

TEST(ImportedLog, ALockWithoutATimeToLiveIsSeen) {
  const ImportedLog imported = Log().takes(a1).says("10.0.0.9:9", {"PERSIST", "orders"}).imported();
  EXPECT_EQ(verdict(imported, Property::lock_has_ttl).answer, LogAnswer::violated);
  EXPECT_EQ(verdict(Log().takes(a1).imported(), Property::lock_has_ttl).answer, LogAnswer::passed);
}

TEST(ImportedLog, AScriptIsKnownByItsSha1AndOneThatIsNotRestsOnItsCalls) {
  const std::string sha1 = library().sets.at("redisson@3.10.5").roles.at("lock").sha1;
  const ImportedLog known =
      Log().says("10.0.0.1:5", {"EVALSHA", sha1, "1", "orders", "30000", a1}).took().imported();
  EXPECT_EQ(known.explained, 1u);
  EXPECT_THAT(acts(known, sim::TraceKind::eval), ElementsAre("R0 granted"));
  const ImportedLog other = Log()
                                .takes(a1)
                                .took()
                                .says("10.0.0.1:5", {"EVALSHA", std::string(40, '0'), "1", "orders"})
                                .calls({"del", "orders"})
                                .imported();
  EXPECT_EQ(other.unrecognised, 1u);
  EXPECT_THAT(other.unexplained[0].what, HasSubstr("the text of the script is not known"));
  EXPECT_THAT(other.trace.events.back().changes, IsEmpty());
}

TEST(ImportedLog, WhatIsAboutNoLockIsCounted) {
  const ImportedLog imported =
      Log().says("10.0.0.1:5", {"GET", "a"}).takes(a1).says("10.0.0.1:5", {"PING"}).imported();
  EXPECT_EQ(imported.others, 2u);
  EXPECT_EQ(imported.scripts, 1u);
}

TEST(ImportedLog, HostileNamesAreShownAndParsed) {
  const std::string line = "1700000000.000001 [0 1:\\x1b] \"EVAL\" \"" + text_of("lock") +
                           "\" \"1\" \"</script>\\x1b[2J\\n\\xff\" \"30000\" \"\\xfe\\xe2\\x80\\xae:1\"\n";
  const auto log = read_monitor_log(line, "log\x1b");
  ASSERT_TRUE(log.ok()) << log.problem().text;
  const ImportedLog imported = import_log(*log, library(), nullptr);
  EXPECT_EQ(imported.scripts, 1u);
  EXPECT_THAT(log_text(imported, *log, "log\x1b"), ::testing::Not(HasSubstr("\x1b")));
  EXPECT_TRUE(nlohmann::json::accept(log_json(imported, *log, "log\x1b")));
}

}  // namespace
}  // namespace lockstep::tools
