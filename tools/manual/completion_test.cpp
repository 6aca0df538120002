// The completions are tried in the shells themselves, as far as each lets a script ask.
#include <gmock/gmock.h>

#include "tools/cli/cli_fixture.h"
#include "tools/cli/verb.h"

namespace lockstep::tools {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

bool has_shell(const char* name) { return std::filesystem::exists(std::string("/usr/bin/") + name); }

class Completion : public CliTest {
 protected:
  std::string script(const std::string& shell) const {
    return file("completion." + shell, lockstep({"completion", shell}).out);
  }

  /// What bash offers for the last of the words.
  std::string in_bash(const std::string& words) const {
    const std::string ask =
        "source " + script("bash") + "; COMP_WORDS=(" + words +
        "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _lockstep; printf '%s\\n' \"${COMPREPLY[@]}\"";
    const Finished it = run_program("/bin/bash", {"-c", ask}, {.directory = at("")});
    EXPECT_EQ(it.status, 0) << it.err;
    return "\n" + it.out;
  }

  std::string in_fish(const std::string& line) const {
    const Finished it = run_program(
        "/usr/bin/fish", {"--no-config", "-c", "source " + script("fish") + "; complete -C '" + line + "'"},
        {.directory = at("")});
    EXPECT_EQ(it.status, 0) << it.err;
    return "\n" + it.out;
  }
};

TEST_F(Completion, BashOffersVerbsOptionsWordsOfOptionsAndScenarios) {
  EXPECT_THAT(in_bash("lockstep ch"), AllOf(HasSubstr("\ncheck\n"), Not(HasSubstr("run"))));
  EXPECT_THAT(in_bash("lockstep check --strat"), HasSubstr("\n--strategy\n"));
  EXPECT_THAT(in_bash("lockstep check --strategy ''"), AllOf(HasSubstr("\nbfs\n"), Not(HasSubstr("plain/"))));
  EXPECT_THAT(in_bash("lockstep check --strategy = b"), HasSubstr("\nbfs\n"));
  EXPECT_THAT(in_bash("lockstep check plain/two-c"), HasSubstr("\nplain/two-clients\n"));
  EXPECT_THAT(in_bash("lockstep help ver"), AllOf(HasSubstr("\nverdicts\n"), HasSubstr("\nversion\n")));
  EXPECT_THAT(in_bash("lockstep --color ne"), HasSubstr("\nnever\n"));
}

TEST_F(Completion, BashOffersFilesWhereAFileMayStand) {
  file("mine.toml", "");
  EXPECT_THAT(in_bash("lockstep check mi"), HasSubstr("\nmine.toml\n"));
  EXPECT_THAT(in_bash("lockstep check -o mi"), HasSubstr("\nmine.toml\n"));
  EXPECT_THAT(in_bash("lockstep check --runs mi"), Not(HasSubstr("mine.toml")));
}

TEST_F(Completion, FishOffersTheSameWithWhatTheyMean) {
  if (!has_shell("fish")) GTEST_SKIP() << "fish is not installed";
  EXPECT_THAT(in_fish("lockstep ch"), HasSubstr("\ncheck\t"));
  EXPECT_THAT(in_fish("lockstep check --strat"), HasSubstr("\n--strategy\t"));
  EXPECT_THAT(in_fish("lockstep check --strategy "), HasSubstr("\nbfs"));
  EXPECT_THAT(in_fish("lockstep check plain/two-c"), HasSubstr("\nplain/two-clients"));
}

TEST_F(Completion, ZshTakesTheScriptAndAsksForTheOptionsOfTheVerb) {
  if (!has_shell("zsh")) GTEST_SKIP() << "zsh is not installed";
  // What completes is written down instead of shown: zsh completes on a terminal only.
  const std::string ask =
      "compdef() { :; }; _arguments() { print -rl -- \"$@\"; if [[ $1 == -C ]]; then state=$wanted; fi; }; "
      "_describe() { print -rl -- $verbs; }; source " +
      script("zsh") + "; wanted=verb; _lockstep; wanted=rest; words=(check); _lockstep";
  const Finished it = run_program("/usr/bin/zsh", {"-f", "-c", ask}, {.directory = at("")});
  EXPECT_EQ(it.status, 0) << it.err;
  EXPECT_EQ(it.err, "");
  EXPECT_THAT(it.out, AllOf(HasSubstr("\ncheck:"), HasSubstr("--strategy["), HasSubstr(":value:(")));
  EXPECT_THAT(it.out, Not(HasSubstr("--kind[")));  // of another verb
}

TEST_F(Completion, EveryVerbIsInEveryShellsScript) {
  for (const char* shell : {"bash", "zsh", "fish"})
    for (const Verb& verb : verbs())
      EXPECT_THAT(content(script(shell)), HasSubstr(std::string(verb.name))) << shell;
}

TEST_F(Completion, AShellThatThereIsNotIsRefused) {
  const Finished it = lockstep({"completion", "zhs"});
  EXPECT_EQ(it.status, 2);
  EXPECT_THAT(it.err, HasSubstr("did you mean `zsh`?"));
}

}  // namespace
}  // namespace lockstep::tools
