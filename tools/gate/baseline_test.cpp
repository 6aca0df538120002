// The file of a baseline: what is written is read, and what is not as it was written is one sentence.
#include "tools/gate/baseline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tools/gate/changed_scripts.h"

namespace lockstep::tools {
namespace {

using ::testing::HasSubstr;

Baseline small_baseline() {
  return {.program = "6b1f",
          .entries = {{"plain/b", "8f", "9a", "owner-only", "violated", false, 12, 7, "41"},
                      {"plain/a", "8e", "9a", "owner-only", "proved", true, 30, 0, ""},
                      {"plain/a </script>\n#;", "8e", "9a", "calls-return", "unknown", false, 0, 0, ""}},
          .accepted = {{"plain/b", "owner-only", "documented, \"so\"", "2028-02-29"}}};
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

std::string problem_of(const std::string& text) {
  const auto parsed = parse_baseline(text, "b.json");
  return parsed.ok() ? "none" : parsed.problem().text;
}

TEST(BaselineFile, IsReadAsItWasWrittenAndSorted) {
  const std::string text = text_of(small_baseline());
  const auto again = parse_baseline(text, "b.json");
  ASSERT_TRUE(again.ok()) << again.problem().text;
  EXPECT_EQ(text_of(*again), text);
  EXPECT_EQ(again->accepted, small_baseline().accepted);
  ASSERT_EQ(again->entries.size(), 3u);
  EXPECT_EQ(again->entries[0].scenario, "plain/a");
  EXPECT_EQ(again->entries[2].steps, 7u);
  EXPECT_LT(text.find("plain/a"), text.find("plain/b"));
  EXPECT_TRUE(parse_baseline(text_of(Baseline{.program = "1"}), "b.json").ok());
}

TEST(BaselineFile, LinesOfTwoBranchesMayBeMerged) {
  const std::string text = text_of(small_baseline());
  const std::size_t second = text.find("\n", text.find('\n') + 1) + 1;
  EXPECT_TRUE(
      parse_baseline(std::string(text).erase(second, text.find('\n', second) + 1 - second), "b").ok());
}

TEST(BaselineFile, WhatIsNoneIsOneSentenceWithItsPlace) {
  const std::string text = text_of(small_baseline());
  EXPECT_THAT(problem_of(""), HasSubstr("b.json: is empty"));
  EXPECT_THAT(problem_of("hello"), HasSubstr("b.json:1: is no baseline"));
  EXPECT_THAT(problem_of(replaced(text, "\"v\":1", "\"v\":2")),
              HasSubstr("format 2, and this program reads format 1"));
  EXPECT_THAT(problem_of(replaced(text, "\"verdict\":\"violated\"", "\"verdict\":\"proved\"")),
              HasSubstr("b.json:4: does not have the digest of its own line"));
  for (std::size_t size = 1; size + 2 < text.size(); size += 7)
    EXPECT_THAT(problem_of(text.substr(0, size)), HasSubstr("b.json:")) << size;
  EXPECT_THAT(problem_of(text + "more\n"), HasSubstr("stands behind the end"));
}

TEST(BaselineFile, WhatIsAcceptedHasAReasonAndADayOfTheCalendar) {
  const std::string text = text_of(small_baseline());
  for (const char* day : {"2027-02-29", "2027-13-01", "2027-6-30", "soon", "2027-00-10", "2027-01-32"})
    EXPECT_THAT(problem_of(replaced(text, "2028-02-29", day)), HasSubstr("which is no day")) << day;
  EXPECT_THAT(problem_of(replaced(text, ",\"until\":\"2028-02-29\"", "")), HasSubstr("has no text `until`"));
  EXPECT_THAT(problem_of(replaced(text, "documented, \\\"so\\\"", "")), HasSubstr("has an empty `reason`"));
  EXPECT_THAT(problem_of(replaced(text, "\"reason\"", "\"cause\"")), HasSubstr("has a key `cause`"));
  EXPECT_TRUE(is_day("2028-02-29"));
}

TEST(ChangedLines, AreThoseOfTheShortestEdit) {
  const auto count = [](const char* a, const char* b) { return lines_changed(a, b); };
  EXPECT_EQ(count("a\nb\nc", "a\nx\nc\n"), (std::pair<std::uint64_t, std::uint64_t>(1, 1)));
  EXPECT_EQ(count("a\nb\n", "a\nb\nc\nd\n"), (std::pair<std::uint64_t, std::uint64_t>(2, 0)));
  EXPECT_EQ(count("a\nb\nc\n", "c\n"), (std::pair<std::uint64_t, std::uint64_t>(0, 2)));
}

}  // namespace
}  // namespace lockstep::tools
