// Mistakes in [process], in loops, and behind odd characters: the exact text and caret of each.
#include <gtest/gtest.h>

#include "scenarios/format/test_library.h"

namespace lockstep::scenarios {
namespace {

TEST(TheReaderShows, AProcessWithoutThreads) {
  EXPECT_EQ(shown(R"(format = 1
[process.A]
count = 2)"),
            R"(error: [process.A] has no `threads`
  --> x.toml:2:10
2 | [process.A]
  |          ^ write `threads = [["lock orders", "unlock orders"]]`)");
}

TEST(TheReaderShows, AProcessThatWaitsForReplicasThatAreNotThere) {
  EXPECT_EQ(shown(R"(format = 1
[process.A]
threads = [["lock a"]]
wait = 1)"),
            R"(error: `wait` counts replicas, and there are none
  --> x.toml:4:8
4 | wait = 1
  |        ^)");
}

TEST(TheReaderShows, AProcessThatIsNoTable) {
  EXPECT_EQ(shown(R"(format = 1
[process]
A = 1)"),
            R"(error: `A` wants a table, not a whole number
  --> x.toml:3:5
3 | A = 1
  |     ^)");
}

TEST(TheReaderShows, ABadProcessName) {
  EXPECT_EQ(
      shown(R"(format = 1
[process."x "]
threads = [["lock a"]])"),
      R"(error: `x ` is no name for a process: 64 visible bytes at most, no quote, no blank at an end
  --> x.toml:2:10
2 | [process."x "]
  |          ^^^^)");
}

TEST(TheReaderShows, AProcessNamedLikeANode) {
  EXPECT_EQ(shown(R"(format = 1
[process.R0]
threads = [["lock a"]])"),
            R"(error: the name R0 is given twice (nodes are R0, R1 …; `count` makes NAME-1, NAME-2 …)
  --> x.toml:2:10
2 | [process.R0]
  |          ^^)");
}

TEST(TheReaderShows, AThreadThatIsAString) {
  EXPECT_EQ(shown(R"(format = 1
[process.A]
threads = ["lock a", "unlock a"])"),
            R"(error: a thread is a list of steps, not a string
  --> x.toml:3:12
3 | threads = ["lock a", "unlock a"]
  |            ^^^^^^^^ write `[["step", "step"]]`: a list of threads, each a list)");
}

TEST(TheReaderShows, AThreadWithoutSteps) {
  EXPECT_EQ(shown(R"(format = 1
[process.A]
threads = [[]])"),
            R"(error: a thread wants at least one step
  --> x.toml:3:12
3 | threads = [[]]
  |            ^^)");
}

TEST(TheReaderShows, AThreadTableWithoutSteps) {
  EXPECT_EQ(shown(R"(format = 1
[process.A]
threads = [{ count = 3 }])"),
            R"(error: a thread wants `steps`
  --> x.toml:3:12
3 | threads = [{ count = 3 }]
  |            ^^^^^^^^^^^^^)");
}

TEST(TheReaderShows, AStepThatIsNoString) {
  EXPECT_EQ(shown(R"(format = 1
[process.A]
threads = [[1]])"),
            R"(error: a step is a string, not a whole number
  --> x.toml:3:13
3 | threads = [[1]]
  |             ^)");
}

TEST(TheReaderShows, TooManyThreads) {
  EXPECT_EQ(shown(R"(format = 1
[process.A]
count = 100
threads = [{ count = 1000, steps = ["lock a"] }])"),
            R"(error: more than 65000 threads
  --> x.toml:2:10
2 | [process.A]
  |          ^)");
}

TEST(TheReaderShows, ACountThatIsTooLarge) {
  EXPECT_EQ(shown(R"(format = 1
[process.A]
threads = [{ count = 70000, steps = ["lock a"] }])"),
            R"(error: `count` wants a whole number from 1 to 65000, not 70000
  --> x.toml:3:22
3 | threads = [{ count = 70000, steps = ["lock a"] }]
  |                      ^^^^^)");
}

TEST(TheReaderShows, ACountOfZero) {
  EXPECT_EQ(shown(R"(format = 1
[process.A]
count = 0
threads = [["lock a"]])"),
            R"(error: `count` wants a whole number from 1 to 1000, not 0
  --> x.toml:3:9
3 | count = 0
  |         ^)");
}

TEST(TheReaderShows, ABadClientId) {
  EXPECT_EQ(shown(R"(format = 1
[process.A]
id = "58c6"
threads = [["lock a"]])"),
            R"(error: `58c6` is no UUID in lower case
  --> x.toml:3:6
3 | id = "58c6"
  |      ^^^^^^)");
}

TEST(TheReaderShows, AClientIdForSeveralProcesses) {
  EXPECT_EQ(shown(R"(format = 1
[process.A]
count = 2
id = "58c62432-bb74-4d14-8a00-9908cc8b828f"
threads = [["lock a"]])"),
            R"(error: a process with a `count` cannot have an `id` of its own
  --> x.toml:4:6
4 | id = "58c62432-bb74-4d14-8a00-9908cc8b828f"
  |      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^)");
}

TEST(TheReaderShows, TwoThreadsWithOneJavaId) {
  EXPECT_EQ(shown(R"(format = 1
[process.A]
threads = [["lock a"], { id = 1, steps = ["lock a"] }])"),
            R"(error: two threads of process A have the Java id 1
  --> x.toml:3:11
3 | threads = [["lock a"], { id = 1, steps = ["lock a"] }]
  |           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^)");
}

TEST(TheReaderShows, ALoopWithoutItsEnd) {
  EXPECT_EQ(shown(R"(format = 1
[process.A]
threads = [["repeat 3 { lock a; unlock a"]])"),
            R"(error: this `repeat` has no closing `}` in the same step text
  --> x.toml:3:14
3 | threads = [["repeat 3 { lock a; unlock a"]]
  |              ^^^^^^)");
}

TEST(TheReaderShows, ALoopWithoutBraces) {
  EXPECT_EQ(shown(R"(format = 1
[process.A]
threads = [["repeat 3 lock a"]])"),
            R"(error: `repeat N` wants its steps in braces
  --> x.toml:3:23
3 | threads = [["repeat 3 lock a"]]
  |                       ^^^^)");
}

TEST(TheReaderShows, ALoopWithoutACount) {
  EXPECT_EQ(shown(R"(format = 1
[process.A]
threads = [["repeat x { lock a }"]])"),
            R"(error: `repeat` wants a number from 1 to 1000000, not `x`
  --> x.toml:3:21
3 | threads = [["repeat x { lock a }"]]
  |                     ^)");
}

TEST(TheReaderShows, AnEmptyLoop) {
  EXPECT_EQ(shown(R"(format = 1
[process.A]
threads = [["repeat 3 { }"]])"),
            R"(error: `repeat` wants at least one step in its braces
  --> x.toml:3:25
3 | threads = [["repeat 3 { }"]]
  |                         ^)");
}

TEST(TheReaderShows, AMistakeInsideALoop) {
  EXPECT_EQ(shown(R"(format = 1
[process.A]
threads = [["repeat 3 { lock a; wrk 1s; unlock a }"]])"),
            R"(error: unknown step `wrk`
  --> x.toml:3:33
3 | threads = [["repeat 3 { lock a; wrk 1s; unlock a }"]]
  |                                 ^^^ did you mean `work`?)");
}

TEST(TheReaderShows, ABraceTooMany) {
  EXPECT_EQ(shown(R"(format = 1
[process.A]
threads = [["lock a }"]])"),
            R"(error: a `}` without its `repeat N {`
  --> x.toml:3:21
3 | threads = [["lock a }"]]
  |                     ^)");
}

TEST(TheReaderShows, AnEmptyStep) {
  EXPECT_EQ(shown(R"(format = 1
[process.A]
threads = [[""]])"),
            R"(error: an empty step
  --> x.toml:3:14
3 | threads = [[""]]
  |              ^ write a step such as `lock orders`)");
}

TEST(TheReaderShows, AMistakeBehindOtherLetters) {
  EXPECT_EQ(shown(R"(format = 1
[process.A]
threads = [["lock größe", "lock größe lese=1s"]])"),
            R"(error: unknown option `lese` of step `lock`
  --> x.toml:3:39
3 | threads = [["lock größe", "lock größe lese=1s"]]
  |                                       ^^^^ did you mean `lease`?)");
}

TEST(TheReaderShows, AMistakeBehindAnEscape) {
  EXPECT_EQ(shown(R"(format = 1
[process.A]
threads = [["lock\u0020a lese=1s"]])"),
            R"(error: unknown option `lese` of step `lock`
  --> x.toml:3:13
3 | threads = [["lock\u0020a lese=1s"]]
  |             ^^^^^^^^^^^^^^^^^^^^^ did you mean `lease`?)");
}

TEST(TheReaderShows, AMistakeBehindATab) {
  EXPECT_EQ(shown(R"(format = 1
[process.A]
	threads = [["lok a"]])"),
            R"(error: unknown step `lok`
  --> x.toml:3:15
3 | 	threads = [["lok a"]]
  | 	             ^^^ did you mean `lock`?)");
}

}  // namespace
}  // namespace lockstep::scenarios
