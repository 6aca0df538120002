// cli_fixture.h: for tests that run the program: a directory of its own, files in it, and files that are no
// good.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "tools/cli/input.h"
#include "tools/cli/output.h"
#include "tools/testing/test_process.h"

namespace lockstep::tools {

class CliTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "lockstep-cli-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    directory_ = name;
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }

  static Finished lockstep(const std::vector<std::string>& arguments, const Surrounding& around = {}) {
    return run_program(LOCKSTEP_PROGRAM, arguments, around);
  }

  /// In the directory.
  Finished here(const std::vector<std::string>& arguments) const {
    return lockstep(arguments, {.directory = directory_.string()});
  }
  /// A line as a shell reads it, there.
  Finished typed(const std::string& line) const {
    const std::string script = "lockstep() { " LOCKSTEP_PROGRAM " \"$@\"; }; " + line;
    return run_program("/bin/bash", {"-c", script}, {.directory = directory_.string()});
  }

  std::string at(const std::string& name) const { return (directory_ / name).string(); }
  std::string file(const std::string& name, const std::string& content) const {
    EXPECT_EQ(write_file(at(name), content), std::nullopt);
    return at(name);
  }
  static std::string content(const std::string& path) {
    const auto bytes = read_input(path);
    return bytes.ok() ? *bytes : bytes.problem().text;
  }

  /// Whatever a user may give by mistake: missing, a directory, empty, binary, another kind of text.
  std::vector<std::string> bad_files() const {
    return {at("missing"), directory_.string(), file("empty", ""),
            file("binary", std::string("\0\x01\xff\xfe", 4)), file("prose", "hello, world\n")};
  }

  /// Exit code 2, nothing on standard output, and one sentence on standard error.
  static void expect_one_sentence(const Finished& it, const std::string& what) {
    EXPECT_EQ(it.status, 2) << what;
    EXPECT_EQ(it.out, "") << what;
    EXPECT_THAT(it.err, ::testing::StartsWith("error: ")) << what;
    EXPECT_LT(it.err.size(), 600u) << what;
  }

  std::filesystem::path directory_;
};

}  // namespace lockstep::tools
