// The commands `help` and `version`, called as functions.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "tools/cli/cmd_help.h"
#include "tools/cli/cmd_version.h"
#include "tools/cli/help_texts.h"

namespace lockstep::tools {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

struct Said {
  ExitCode code;
  std::string out, err;
};

template <class Options>
Said say(ExitCode (*run)(const Options&, Session&), const Options& options) {
  std::ostringstream out, err;
  Console console{.out = out, .err = err};
  Session session{console, {}};
  const ExitCode code = run(options, session);
  return {code, out.str(), err.str()};
}

TEST(Help, EveryPageOpensWithATitleAndEndsWithALine) {
  ASSERT_GE(help_texts().size(), 11u);
  for (const sim::EmbeddedFile& page : help_texts()) {
    EXPECT_THAT(std::string(page.text), StartsWith("# ")) << page.name;
    EXPECT_EQ(page.text.back(), '\n') << page.name;
  }
}

TEST(Help, ATopicPrintsItsPage) {
  const Said said = say(run_help, {.topic = "exit-codes"});
  EXPECT_EQ(said.code, ExitCode::as_expected);
  EXPECT_THAT(said.out, StartsWith("# Exit codes\n"));
}

TEST(Help, TheExitCodePageNamesEveryCode) {
  const std::string page = say(run_help, {.topic = "exit-codes"}).out;
  for (const ExitCode code :
       {ExitCode::as_expected, ExitCode::different, ExitCode::usage, ExitCode::unknown, ExitCode::vacuous,
        ExitCode::diverged, ExitCode::internal, ExitCode::interrupted}) {
    EXPECT_THAT(page, HasSubstr("\n| " + std::to_string(status(code)))) << status(code);
  }
  EXPECT_THAT(page, HasSubstr(", " + std::to_string(status(ExitCode::terminated)) + " |"));
}

TEST(Help, AVerbPrintsItsHelpAndNoTopicPrintsTheUsage) {
  EXPECT_THAT(say(run_help, {.topic = "version"}).out, StartsWith("lockstep version: "));
  EXPECT_THAT(say(run_help, {}).out, HasSubstr("Commands:\n"));
}

TEST(Help, AnUnknownTopicIsAMistakeWithASuggestion) {
  const Said said = say(run_help, {.topic = "exit-code"});
  EXPECT_EQ(said.code, ExitCode::usage);
  EXPECT_EQ(said.out, "");
  EXPECT_EQ(said.err, "lockstep help: there is no topic `exit-code`; did you mean `exit-codes`?\n");
}

TEST(Version, TheJsonNamesFormatsAndTheLuaLibrary) {
  const Said said = say(run_version, {.format = Format::json});
  const auto json = nlohmann::json::parse(said.out);
  EXPECT_EQ(json["formats"]["scenario"], 1);
  EXPECT_EQ(json["formats"]["trail"], 1);
  EXPECT_EQ(json["formats"]["trace"], 1);
  EXPECT_THAT(json["lua"].get<std::string>(), StartsWith("Lua 5."));
  EXPECT_EQ("lockstep " + json["lockstep"].get<std::string>(), version_line());
}

TEST(Version, TheTextBeginsWithTheVersionLine) {
  EXPECT_THAT(say(run_version, {}).out, StartsWith(version_line() + "\n"));
}

}  // namespace
}  // namespace lockstep::tools
