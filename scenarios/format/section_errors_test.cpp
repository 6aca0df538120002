// Mistakes in the head of a file, its scripts, [time], [redis] and [redisson]: the exact text and caret of
// each.
#include <gtest/gtest.h>

#include "scenarios/format/test_library.h"

namespace lockstep::scenarios {
namespace {

TEST(TheReaderShows, AMissingFormat) {
  EXPECT_EQ(shown(R"([process.A]
threads = [["lock a", "unlock a"]])"),
            R"(error: a scenario begins with `format = 1`
  --> x.toml:1:1
1 | [process.A]
  | ^)");
}

TEST(TheReaderShows, AnotherFormat) {
  EXPECT_EQ(shown(R"(format = 2
[process.A]
threads = [["lock a", "unlock a"]])"),
            R"(error: `format` wants 1: this program reads no other
  --> x.toml:1:10
1 | format = 2
  |          ^)");
}

TEST(TheReaderShows, AnotherFormatBeforeAllThatItMayHave) {
  EXPECT_EQ(shown("format = 2"), R"(error: `format` wants 1: this program reads no other
  --> x.toml:1:10
1 | format = 2
  |          ^)");
  EXPECT_EQ(shown("actors = []\nformat = 2\n"), R"(error: `format` wants 1: this program reads no other
  --> x.toml:2:10
2 | format = 2
  |          ^)");
}

TEST(TheReaderShows, AFormatOfAnotherType) {
  EXPECT_EQ(shown(R"(format = "1"
[process.A]
threads = [["lock a", "unlock a"]])"),
            R"(error: `format` wants 1: this program reads no other
  --> x.toml:1:10
1 | format = "1"
  |          ^^^)");
}

TEST(TheReaderShows, NoProcessAtAll) {
  EXPECT_EQ(shown(R"(format = 1)"),
            R"(error: a scenario needs at least one [process.NAME] with its `threads`
  --> x.toml:1:1
1 | format = 1
  | ^)");
}

TEST(TheReaderShows, AnUnknownTable) {
  EXPECT_EQ(shown(R"(format = 1
[process.A]
threads = [["lock a", "unlock a"]]
[redsi]
mode = "single")"),
            R"(error: unknown table [redsi]
  --> x.toml:4:2
4 | [redsi]
  |  ^^^^^ did you mean `redis`?)");
}

TEST(TheReaderShows, AnUnknownKeyAtTheTop) {
  EXPECT_EQ(shown(R"(format = 1
nmae = "x"
[process.A]
threads = [["lock a", "unlock a"]])"),
            R"(error: unknown key `nmae`
  --> x.toml:2:1
2 | nmae = "x"
  | ^^^^ did you mean `name`?)");
}

TEST(TheReaderShows, AnUnknownKeyOfATable) {
  EXPECT_EQ(shown(R"(format = 1
[process.A]
threads = [["lock a", "unlock a"]]
[time]
watchdgo = "30s")"),
            R"(error: unknown key `watchdgo` in [time]
  --> x.toml:5:1
5 | watchdgo = "30s"
  | ^^^^^^^^ did you mean `watchdog`?)");
}

TEST(TheReaderShows, AnUnknownKeyThatIsLikeNothing) {
  EXPECT_EQ(shown(R"(format = 1
[process.A]
threads = [["lock a", "unlock a"]]
[bounds]
zzz = "30s")"),
            R"(error: unknown key `zzz` in [bounds]
  --> x.toml:5:1
5 | zzz = "30s"
  | ^^^ known are `grant`, `overtaking` or `busy-poll`)");
}

TEST(TheReaderShows, ThatBusyPollWithoutItsBoundIsNoQuestion) {
  EXPECT_EQ(shown(R"(format = 1
[process.A]
threads = [["lock a", "unlock a"]]
[expect]
busy-poll = "proved")"),
            R"(error: `busy-poll` needs its bound: `[bounds]` `busy-poll = 3`
  --> x.toml:5:1
5 | busy-poll = "proved"
  | ^^^^^^^^^)");
}

TEST(TheReaderShows, ABadName) {
  EXPECT_EQ(
      shown(R"(format = 1
name = "../../x"
[process.A]
threads = [["lock a", "unlock a"]])"),
      R"(error: `name` is a folder for what is found: no `/` in front, no `..`, no hidden bytes, at most 200
  --> x.toml:2:8
2 | name = "../../x"
  |        ^^^^^^^^^)");
}

TEST(TheReader, TakesNamesThatStayBelowTheirFolder) {
  const std::string rest = "\n[process.A]\nthreads = [[\"lock a\", \"unlock a\"]]\n";
  for (const char* good : {"a b", "größe {1}: x", "a/..b", "...", "a=b"})
    EXPECT_EQ(shown("format = 1\nname = \"" + std::string(good) + "\"" + rest), "no error") << good;
  for (const char* bad : {"", "..", ".", "/x", "a/..", "a/../b", "./a", " a", "a ", "a\\u0007"})
    EXPECT_NE(shown("format = 1\nname = \"" + std::string(bad) + "\"" + rest), "no error") << bad;
}

TEST(TheReaderShows, ANameOfTheWrongType) {
  EXPECT_EQ(shown(R"(format = 1
name = 3
[process.A]
threads = [["lock a", "unlock a"]])"),
            R"(error: `name` wants a string, not a whole number
  --> x.toml:2:8
2 | name = 3
  |        ^)");
}

TEST(TheReaderShows, AnUnknownScriptSet) {
  EXPECT_EQ(shown(R"(format = 1
scripts = "redisson@3.10.5x"
[process.A]
threads = [["lock a", "unlock a"]])"),
            R"(error: unknown script set `redisson@3.10.5x`; did you mean `redisson@3.10.5`?
  --> x.toml:2:11
2 | scripts = "redisson@3.10.5x"
  |           ^^^^^^^^^^^^^^^^^^)");
}

TEST(TheReaderShows, ARoleThatTheSetHasNot) {
  EXPECT_EQ(shown(R"(format = 1
[process.A]
threads = [["lock a", "unlock a"]]
[scripts]
lokc = "my/lock.lua")"),
            R"(error: script set redisson@3.10.5 has no role `lokc`; did you mean `lock`?
  --> x.toml:5:1
5 | lokc = "my/lock.lua"
  | ^^^^)");
}

TEST(TheReaderShows, AScriptFileThatIsNotThere) {
  EXPECT_EQ(shown(R"(format = 1
[process.A]
threads = [["lock a", "unlock a"]]
[scripts]
lock = "my/other.lua")"),
            R"(error: cannot read the script my/other.lua: no such file
  --> x.toml:5:8
5 | lock = "my/other.lua"
  |        ^^^^^^^^^^^^^^)");
}

TEST(TheReaderShows, ADirectoryWithoutASet) {
  EXPECT_EQ(shown(R"(format = 1
scripts = "./none"
[process.A]
threads = [["lock a", "unlock a"]])"),
            R"(error: cannot read the script set ./none/set.toml: no such file
  --> x.toml:2:11
2 | scripts = "./none"
  |           ^^^^^^^^)");
}

TEST(TheReaderShows, ATimeWithoutAUnit) {
  EXPECT_EQ(shown(R"(format = 1
[process.A]
threads = [["lock a", "unlock a"]]
[time]
watchdog = 30)"),
            R"(error: `watchdog` wants a time with its unit, not a bare number
  --> x.toml:5:12
5 | watchdog = 30
  |            ^^ write "30s" or "30ms")");
}

TEST(TheReaderShows, ATimeTextWithoutAUnit) {
  EXPECT_EQ(shown(R"(format = 1
[process.A]
threads = [["lock a", "unlock a"]]
[time]
watchdog = "30")"),
            R"(error: `30` has no unit; write `30s` or `30ms`
  --> x.toml:5:12
5 | watchdog = "30"
  |            ^^^^)");
}

TEST(TheReaderShows, ATimeWithAnUnknownUnit) {
  EXPECT_EQ(shown(R"(format = 1
[process.A]
threads = [["lock a", "unlock a"]]
[time]
watchdog = "30sec")"),
            R"(error: `sec` is no unit of time; there are `ms`, `s`, `m` and `h`
  --> x.toml:5:12
5 | watchdog = "30sec"
  |            ^^^^^^^)");
}

TEST(TheReaderShows, ATimeWithAFraction) {
  EXPECT_EQ(shown(R"(format = 1
[process.A]
threads = [["lock a", "unlock a"]]
[time]
watchdog = "1.5s")"),
            R"(error: `1.5s` has a fraction; write whole `ms`
  --> x.toml:5:12
5 | watchdog = "1.5s"
  |            ^^^^^^)");
}

TEST(TheReaderShows, ANegativeTime) {
  EXPECT_EQ(shown(R"(format = 1
[process.A]
threads = [["lock a", "unlock a"]]
[time]
watchdog = "-1s")"),
            R"(error: `-1s` is negative; a length of time is not
  --> x.toml:5:12
5 | watchdog = "-1s"
  |            ^^^^^)");
}

TEST(TheReaderShows, ATimeThatIsTooLong) {
  EXPECT_EQ(shown(R"(format = 1
[process.A]
threads = [["lock a", "unlock a"]]
[time]
watchdog = "99999999999999999999s")"),
            R"(error: `99999999999999999999s` is too long; the longest time is ten years
  --> x.toml:5:12
5 | watchdog = "99999999999999999999s"
  |            ^^^^^^^^^^^^^^^^^^^^^^^)");
}

TEST(TheReaderShows, AWatchdogOfZero) {
  EXPECT_EQ(shown(R"(format = 1
[process.A]
threads = [["lock a", "unlock a"]]
[time]
watchdog = "0s")"),
            R"(error: `watchdog` wants at least 1ms
  --> x.toml:5:12
5 | watchdog = "0s"
  |            ^^^^)");
}

TEST(TheReaderShows, AnIntervalThatEndsBeforeItBegins) {
  EXPECT_EQ(shown(R"(format = 1
[process.A]
threads = [["lock a", "unlock a"]]
[time]
network = "50ms..10ms")"),
            R"(error: `50ms..10ms` ends before it begins
  --> x.toml:5:11
5 | network = "50ms..10ms"
  |           ^^^^^^^^^^^^)");
}

TEST(TheReaderShows, AnUnknownNetwork) {
  EXPECT_EQ(shown(R"(format = 1
[process.A]
threads = [["lock a", "unlock a"]]
[time]
network = "no dely")"),
            R"(error: `network` wants `no delay`, `any` or an interval such as `0..50ms`, not `no dely`
  --> x.toml:5:11
5 | network = "no dely"
  |           ^^^^^^^^^ did you mean `no delay`?)");
}

TEST(TheReaderShows, HeldMaxWithoutAny) {
  EXPECT_EQ(shown(R"(format = 1
[process.A]
threads = [["lock a", "unlock a"]]
[time]
held_max = 3)"),
            R"(error: `held_max` is only for `network = "any"`
  --> x.toml:5:1
5 | held_max = 3
  | ^^^^^^^^)");
}

TEST(TheReaderShows, AnEpochThatIsNoDate) {
  EXPECT_EQ(shown(R"(format = 1
[process.A]
threads = [["lock a", "unlock a"]]
[time]
epoch = 5)"),
            R"(error: `epoch` wants a date and time, such as 2023-11-14T22:13:20Z, not a whole number
  --> x.toml:5:9
5 | epoch = 5
  |         ^)");
}

TEST(TheReaderShows, AnUnknownMode) {
  EXPECT_EQ(
      shown(R"(format = 1
[process.A]
threads = [["lock a", "unlock a"]]
[redis]
mode = "replicatd")"),
      R"(error: `mode` wants `single`, `replicated`, `independent`, `sentinel` or `cluster`, not `replicatd`
  --> x.toml:5:8
5 | mode = "replicatd"
  |        ^^^^^^^^^^^ did you mean `replicated`?)");
}

TEST(TheReaderShows, TooManyNodesForSingle) {
  EXPECT_EQ(shown(R"(format = 1
[process.A]
threads = [["lock a", "unlock a"]]
[redis]
nodes = 3)"),
            R"(error: `nodes = 3` needs `mode = "replicated"`
  --> x.toml:5:9
5 | nodes = 3
  |         ^)");
}

TEST(TheReaderShows, TooManyNodes) {
  EXPECT_EQ(shown(R"(format = 1
[process.A]
threads = [["lock a", "unlock a"]]
[redis]
mode = "replicated"
nodes = 99)"),
            R"(error: `nodes` wants a whole number from 1 to 16, not 99
  --> x.toml:6:9
6 | nodes = 99
  |         ^^)");
}

TEST(TheReaderShows, TheClockOfAnUnknownNode) {
  EXPECT_EQ(shown(R"(format = 1
[process.A]
threads = [["lock a", "unlock a"]]
[redis.clock]
R1 = "+400ms")"),
            R"(error: unknown key `R1` in [redis.clock]
  --> x.toml:5:1
5 | R1 = "+400ms"
  | ^^ known are `R0`)");
}

TEST(TheReaderShows, AVersionThatThereIsNot) {
  EXPECT_EQ(shown(R"(format = 1
[process.A]
threads = [["lock a", "unlock a"]]
[redisson]
version = "4.8.0")"),
            R"(error: there is no Redisson 4.8.0
  --> x.toml:5:11
5 | version = "4.8.0"
  |           ^^^^^^^ did you mean `4.0.0`?)");
}

TEST(TheReaderShows, AnUnknownMutant) {
  EXPECT_EQ(shown(R"(format = 1
[process.A]
threads = [["lock a", "unlock a"]]
[redisson]
mutant = ["permit-ignord"])"),
            R"(error: unknown mutant `permit-ignord`
  --> x.toml:5:11
5 | mutant = ["permit-ignord"]
  |           ^^^^^^^^^^^^^^^ did you mean `permit-ignored`?)");
}

TEST(TheReaderShows, ReplicasOfAModeThatHasNone) {
  EXPECT_EQ(shown(R"(format = 1
[process.A]
threads = [["lock a", "unlock a"]]
[redis]
replicas = 2)"),
            R"(error: `replicas` is only for `mode = "independent"` and `"cluster"`: how many each master has
  --> x.toml:5:12
5 | replicas = 2
  |            ^)");
}

}  // namespace
}  // namespace lockstep::scenarios
