// The program as a user meets it: what it prints where, and its exit status.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tools/cli/exit_code.h"
#include "tools/cli/input.h"
#include "tools/testing/test_process.h"

namespace lockstep::tools {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

Finished lockstep(const std::vector<std::string>& arguments, const Surrounding& around = {}) {
  return run_program(LOCKSTEP_PROGRAM, arguments, around);
}

TEST(Program, AloneItShowsExamplesFirstAndExitsAsAUsageError) {
  const Finished it = lockstep({});
  EXPECT_EQ(it.status, status(ExitCode::usage));
  EXPECT_EQ(it.out, "");
  EXPECT_LT(it.err.find("  lockstep help"), it.err.find("Commands:"));
}

TEST(Program, HelpAndVersionSucceedOnStandardOutput) {
  for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
           {"--help"}, {"-h"}, {"help"}, {"help", "verdicts"}, {"help", "help"}, {"version"}, {"--version"},
           {"version", "--format", "json"}, {"version", "--help"}}) {
    const Finished it = lockstep(arguments);
    EXPECT_EQ(it.status, 0) << arguments.front();
    EXPECT_NE(it.out, "");
    EXPECT_EQ(it.err, "");
  }
}

TEST(Program, EveryListedCommandHasHelp) {
  const std::string usage = lockstep({"help"}).out;
  const std::size_t begin = usage.find("Commands:\n") + 10;
  const std::size_t end = usage.find("\n\n", begin);
  std::size_t commands = 0;
  for (std::size_t at = begin; at < end; at = usage.find('\n', at) + 1, ++commands) {
    const std::size_t name = usage.find_first_not_of(' ', at);
    const std::string verb = usage.substr(name, usage.find(' ', name) - name);
    EXPECT_THAT(lockstep({verb, "--help"}).out, StartsWith("lockstep " + verb + ": "));
  }
  EXPECT_GE(commands, 2u);
}

TEST(Program, EveryMistakeInTheCommandLineExitsWithTwoAndOneLine) {
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{"helo"},
                                             {"--helpp"},
                                             {"version", "--format", "xml"},
                                             {"version", "--format"},
                                             {"version", "extra"},
                                             {"help", "a", "b"},
                                             {"help", "no-such-topic"},
                                             {"version", "--color", "red"},
                                             {"version", "--colour=red"},
                                             {""},
                                             {"-"},
                                             {"-o"},
                                             {"\xff\xfe"}}) {
    const Finished it = lockstep(arguments);
    EXPECT_EQ(it.status, 2) << arguments.front();
    EXPECT_EQ(it.out, "") << arguments.front();
    EXPECT_EQ(std::count(it.err.begin(), it.err.end(), '\n'), 1) << it.err;
  }
}

TEST(Program, AMisspeltWordIsAnsweredWithTheRightOne) {
  EXPECT_EQ(lockstep({"versoin"}).err, "lockstep: unknown command `versoin`; did you mean `version`?\n");
  EXPECT_EQ(lockstep({"version", "--fromat", "json"}).err,
            "lockstep version: unknown option `--fromat`; did you mean `--format`?\n");
  EXPECT_EQ(lockstep({"help", "exitcodes"}).err,
            "lockstep help: there is no topic `exitcodes`; did you mean `exit-codes`?\n");
}

TEST(Program, OutputGoesToTheFileThatIsNamed) {
  const auto file = std::filesystem::temp_directory_path() / ("lockstep-cli-" + std::to_string(::getpid()));
  const Finished it = lockstep({"help", "limits", "-o", file.string()});
  EXPECT_EQ(it.status, 0);
  EXPECT_EQ(it.out, "");
  EXPECT_THAT(read_input(file.string()).value(), StartsWith("# Limits\n"));
  std::filesystem::remove(file);
}

TEST(Program, AFileThatCannotBeWrittenIsOneSentence) {
  const Finished it = lockstep({"help", "limits", "-o", "/dev/null/at/all"});
  EXPECT_EQ(it.status, 2);
  EXPECT_EQ(it.err, "lockstep help: /dev/null/at/all: cannot be written: Not a directory\n");
}

TEST(Program, AFullStandardOutputIsNotASuccess) {
  const Finished it = lockstep({"help", "limits"}, {.out_to = "/dev/full"});
  EXPECT_EQ(it.status, 2);
  EXPECT_EQ(it.err, "lockstep: standard output cannot be written\n");
}

TEST(Program, WhatItPrintsDoesNotDependOnDirectoryOrLocale) {
  const std::string here = lockstep({"help"}).out;
  EXPECT_EQ(lockstep({"help"}, {.environment = {"LC_ALL=de_DE.UTF-8"}, .directory = "/"}).out, here);
}

}  // namespace
}  // namespace lockstep::tools
