// Mistakes in single steps of futures, questions, and calls for others: the text and the place of each.
#include <gtest/gtest.h>

#include "scenarios/format/test_library.h"

namespace lockstep::scenarios {
namespace {

/// Where the reader finds the mistake in these steps of one thread, and what it says of it.
std::string mistake_in(const std::string& step) {
  const std::string all = shown("format = 1\n[process.A]\nthreads = [[\"" + step + "\"]]");
  return all.substr(0, all.find("\n3 |"));
}

TEST(TheReaderShows, AGetWithoutAFuture) {
  const std::string nothing = "wants a call with `async` before it, and no other call in between";
  EXPECT_EQ(mistake_in("lock a; get"), "error: `get` " + nothing + "\n  --> x.toml:3:22");
  EXPECT_EQ(mistake_in("lock a async; get; get"), "error: `get` " + nothing + "\n  --> x.toml:3:33");
  EXPECT_EQ(mistake_in("cancel"), "error: `cancel` " + nothing + "\n  --> x.toml:3:14");
  EXPECT_EQ(mistake_in("lock a async; repeat 2 { get }"), "error: `get` " + nothing + "\n  --> x.toml:3:39");
}

TEST(TheReaderShows, WhatReturnsNoFutureHere) {
  EXPECT_EQ(mistake_in("is-held a async"),
            "error: unknown option `async` of step `is-held`\n  --> x.toml:3:24");
  EXPECT_EQ(mistake_in("lock a async=1"), "error: `async` takes no value\n  --> x.toml:3:21");
  EXPECT_EQ(mistake_in("lock a async async"), "error: `async` is said twice\n  --> x.toml:3:27");
  EXPECT_EQ(mistake_in("lock a async; expect true"),
            "error: what a call with `async` has come to is known behind its `get`\n  --> x.toml:3:28");
}

TEST(TheReaderShows, MistakesInCallsForAnother) {
  EXPECT_EQ(mistake_in("lock a by=1"),
            "error: a thread that waits calls for itself: `by` wants `async`\n  --> x.toml:3:21");
  EXPECT_EQ(mistake_in("lock a#fresh async by=1"),
            "error: each key of `#fresh` is one thread's own, so `by` fits none\n  --> x.toml:3:33");
  EXPECT_EQ(mistake_in("lock a async by=1 by=1"), "error: option `by` is given twice\n  --> x.toml:3:32");
  EXPECT_EQ(mistake_in("work 1s; unlock a async by=9"),
            "error: no thread of the process of A1 has the number 9\n  --> x.toml:3:23");
  EXPECT_EQ(mistake_in("lock a; is-held a by=9"),
            "error: no thread of the process of A1 has the number 9\n  --> x.toml:3:22");
}

TEST(TheReaderShows, TheStepOrTheScriptsThatDoNotGoTogether) {
  EXPECT_EQ(mistake_in("work 1s; lock fenced:a token async"),
            "error: the script set redisson@3.10.5 has no script for the role `fenced-lock-token`; "
            "Redisson has a fenced lock since 3.19.0\n  --> x.toml:3:23");
  const std::string mistake = shown(R"(format = 1
[process.A]
threads = [["lock a"]]
[process.B]
scripts = "redisson@3.5.5"
threads = [["lock fenced:a token"]])");
  EXPECT_NE(mistake.find("--> x.toml:5:11"), std::string::npos) << mistake;
}

TEST(TheReaderShows, MistakesInQuestions) {
  EXPECT_EQ(mistake_in("hold-count a least=0"),
            "error: `least` wants a number from 1 on, not `0`\n  --> x.toml:3:33");
  EXPECT_EQ(mistake_in("remain-time a least=5"),
            "error: `5` has no unit; write `5s` or `5ms`\n  --> x.toml:3:34");
  EXPECT_EQ(mistake_in("is-held a by=A1"),
            "error: `by` wants the number of a thread, not `A1`\n  --> x.toml:3:27");
  EXPECT_EQ(mistake_in("hold-count a least=2 least=3"),
            "error: option `least` is given twice\n  --> x.toml:3:35");
}

}  // namespace
}  // namespace lockstep::scenarios
