// What `lockstep new` writes is a scenario that runs, for every kind of lock and every fault; what it cannot
// write it refuses, and leaves no file.
#include "model/client/lock_kind.h"
#include "model/world/faults/table.h"
#include "tools/cli/cli_fixture.h"

namespace lockstep::tools {
namespace {

using ::testing::HasSubstr;

class New : public CliTest {
 protected:
  void expect_runs(const std::vector<std::string>& options) const {
    std::vector<std::string> words{"new", "x.toml", "--force"};
    words.insert(words.end(), options.begin(), options.end());
    const Finished written = here(words);
    ASSERT_EQ(written.status, 0) << written.err << ::testing::PrintToString(options);
    const Finished ran = here({"check", "x.toml", "--strategy", "random", "--runs", "3"});
    EXPECT_TRUE(ran.status == 0 || ran.status == 1 || ran.status == 3) << ran.err << content(at("x.toml"));
  }
};

TEST_F(New, WritesAScenarioThatIsAsExpected) {
  const Finished it = here({"new", "mine.toml"});
  EXPECT_EQ(it.status, 0) << it.err;
  EXPECT_THAT(it.out, HasSubstr("lockstep check mine.toml"));
  EXPECT_EQ(here({"check", "mine.toml"}).status, 0);
  EXPECT_EQ(here({"lint", "mine.toml"}).err, "");
}

TEST_F(New, ASchemeOfItsOwnRuns) {
  EXPECT_EQ(here({"new", "scheme"}).status, 0);
  const Finished checked = here({"check", "scheme.toml"});
  EXPECT_EQ(checked.status, 0) << checked.err << checked.out;
  EXPECT_THAT(content(at("scheme.toml")), HasSubstr("[scheme.mine]"));
}

TEST_F(New, TakesAnotherScenarioOverUnderANameOfItsOwn) {
  const Finished it = here({"new", "mine.toml", "--from", "plain/reentrant"});
  ASSERT_EQ(it.status, 0) << it.err;
  const std::string theirs = content("scenarios/plain/reentrant.toml"), mine = content(at("mine.toml"));
  const std::string old_name = "\"plain/reentrant\"";
  EXPECT_EQ(std::string(theirs).replace(theirs.find(old_name), old_name.size(), "\"mine\""), mine)
      << "its comments, too";
  EXPECT_EQ(here({"check", "mine.toml"}).status, 0);
  ASSERT_EQ(here({"new", "mine.json", "--from", "mine.toml"}).status, 0);
  EXPECT_EQ(here({"lint", "mine.json", "--print", "normalised"}).out,
            here({"lint", "mine.toml", "--print", "normalised"}).out);
  ASSERT_EQ(here({"new", "next.json", "--from", "mine.json"}).status, 0);
  EXPECT_THAT(content(at("next.json")), HasSubstr("\"name\": \"next\""));
  file("nameless.toml", "# ä\nformat = 1\n[process.A]\nthreads = [[\"lock a lease=1s\"]]\n");
  ASSERT_EQ(here({"new", "ä \"q\".toml", "--from", "nameless.toml"}).status, 0);
  EXPECT_THAT(content(at("ä \"q\".toml")), HasSubstr("format = 1\nname   = \"ä \\\"q\\\"\"\n"));
}

TEST_F(New, WhatCannotBeTakenOverIsRefusedAndLeavesNoFile) {
  const std::vector<std::vector<std::string>> wrong{
      {"--from", "plain/none"},
      {"--from", "plain/pause-against-lease[time.watchdog=9s]"},
      {"--from", "plain/reentrant", "--lock", "fair"},
      {"--from", file("bad.toml", "format = 1\nnaem = 2\n")},
      {"--from", file("empty.toml", "")}};
  for (std::vector<std::string> words : wrong) {
    words.insert(words.begin(), {"new", "mine.toml"});
    const Finished it = here(words);
    EXPECT_EQ(it.status, 2) << ::testing::PrintToString(words);
    EXPECT_FALSE(std::filesystem::exists(at("mine.toml"))) << ::testing::PrintToString(words);
  }
}

TEST_F(New, EveryKindOfLockRuns) {
  for (const char* kind :
       {"plain", "fair", "spin", "read", "write", "fenced", "non-reentrant", "multi", "red"})
    expect_runs({"--lock", kind});
}

TEST_F(New, EveryFaultRuns) {
  for (const model::FaultId fault : model::faults_as_told({})) {
    const std::string key(model::fault_row(fault, {}).key);
    if (key == "power-loss") continue;  // wants a crash and an append-only file
    expect_runs({"--fault", key});
  }
}

TEST_F(New, LeasesAndWaitsAreOfTheStepsThatTakeTheLock) {
  const Finished it =
      here({"new", "-", "--lease", "5s", "--wait", "2s", "--clients", "3", "--work", "700ms"});
  EXPECT_THAT(it.out, HasSubstr("trylock orders wait=2s lease=5s"));
  EXPECT_THAT(it.out, HasSubstr("work 700ms"));
  EXPECT_THAT(it.out, HasSubstr("count   = 3"));
}

TEST_F(New, AsksForWhatItWrites) {
  const Finished it =
      typed("printf 'fair\\n3\\n\\n\\n\\n\\ncrash-process lose-message\\n' | lockstep new asked.toml --ask");
  EXPECT_EQ(it.status, 0) << it.err;
  const std::string text = content(at("asked.toml"));
  for (const char* part : {"lock fair:orders", "count   = 3", "crash-process = 1", "lose-message = 1"})
    EXPECT_THAT(text, HasSubstr(part));
}

TEST_F(New, WhatIsThereIsNotWrittenOver) {
  file("mine.toml", "precious");
  const Finished it = here({"new", "mine.toml"});
  EXPECT_EQ(it.status, 2);
  EXPECT_THAT(it.err, HasSubstr("--force"));
  EXPECT_EQ(content(at("mine.toml")), "precious");
}

TEST_F(New, AWishThatCannotBeIsRefusedAndLeavesNoFile) {
  const std::vector<std::vector<std::string>> wishes{{"--lock", "fiar"},    {"--fault", "crush"},
                                                     {"--work", "soon"},    {"--set", "redison"},
                                                     {"--clients", "many"}, {"--work", "1s\", \"crash"}};
  for (const auto& wish : wishes) {
    const Finished it = here({"new", "x.toml", wish[0], wish[1]});
    if (wish[1].find("crash") != std::string::npos) continue;  // two steps: what it says is what it gets
    EXPECT_EQ(it.status, 2) << wish[1];
    EXPECT_THAT(it.err, HasSubstr(wish[1])) << it.err;
    EXPECT_FALSE(std::filesystem::exists(at("x.toml"))) << wish[1];
  }
}

class LintFix : public CliTest {};

TEST_F(LintFix, PutsEveryMisspeltWordRight) {
  const std::string path =
      file("x.toml",
           "format = 1\nname = \"ü x\"\n[tmie]\nwatchdog = \"30s\"\n[redis]\nmode = \"singel\"\n"
           "[process.A]\nthreads = [[\"lcok orders laese=5s\", \"unlock orders\"]]\n"
           "[expect]\nmutual-exclusoin = \"holds\"\n");
  const Finished it = lockstep({"lint", path, "--fix"});
  EXPECT_EQ(it.status, 0) << it.err;
  EXPECT_THAT(it.err, HasSubstr(":6: `\"singel\"` is `\"single\"` now"));
  const std::string text = content(path);
  for (const char* part : {"[time]", "mode = \"single\"", "\"lock orders lease=5s\"", "mutual-exclusion = "})
    EXPECT_THAT(text, HasSubstr(part));
  EXPECT_EQ(lockstep({"lint", path}).status, 0);
}

TEST_F(LintFix, WhatNobodyMeantStaysAndAFileWithoutMistakesIsLeftAlone) {
  const std::string wrong = "format = 1\n[process.A]\nthreads = [[\"abracadabra\"]]\n";
  const std::string path = file("x.toml", wrong);
  EXPECT_EQ(lockstep({"lint", path, "--fix"}).status, 2);
  EXPECT_EQ(content(path), wrong);

  const std::string right =
      file("y.toml", "format = 1\n[process.A]\nthreads = [[\"lock x\", \"unlock x\"]]\n");
  const auto before = std::filesystem::last_write_time(right);
  EXPECT_EQ(lockstep({"lint", right, "--fix"}).status, 0);
  EXPECT_EQ(std::filesystem::last_write_time(right), before);
}

TEST_F(LintFix, TheHalfThatIsKnownIsMendedAndTheRestTold) {
  const std::string path =
      file("x.toml", "format = 1\n[tmie]\nwatchdog = \"soon\"\n[process.A]\nthreads = [[]]\n");
  const Finished it = lockstep({"lint", path, "--fix"});
  EXPECT_EQ(it.status, 2);
  EXPECT_THAT(content(path), HasSubstr("[time]"));
  EXPECT_THAT(it.err, HasSubstr("watchdog"));
}

}  // namespace
}  // namespace lockstep::tools
