// `mpirun -n K lockstep check …`: what one process says, and nothing where a process dies.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "sim/testing/sanitizers.h"
#include "tools/cli/cli_fixture.h"
#include "tools/ranks/ranks.h"

namespace lockstep::tools {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(RanksAround, AreThoseThatOpenMpiNames) {
  const auto around = [](std::optional<std::string> size) {
    return ranks_around([size](const char* name) {
      return std::string_view(name) == "OMPI_COMM_WORLD_SIZE" ? size : std::nullopt;
    });
  };
  EXPECT_EQ(around("4"), 4u);
  EXPECT_EQ(around("1"), 1u);
  EXPECT_EQ(around(std::nullopt), std::nullopt);
  EXPECT_EQ(around("0"), std::nullopt);
  EXPECT_EQ(around("4 or so"), std::nullopt);
}

class Ranks : public CliTest {
 protected:
  void SetUp() override {
    CliTest::SetUp();
    if (!can_join_ranks()) GTEST_SKIP() << "built without Open MPI";
    if (sim::testing::address_sanitizer) GTEST_SKIP() << "Open MPI does not give back all that it takes";
    if (typed("command -v mpirun").status != 0) GTEST_SKIP() << "no mpirun";
  }

  /// It gives its processes a terminal of their own.
  static std::string command(int count) {
    return "NO_COLOR=1 mpirun --allow-run-as-root --oversubscribe -n " + std::to_string(count) +
           " " LOCKSTEP_PROGRAM " ";
  }
  Finished by(int count, const std::string& words) const { return typed(command(count) + words); }

  /// Of two clients as many as are named, told apart, with pauses: levels that are worth sharing out.
  void bring_paused(const std::string& clients, const std::string& pauses) const {
    std::string text = "format = 1\nname = \"paused\"\n";
    for (const char name : clients)
      text += fmt::format(
          "[process.{}]\nthreads = [[\"lock a lease={}s\", \"work 2s\", \"unlock a\"]]\n", name,
          3 + (name - 'A'));
    file("paused.toml", text + "[faults]\npause-process = " + pauses + "\n");
  }
};

TEST_F(Ranks, SayTogetherWhatOneProcessSaysByteForByte) {
  bring_paused("AB", "1");
  for (const char* words : {"check paused.toml --strategy bfs --no-shrink",
                            "check paused.toml --strategy bfs --no-shrink --reduce",
                            "check paused.toml --max-states 900 --strategy bfs --format json"}) {
    const Finished alone = typed(std::string("lockstep ") + words);
    const Finished together = by(4, words);
    EXPECT_EQ(together.out, alone.out) << words << "\n" << together.err;
    EXPECT_EQ(together.status, alone.status) << words << "\n" << together.err;
  }
}

TEST_F(Ranks, WriteOneFile) {
  const Finished it = by(3, "check plain/two-clients --format json -o out.json");
  EXPECT_EQ(it.status, 0) << it.err;
  EXPECT_EQ(content(at("out.json")), typed("lockstep check plain/two-clients --format json").out);
}

TEST_F(Ranks, OfWhichOneDiesProveNothing) {
  bring_paused("ABCDEF", "2");
  const std::string words = LOCKSTEP_PROGRAM " check paused.toml --strategy bfs --max-states 100_000_000 ";
  const Finished it = typed("mpirun --allow-run-as-root --oversubscribe -n 1 " + words +
                            ": -n 1 timeout -s KILL 0.8 " + words);
  EXPECT_EQ(it.status, 137) << it.err;
  EXPECT_THAT(it.err, HasSubstr("exited on signal 9 (Killed)"));
  EXPECT_THAT(
      it.err,
      HasSubstr("a process of the search is gone, or mpirun was told to end: unknown, nothing is proved"));
  EXPECT_EQ(it.out, "");
}

TEST_F(Ranks, OfWhichOneIsInterruptedSaySoAndThatAllIsUnknown) {
  bring_paused("ABCDEF", "2");
  const std::string words = LOCKSTEP_PROGRAM " check paused.toml --strategy bfs --max-states 100_000_000 ";
  const Finished it = typed("NO_COLOR=1 mpirun --allow-run-as-root --oversubscribe -n 1 " + words +
                            ": -n 1 timeout --preserve-status -s INT 1.5 " + words);
  EXPECT_EQ(it.status, 3) << it.err;
  EXPECT_THAT(it.out, HasSubstr("unknown  (expected: holds): another process of the search was interrupted"));
  EXPECT_THAT(it.out, Not(HasSubstr("proved")));
}

TEST_F(Ranks, OfWhichMpirunIsInterruptedSayWhatTheyLearned) {
  bring_paused("ABCDEF", "2");
  const std::string words =
      "exec env NO_COLOR=1 mpirun --allow-run-as-root --oversubscribe --mca odls_base_sigkill_timeout 3 -n "
      "2 " LOCKSTEP_PROGRAM " check paused.toml --strategy bfs --max-states 100_000_000";
  const Finished it = typed("(" + words + ") & MPI=$!; sleep 2; kill -INT $MPI; wait $MPI");
  EXPECT_EQ(it.status, 1) << "which mpirun says, whatever its processes do" << it.err;
  EXPECT_THAT(it.out, HasSubstr("mutual-exclusion               unknown  (expected: holds): interrupted"));
  EXPECT_THAT(it.out, HasSubstr("incomplete: interrupted in scenario 1 of 1\n"));
}

TEST_F(Ranks, AreNoTerminalThoughMpirunGivesThemOne) {
  const Finished it =
      typed("mpirun --allow-run-as-root --oversubscribe -n 3 " LOCKSTEP_PROGRAM " check plain/two-clients");
  EXPECT_EQ(it.out, typed("lockstep check plain/two-clients").out);
  EXPECT_THAT(typed("mpirun --allow-run-as-root --oversubscribe -n 2 " LOCKSTEP_PROGRAM
                    " --color always check plain/two-clients")
                  .out,
              HasSubstr("\x1b["))
      << "asked for";
}

TEST_F(Ranks, WhoseTimeIsUpSaySo) {
  bring_paused("ABCDEF", "2");
  const Finished it =
      by(2, "check paused.toml --strategy bfs --max-states 100_000_000 --time-limit 1s --format json");
  EXPECT_EQ(it.status, 3) << it.err;
  EXPECT_THAT(it.out, HasSubstr("the time was up"));
}

TEST_F(Ranks, RefuseInOneSentenceWhatTheyCannotDoTogether) {
  for (const char* words : {"-j 2", "--save kept"}) {
    const Finished it = by(2, std::string("check plain/two-clients ") + words);
    EXPECT_EQ(it.status, 2) << words;
    EXPECT_THAT(it.err, HasSubstr("does not go together with mpirun")) << words;
    EXPECT_EQ(it.out, "") << words;
  }
  EXPECT_THAT(by(2, "check plain/two-clients --strategy random").err,
              HasSubstr("samples are divided by --shard auto"));
  const Finished unknown = by(2, "check no/such");
  EXPECT_EQ(unknown.status, 2);
  EXPECT_EQ(unknown.out, "");
}

TEST_F(Ranks, OfWhichOnlyAnotherCannotGoOnEndWithItsComplaint) {
  const Finished it =
      by(1, "check plain/three-clients --no-symmetry : -n 1 " LOCKSTEP_PROGRAM " check no/such");
  EXPECT_EQ(it.status, 2);
  EXPECT_THAT(it.err, HasSubstr("there is no scenario `no/such`"));
}

TEST_F(Ranks, LeaveSamplesToShards) {
  const Finished it = typed(
      "mpirun --allow-run-as-root --oversubscribe -n 2 sh -c '" LOCKSTEP_PROGRAM
      " check plain/two-clients --runs 20 --shard auto -o shard-$OMPI_COMM_WORLD_RANK.json' && "
      "lockstep merge shard-0.json shard-1.json");
  EXPECT_THAT(it.out, HasSubstr("20 sampled schedules")) << it.err;
}

}  // namespace
}  // namespace lockstep::tools
