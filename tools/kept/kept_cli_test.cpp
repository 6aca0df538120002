// `check --save` and `--resume`: a search that was ended goes on, and says what one says that was not
// ended. Searches in boxes, and depth first.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "tools/cli/cli_fixture.h"
#include "tools/cli/exit_code.h"

namespace lockstep::tools {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class KeptSearches : public CliTest {
 protected:
  using Words = std::vector<std::string>;

  static Words joined(Words some, const Words& more) {
    some.insert(some.end(), more.begin(), more.end());
    return some;
  }
  Finished check(const Words& more) const {
    return here(joined({"-q", "check", "--no-shrink", "--strategy", "bfs"}, more));
  }

  /// Two clients, of which one may be paused: some properties break, others are proved.
  std::string paused() const {
    return file("paused.toml", R"(format = 1
name = "paused"
[process.A]
threads = [["lock a lease=3s", "work 2s", "unlock a"]]
[process.B]
threads = [["lock a lease=3s", "work 2s", "unlock a"]]
[faults]
pause-process = 1
)");
  }
};

TEST_F(KeptSearches, GoOnToTheSameResultByteForByteWhereverTheyWereEnded) {
  const std::string scenario = paused();
  const Finished whole = check({scenario});
  ASSERT_THAT(whole.out, HasSubstr("violated")) << whole.err;
  ASSERT_THAT(whole.out, HasSubstr("complete")) << whole.err;
  for (const Words& how : std::vector<Words>{{"--max-states", "1"},
                                             {"--max-states", "300"},
                                             {"--max-depth", "0"},
                                             {"--max-depth", "9", "-j", "2"},
                                             {"--max-depth", "12"}}) {
    const Finished first = check(joined(how, {scenario, "--save", "kept"}));
    ASSERT_TRUE(std::filesystem::exists(at("kept"))) << first.out << first.err;
    EXPECT_EQ(check({scenario, "--resume", "kept"}).out, whole.out);
    EXPECT_EQ(check({scenario, "--resume", "kept", "-j", "2"}).out, whole.out);
    std::filesystem::remove(at("kept"));
  }
}

TEST_F(KeptSearches, MayBeEndedAgainAndKeptInTheSameFile) {
  const std::string scenario = paused();
  for (const Words& with : std::vector<Words>{
           {}, {"--no-symmetry"}, {"--property", "mutual-exclusion"}, {"--reduce"}}) {
    const Finished whole = check(joined(with, {scenario}));
    check(joined(with, {scenario, "--max-depth", "3", "--save", "kept"}));
    for (int depth = 6; depth < 13; depth += 3) {
      const auto limit = std::to_string(depth);
      const Finished again = check(
          joined(with, {scenario, "--max-depth", limit, "--resume", "kept", "--save", "kept"}));
      EXPECT_EQ(again.out, check(joined(with, {scenario, "--max-depth", limit})).out);
    }
    EXPECT_EQ(check(joined(with, {scenario, "--resume", "kept"})).out, whole.out);
  }
}

TEST_F(KeptSearches, DoNotGoOnBelowADepthThatTheyHavePassed) {
  const std::string scenario = paused();
  check({scenario, "--max-depth", "9", "--save", "kept"});
  const Finished back = check({scenario, "--max-depth", "8", "--resume", "kept"});
  EXPECT_EQ(back.status, 2);
  EXPECT_THAT(back.err,
              HasSubstr("kept: the search that it holds is at depth 9 already, and --max-depth is 8"));
  EXPECT_EQ(check({scenario, "--max-depth", "9", "--resume", "kept"}).out,
            check({scenario, "--max-depth", "9"}).out);
}

TEST_F(KeptSearches, KeepWhatTheyLearnedWhenTheyAreInterrupted) {
  std::string text = "format = 1\nname = \"wide\"\n";
  for (const char* name : {"A", "B", "C", "D", "E", "F"})
    text += fmt::format(
        "[process.{}]\nthreads = [[\"start 0..9s\", \"lock a lease={}s\", \"work 0..9s\", "
        "\"unlock a\"]]\n",
        name, 3 + name[0] - 'A');
  file("wide.toml", text + "[faults]\npause-process = 2\ncrash-process = 2\n");
  const Finished cut = typed("timeout -s INT 0.5 " LOCKSTEP_PROGRAM
                             " check wide.toml --strategy bfs --max-states 100_000_000 --save kept");
  EXPECT_THAT(cut.err, HasSubstr("goes on there")) << cut.out;
  const std::string kept = content(at("kept"));
  const Finished on = here(
      {"check", "wide.toml", "--strategy", "bfs", "--resume", "kept", "--save", "kept", "--max-states", "1"});
  EXPECT_EQ(on.status, status(ExitCode::unknown)) << on.err;
  EXPECT_GT(content(at("kept")).size(), kept.size());
}

/// A whole search takes about a second, and several under a sanitizer.
TEST_F(KeptSearches, ThatWereInterruptedGoOnToTheSameResultByteForByte) {
  std::string text = "format = 1\nname = \"three\"\n";
  for (const char name : {'A', 'B', 'C'})
    text += fmt::format("[process.{}]\nthreads = [[\"lock a lease={}s\", \"work 2s\", \"unlock a\"]]\n", name,
                        3 + (name - 'A'));
  file("three.toml", text + "[faults]\npause-process = 1\ncrash-process = 1\n");
  const Finished whole = check({"three.toml"});
  ASSERT_THAT(whole.out, HasSubstr("complete")) << whole.err;
  ASSERT_THAT(whole.out, HasSubstr("violated"));
  const std::string words = " -q check three.toml --no-shrink --strategy bfs --save kept";
  const Finished cut = typed("timeout -s INT 0.3 " LOCKSTEP_PROGRAM + words);
  EXPECT_NE(cut.out, whole.out);
  ASSERT_TRUE(std::filesystem::exists(at("kept"))) << cut.out << cut.err;
  typed("timeout -s INT 0.5 " LOCKSTEP_PROGRAM + words + " --resume kept");
  const Finished on = check({"three.toml", "--resume", "kept"});
  EXPECT_EQ(on.out, whole.out) << on.err;
  EXPECT_EQ(on.status, whole.status);
}

TEST_F(KeptSearches, SayWhatIsKeptAndThatAllWasDone) {
  const std::string scenario = paused();
  const Finished first = here({"check", scenario, "--max-depth", "4", "--save", "kept"});
  EXPECT_THAT(first.err, HasSubstr("to depth 4; `--resume kept` goes on there"));
  const Finished ended = here({"check", scenario, "--save", "other"});
  EXPECT_THAT(ended.err, HasSubstr("other: not written, for no search was ended"));
  EXPECT_FALSE(std::filesystem::exists(at("other")));
}

TEST_F(KeptSearches, OfAnotherQuestionOrThatWereChangedAreRefusedInOneSentence) {
  const std::string scenario = paused();
  check({scenario, "--max-depth", "6", "--save", "kept"});
  const std::string kept = content(at("kept"));
  const auto refused = [&](const Words& words, const std::string& why) {
    const Finished it = here(joined({"check"}, words));
    expect_one_sentence(it, why);
    EXPECT_THAT(it.err, HasSubstr(why));
  };
  refused({scenario, "--resume", "kept", "--no-symmetry"}, "is of another question");
  refused({scenario, "--resume", "kept", "--reduce"}, "is of another question");
  refused({scenario, "--resume", "kept", "--property", "owner-only"}, "is of another question");
  refused({"plain/two-clients", "--resume", "kept"}, "is of the scenario paused with other content");
  file("short", kept.substr(0, kept.size() - 1));
  refused({scenario, "--resume", "short", "--save", "short"}, "was cut off");
  EXPECT_EQ(content(at("short")), kept.substr(0, kept.size() - 1)) << "nothing is overwritten";
  std::string changed = kept;
  changed[changed.size() / 2] = static_cast<char>(changed[changed.size() / 2] ^ 1);
  file("changed", changed);
  refused({scenario, "--resume", "changed"}, "was changed since it was written");
  std::string newer = kept;
  newer.replace(newer.find("\"v\":1"), 5, "\"v\":2");
  file("newer", newer);
  refused({scenario, "--resume", "newer"}, "is of format 2, and this program reads 1");
  for (const std::string& bad : bad_files()) refused({scenario, "--resume", bad}, bad);
}

TEST_F(KeptSearches, DoNotGoTogetherWithOptionsThatHaveNothingToKeep) {
  const std::string scenario = paused();
  for (const Words& words : std::vector<Words>{{"--exact", "--save", "kept"},
                                               {"--strategy", "random", "--save", "kept"},
                                               {"--strategy", "dfs", "--resume", "kept"},
                                               {"--deepen", "--save", "kept"},
                                               {"--strategy", "dfs", "-j", "2"},
                                               {"--deepen", "--strategy", "pct"}}) {
    const Finished it = here(joined({"check", scenario}, words));
    EXPECT_EQ(it.status, status(ExitCode::usage)) << words.front();
    EXPECT_EQ(it.out, "") << words.front();
    EXPECT_THAT(it.err, ::testing::StartsWith("lockstep check: --")) << words.front();
  }
  expect_one_sentence(here({"check", scenario, "plain/two-clients", "--save", "kept"}), "two scenarios");
}

TEST_F(KeptSearches, GoDepthFirstByOptionToTheSameVerdictsAndSayThatTheirRunsAreNotTheShortest) {
  const std::string scenario = paused();
  const Finished broad = here({"-q", "check", scenario, "--strategy", "bfs", "--no-shrink"});
  const Finished deep = here({"-q", "check", scenario, "--strategy", "dfs", "--no-shrink"});
  EXPECT_THAT(deep.out, HasSubstr("depth first, so that what it found is not the shortest"));
  EXPECT_THAT(broad.out, Not(HasSubstr("depth first")));
  const auto counts = [](const std::string& out) {
    const std::size_t at = out.find(" states, ");
    return out.substr(out.rfind('\n', at), out.find(", depth ", at) - out.rfind('\n', at));
  };
  EXPECT_THAT(counts(broad.out), HasSubstr(" transitions"));
  EXPECT_EQ(counts(deep.out), counts(broad.out));
  const auto last = [](const std::string& out) {
    return out.substr(out.rfind('\n', out.size() - 2) + 1);
  };
  EXPECT_EQ(last(deep.out), last(broad.out));
  const Finished cut = here({"check", "plain/two-clients", "--strategy", "dfs", "--max-states", "20"});
  EXPECT_EQ(cut.status, status(ExitCode::unknown));
}

TEST_F(KeptSearches, InBoxesNameTheLargestThatWasExhaustedAndProveOnlyTheWhole) {
  const std::string scenario = paused();
  const Finished whole = here({"check", scenario, "--deepen"});
  const std::string world = "2 processes, 1 lock, 1 node, no delay, ";
  EXPECT_THAT(whole.out, HasSubstr("  exhausted: " + world + "at most 1 pause-process\n"));
  EXPECT_THAT(whole.out, Not(HasSubstr("no faults")));
  const Finished calm = here({"check", scenario, "--strategy", "bfs", "--deepen", "--max-states", "100"});
  EXPECT_THAT(calm.out, HasSubstr("  exhausted: " + world + "no faults")) << calm.out;
  EXPECT_THAT(calm.out, HasSubstr("; it holds within 2 processes"));
  EXPECT_THAT(calm.out, Not(HasSubstr("proved")));
}

/// Locks are counted by their names, and the lease is the longest of the scenario.
TEST_F(KeptSearches, InBoxesThatAreTooLargeSayToHowManyLeasesTheyWereExhausted) {
  const std::string scenario = R"(format = 1
name = "rounds"
[process.A]
count = 2
threads = [["repeat 6 { lock a lease=3s; work 2s; unlock a; lock b lease=2s; work 2s; unlock b }"]]
[time]
watchdog = "3s"
)";
  const auto found = [&](const std::string& horizon, const Words& how) {
    const std::string path = file("rounds.toml", scenario + horizon);
    return check(joined({path, "--property", "mutual-exclusion", "--max-states", "2000"}, how));
  };
  const Finished cut = found("", {"--deepen"});
  EXPECT_EQ(cut.status, status(ExitCode::unknown)) << cut.err;
  const std::string world = "2 processes, 2 locks, 1 node, no delay, no faults";
  EXPECT_THAT(cut.out, HasSubstr("  exhausted: " + world + ", up to 9 s (3 leases)\n"));
  EXPECT_THAT(cut.out, HasSubstr(" and within " + world + ", up to 9 s (3 leases)"));
  EXPECT_THAT(found("horizon = \"9s\"\n", {}).out, HasSubstr("complete"));
  EXPECT_THAT(found("horizon = \"12s\"\n", {}).out, HasSubstr("not complete"));
}

}  // namespace
}  // namespace lockstep::tools
