#include "tools/cli/command_file.h"

#include <gtest/gtest.h>

namespace lockstep::tools {
namespace {

model::Command words_of(const std::string& line) {
  const auto commands = read_commands(line, "f");
  EXPECT_TRUE(commands.ok()) << line;
  return commands.ok() ? commands->front().words : model::Command{};
}

TEST(CommandFile, WordsArePartedByBlanksAndHeldTogetherByQuotes) {
  EXPECT_EQ(words_of("SET  k\tv\r"), (model::Command{"SET", "k", "v"}));
  EXPECT_EQ(words_of(R"(SET "a b" 'c d')"), (model::Command{"SET", "a b", "c d"}));
  EXPECT_EQ(words_of(R"(SET "" '')"), (model::Command{"SET", "", ""}));
}

TEST(CommandFile, DoubleQuotesKnowTheEscapesOfRedisCli) {
  EXPECT_EQ(words_of(R"(x "\n\r\t\a\b\\\"\x41\x0g")"), (model::Command{"x", "\n\r\t\a\b\\\"Ax0g"}));
  EXPECT_EQ(words_of(R"(x '\n\'\a')"), (model::Command{"x", "\\n'\\a"}));
}

TEST(CommandFile, BlankLinesAndCommentsAreSkippedAndLinesAreCounted) {
  const auto commands = read_commands("# filled\n\n  PING\n", "f");
  ASSERT_TRUE(commands.ok());
  ASSERT_EQ(commands->size(), 1u);
  EXPECT_EQ(commands->front().line, 3u);
}

TEST(CommandFile, WhatIsNoCommandIsASentenceWithItsPlace) {
  EXPECT_EQ(read_commands("PING\nSET \"k", "f").problem().text, "f:2: a quote is not closed");
  EXPECT_EQ(read_commands("SET \"k\"v", "f").problem().text, "f:1: a blank must follow a closing quote");
  EXPECT_EQ(read_commands("SET 'k\\", "f").problem().text, "f:1: a quote is not closed");
  EXPECT_EQ(read_commands("# nothing\n", "f").problem().text, "f: holds no command");
  EXPECT_EQ(read_commands(std::string("a\0b", 3), "f").problem().text,
            "f: is a binary file, not commands, one a line");
}

TEST(CommandFile, RepliesArePrintedAsRedisCliPrintsThem) {
  using model::Reply;
  EXPECT_EQ(printed(Reply{}), "(nil)\n");
  EXPECT_EQ(printed(Reply{7}), "(integer) 7\n");
  EXPECT_EQ(printed(Reply{std::string("a\"\n\x01")}), "\"a\\\"\\n\\x01\"\n");
  EXPECT_EQ(printed(lua::ok()), "OK\n");
  EXPECT_EQ(printed(lua::Error{"ERR no\x1b[31m"}), "(error) ERR no\\x1b[31m\n");
  EXPECT_EQ(printed(Reply::Array{}), "(empty array)\n");
  EXPECT_EQ(printed(Reply::Array{Reply{1}, Reply{Reply::Array{Reply{2}, Reply{}}}}),
            "1) (integer) 1\n2) 1) (integer) 2\n   2) (nil)\n");
}

}  // namespace
}  // namespace lockstep::tools
