// Files that no honest author writes: each gets one error, in little time, and never a crash.
#include <gtest/gtest.h>

#include "scenarios/embedded.h"
#include "scenarios/format/test_library.h"

namespace lockstep::scenarios {
namespace {

const std::string head = "format = 1\n[process.A]\nthreads = [[";

TEST(HostileFiles, EmptyBinaryAndHugeFilesGetOneSentence) {
  EXPECT_EQ(shown(""), "error: x.toml is empty, not a scenario");
  EXPECT_EQ(shown(std::string("\x7f"
                              "ELF\0\0",
                              6)),
            "error: x.toml is a binary file, not a scenario");
  EXPECT_EQ(shown("format = 1\nname = \"\xff\""), "error: x.toml is not UTF-8: a bad byte 0xff in line 2");
  EXPECT_EQ(shown(std::string(1024 * 1024 + 1, '#')),
            "error: x.toml is too large for a scenario: 1048577 bytes, at most 1048576 are read");
}

TEST(HostileFiles, AByteOrderMarkAndCarriageReturnsAreNoMistake) {
  EXPECT_EQ(shown("\xEF\xBB\xBF"
                  "format = 1\r\n[process.A]\r\nthreads = [[\"lock a\"]]\r\n"),
            "no error");
}

TEST(HostileFiles, DeepNestingAndLongLinesAreRefusedBriefly) {
  const std::string deep = "format = 1\nx = " + std::string(100'000, '[');
  EXPECT_EQ(shown(deep).substr(0, 26), "error: this is not TOML: E");
  EXPECT_LT(shown(deep).size(), 1000U);
  const std::string braces = head + "\"" + std::string(500'000, '{') + "\"]]\n";
  EXPECT_LT(shown(braces).size(), 1000U);
  EXPECT_EQ(shown(braces).substr(0, 44), "error: a `{` without its `repeat N {`\n  --> ");
}

TEST(HostileFiles, CountsThatMultiplyBeyondAllBoundsAreRefused) {
  EXPECT_EQ(
      shown("format = 1\n[process.A]\ncount = 1000\nthreads = [{ count = 65000, steps = [\"lock a\"] }]\n"),
      "error: more than 65000 threads\n  --> x.toml:2:10\n2 | [process.A]\n  |          ^");
  std::string steps;
  for (int i = 0; i < 100; ++i) steps += "work 1s; ";
  const std::string text =
      shown("format = 1\n[process.A]\nthreads = [{ count = 60000, steps = [\"" + steps + "\"] }]\n");
  EXPECT_EQ(text.substr(0, 60), "error: more than 1000000 steps in all programs together\n  --");
}

TEST(HostileFiles, NamesThatCouldBreakOutOfAMessageOrAPathAreRefused) {
  EXPECT_EQ(shown("format = 1\nname = \"a\\nb\"\n[process.A]\nthreads = [[\"lock a\"]]\n").substr(0, 20),
            "error: `name` is a f");
  EXPECT_NE(shown("format = 1\n[process.\"\\u0000\"]\nthreads = [[\"lock a\"]]\n"), "no error");
  EXPECT_NE(shown("format = 1\n[process.\"\"]\nthreads = [[\"lock a\"]]\n"), "no error");
}

TEST(HostileFiles, EveryPrefixOfAShippedScenarioIsReadOrRefusedAndNeverCrashes) {
  const EmbeddedFile* file = find_embedded_scenario("java/try-lock-3");
  ASSERT_NE(file, nullptr);
  for (std::size_t size = 0; size < file->text.size(); ++size) {
    const std::string text = shown(file->text.substr(0, size));
    EXPECT_TRUE(text == "no error" || text.starts_with("error: ")) << size;
  }
}

TEST(HostileFiles, EveryByteOfAShippedScenarioMayBeWrong) {
  const EmbeddedFile* file = find_embedded_scenario("plain/shared-process");
  ASSERT_NE(file, nullptr);
  for (std::size_t at = 0; at < file->text.size(); ++at) {
    for (const char wrong : {'"', '{', ']', '=', '\n', '9', '\x01', '\xC3'}) {
      std::string text(file->text);
      text[at] = wrong;
      const std::string found = shown(text);
      EXPECT_TRUE(found == "no error" || found.starts_with("error: ")) << at;
    }
  }
}

}  // namespace
}  // namespace lockstep::scenarios
