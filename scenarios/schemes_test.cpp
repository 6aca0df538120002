// Schemes that a user may describe: what holds of them, what breaks and where, and what a check refuses.
#include <gmock/gmock.h>

#include "properties/check/check.h"
#include "scenarios/exploring.h"

namespace lockstep::scenarios {
namespace {

using properties::Verdict;

struct CheckedScheme {
  explicit CheckedScheme(const std::string& text)
      : setup(setup_of(text)), report(properties::check(setup, {.strategy = properties::Strategy::search})) {}

  /// "mutual-exclusion owner-only"
  std::string violated() const {
    std::string names;
    for (const properties::PropertyResult& one : report.results)
      if (one.verdict == Verdict::violated)
        names += (names.empty() ? "" : " ") + std::string(properties::info(one.property).name);
    return names;
  }
  bool proves(Property property) const {
    for (const properties::PropertyResult& one : report.results)
      if (one.property == property) return one.verdict == Verdict::proved;
    return false;
  }
  bool saw(Witness witness) const { return (report.witnesses & properties::bit(witness)) != 0; }

  model::Setup setup;
  properties::CheckReport report;
};

std::string of_scheme(const std::string& name, const std::string& rest) {
  return "schemes = \"" + name + "\"\n" + rest;
}

std::string two_clients(const std::string& name) {
  return of_scheme(name, "[process.P]\ncount = 2\nthreads = [[\"lock " + name +
                             ":orders\", \"work 1s\", \"unlock " + name + ":orders\"]]\n");
}

std::string mine(const std::string& retry, const std::string& rest) {
  return R"([scheme.mine]
lease = "10s"
acquire = { send = "SET {lock} {token} NX PX {lease}", reply = { OK = "granted", nil = "refused" } }
holder = { string = "{token}" }
retry = )" +
         retry + R"(
[[scheme.mine.release]]
script = "compare-and-delete.lua"
keys = ["{lock}"]
args = ["{token}"]
reply = { 1 = "next", 0 = "not the holder" }
[[scheme.mine.release]]
send = "PUBLISH {lock}:free 1"
reply = { "*" = "released" }
)" + rest;
}

constexpr const char* two = R"([process.P]
count = 2
threads = [["lock mine:orders", "work 1s", "unlock mine:orders"]]
)";

TEST(Schemes, ExcludeEachOtherWhereNothingGoesWrong) {
  for (const char* name :
       {"set-nx-px", "set-nx-px-renewed", "set-nx-px-del", "python-token-lock", "java-registry", "go-lock"}) {
    const CheckedScheme found(two_clients(name));
    EXPECT_EQ(found.violated(), "") << name;
    EXPECT_TRUE(found.proves(Property::mutual_exclusion)) << name;
    EXPECT_TRUE(found.proves(Property::granted_in_time)) << name;
    EXPECT_TRUE(found.proves(Property::nothing_left_behind)) << name;
    EXPECT_TRUE(found.saw(Witness::contention)) << name;
  }
}

TEST(Schemes, OfTwoCommandsAreStoredForAMomentWithoutATimeToLive) {
  for (const char* name : {"setnx-expire", "setnx-expire-del"})
    EXPECT_EQ(CheckedScheme(two_clients(name)).violated(), "lock-has-ttl") << name;
  EXPECT_EQ(CheckedScheme(two_clients("setnx-expire") + "[faults]\ncrash-process = 1\n").violated(),
            "lock-has-ttl free-after-crash nothing-left-behind calls-return");
}

TEST(Schemes, ThatDeleteWithoutALookDeleteTheLockOfAnother) {
  const std::string rest =
      "[process.P]\ncount = 2\nthreads = [[\"lock set-nx-px-del:orders lease=1s\", \"work "
      "1500ms\", \"unlock set-nx-px-del:orders\"]]\n";
  EXPECT_THAT(CheckedScheme(of_scheme("set-nx-px-del", rest)).violated(), ::testing::HasSubstr("owner-only"));
}

TEST(Schemes, AreRenewedUntilTheyAreReleased) {
  const std::string name = "set-nx-px-renewed";
  const CheckedScheme found(of_scheme(name, "[process.P]\ncount = 2\nthreads = [[\"lock " + name +
                                                ":orders\", \"work 70s\", \"unlock " + name +
                                                ":orders\"]]\n"));
  EXPECT_EQ(found.violated(), "");
  EXPECT_TRUE(found.saw(Witness::renewed));
}

TEST(Schemes, WakeWhoWaitsByAMessage) {
  const CheckedScheme found(mine("{ channel = \"{lock}:free\", at-latest = \"5s\" }", two));
  EXPECT_EQ(found.violated(), "");
  EXPECT_TRUE(found.saw(Witness::woken_by_message));
  EXPECT_TRUE(found.proves(Property::granted_in_time));
}

TEST(Schemes, GiveUpAfterSoManyTries) {
  const CheckedScheme found(mine("{ back-off = \"100ms\", most = \"400ms\", times = 3 }", R"(
[process.A]
threads = [["lock mine:orders", "work 5s", "unlock mine:orders"]]
[process.B]
threads = [["start 1s", "lock mine:orders", "expect exception"]]
)"));
  EXPECT_EQ(found.violated(), "");
}

TEST(Schemes, ThatSayTheTimeHaveStatesForEachTime) {
  const CheckedScheme found(two_clients("setnx-getset"));
  EXPECT_TRUE(found.report.with_now);
  EXPECT_TRUE(found.proves(Property::mutual_exclusion));
  EXPECT_EQ(found.violated(), "lock-has-ttl");
}

std::string with_release_by(const std::string& watch, const std::string& null_means) {
  return R"([scheme.mine]
lease = "1s"
acquire = { send = "SET {lock} {token} NX PX {lease}", reply = { OK = "granted", nil = "refused" } }
retry = { poll = "500ms" }
holder = { string = "{token}" }
release = [
)" + watch +
         R"(  { send = "GET {lock}", reply = { "{token}" = "next", nil = "not the holder", )"
         R"("*" = "not the holder" } },
  { send = "MULTI", reply = { OK = "next" } },
  { send = "DEL {lock}", reply = { QUEUED = "next" } },
  { send = "EXEC", reply = { 1 = "released", 0 = "not the holder", nil = ")" +
         null_means + R"(" } },
]
[process.P]
count = 2
threads = [["lock mine:orders", "work 1s", "unlock mine:orders"]]
[faults]
pause-process = 1
pause-max = "2s"
)";
}

TEST(Schemes, ThatWatchTheirKeyDeleteNothingThatAnotherHasTakenMeanwhile) {
  const std::string watch = "  { send = \"WATCH {lock}\", reply = { OK = \"next\" } },\n";
  const std::string late = "mutual-exclusion no-uncaught-exception";
  EXPECT_EQ(CheckedScheme(with_release_by(watch, "again")).violated(), late);
  EXPECT_EQ(CheckedScheme(with_release_by(watch, "not the holder")).violated(), late);
  EXPECT_EQ(CheckedScheme(with_release_by("", "again")).violated(),
            "mutual-exclusion owner-only no-uncaught-exception");
}

TEST(Schemes, LoseTheirTransactionWithTheServer) {
  const std::string watch = "  { send = \"WATCH {lock}\", reply = { OK = \"next\" } },\n";
  std::string text = with_release_by(watch, "again");
  text.replace(text.find("pause-process = 1\npause-max = \"2s\""), 35, "crash-node = 1\nrestart-node = 1");
  const CheckedScheme found(text);
  EXPECT_THAT(found.violated(), ::testing::HasSubstr("no-uncaught-exception"));
  EXPECT_THAT(found.violated(), ::testing::Not(::testing::HasSubstr("no-script-error")));
  EXPECT_EQ(found.report.refusal, std::nullopt)
      << "MULTI and DEL of a lost transaction are answered otherwise";
}

TEST(Schemes, OfThreadsThatAreAlikeHaveConnectionsThatAreRenamedWithThem) {
  const std::string watch = "  { send = \"WATCH {lock}\", reply = { OK = \"next\" } },\n";
  const model::Setup setup = setup_of(with_release_by(watch, "again"));
  const auto with = search(setup), without = search(setup, {.symmetry = false});
  EXPECT_EQ(with.violated, without.violated);
  EXPECT_LT(with.states, without.states);
}

TEST(Schemes, ThatWaitForAnEventAreWokenByWhatFreesTheKey) {
  const std::string retry = "{ keyspace-event = [\"del\", \"expired\"], at-latest = \"60s\" }";
  const std::string events = "[redis]\nnotify-keyspace-events = \"Kgx\"\n";
  const CheckedScheme found(mine(retry, two) + events);
  EXPECT_EQ(found.violated(), "");
  EXPECT_TRUE(found.saw(Witness::woken_by_message));
  EXPECT_TRUE(found.proves(Property::granted_in_time));
  const std::string untold = mine(retry, two) + "[bounds]\ngrant = \"5s\"\n";
  EXPECT_EQ(CheckedScheme(untold).violated(), "granted-in-time") << "a server publishes no events by default";
}

TEST(Schemes, ThatWaitForAnEventHearOfADeadKeyWhenItIsRemoved) {
  const std::string crash = R"([process.A]
threads = [["lock mine:orders", "crash"]]
[process.B]
threads = [["start 1s", "lock mine:orders", "unlock mine:orders"]]
[bounds]
grant = "5s"
[redis]
notify-keyspace-events = "Kgx"
)";
  const std::string retry = "{ keyspace-event = \"expired\", at-latest = \"60s\" }";
  EXPECT_EQ(CheckedScheme(mine(retry, crash)).violated(), "");
  EXPECT_EQ(CheckedScheme(mine(retry, crash + "expiry = \"lazy\"\n")).violated(), "granted-in-time");
}

TEST(Schemes, OfSeveralMastersAreHeldOnMostOfThem) {
  const std::string several = "[redis]\nmode = \"independent\"\nnodes = 3\n";
  const CheckedScheme found(R"(schemes = "redlock"
[process.A]
threads = [["trylock redlock:orders", "work 1s", "unlock redlock:orders"]]
[process.B]
threads = [["start 500ms", "trylock redlock:orders", "expect false"]]
)" + several);
  EXPECT_EQ(found.violated(), "");
  EXPECT_TRUE(found.proves(Property::mutual_exclusion));
}

TEST(Schemes, WhoseRepliesNoRuleReadsAreRefusedWithTheirPlace) {
  const CheckedScheme found(R"([scheme.mine]
acquire = { send = "INCR {lock}:{owner}", reply = { 2 = "granted" } }
release = { send = "DEL {lock}", reply = { 1 = "released", 0 = "not the holder" } }
holder = { string = "{owner}" }
)" + std::string(two));
  EXPECT_EQ(found.report.refusal,
            "test.toml:3:11: no rule of `reply` reads what this request of P-1.1 was answered");
}

TEST(Schemes, KnowNothingOfNamesSoThatSymmetryMayRename) {
  const model::Setup setup = setup_of(two_clients("set-nx-px"));
  const auto with = search(setup), without = search(setup, {.symmetry = false});
  EXPECT_LT(with.states, without.states);
}

}  // namespace
}  // namespace lockstep::scenarios
