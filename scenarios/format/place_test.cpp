#include "scenarios/format/place.h"

#include <gtest/gtest.h>

namespace lockstep::scenarios {
namespace {

TEST(Places, TheCaretStandsUnderTheColumnAndTheGutterFitsTheLineNumber) {
  std::string text;
  for (int i = 0; i < 17; ++i) text += "\n";
  text += "steps = [\"lese\"]\n";
  EXPECT_EQ(problem_at({text, "a.toml"}, {18, 11, 4}, "wrong", "better?").text,
            "error: wrong\n  --> a.toml:18:11\n18 | steps = [\"lese\"]\n   |           ^^^^ better?");
}

TEST(Places, ColumnsCountCharactersNotBytes) {
  EXPECT_EQ(problem_at({"größe = x", "a"}, {1, 9, 1}, "wrong").text,
            "error: wrong\n  --> a:1:9\n1 | größe = x\n  |         ^");
}

TEST(Places, OfAVeryLongLineOnlyThePartAroundThePlaceIsShown) {
  const std::string line = std::string(500, 'a') + "X" + std::string(500, 'b');
  const std::string shown = problem_at({line, "a"}, {1, 501, 1}, "wrong").text;
  EXPECT_EQ(shown, "error: wrong\n  --> a:1:501\n1 | ..." + std::string(59, 'a') + "X" +
                       std::string(60, 'b') + "...\n  | " + std::string(62, ' ') + "^");
}

TEST(Places, APlaceBehindTheEndIsShownBehindTheEnd) {
  EXPECT_EQ(problem_at({"ab\r\n", "a"}, {1, 9, 5}, "wrong").text,
            "error: wrong\n  --> a:1:9\n1 | ab\n  |   ^");
  EXPECT_EQ(problem_at({"ab", "a"}, {7, 1, 1}, "wrong").text, "error: wrong\n  --> a:7:1\n7 | \n  | ^");
}

TEST(Places, BytesThatAreNoTextAreNamed) {
  EXPECT_EQ(wrong_bytes("", "a scenario"), "is empty, not a scenario");
  EXPECT_EQ(wrong_bytes(" \n\t\r\n", "a scenario"), "is empty, not a scenario");
  EXPECT_EQ(wrong_bytes(std::string_view("a\0b", 3), "a scenario"), "is a binary file, not a scenario");
  EXPECT_EQ(wrong_bytes("a\n\xC3(", "a scenario"), "is not UTF-8: a bad byte 0xc3 in line 2");
  EXPECT_EQ(wrong_bytes("größe ⚡ 😀", "a scenario"), "");
}

TEST(Places, OverlongFormsSurrogatesAndStrayBytesAreNotUtf8) {
  for (const char* text :
       {"\xC0\xAF", "\xE0\x80\xAF", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\x80", "\xFF", "\xE2\x82"}) {
    EXPECT_NE(wrong_bytes(text, "a scenario"), "") << text;
  }
}

}  // namespace
}  // namespace lockstep::scenarios
