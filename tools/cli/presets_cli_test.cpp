// What is set in the environment and in lockstep.toml counts, less than what is typed; what is wrong there is
// told with its place. -C, --no-input, --progress and out/latest.
#include "tools/cli/cli_fixture.h"

namespace lockstep::tools {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class Presets : public CliTest {
 protected:
  void SetUp() override {
    CliTest::SetUp();
    std::filesystem::copy("scenarios/plain/two-clients.toml", at("two.toml"));
  }
  Finished with(const std::vector<std::string>& environment, const std::vector<std::string>& words) const {
    return lockstep(words, {.environment = environment, .directory = directory_.string()});
  }
  void config(const std::string& text) const { file("lockstep.toml", text); }
  Finished check(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> words{"check", "two.toml"};
    words.insert(words.end(), more.begin(), more.end());
    return here(words);
  }
};

TEST_F(Presets, TheFileCountsLessThanTheEnvironmentAndThatLessThanWhatIsTyped) {
  EXPECT_EQ(check().status, 0);
  config("[check]\nmax-states = 20\nruns = 1\n");
  EXPECT_THAT(check().out, HasSubstr("more than 20 states"));
  EXPECT_THAT(with({"LOCKSTEP_MAX_STATES=30"}, {"check", "two.toml"}).out, HasSubstr("more than 30 states"));
  EXPECT_THAT(with({"LOCKSTEP_MAX_STATES=30"}, {"check", "two.toml", "--max-states", "40"}).out,
              HasSubstr("more than 40 states"));
  EXPECT_EQ(check({"--config", "none"}).status, 0);
  EXPECT_EQ(with({"LOCKSTEP_CONFIG=none"}, {"check", "two.toml"}).status, 0);
  EXPECT_EQ(here({"run", "two.toml"}).status, 0) << "it has no such option, and the file does not say so";
}

TEST_F(Presets, FlagsAndListsAndWhatNeedsThem) {
  config("out-dir = \"found\"\n[gate]\nhead = \"redisson@3.10.5\"\nscenarios = [\"two.toml\"]\n[check]\n"
         "no-symmetry = false\n");
  const Finished gate = here({"gate"});
  EXPECT_EQ(gate.status, 0) << gate.err;
  EXPECT_TRUE(std::filesystem::exists(at("found/gate.results.jsonl")));
  EXPECT_THAT(check().out, HasSubstr("symmetry"));
  EXPECT_NE(with({"LOCKSTEP_NO_SYMMETRY=1"}, {"check", "two.toml"}).out, check().out);
  EXPECT_EQ(with({"LOCKSTEP_NO_SYMMETRY=0", "LOCKSTEP_SEED="}, {"check", "two.toml"}).out, check().out);
}

TEST_F(Presets, TheFileIsFoundUpwardsOfWhereTheCommandWorks) {
  std::filesystem::create_directories(at("below/further"));
  config("[check]\nmax-states = 20\nruns = 1\n");
  const auto from_below = [&](const std::vector<std::string>& words) {
    return lockstep(words, {.directory = at("below/further")});
  };
  EXPECT_THAT(from_below({"check", "../../two.toml"}).out, HasSubstr("more than 20 states"));
  EXPECT_THAT(from_below({"-C", "../..", "check", "two.toml"}).out, HasSubstr("more than 20 states"));
  file("other.toml", "[check]\nmax-states = 25\nruns = 1\n");
  EXPECT_THAT(from_below({"check", "two.toml", "-C", "../..", "--config", "other.toml"}).out,
              HasSubstr("more than 25 states"));
  const Finished nowhere = from_below({"-C", "none", "check", "two.toml"});
  EXPECT_EQ(nowhere.status, 2);
  EXPECT_THAT(nowhere.err, HasSubstr("-C none: "));
}

TEST_F(Presets, WhatIsWrongInTheFileIsToldWithItsPlaceAndNothingIsDone) {
  const std::vector<std::pair<std::string, std::string>> wrong{
      {"out-dri = \"x\"\n",
       "lockstep.toml:1:1: `out-dri` is no option of every command; did you mean `out-dir`?"},
      {"max-states = 5\n", "lockstep.toml:1:1: `max-states` is no option of every command"},
      {"[chekc]\n", "lockstep.toml:1:2: there is no command `chekc`; did you mean `check`?"},
      {"[gate]\nsed = 3\n", "lockstep.toml:2:1: `sed` is no option of `gate`; did you mean `seed`?"},
      {"[check]\nall = \"yes\"\n", "lockstep.toml:2:1: `all` wants true or false"},
      {"[check]\nseed = [1, 2]\n", "lockstep.toml:2:1: `seed` wants a text or a whole number"},
      {"[check]\nseed = 1.5\n", "lockstep.toml:2:1: `seed` wants a text or a whole number"},
      {"[check]\nseed = \"x\"\n", "lockstep.toml:2:1: --seed wants"},
      {"[check]\nhelp = true\n", "`help` is no option of `check`"},
      {"[check\n", "lockstep.toml:"},
      {"a = 1\na = 2\n", "lockstep.toml:2:"}};
  for (const auto& [text, sentence] : wrong) {
    config(text);
    const Finished it = check();
    EXPECT_EQ(it.status, 2) << text;
    EXPECT_EQ(it.out, "") << text;
    EXPECT_THAT(it.err, HasSubstr(sentence)) << text;
    EXPECT_EQ(here({"help", "gate"}).status, 0) << "who asks for help gets it";
  }
  config("");
  EXPECT_EQ(check({"--config", "missing.toml"}).status, 2);
  EXPECT_EQ(check({"--config", "."}).status, 2);
}

TEST_F(Presets, WhatIsWrongInTheEnvironmentIsToldWithItsName) {
  const Finished seed = with({"LOCKSTEP_SEED=x"}, {"check", "two.toml"});
  EXPECT_EQ(seed.status, 2);
  EXPECT_THAT(seed.err, HasSubstr("lockstep check: LOCKSTEP_SEED: --seed wants"));
  const Finished flag = with({"LOCKSTEP_ALL=perhaps"}, {"check", "two.toml"});
  EXPECT_EQ(flag.status, 2);
  EXPECT_THAT(flag.err, HasSubstr("LOCKSTEP_ALL wants 1 or 0, not `perhaps`"));
  EXPECT_EQ(with({"LOCKSTEP_SEED=x"}, {"lint", "two.toml"}).status, 0) << "lint has no seed";
  EXPECT_EQ(with({"LOCKSTEP_SEED=x"}, {"check", "two.toml", "--seed", "2"}).status, 0);
}

TEST_F(Presets, BehindTheMarkOfAVerbNothingIsAdded) {
  const Finished it = with({"LOCKSTEP_OUT_DIR=x"}, {"eval", "-e", "return ARGV[1]", ",", "a"});
  EXPECT_THAT(it.out, Not(HasSubstr("out-dir"))) << it.err;
}

TEST_F(Presets, NobodyIsAskedWhereNobodyAnswers) {
  EXPECT_EQ(here({"new", "x.toml", "--ask", "--no-input"}).status, 2);
  EXPECT_FALSE(std::filesystem::exists(at("x.toml")));
  EXPECT_EQ(here({"step", "two.toml", "--no-input"}).status, 2);
  EXPECT_EQ(here({"step", "two.toml", "--no-input", "--choose", "0"}).status, 0);
}

TEST_F(Presets, AWrongWishForProgressIsOneSentence) {
  const Finished it = check({"--progress", "lnes"});
  EXPECT_EQ(it.status, 2);
  EXPECT_EQ(it.err,
            "lockstep check: --progress wants auto|bar|lines|jsonl|none, not `lnes`; "
            "did you mean `lines`?\n");
}

TEST_F(Presets, TheLinkLatestShowsToWhatWasWrittenLast) {
  namespace fs = std::filesystem;
  ASSERT_EQ(here({"check", "failover/master-dies-before-replication"}).status, 0);
  EXPECT_EQ(fs::read_symlink(at("out/latest")), "failover/master-dies-before-replication");
  EXPECT_TRUE(fs::exists(at("out/latest/mutual-exclusion.trail")));
  ASSERT_EQ(here({"check", "plain/operator-deletes"}).status, 0);
  EXPECT_EQ(fs::read_symlink(at("out/latest")), "plain/operator-deletes");
  fs::remove(at("out/latest"));
  file("out/latest", "mine");
  ASSERT_EQ(here({"check", "plain/operator-deletes"}).status, 0);
  EXPECT_EQ(content(at("out/latest")), "mine") << "what is no link is nobody's";
}

}  // namespace
}  // namespace lockstep::tools
