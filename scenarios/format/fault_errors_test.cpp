// Mistakes in [faults], in [expect], and in the TOML itself: the exact text and caret of each.
#include <gtest/gtest.h>

#include "scenarios/format/test_library.h"

namespace lockstep::scenarios {
namespace {

TEST(TheReaderShows, AnUnknownFault) {
  EXPECT_EQ(shown(R"(format = 1
[process.A]
threads = [["lock a", "unlock a"]]
[faults]
crash-nod = 1)"),
            R"(error: unknown key `crash-nod` in [faults]
  --> x.toml:5:1
5 | crash-nod = 1
  | ^^^^^^^^^ did you mean `crash-node`?)");
}

TEST(TheReaderShows, ANegativeBudget) {
  EXPECT_EQ(shown(R"(format = 1
[process.A]
threads = [["lock a", "unlock a"]]
[faults]
crash-node = -1)"),
            R"(error: `crash-node` wants a whole number from 0 to 1000, not -1
  --> x.toml:5:14
5 | crash-node = -1
  |              ^^)");
}

TEST(TheReaderShows, AFailoverOfASingleNode) {
  EXPECT_EQ(shown(R"(format = 1
[process.A]
threads = [["lock a", "unlock a"]]
[faults]
failover = 1)"),
            R"(error: `failover` needs a replica: `mode = "replicated"` in [redis]
  --> x.toml:5:1
5 | failover = 1
  | ^^^^^^^^)");
}

TEST(TheReaderShows, AClockJumpWithoutJumps) {
  EXPECT_EQ(
      shown(R"(format = 1
[process.A]
threads = [["lock a", "unlock a"]]
[faults]
clock-jump = 1)"),
      R"(error: `clock-jump` needs `clock-jumps`, the jumps that there may be: `clock-jumps = ["30s", "-5s"]`
  --> x.toml:5:1
5 | clock-jump = 1
  | ^^^^^^^^^^)");
}

TEST(TheReaderShows, AFixedFaultOfNobody) {
  EXPECT_EQ(shown(R"(format = 1
[process.A]
threads = [["lock a", "unlock a"]]
[faults]
fixed = ["pause B at 5s"])"),
            R"(error: there is no process or node `B`
  --> x.toml:5:17
5 | fixed = ["pause B at 5s"]
  |                 ^ there are `A` or `R0`)");
}

TEST(TheReaderShows, AnUnknownFixedFault) {
  EXPECT_EQ(shown(R"(format = 1
[process.A]
threads = [["lock a", "unlock a"]]
[faults]
fixed = ["puase A at 5s"])"),
            R"(error: unknown fixed fault `puase`
  --> x.toml:5:11
5 | fixed = ["puase A at 5s"]
  |           ^^^^^ did you mean `pause`?)");
}

TEST(TheReaderShows, AFixedFaultWithoutATime) {
  EXPECT_EQ(shown(R"(format = 1
[process.A]
threads = [["lock a", "unlock a"]]
[faults]
fixed = ["pause A"])"),
            R"(error: a fixed fault ends in `at` and a time: `pause A at 5s`
  --> x.toml:5:17
5 | fixed = ["pause A"]
  |                 ^)");
}

TEST(TheReaderShows, AFixedFaultBeforeAnEvent) {
  EXPECT_EQ(shown(R"(format = 1
[process.A]
threads = [["lock a", "unlock a"]]
[faults]
fixed = ["pause A before unlock"])"),
            R"(error: unknown event `unlock`
  --> x.toml:5:26
5 | fixed = ["pause A before unlock"]
  |                          ^^^^^^ )"
            "events begin with `request`, `reply`, `message`, `subscription` or `effects`");
}

TEST(TheReaderShows, AFixedFaultBeforeWhatIsKnownOnlyAfterwards) {
  EXPECT_EQ(shown(R"(format = 1
[process.A]
threads = [["lock a", "unlock a"]]
[faults]
fixed = ["pause A before A acquires a"])"),
            R"(error: what a thread does is known when it is done; )"
            R"(before it there is a message: `request lock orders of A` or `reply to lock orders of A`
  --> x.toml:5:26
5 | fixed = ["pause A before A acquires a"]
  |                          ^)");
}

TEST(TheReaderShows, AFixedFaultOfARoleOrALockThatDoesNotExist) {
  const std::string head = "format = 1\n[process.A]\nthreads = [[\"lock a\", \"unlock a\"]]\n[faults]\n";
  EXPECT_EQ(shown(head + R"(fixed = ["crash A before reply to unlok a"])"),
            R"(error: no request has the role `unlok`
  --> x.toml:5:35
5 | fixed = ["crash A before reply to unlok a"]
  |                                   ^^^^^ did you mean `unlock`?)");
  EXPECT_EQ(shown(head + R"(fixed = ["crash A after A acquires b"])"),
            R"(error: no program names a lock `b`
  --> x.toml:5:36
5 | fixed = ["crash A after A acquires b"]
  |                                    ^ there is `a`)");
}

TEST(TheReaderShows, AFixedFaultThatLacksAPart) {
  const std::string head = "format = 1\n[process.A]\nthreads = [[\"lock a\", \"unlock a\"]]\n[faults]\n";
  EXPECT_EQ(shown(head + R"(fixed = ["cut A at 5s"])"),
            R"(error: `cut` wants a node as well: `cut A R0 at 5s`
  --> x.toml:5:17
5 | fixed = ["cut A at 5s"]
  |                 ^^)");
  EXPECT_EQ(shown(head + R"(fixed = ["evict R0 at 5s"])"),
            R"(error: `evict` wants a key as well: `evict R0 orders at 5s`
  --> x.toml:5:20
5 | fixed = ["evict R0 at 5s"]
  |                    ^^)");
  EXPECT_EQ(shown(head + R"(fixed = ["jump R0 at 5s"])"),
            R"(error: `jump` wants to know how far: `jump R0 +5s at 4s`
  --> x.toml:5:19
5 | fixed = ["jump R0 at 5s"]
  |                   ^^)");
  EXPECT_EQ(shown(head + R"(fixed = ["cut A B at 5s"])"),
            R"(error: there is no node `B`
  --> x.toml:5:17
5 | fixed = ["cut A B at 5s"]
  |                 ^ there are `A` or `R0`)");
  EXPECT_EQ(shown(head + R"(fixed = ["lose reply to lock a before request unlock a"])"),
            R"(error: `lose` befalls the message when it arrives; write `at` or `after`
  --> x.toml:5:32
5 | fixed = ["lose reply to lock a before request unlock a"]
  |                                ^^^^^^)");
}

TEST(TheReaderShows, AFixedEndOfWhatNobodyBegins) {
  EXPECT_EQ(shown(R"(format = 1
[process.A]
threads = [["lock a", "unlock a"]]
[process.B]
threads = [["lock a", "unlock a"]]
[faults]
fixed = ["cut A R0 at 1s", "heal B R0 at 5s"])"),
            R"(error: `heal B R0 at 5s` can never happen: no fixed fault and no budget begins what it ends
  --> x.toml:7:28
7 | fixed = ["cut A R0 at 1s", "heal B R0 at 5s"]
  |                            ^^^^^^^^^^^^^^^^^)");
}

TEST(TheReaderShows, AFixedFaultOfTheWrongKindOfThing) {
  EXPECT_EQ(shown(R"(format = 1
[process.A]
threads = [["lock a", "unlock a"]]
[faults]
fixed = ["interrupt R0 at 5s"])"),
            R"(error: `interrupt` is not for a node
  --> x.toml:5:21
5 | fixed = ["interrupt R0 at 5s"]
  |                     ^^)");
}

TEST(TheReaderShows, AFixedFaultWithABareNumber) {
  EXPECT_EQ(shown(R"(format = 1
[process.A]
threads = [["lock a", "unlock a"]]
[faults]
fixed = ["pause A at 5"])"),
            R"(error: `5` has no unit; write `5s` or `5ms`
  --> x.toml:5:22
5 | fixed = ["pause A at 5"]
  |                      ^)");
}

TEST(TheReaderShows, AnUnknownProperty) {
  EXPECT_EQ(shown(R"(format = 1
[process.A]
threads = [["lock a", "unlock a"]]
[expect]
mutual-exclusoin = "holds")"),
            R"(error: unknown property `mutual-exclusoin` in [expect]
  --> x.toml:5:1
5 | mutual-exclusoin = "holds"
  | ^^^^^^^^^^^^^^^^ did you mean `mutual-exclusion`?)");
}

TEST(TheReaderShows, AnUnknownVerdict) {
  EXPECT_EQ(shown(R"(format = 1
[process.A]
threads = [["lock a", "unlock a"]]
[expect]
mutual-exclusion = "hold")"),
            R"(error: `mutual-exclusion` wants `proved`, `passed`, `holds` or `violated`, not `hold`
  --> x.toml:5:20
5 | mutual-exclusion = "hold"
  |                    ^^^^^^ did you mean `holds`?)");
}

TEST(TheReaderShows, AnUnknownWitness) {
  EXPECT_EQ(shown(R"(format = 1
[process.A]
threads = [["lock a", "unlock a"]]
[expect]
sometimes = ["contenton"])"),
            R"(error: unknown witness `contenton`
  --> x.toml:5:14
5 | sometimes = ["contenton"]
  |              ^^^^^^^^^^^ did you mean `contention`?)");
}

TEST(TheReaderShows, AnAnswerToACallThatNobodyMakes) {
  EXPECT_EQ(shown(R"(format = 1
[process.A]
threads = [["lock a", "unlock a"]]
[expect.answers]
"trylock a" = { true = 1 })"),
            R"(error: no program has a step `trylock a`
  --> x.toml:5:1
5 | "trylock a" = { true = 1 }
  | ^^^^^^^^^^^)");
}

TEST(TheReaderShows, AnAnswerToNoCall) {
  EXPECT_EQ(shown(R"(format = 1
[process.A]
threads = [["lock a", "unlock a"]]
[expect.answers]
"work 1s" = { true = 1 })"),
            R"(error: [expect.answers] wants a call without options, such as "trylock orders"
  --> x.toml:5:1
5 | "work 1s" = { true = 1 }
  | ^^^^^^^^^)");
}

TEST(TheReaderShows, AnUnknownAnswerCount) {
  EXPECT_EQ(shown(R"(format = 1
[process.A]
threads = [["lock a", "unlock a"]]
[expect.answers]
"lock a" = { yes = 1 })"),
            R"(error: unknown key `yes` in [expect.answers]
  --> x.toml:5:14
5 | "lock a" = { yes = 1 }
  |              ^^^ known are `true`, `false` or `exception`)");
}

TEST(TheReaderShows, WhatIsNotToml) {
  const std::string what = shown("format = 1\nname = ,\n");
  EXPECT_EQ(what.substr(0, 26), "error: this is not TOML: E");  // the rest is the TOML library's wording
  EXPECT_EQ(what.substr(what.find('\n')), "\n  --> x.toml:2:8\n2 | name = ,\n  |        ^");
}

TEST(TheReaderShows, AKeyGivenTwice) {
  const std::string what = shown("format = 1\nformat = 1\n");
  EXPECT_NE(what.find("cannot redefine existing integer 'format'"), std::string::npos) << what;
  EXPECT_EQ(what.substr(what.find('\n')), "\n  --> x.toml:2:10\n2 | format = 1\n  |          ^");
}

TEST(TheReaderShows, AnOutageThatTakesNothing) {
  const auto problem = [](const std::string& redis, const std::string& faults) {
    const std::string what = shown("format = 1\n[process.A]\nthreads = [[\"lock a\"]]\n[redis]\n" + redis +
                                   "\n[faults]\n" + faults);
    return what.substr(0, what.find('\n'));
  };
  EXPECT_EQ(problem("", "crash-node = 1\nsave = 1"),
            "error: `save` writes a snapshot, which nothing reads without `persistence = \"snapshot\"`");
  EXPECT_EQ(problem("persistence = \"snapshot\"", "crash-node = 1\npower-loss = 1"),
            "error: `power-loss` takes the end of an append-only file, so it wants "
            "`persistence = \"append-only\"`");
  EXPECT_EQ(problem("persistence = \"append-only\"\nfsync = \"always\"",
                    "crash-node = 1\nfixed = [\"power-loss R0 at 1s\"]"),
            "error: with `fsync = \"always\"` a `power-loss` takes nothing that was answered");
  EXPECT_EQ(problem("persistence = \"append-only\"", "power-loss = 1"),
            "error: a `power-loss` comes with the crash of a node, so it wants `crash-node`, too");
}

TEST(TheReaderShows, SavePointsThatAreNone) {
  const auto problem = [](const std::string& redis) {
    const std::string what =
        shown("format = 1\n[process.A]\nthreads = [[\"lock a\"]]\n[redis]\n" + redis);
    return what.substr(0, what.find('\n'));
  };
  for (const char* text : {"900", "", "x", "900 1 300", "0 1", "900 0", "900 1 x"})
    EXPECT_EQ(problem("persistence = \"snapshot\"\nsave = \"" + std::string(text) + "\""),
              "error: `save` wants pairs of seconds and changes: `900 1 300 10`");
  EXPECT_EQ(problem("save = \"900 1\""), "error: `save` is only for `persistence = \"snapshot\"`");
  EXPECT_EQ(problem("fsync = \"no\""), "error: `fsync` is only for `persistence = \"append-only\"`");
}

TEST(TheReaderShows, TheFirstOfSeveralMistakes) {
  EXPECT_EQ(shown(R"(format = 1
nmae = "x"
[process.A]
threads = [["lok a"]]
[tmie])"),
            R"(error: unknown key `nmae`
  --> x.toml:2:1
2 | nmae = "x"
  | ^^^^ did you mean `name`?)");
}

}  // namespace
}  // namespace lockstep::scenarios
