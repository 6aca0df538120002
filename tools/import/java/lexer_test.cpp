// Words of Java: what literals stand for, and which file is refused where.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tools/import/java/declarations.h"

namespace lockstep::tools::java {
namespace {

using ::testing::ElementsAre;

std::vector<std::string> literals_of(const std::string& bytes) {
  const auto text = without_unicode_escapes(bytes, "A.java");
  EXPECT_TRUE(text.ok());
  const auto tokens = tokens_of(*text, "A.java");
  EXPECT_TRUE(tokens.ok()) << tokens.problem().text;
  std::vector<std::string> values;
  for (const Token& token : *tokens)
    if (token.kind == Token::Kind::text || token.kind == Token::Kind::block ||
        token.kind == Token::Kind::character)
      values.push_back(value_of(token));
  return values;
}

std::string refusal(const std::string& bytes) {
  const auto file = read_file(bytes, "A.java");
  return file.ok() ? "" : file.problem().text;
}

TEST(JavaWords, EveryEscapeOfAStringIsUnderstood) {
  EXPECT_THAT(literals_of(R"("a\tb\n\r\f\b\s\"\'\\")"), ElementsAre("a\tb\n\r\f\b \"'\\"));
  EXPECT_THAT(literals_of(R"("\0" "\12" "\1234" "\400" "\377")"),
              ElementsAre(std::string("\0", 1), "\n", "S4", " 0", "\xC3\xBF"));
  EXPECT_THAT(literals_of(R"('x' '\'' '"' '\u0041')"), ElementsAre("x", "'", "\"", "A"));
}

TEST(JavaWords, UnicodeEscapesAreReplacedBeforeWordsAreLookedFor) {
  EXPECT_THAT(literals_of("\\u0022a\\u0062c\\uuuu0022"), ElementsAre("abc"));
  EXPECT_THAT(literals_of(R"("\\u0041")"), ElementsAre("\\u0041"));
  EXPECT_THAT(literals_of(R"("\u20ac \uD83D\uDD12 \uD83D")"), ElementsAre("\xE2\x82\xAC \xF0\x9F\x94\x92 ?"));
  EXPECT_EQ(refusal("\n\"\\u00g1\""), "A.java:2: \\u wants four hexadecimal digits");
  EXPECT_EQ(refusal("\\u"), "A.java:1: \\u wants four hexadecimal digits");
}

TEST(JavaWords, ATextBlockLosesItsIndentationAndTheBlanksAtTheEndsOfLines) {
  EXPECT_THAT(literals_of("\"\"\"\n    if x then  \n      return 1\n\n    end\n    \"\"\""),
              ElementsAre("if x then\n  return 1\n\nend\n"));
  EXPECT_THAT(literals_of("\"\"\"\r\n    one \\\r\n    two\\s\n    three\"\"\""),
              ElementsAre("one two \nthree"));
  EXPECT_THAT(literals_of("\"\"\"  \n   a\n  \"\"\""), ElementsAre(" a\n"));
  EXPECT_THAT(literals_of("\"\"\"\n  say \\\"\"\" \"now\"\n  \"\"\""), ElementsAre("say \"\"\" \"now\"\n"));
}

TEST(JavaWords, CommentsAndQuotesInEachOtherAreTold) {
  EXPECT_THAT(literals_of("\"/* no */ // no\" /* \"yes\" */ + // \"yes\"\n\"x\""),
              ElementsAre("/* no */ // no", "x"));
}

TEST(JavaWords, WhatIsNeverClosedIsRefusedWithItsPlace) {
  EXPECT_EQ(refusal("class A {\n  String a = \"b\n}"), "A.java:2: the string that begins here has no end");
  EXPECT_EQ(refusal("\n\"a\\"), "A.java:2: the string that begins here has no end");
  EXPECT_EQ(refusal("class A {\n\n  void f() {\n"),
            "A.java:3: the file ends, and the `{` of this line is never closed");
  EXPECT_EQ(refusal("/* a\n"), "A.java:1: the file ends within the comment that begins here");
  EXPECT_EQ(refusal("\n\n\"\"\"\n a"), "A.java:3: the text block that begins here has no end");
  EXPECT_EQ(refusal("class A }"), "A.java:1: this `}` closes nothing");
  EXPECT_EQ(refusal("class A {\n )"), "A.java:2: this `)` does not close the `{` of line 1");
  EXPECT_EQ(refusal("'a"), "A.java:1: the character that begins here has no end");
}

TEST(JavaWords, WhatNoJavaHasIsRefused) {
  EXPECT_EQ(refusal("class A # {}"), "A.java:1: this is no Java: a `#` here");
  EXPECT_EQ(refusal(std::string("a\n\0", 3)), "A.java:2: this is no Java: a byte 0x00");
  EXPECT_EQ(refusal("class \xff {}"), "A.java:1: this is no Java: bytes that are not UTF-8");
  EXPECT_EQ(refusal("// \xff, as old files have it\nclass A { String \xC3\xBC; }"), "");
  EXPECT_EQ(refusal("\"\\q\""), "A.java:1: Java has no escape `\\q`");
  EXPECT_EQ(refusal(std::string(100'000, '(')), "A.java:1: brackets lie more than 400 deep");
}

}  // namespace
}  // namespace lockstep::tools::java
