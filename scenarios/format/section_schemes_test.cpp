// [scheme.NAME] as it is read and printed, and what is refused, with its place.
#include "scenarios/format/section_schemes.h"

#include <gmock/gmock.h>

#include "model/client/lock_kind.h"
#include "scenarios/embedded.h"
#include "scenarios/format/normalise.h"
#include "scenarios/format/test_library.h"

namespace lockstep::scenarios {
namespace {

using ::testing::HasSubstr;

const ScriptLibrary& library() {
  static const ScriptLibrary shipped = *built_in_scripts(files({
      {"more.scheme",
       "[scheme.more]\nacquire = { send = \"SETNX {lock} {owner}\", reply = { 1 = \"granted\", 0 = "
       "\"refused\" } }\nrelease = { send = \"DEL {lock}\", reply = { 1 = \"released\", 0 = "
       "\"not the holder\" } }\nholder = { string = \"{owner}\" }\n"},
      {"odd/odd.scheme", "[scheme.odd]\nacquire = 1\n"},
      {"odd/own.lua", "return redis.call('DEL', KEYS[1])"},
  }));
  return shipped;
}

const std::string mine = R"(format = 1
[scheme.mine]
retry = { poll = "500ms" }
holder = { string = "{token}" }
acquire = { send = "SET {lock} {token} NX PX {lease}", reply = { OK = "granted", nil = "refused" } }
[scheme.mine.release]
script = "compare-and-delete.lua"
keys = ["{lock}"]
args = ["{token}"]
reply = { 1 = "released", 0 = "not the holder" }
[process.P]
threads = [["lock mine:orders", "unlock mine:orders"]]
)";

sim::Result<model::Setup> read(const std::string& text) {
  return read_scenario(text, "x.toml", library(), test_vocabulary());
}

/// The scheme with one part of its text replaced: what the reader says.
std::string said_of(const std::string& text) {
  const auto setup = read(text);
  return setup.ok() ? "no error" : setup.problem().text;
}
std::string said(const std::string& part, const std::string& other) {
  std::string text = mine;
  const std::size_t at = text.find(part);
  EXPECT_NE(at, std::string::npos) << part;
  return said_of(text.replace(at, part.size(), other));
}

TEST(Schemes, AreKindsOfTheScenarioBehindThoseOfTheProgram) {
  const auto setup = read(mine);
  ASSERT_TRUE(setup.ok()) << setup.problem().text;
  EXPECT_EQ(setup->kinds.size(), model::shipped_kinds().size() + 1);
  const model::LockKind& kind = *setup->kinds.back();
  EXPECT_EQ(kind.name, "mine");
  EXPECT_EQ(&model::kind_of(*setup, setup->threads[0].program[0].object), &kind);
  EXPECT_EQ(kind.roles[0].name, "lock");
  EXPECT_EQ(kind.roles[1].described->script->sha1.size(), 40u);
}

TEST(Schemes, ComeBackFromTheirNormalisedTextWhateverTheOrderOfTheirKeys) {
  for (const EmbeddedFile& file : embedded_schemes()) {
    if (!file.name.ends_with(".scheme")) continue;
    const std::string name(file.name.substr(0, file.name.rfind('.')));
    const bool on_redis = file.text.find("\nserver") == std::string_view::npos;
    const std::string servers = on_redis ? "[redis]\nmode = \"independent\"\nnodes = 3\n" : "";
    const auto setup =
        read("format = 1\nschemes = \"" + name + "\"\n" + servers + "[process.P]\nthreads = [[\"lock " +
             name + ":orders\", \"unlock " + name + ":orders\"]]\n");
    ASSERT_TRUE(setup.ok()) << setup.problem().text;
    const auto again = read(normalised(*setup));
    ASSERT_TRUE(again.ok()) << again.problem().text << normalised(*setup);
    EXPECT_EQ(normalised(*again), normalised(*setup));
    EXPECT_TRUE(*again == *setup) << name;
  }
}

TEST(Schemes, ChangeTheDigestWithWhatTheySend) {
  const auto setup = read(mine);
  std::string text = mine;
  text.replace(text.find("500ms"), 5, "400ms");
  EXPECT_NE(read(text)->digest, setup->digest);
}

TEST(Schemes, MayStandInAFileOfTheirOwn) {
  const auto setup = read(
      "format = 1\nschemes = [\"more.scheme\", \"set-nx-px\"]\n[process.P]\n"
      "threads = [[\"lock more:a\", \"lock set-nx-px:b\"]]\n");
  ASSERT_TRUE(setup.ok()) << setup.problem().text;
  EXPECT_EQ(setup->kinds.back()->name, "set-nx-px");
}

TEST(Schemes, AreRefusedWithTheirPlace) {
  EXPECT_EQ(said("{token} NX", "{tokn} NX"),
            "error: nothing is called `{tokn}`\n  --> x.toml:5:32\n"
            "5 | acquire = { send = \"SET {lock} {tokn} NX PX {lease}\", reply = { OK = \"granted\", nil = "
            "\"refused\" } }\n  |                                ^^^^^^ did you mean `token`?");
  EXPECT_THAT(said(", nil = \"refused\"", ""),
              HasSubstr("no rule of `reply` reads what `SET {lock} {token} NX "
                        "PX {lease}` may answer: nil\n  --> x.toml:5:11"));
  EXPECT_THAT(said("\"refused\"", "\"refusd\""), HasSubstr("no reply here means `refusd`"));
  EXPECT_THAT(said("string = \"{token}\"", "string = \"me\""),
              HasSubstr("`holder` names no one: it wants {owner} or {token}"));
  EXPECT_THAT(said("string = \"{token}\"", "key = \"a\""), HasSubstr("in one form where the holder stands"));
  EXPECT_THAT(said("mine.release]", "mine.undo]"), HasSubstr("[scheme.mine] wants `release`"));
  EXPECT_THAT(said("args = [\"{token}\"]", "args = []"), HasSubstr("reads ARGV[1]"));
  EXPECT_THAT(said("compare-and-delete.lua", "no-such.lua"), HasSubstr("cannot read the script no-such.lua"));
  EXPECT_THAT(said("script = \"compare-and-delete.lua\"\n", ""),
              HasSubstr("wants either `send`, a command, or"));
  EXPECT_THAT(said("poll = \"500ms\"", "poll = \"1s\", channel = \"c\""),
              HasSubstr("is one of `poll`, `back-off`"));
  EXPECT_THAT(said("SET {lock} {token} NX PX {lease}", "SUBSCRIBE x"),
              HasSubstr("`SUBSCRIBE` is about a connection"));
  EXPECT_THAT(said("lock mine:orders", "lock mein:orders"), HasSubstr("unknown kind of lock `mein`"));
  EXPECT_THAT(said("lock mine:orders", "force-unlock mine:orders"),
              HasSubstr("a mine lock has no such call"));
  EXPECT_THAT(said("[scheme.mine]", "[scheme.plain]"), HasSubstr("`plain` is a kind of lock already"));
  EXPECT_THAT(said("format = 1", "format = 1\nschemes = \"set-nx-xp\""),
              HasSubstr("`schemes`: unknown scheme `set-nx-xp`; did you mean `set-nx-px`?"));
  EXPECT_THAT(said("format = 1", "format = 1\nschemes = \"odd/odd.scheme\""),
              HasSubstr("[scheme.odd] wants `release`\n  --> odd/odd.scheme:1:9"));
}

/// A release as a list.
std::string releasing(const std::string& list) {
  std::string text = mine;
  const std::size_t at = text.find("[scheme.mine.release]");
  text.replace(at, text.find("[process.P]") - at, "release = [" + list + "]\n");
  const auto setup = read(text);
  return setup.ok() ? "no error" : setup.problem().text;
}

constexpr const char* request_watch = "{ send = \"WATCH {lock}\", reply = { OK = \"next\" } }, ";
constexpr const char* request_multi = "{ send = \"MULTI\", reply = { OK = \"next\" } }, ";
constexpr const char* request_del = "{ send = \"DEL {lock}\", reply = { QUEUED = \"next\" } }, ";
constexpr const char* request_exec =
    "{ send = \"EXEC\", reply = { 1 = \"released\", 0 = \"not the holder\", nil = \"again\" } }, ";

std::string joined(std::initializer_list<const char*> requests) {
  std::string all;
  for (const char* one : requests) all += one;
  return releasing(all);
}

TEST(Schemes, MayHaveATransactionWhoseRequestsShareAConnection) {
  using Connection = model::Described::Connection;
  EXPECT_EQ(joined({request_watch, request_multi, request_del, request_exec}), "no error");
  EXPECT_EQ(joined({request_multi, request_del, request_exec}), "no error");
  std::string text = mine;
  const std::size_t at = text.find("[scheme.mine.release]");
  text.replace(
      at, text.find("[process.P]") - at,
      std::string("release = [") + request_watch + request_multi + request_del + request_exec + "]\n");
  const auto setup = read(text);
  ASSERT_TRUE(setup.ok()) << setup.problem().text;
  const model::Scheme& scheme = *setup->kinds.back()->scheme;
  EXPECT_EQ(scheme.acquire.front().connection, Connection::any);
  EXPECT_EQ(scheme.release.front().connection, Connection::opens);
  EXPECT_EQ(scheme.release.back().connection, Connection::keeps);
  EXPECT_TRUE(scheme.holds_connections());
}

TEST(Schemes, WithATransactionThatRedisWouldRefuseAreRefusedWithItsPlace) {
  EXPECT_THAT(joined({request_watch, request_del, request_exec}),
              HasSubstr("`EXEC` wants a MULTI before it"));
  EXPECT_THAT(joined({request_multi, request_multi, request_exec}),
              HasSubstr("`MULTI` may not stand between MULTI and EXEC"));
  EXPECT_THAT(joined({request_multi, request_watch, request_exec}),
              HasSubstr("`WATCH` may not stand between MULTI and EXEC"));
  EXPECT_THAT(joined({request_watch, request_multi, request_del}),
              HasSubstr("nothing carries out this `MULTI`: no EXEC follows"));
  EXPECT_THAT(joined({request_watch, request_multi,
                      "{ send = \"DEL {lock}\", reply = { 1 = \"next\", 0 = \"next\" } }, ", request_exec}),
              HasSubstr("no rule of `reply` reads what `DEL {lock}` may answer: QUEUED"));
  EXPECT_THAT(joined({request_watch, request_multi, request_del,
                      "{ send = \"EXEC\", reply = { 1 = \"released\", 0 = \"not the holder\" } }"}),
              HasSubstr("no rule of `reply` reads what `EXEC` may answer: nil"));
  EXPECT_THAT(said("[process.P]",
                   "[scheme.mine.renew]\nevery = \"1s\"\nsend = \"MULTI\"\n"
                   "reply = { OK = \"renewed\" }\n[process.P]"),
              HasSubstr("`MULTI` is about a connection"));
}

TEST(Schemes, MayWaitForEventsOfTheirKey) {
  EXPECT_EQ(said("poll = \"500ms\"", "keyspace-event = [\"del\", \"expired\"], at-latest = \"9s\""),
            "no error");
  EXPECT_THAT(said("poll = \"500ms\"", "keyspace-event = \"dell\""),
              HasSubstr("no key of a lock has an event `dell`"));
  EXPECT_THAT(said("poll = \"500ms\"", "keyspace-event = []"), HasSubstr("names the events that wake"));
  EXPECT_THAT(said("poll = \"500ms\"", "keyspace-event = \"del\", channel = \"c\""),
              HasSubstr("`retry` is one of"));
  EXPECT_THAT(said("format = 1", "format = 1\nredis.notify-keyspace-events = \"Kgq\""),
              HasSubstr("is of the letters AKEg$lshzxetdmn"));
  EXPECT_THAT(said("format = 1", "format = 1\nredis.notify-keyspace-events = \"gx\""),
              HasSubstr("without K or E nothing is published"));
  EXPECT_EQ(said("format = 1", "format = 1\nredis.notify-keyspace-events = \"\""), "no error");
  const std::string lock = "\"lock mine:orders\"", set = "\"redis CONFIG SET notify-keyspace-events ";
  EXPECT_EQ(said(lock, set + "Kgx\", " + lock), "no error");
  EXPECT_EQ(said(lock, set + "''\", " + lock), "no error");
  EXPECT_THAT(said(lock, set + "Kgq\", " + lock),
              HasSubstr("error: `notify-keyspace-events` is of the letters AKEg$lshzxetdmn, and `q` is"));
}

/// Of a scheme on MySQL or MongoDB that sends this to take the lock, with these rules.
std::string said_of_statement(const std::string& server, const std::string& send, const std::string& rules,
                              const std::string& more = "") {
  return said_of("format = 1\n[scheme.mine]\nserver = \"" + server + "\"\n" + more + "acquire = { send = \"" +
                 send + "\", reply = { " + rules +
                 " } }\nrelease = { send = \"DELETE {lock} {owner}\", reply = { \"*\" = \"released\" } }\n"
                 "holder = { string = \"{owner}\" }\n[process.P]\nthreads = [[\"lock mine:orders\"]]\n");
}

TEST(Schemes, OnOtherServersSendWhatTheirModelsUnderstand) {
  const std::string any = "\"*\" = \"granted\"", row = "INSERT {lock} {owner}";
  EXPECT_EQ(said_of_statement("mysql", row, "1 = \"granted\", 1062 = \"refused\""), "no error");
  EXPECT_EQ(said_of_statement("mysql", row + " 5000", any), "no error");
  EXPECT_THAT(said_of_statement("mysql", row, "1 = \"granted\""),
              HasSubstr("no rule of `reply` reads what `INSERT {lock} {owner}` may answer: 1062"));
  for (const char* short_or_long : {"INSERT", "INSERT {lock}", "INSERT {lock} {owner} {lease} 1"})
    EXPECT_THAT(said_of_statement("mysql", short_or_long, any),
                HasSubstr("the statement is `INSERT {lock} {owner} [{lease}]`"));
  for (const char* no_time : {" abc", " -5", " 0", " {now}", " 9999999999999"})
    EXPECT_THAT(said_of_statement("mysql", row + no_time, any), HasSubstr("is no time in milliseconds"));
  EXPECT_THAT(said_of_statement("mysql", "GET-LOCK {lock} {owner}", any),
              HasSubstr("the model of mysql knows no `GET-LOCK`"));
  EXPECT_THAT(said_of_statement("mongodb", "FIND-AND-MODIFY {lock} {owner}", any),
              HasSubstr("the statement is `FIND-AND-MODIFY {lock} {owner} {lease}`"));
  EXPECT_THAT(said_of_statement("mongodb", row, any), HasSubstr("the model of mongodb knows no `INSERT`"));
  EXPECT_THAT(said_of_statement("zookeeper", row, any), HasSubstr("it is `mysql` or `mongodb`"));
  EXPECT_THAT(said_of_statement("mysql", row, any, "on = \"majority\"\n"),
              HasSubstr("a lock on several masters lies on Redis"));
  EXPECT_THAT(said_of_statement("mysql", row, any, "retry = { channel = \"c\" }\n"),
              HasSubstr("who waits is told by Redis only"));
}

TEST(Schemes, ThatAreWrongAreNotCalledUnknownWhereTheyAreUsed) {
  EXPECT_THAT(said_of("format = 1\n[process.P]\nthreads = [[\"lock mine:orders\"]]\n[scheme.mine]\n"
                      "server = \"mysqll\"\n"),
              HasSubstr("[scheme.mine] wants `acquire`"));
}

TEST(Schemes, ThatLeadNowhereAreRefused) {
  const std::string next = "OK = \"next\"";
  EXPECT_THAT(said("OK = \"granted\"", next), HasSubstr("`next` leads to no request: this one is the last"));
  EXPECT_THAT(said("OK = \"granted\"", "OK = \"taken, next\""),
              HasSubstr("`taken, next` leads to no request"));
  EXPECT_THAT(said("OK = \"granted\"", "OK = \"refused\""), HasSubstr("no reply means `granted`"));
  EXPECT_THAT(said("1 = \"released\"", "1 = \"not the holder\""), HasSubstr("no reply means `released`"));
  EXPECT_THAT(joined({request_watch,
                      "{ send = \"DEL {lock}\", reply = { 1 = \"released\", 0 = \"not the holder\" } }, ",
                      "{ send = \"UNWATCH\", reply = { OK = \"released\" } }"}),
              HasSubstr("no reply leads to the next request"));
}

TEST(Schemes, ThatSendWhatIsNotForLocksAreRefused) {
  const auto sends = [](const std::string& command) {
    return said("SET {lock} {token} NX PX {lease}", command);
  };
  EXPECT_THAT(sends("FROBNICATE {lock}"), HasSubstr("the model of Redis knows no command `FROBNICATE`"));
  EXPECT_THAT(sends("SET {lock}"), HasSubstr("a wrong number of words for `SET`"));
  EXPECT_THAT(sends("SPOP {lock}"), HasSubstr("is left to chance"));
  EXPECT_THAT(sends("{lock} x"), HasSubstr("a command has a name of its own"));
  for (const char* command : {"QUIT", "SHUTDOWN", "DEBUG SLEEP 1", "CLIENT KILL TYPE normal",
                              "REPLICAOF NO ONE", "RESET", "AUTH x", "EVAL 'return 1' 0"})
    EXPECT_THAT(sends(command), HasSubstr("--> x.toml:5:")) << command;
  EXPECT_THAT(sends("SET {lock} " + std::string(5'000, 'x')), HasSubstr("has at most 4000 bytes"));
}

TEST(Schemes, WithAKeyThatSaysNothingAreRefused) {
  const std::string poll = "poll = \"500ms\"";
  EXPECT_THAT(said(poll, poll + ", most = \"1s\""), HasSubstr("`most` is only for `back-off`"));
  EXPECT_THAT(said(poll, poll + ", at-latest = \"1s\""), HasSubstr("`at-latest` is only for `channel`"));
  EXPECT_THAT(said(poll, "channel = \"c\", jitter = \"1s\""), HasSubstr("`jitter` is only for"));
  EXPECT_THAT(said(poll, "back-off = \"5s\", most = \"1s\""),
              HasSubstr("`most` is less than the first sleep"));
  EXPECT_THAT(said(poll, "channel = \"c{token}\""), HasSubstr("it has only {lock}, not {token}"));
  EXPECT_THAT(said(poll, "channel = \"\""), HasSubstr("a channel has a name"));
  EXPECT_THAT(said("string = \"{token}\"", "string = \"{token}\", key = \"\""),
              HasSubstr("the key of a lock has a name"));
  EXPECT_THAT(said("string = \"{token}\"", "string = \"{token}\", field = \"a\""),
              HasSubstr("only a hash has a `field`"));
  EXPECT_THAT(said("[scheme.mine]", "[scheme.mine]\ndrift = \"1s\""),
              HasSubstr("`drift` is only for a lock on several masters"));
  EXPECT_THAT(said("[scheme.mine]", "[scheme.mine]\non = \"all\"\nlease = \"1s\"\ndrift = \"1s\""),
              HasSubstr("nothing is left of the lease less the `drift`"));
  EXPECT_THAT(said("acquire = {", "acquire = { keys = [\"a\"],"), HasSubstr("`keys` is only for `script`"));
  EXPECT_THAT(said("[scheme.mine]", "[redis]\nmode = \"cluster\"\n[scheme.mine]\non = \"majority\""),
              HasSubstr("a lock on several masters wants `mode = \"independent\"`"));
}

TEST(Schemes, PromiseWhatThereIs) {
  EXPECT_THAT(said("[scheme.mine]", "[scheme.mine]\npromises = \"owner-onyl\""),
              HasSubstr("unknown property `owner-onyl`"));
  EXPECT_THAT(said("[scheme.mine]", "[scheme.mine]\nweaknesses = [\"owner-onyl\"]"),
              HasSubstr("did you mean `owner-only`?"));
}

TEST(Schemes, SendScriptsThatLieBesideTheirFile) {
  ScriptLibrary there = library();
  there.folder = "odd/";
  const auto script = find_script("own.lua", there);
  ASSERT_TRUE(script.ok()) << script.problem().text;
  EXPECT_EQ(script->file, "odd/own.lua");
}

}  // namespace
}  // namespace lockstep::scenarios
