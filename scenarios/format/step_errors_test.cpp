// Mistakes in single steps: the exact text and caret of each.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scenarios/format/test_library.h"

namespace lockstep::scenarios {
namespace {

TEST(TheReaderShows, AnUnknownStep) {
  EXPECT_EQ(shown(R"(format = 1
[process.A]
threads = [["lock a", "work 1s", "unlok a"]])"),
            R"(error: unknown step `unlok`
  --> x.toml:3:35
3 | threads = [["lock a", "work 1s", "unlok a"]]
  |                                   ^^^^^ did you mean `unlock`?)");
}

TEST(TheReaderShows, AnUnknownStepLikeNothing) {
  EXPECT_EQ(shown(R"(format = 1
[process.A]
threads = [["zzzzz"]])"),
            "error: unknown step `zzzzz`\n"
            "  --> x.toml:3:14\n"
            "3 | threads = [[\"zzzzz\"]]\n"
            "  |              ^^^^^ steps are `start`, `think`, `work`, `lock`, `lock-interruptibly`, "
            "`trylock`, `unlock`, `force-unlock`, `signal`, `await`, `expect`, `crash`, `is-held`, "
            "`is-locked`, `hold-count`, `remain-time`, `get-token`, `get`, "
            "`cancel`, `shutdown`, `redis`, `write`, `repeat` or `try`");
}

TEST(TheReaderShows, AnUnknownOption) {
  EXPECT_EQ(shown(R"(format = 1
[process.B]
threads = [["trylock orders wait=60s lese=10s", "work 1s", "unlock orders"]])"),
            R"(error: unknown option `lese` of step `trylock`
  --> x.toml:3:38
3 | threads = [["trylock orders wait=60s lese=10s", "work 1s", "unlock orders"]]
  |                                      ^^^^ did you mean `lease`?)");
}

TEST(TheReaderShows, AnOptionThatTheStepHasNot) {
  EXPECT_EQ(shown(R"(format = 1
[process.A]
threads = [["unlock a wait=3s"]])"),
            R"(error: unknown option `wait` of step `unlock`
  --> x.toml:3:23
3 | threads = [["unlock a wait=3s"]]
  |                       ^^^^ options are `via`, `on`, `async` or `by`)");
}

TEST(TheReaderShows, ALockThatGivesNoTokens) {
  EXPECT_EQ(shown(R"(format = 1
[process.A]
threads = [["lock a token"]])"),
            R"(error: a plain lock gives no tokens
  --> x.toml:3:21
3 | threads = [["lock a token"]]
  |                     ^^^^^ a fenced lock does: `lock fenced:orders token`)");
}

TEST(TheReaderShows, ATokenThatIsSaidTwice) {
  EXPECT_EQ(shown(R"(format = 1
scripts = "redisson@3.19.0"
[process.A]
threads = [["lock fenced:a token token"]])"),
            R"(error: `token` is said twice
  --> x.toml:4:34
4 | threads = [["lock fenced:a token token"]]
  |                                  ^^^^^)");
}

TEST(TheReaderShows, AnOptionWithoutAValue) {
  EXPECT_EQ(shown(R"(format = 1
[process.A]
threads = [["trylock a wait"]])"),
            R"(error: option `wait` wants a value: `wait=…`
  --> x.toml:3:24
3 | threads = [["trylock a wait"]]
  |                        ^^^^)");
}

TEST(TheReaderShows, AnOptionGivenTwice) {
  EXPECT_EQ(shown(R"(format = 1
[process.A]
threads = [["trylock a wait=1s wait=2s"]])"),
            R"(error: option `wait` is given twice
  --> x.toml:3:32
3 | threads = [["trylock a wait=1s wait=2s"]]
  |                                ^^^^)");
}

TEST(TheReaderShows, AnOptionWithABareNumber) {
  EXPECT_EQ(shown(R"(format = 1
[process.A]
threads = [["trylock a wait=5"]])"),
            R"(error: `5` has no unit; write `5s` or `5ms`
  --> x.toml:3:29
3 | threads = [["trylock a wait=5"]]
  |                             ^)");
}

TEST(TheReaderShows, ALeaseOfZeroOfAScheme) {
  EXPECT_EQ(shown(R"(format = 1
[process.A]
threads = [["lock a lease=0s"]])"),
            "no error")
      << "what it means is said by the version";
  EXPECT_EQ(shown(R"(format = 1
[scheme.s]
lease = "1s"
acquire = { send = "SET {lock} {token} NX PX {lease}", reply = { OK = "granted", nil = "refused" } }
retry = { poll = "1s" }
holder = { string = "{token}" }
release = { send = "DEL {lock}", reply = { 1 = "released", 0 = "not the holder" } }
[process.A]
threads = [["lock s:a lease=0s", "unlock s:a"]])"),
            R"(error: the lease of a scheme lasts at least `1ms`
  --> x.toml:9:29
9 | threads = [["lock s:a lease=0s", "unlock s:a"]]
  |                             ^^)");
}

TEST(TheReaderShows, ALeaseWithoutAWait) {
  EXPECT_EQ(shown(R"(format = 1
[process.A]
threads = [["trylock a lease=5s"]])"),
            R"(error: `trylock` takes a `lease` only together with a `wait`, as Java's tryLock does
  --> x.toml:3:24
3 | threads = [["trylock a lease=5s"]]
  |                        ^^^^^^^^ write `wait=0s` not to wait)");
}

TEST(TheReaderShows, AStepWithoutItsLock) {
  EXPECT_EQ(shown(R"(format = 1
[process.A]
threads = [["lock"]])"),
            R"(error: step `lock` wants the name of a lock
  --> x.toml:3:18
3 | threads = [["lock"]]
  |                  ^)");
}

TEST(TheReaderShows, AStepWithoutItsTime) {
  EXPECT_EQ(shown(R"(format = 1
[process.A]
threads = [["work"]])"),
            R"(error: step `work` wants a time, such as `10s` or `0..500ms`
  --> x.toml:3:18
3 | threads = [["work"]]
  |                  ^)");
}

TEST(TheReaderShows, TooManyWordsInAStep) {
  EXPECT_EQ(shown(R"(format = 1
[process.A]
threads = [["work 1s 2s"]])"),
            R"(error: `2s` is too much for step `work`
  --> x.toml:3:22
3 | threads = [["work 1s 2s"]]
  |                      ^^)");
}

TEST(TheReaderShows, ALockMadeOfWhatItCannotBeMadeOf) {
  EXPECT_EQ(shown(R"(format = 1
[process.A]
threads = [["lock multi:a+red:b+c"]])"),
            R"(error: a multi lock cannot be made of this
  --> x.toml:3:27
3 | threads = [["lock multi:a+red:b+c"]]
  |                           ^^^^^)");
  EXPECT_EQ(shown(R"(format = 1
[process.A]
threads = [["lock multi:a+b+a"]])"),
            R"(error: `a` is named twice
  --> x.toml:3:29
3 | threads = [["lock multi:a+b+a"]]
  |                             ^)");
  EXPECT_EQ(shown(R"(format = 1
[process.A]
threads = [["lock multi:a+b via=h"]])"),
            R"(error: a lock that is made of others lies where these do
  --> x.toml:3:19
3 | threads = [["lock multi:a+b via=h"]]
  |                   ^^^^^^^^^)");
}

TEST(TheReaderShows, ACallThatALockOfOthersDoesNotHave) {
  EXPECT_EQ(shown(R"(format = 1
[process.A]
threads = [["lock multi:a+b", "get-token multi:a+b"]])"),
            R"(error: a multi lock has no such call
  --> x.toml:3:32
3 | threads = [["lock multi:a+b", "get-token multi:a+b"]]
  |                                ^^^^^^^^^ its members have: name one of them)");
}

TEST(TheReaderShows, ALockOfOthersWithOneNameOnOneMaster) {
  EXPECT_EQ(shown(R"(format = 1
[process.A]
threads = [["lock red:a"]])"),
            R"(error: this lock wants several others: `red:a+b`
  --> x.toml:3:14
3 | threads = [["lock red:a"]]
  |              ^^^^^^^^^^ one name is that of a lock on each master of `mode = "independent"`)");
}

TEST(TheReaderShows, AnUnknownKindOfLock) {
  EXPECT_EQ(shown(R"(format = 1
[process.A]
threads = [["lock fiar:a"]])"),
            R"(error: unknown kind of lock `fiar`
  --> x.toml:3:19
3 | threads = [["lock fiar:a"]]
  |                   ^^^^ did you mean `fair`?)");
}

TEST(TheReaderShows, ANameWithAColon) {
  EXPECT_EQ(shown(R"(format = 1
[process.A]
threads = [["lock mock-key:1"]])"),
            R"(error: unknown kind of lock `mock-key`
  --> x.toml:3:19
3 | threads = [["lock mock-key:1"]]
  |                   ^^^^^^^^ a name with a colon is written `plain:mock-key:1`)");
}

TEST(TheReaderShows, AnUnknownMarkOfALock) {
  EXPECT_EQ(shown(R"(format = 1
[process.A]
threads = [["lock a#new"]])"),
            R"(error: unknown mark `#new` of a lock name
  --> x.toml:3:20
3 | threads = [["lock a#new"]]
  |                    ^^^^ did you mean `#fresh`?)");
}

TEST(TheReaderShows, ALockNameWithAnOddByte) {
  EXPECT_EQ(shown(R"(format = 1
[process.A]
threads = [["lock a*b"]])"),
            R"(error: `a*b` is no name for a lock
  --> x.toml:3:19
3 | threads = [["lock a*b"]]
  |                   ^^^ names with other characters stand in quotes: `lock 'my orders'`)");
}

TEST(TheReaderShows, AFencedResource) {
  EXPECT_EQ(shown(R"(format = 1
[process.A]
threads = [["lock a", "write table token", "unlock a"]])"),
            R"(error: `token` is too much for step `write`
  --> x.toml:3:36
3 | threads = [["lock a", "write table token", "unlock a"]]
  |                                    ^^^^^)");
}

TEST(TheReaderShows, AResourceThatIsCalledLikeANodeOrIsNoName) {
  EXPECT_EQ(shown(R"(format = 1
[process.A]
threads = [["write R0"]])"),
            R"(error: a resource is called as a node is
  --> x.toml:3:14
3 | threads = [["write R0"]]
  |              ^^^^^^^^)");
  EXPECT_EQ(shown(R"(format = 1
[process.A]
threads = [["write a/b"]])"),
            R"(error: `a/b` is no name for a resource: a letter, then letters, digits, `-`, `_`
  --> x.toml:3:20
3 | threads = [["write a/b"]]
  |                    ^^^)");
  EXPECT_THAT(shown("format = 1\n[process.A]\nthreads = [[\"write A\"]]"),
              testing::HasSubstr("the name A is given twice"));
}

TEST(TheReaderShows, ACommandThatRedisDoesNotKnow) {
  EXPECT_EQ(shown(R"(format = 1
[process.A]
threads = [["redis DELETE orders"]])"),
            R"(error: this is no step: the model of Redis knows no command `DELETE`
  --> x.toml:3:20
3 | threads = [["redis DELETE orders"]]
  |                    ^^^^^^^^^^^^^)");
}

TEST(TheReaderShows, ACommandOfTooFewWords) {
  EXPECT_EQ(shown(R"(format = 1
[process.A]
threads = [["work 1s; redis pexpire orders; work 1s"]])"),
            R"(error: this is no step: a wrong number of words for `PEXPIRE`
  --> x.toml:3:29
3 | threads = [["work 1s; redis pexpire orders; work 1s"]]
  |                             ^^^^^^^^^^^^^^)");
  EXPECT_THAT(shown("format = 1\n[process.A]\nthreads = [[\"redis\"]]"),
              testing::HasSubstr("step `redis` wants a command, such as `redis DEL orders`"));
}

TEST(TheReaderShows, CommandsThatWaitRunScriptsAreDrawnOrAreAboutTheServer) {
  for (const char* command : {"WAIT 1 0", "SUBSCRIBE c", "MULTI", "SHUTDOWN", "DEBUG SLEEP 1", "SELECT 1",
                              "EVAL 'return 1' 0", "CONFIG REWRITE", "CLIENT LIST", "INFO"})
    EXPECT_THAT(shown(std::string("format = 1\n[process.A]\nthreads = [[\"redis ") + command + "\"]]"),
                testing::HasSubstr("is none that reads or writes keys at once, or publishes"))
        << command;
  for (const char* command : {"SPOP s", "RANDOMKEY", "HRANDFIELD h"})
    EXPECT_THAT(shown(std::string("format = 1\n[process.A]\nthreads = [[\"redis ") + command + "\"]]"),
                testing::HasSubstr("is left to chance"))
        << command;
}

TEST(TheReaderShows, AWordWithABraceOrAnOpenQuoteInACommand) {
  EXPECT_EQ(shown(R"(format = 1
[process.A]
threads = [["redis DEL {a}"]])"),
            R"(error: a word with a brace stands in quotes: `redis DEL 'a:{b}'`
  --> x.toml:3:24
3 | threads = [["redis DEL {a}"]]
  |                        ^)");
  EXPECT_THAT(shown("format = 1\n[process.A]\nthreads = [[\"redis DEL 'a b\"]]"),
              testing::HasSubstr("a `'` without the `'` that closes it"));
}

TEST(TheReaderShows, ATryWithoutItsFinally) {
  EXPECT_EQ(shown(R"(format = 1
[process.A]
threads = [["lock a", "try { work 1s }", "unlock a"]])"),
            R"(error: `try { … }` wants its `finally { … }`
  --> x.toml:3:39
3 | threads = [["lock a", "try { work 1s }", "unlock a"]]
  |                                       ^)");
  EXPECT_THAT(shown("format = 1\n[process.A]\nthreads = [[\"try { work 1s } finally work 1s\"]]"),
              testing::HasSubstr("`finally` wants its steps in braces"));
  EXPECT_THAT(shown("format = 1\n[process.A]\nthreads = [[\"finally { work 1s }\"]]"),
              testing::HasSubstr("unknown step `finally`"));
  EXPECT_THAT(shown("format = 1\n[process.A]\nthreads = [[\"try { work 1s } finally { work 1s\"]]"),
              testing::HasSubstr("this `finally` has no closing `}` in the same step text"));
  EXPECT_THAT(shown("format = 1\n[process.A]\nthreads = [[\"try { unlock a } finally { expect true }\"]]"),
              testing::HasSubstr("`expect` stands right behind the call"));
}

TEST(TheReaderShows, AnExpectationOfNothing) {
  EXPECT_EQ(shown(R"(format = 1
[process.A]
threads = [["work 1s", "expect true"]])"),
            R"(error: `expect` stands right behind the call whose answer it names
  --> x.toml:3:25
3 | threads = [["work 1s", "expect true"]]
  |                         ^^^^^^)");
}

TEST(TheReaderShows, AnUnknownAnswer) {
  EXPECT_EQ(shown(R"(format = 1
[process.A]
threads = [["trylock a", "expect treu"]])"),
            R"(error: `expect` wants `true`, `false` or `exception`, not `treu`
  --> x.toml:3:34
3 | threads = [["trylock a", "expect treu"]]
  |                                  ^^^^ did you mean `true`?)");
}

TEST(TheReaderShows, AStartInTheMiddle) {
  EXPECT_EQ(shown(R"(format = 1
[process.A]
threads = [["lock a", "start 1s"]])"),
            R"(error: `start` is only for the first step of a thread
  --> x.toml:3:24
3 | threads = [["lock a", "start 1s"]]
  |                        ^^^^^)");
}

TEST(TheReaderShows, ASignalThatNobodyGives) {
  EXPECT_EQ(shown(R"(format = 1
[process.A]
threads = [["lock a", "await  go"]])"),
            R"(error: no thread ever gives the signal `go`
  --> x.toml:3:24
3 | threads = [["lock a", "await  go"]]
  |                        ^^^^^^^^^)");
}

TEST(TheReaderShows, AGroupThatIsNotThere) {
  EXPECT_EQ(shown(R"(format = 1
[process.A]
threads = [["lock a on=R7"]])"),
            R"(error: there is no master `R7` of a group of its own
  --> x.toml:3:14
3 | threads = [["lock a on=R7"]]
  |              ^^^^^^^^^^^^ `on` is for `mode = "independent"` in [redis])");
}

}  // namespace
}  // namespace lockstep::scenarios
