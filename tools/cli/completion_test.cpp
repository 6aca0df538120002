// Completions are run in the shells that are there, and the manual is held against the reader of man pages.
#include <fmt/format.h>

#include "tools/cli/cli_fixture.h"
#include "tools/cli/cmd_completion.h"
#include "tools/cli/manual.h"

namespace lockstep::tools {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class Completions : public CliTest {
 protected:
  bool has(const std::string& program) const { return typed("command -v " + program).status == 0; }

  /// What bash offers behind these words, the last of them begun.
  std::string in_bash(const std::string& words) const {
    const std::string path = file("lockstep.bash", completion(Shell::bash));
    const std::string script = fmt::format(
        "source {}; COMP_WORDS=(lockstep {}); COMP_CWORD=$((${{#COMP_WORDS[@]}}-1)); _lockstep; "
        "echo \"${{COMPREPLY[@]}}\"",
        path, words);
    const Finished it = typed(script);
    EXPECT_EQ(it.err, "");
    return it.out;
  }
};

TEST_F(Completions, BashOffersCommandsOptionsAndTheirValues) {
  EXPECT_EQ(in_bash("che"), "check\n");
  EXPECT_EQ(in_bash("check --strat"), "--strategy\n");
  EXPECT_EQ(in_bash("check --strategy ''"), "bfs random pct\n");
  EXPECT_EQ(in_bash("check --out-d"), "--out-dir\n");
  EXPECT_EQ(in_bash("check --strategyx"), "\n");
  EXPECT_EQ(in_bash("completion z"), "zsh\n");
  EXPECT_EQ(in_bash("help trace-f"), "trace-format\n");
  EXPECT_EQ(in_bash("check plain/two-c"), "plain/two-clients\n");
}

TEST_F(Completions, EveryShellThatIsThereReadsItsOwn) {
  file("all.bash", completion(Shell::bash));
  EXPECT_EQ(typed("bash -n all.bash").status, 0);
  file("all.zsh", completion(Shell::zsh));
  if (has("zsh")) { EXPECT_EQ(typed("zsh -n all.zsh").status, 0); }
  file("all.fish", completion(Shell::fish));
  if (has("fish")) { EXPECT_EQ(typed("fish -n all.fish").status, 0); }
  EXPECT_THAT(completion(Shell::fish),
              HasSubstr("__fish_seen_subcommand_from check' -l strategy -x -a 'bfs "));
}

TEST_F(Completions, ThePageForManIsOneThatGroffTakesWithoutWarning) {
  const std::string page = man_page();
  EXPECT_THAT(page, HasSubstr(".SS lockstep check [SCENARIO…]\n"));
  EXPECT_THAT(page, HasSubstr("\\fB\\-\\-strategy\\fR bfs|random|pct\n"));
  file("lockstep.1", page);
  if (has("groff")) { EXPECT_EQ(typed("groff -man -Tutf8 -k -ww -z lockstep.1").err, ""); }
}

TEST(Manual, TheHtmlHasEveryTopicAndNothingOfOthers) {
  const std::string page = html_manual();
  EXPECT_THAT(page, HasSubstr("<section id=\"command-check\">"));
  EXPECT_THAT(page, HasSubstr("<section id=\"faults\">"));
  EXPECT_THAT(page, Not(HasSubstr("{faults}")));
  EXPECT_THAT(page, Not(HasSubstr("<script")));
  EXPECT_THAT(page, Not(HasSubstr("src=")));
}

TEST(Manual, AllOfItTakesNoTopic) {
  EXPECT_EQ(run_program(LOCKSTEP_PROGRAM, {"help", "faults", "--as", "man"}).status, 2);
}

}  // namespace
}  // namespace lockstep::tools
