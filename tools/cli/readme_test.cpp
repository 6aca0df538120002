// README.md is true: every command line printed in it does what it says, and its scenario is one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <algorithm>

#include <filesystem>
#include <sstream>

#include "tools/cli/input.h"
#include "tools/cli/output.h"
#include "tools/testing/test_process.h"

namespace lockstep::tools {
namespace {

namespace fs = std::filesystem;

class Readme : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto text = read_input("README.md");
    ASSERT_TRUE(text.ok()) << text.problem().text;
    text_ = *text;
    const std::string test = ::testing::UnitTest::GetInstance()->current_test_info()->name();
    directory_ = fs::temp_directory_path() / ("lockstep-readme-" + test);
    fs::remove_all(directory_);
    fs::create_directories(directory_);
    const auto unlock = read_input("lua/scripts/unlock.lua");
    ASSERT_FALSE(write_file((directory_ / "my-unlock.lua").string(), *unlock));
    const std::string log = run({"run", "plain/two-clients", "--monitor"}).out;
    ASSERT_FALSE(write_file((directory_ / "monitor.log").string(), log));
  }
  void TearDown() override { fs::remove_all(directory_); }

  /// The indented lines that call the program, without comments, as words.
  std::vector<std::vector<std::string>> commands() const {
    std::vector<std::vector<std::string>> found;
    std::istringstream lines(text_);
    for (std::string line; std::getline(lines, line);) {
      const std::string prefix = "    lockstep ";
      if (!line.starts_with(prefix)) continue;
      std::istringstream words(line.substr(prefix.size(), line.find('#') - prefix.size()));
      found.emplace_back();
      for (std::string word; words >> word;) found.back().push_back(word);
    }
    return found;
  }

  /// A server takes any port, and is asked to end when it listens.
  Finished run(std::vector<std::string> arguments) const {
    if (arguments.front() != "serve")
      return run_program(LOCKSTEP_PROGRAM, arguments, {.directory = directory_.string()});
    std::replace(arguments.begin(), arguments.end(), std::string("7000"), std::string("0"));
    return run_until_ready(LOCKSTEP_PROGRAM, arguments, "ready on", "TERM",
                           {.directory = directory_.string()});
  }

  /// The file that a command writes to (`-o FILE`), or none.
  static fs::path file_of(const std::vector<std::string>& arguments) {
    const auto at = std::find(arguments.begin(), arguments.end(), "-o");
    return at == arguments.end() || at + 1 == arguments.end() ? fs::path() : fs::path(*(at + 1));
  }

  std::string text_;
  fs::path directory_;
};

TEST_F(Readme, EveryCommandLineDoesWhatItSays) {
  ASSERT_GE(commands().size(), 8u);
  for (const auto& arguments : commands()) {
    const Finished it = run(arguments);
    EXPECT_EQ(it.status, 0) << ::testing::PrintToString(arguments) << it.out << it.err;
    if (const fs::path file = file_of(arguments); !file.empty())
      EXPECT_GT(fs::file_size(directory_ / file), 0u) << file;
    else
      EXPECT_NE(it.out + it.err, "") << ::testing::PrintToString(arguments);
  }
  EXPECT_TRUE(fs::exists(directory_ / "timeline.svg"));
}

TEST_F(Readme, ItsScenarioIsOne) {
  const std::size_t begin = text_.find("```toml\n") + 8;
  const std::string scenario = text_.substr(begin, text_.find("```", begin) - begin);
  ASSERT_FALSE(write_file((directory_ / "mine.toml").string(), scenario));
  EXPECT_EQ(run({"lint", "mine.toml"}).status, 0);
  const Finished checked = run({"check", "mine.toml"});
  EXPECT_EQ(checked.status, 0) << checked.out << checked.err;
}

}  // namespace
}  // namespace lockstep::tools
