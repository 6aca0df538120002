// Reading what a real server sends: replies, in pieces of any size, and the lines of MONITOR.
#include <gtest/gtest.h>

#include "model/redis/testing/test_client.h"
#include "tools/differential/monitor.h"
#include "tools/differential/reply_reader.h"

namespace lockstep::differential {
namespace {

using redis::testing::render;

TEST(ReplyReader, ReadsEveryKindOfReplyAndTellsTheTwoNullsApart) {
  ReplyReader reader;
  reader.feed("+OK\r\n-ERR no\r\n:-7\r\n$3\r\na\r\n\r\n$-1\r\n*-1\r\n*2\r\n:1\r\n*1\r\n$0\r\n\r\n");
  for (const char* expected : {"OK", "(error) ERR no", "(integer) -7", "\"a\r\n\"", "(nil)", "(nil array)",
                               "[(integer) 1, [\"\"]]"}) {
    const auto reply = reader.next();
    ASSERT_TRUE(reply) << expected;
    EXPECT_EQ(render(*reply), expected);
  }
  EXPECT_FALSE(reader.next());
}

TEST(ReplyReader, ReadsWhatOnlyResp3Has) {
  ReplyReader reader;
  reader.feed("_\r\n#t\r\n,1.5\r\n(12\r\n=6\r\ntxt:ab\r\n%1\r\n:1\r\n~1\r\n:2\r\n>1\r\n+m\r\n");
  for (const char* expected :
       {"(null) []", "(boolean) [(integer) 1]", "(double) [\"1.5\"]", "(big number) [\"12\"]",
        "(verbatim) [\"txt\", \"ab\"]", "(map) [(integer) 1, (set) [(integer) 2]]", "(push) [m]"}) {
    const auto reply = reader.next();
    ASSERT_TRUE(reply) << expected;
    EXPECT_EQ(render(*reply), expected);
  }
}

TEST(ReplyReader, WaitsUntilAllOfAReplyIsThere) {
  const std::string bytes = "*2\r\n$5\r\nhello\r\n:12\r\n";
  for (std::size_t cut = 0; cut < bytes.size(); ++cut) {
    ReplyReader reader;
    reader.feed(bytes.substr(0, cut));
    EXPECT_FALSE(reader.next()) << cut;
    reader.feed(bytes.substr(cut));
    const auto reply = reader.next();
    ASSERT_TRUE(reply) << cut;
    EXPECT_EQ(render(*reply), "[\"hello\", (integer) 12]") << cut;
  }
}

TEST(ReplyReader, LeavesOutAPayloadThatHasNoLineEnd) {
  ReplyReader reader;
  reader.feed("\n\n$4\r\na\r");
  EXPECT_FALSE(reader.skip_payload());
  reader.feed("\nb:5\r\n");
  EXPECT_TRUE(reader.skip_payload());
  EXPECT_EQ(reader.next(), model::Reply(std::int64_t{5}));
}

TEST(Requests, CountTheirWordsAndBytes) {
  std::string bytes;
  append_request(bytes, {"SET", "", "a\r\n"});
  EXPECT_EQ(bytes, "*3\r\n$3\r\nSET\r\n$0\r\n\r\n$3\r\na\r\n\r\n");
}

TEST(MonitorLines, TellScriptsFromClientsAndUndoTheQuoting) {
  const MonitorLine line =
      parse_monitor_line("1700000000.000123 [0 lua] \"hset\" \"a b\" \"\\\"\\\\\\n\\x00\\xff\" \"\"");
  EXPECT_TRUE(line.from_script);
  EXPECT_EQ(line.command, (model::Command{"hset", "a b", std::string("\"\\\n\0\xff", 5), ""}));
  EXPECT_FALSE(parse_monitor_line("1.000000 [0 unix:/tmp/s] \"GET\" \"[0 lua] k\"").from_script);
}

}  // namespace
}  // namespace lockstep::differential
