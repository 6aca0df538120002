// The protocol alone: which bytes are which request, which error, which reply. That a real server says the
// same is held by tools/serve/protocol_test.cpp.
#include "model/redis/resp/resp.h"

#include <gtest/gtest.h>

namespace lockstep::redis {
namespace {

using Found = RequestParser::Found;

/// The requests in the bytes, one a line with its words in brackets, and the protocol error, if there is
/// one.
std::string read(std::string_view bytes) {
  RequestParser parser;
  parser.feed(bytes);
  std::string text;
  model::Command command;
  for (;;) {
    const Found found = parser.next(command);
    if (found == Found::nothing) return text;
    if (found == Found::error) return text + parser.error();
    for (const std::string& word : command) text += "[" + word + "]";
    text += "\n";
  }
}

std::string encoded(const model::Reply& reply) {
  std::string out;
  encode(reply, out);
  return out;
}

TEST(Resp, AnArrayOfBulkStringsIsARequest) {
  EXPECT_EQ(read("*2\r\n$3\r\nGET\r\n$4\r\na\r\nb\r\n"), "[GET][a\r\nb]\n");
  EXPECT_EQ(read("*1\r\n$0\r\n\r\n*1\r\n$4\r\nPING\r\n"), "[]\n[PING]\n");
}

TEST(Resp, AnEmptyRequestIsSkipped) { EXPECT_EQ(read("*0\r\n*-1\r\n\r\n\n  \r\nPING\r\n"), "[PING]\n"); }

TEST(Resp, WhatStandsBehindALengthOrABulkIsNotRead) {
  EXPECT_EQ(read("*1\rX$4\rXPINGxx*1\r\n$4\r\nPING\r\n"), "[PING]\n[PING]\n");
}

TEST(Resp, AnInlineRequestIsSplitAsRedisCliDoes) {
  EXPECT_EQ(read("SET k v\r\n"), "[SET][k][v]\n");
  EXPECT_EQ(read("\tSET  k\v \"\"\n"), "[SET][k\v][]\n");
  EXPECT_EQ(read("ECHO \"\\x41\\xzz\\n\\q\\\"\" 'a\\'b\\n'\r\n"), "[ECHO][Axzz\nq\"][a'b\\n]\n");
  EXPECT_EQ(read("PI\"NG\"\r\n"), "[PING]\n");
}

TEST(Resp, UnbalancedQuotesAreAProtocolError) {
  const std::string error = "ERR Protocol error: unbalanced quotes in request";
  for (const char* line : {"\"a\n", "'a\n", "\"a\"b\n", "'a'b\n", "\"a\\\n", "\"a\\\"\n", "'a\\'\n"})
    EXPECT_EQ(read(line), error) << line;
}

TEST(Resp, AZeroByteHidesTheEndOfItsLine) {
  EXPECT_EQ(read(std::string_view("PING\0\r\nPING\r\n", 13)), "");
  EXPECT_EQ(read(std::string_view("*1\r\n\0$4\r\n", 9)), "");
}

TEST(Resp, LengthsAreNumbersInTheirOnlyForm) {
  const std::string count = "ERR Protocol error: invalid multibulk length";
  for (const char* bytes : {"*\r\n", "*x\r\n", "*+1\r\n", "* 1\r\n", "*01\r\n", "*2147483648\r\n"})
    EXPECT_EQ(read(bytes), count) << bytes;
  const std::string bulk = "ERR Protocol error: invalid bulk length";
  for (const char* length : {"", "x", "-1", "+4", "04", "536870913", "99999999999999999999"})
    EXPECT_EQ(read("*1\r\n$" + std::string(length) + "\r\n"), bulk) << length;
  EXPECT_EQ(read("*2147483647\r\n$536870912\r\n"), "");
}

TEST(Resp, AWordThatIsNoBulkStringIsNamedByItsFirstByte) {
  EXPECT_EQ(read("*1\r\n:1\r\n"), "ERR Protocol error: expected '$', got ':'");
  EXPECT_EQ(read("PING\r\n*1\r\n\r\n"), "[PING]\nERR Protocol error: expected '$', got ' '");
}

TEST(Resp, ALineThatDoesNotEndWithin64KiBIsAProtocolError) {
  const std::string long_line(line_bytes_max + 1, 'a');
  EXPECT_EQ(read(long_line), "ERR Protocol error: too big inline request");
  EXPECT_EQ(read("*" + long_line), "ERR Protocol error: too big mbulk count string");
  EXPECT_EQ(read("*1\r\n" + long_line), "ERR Protocol error: too big bulk count string");
  EXPECT_EQ(read(long_line.substr(1)), "");
}

TEST(Resp, NothingIsFoundBehindAProtocolError) {
  RequestParser parser;
  parser.feed("*x\r\nPING\r\n");
  model::Command command;
  EXPECT_EQ(parser.next(command), Found::error);
  parser.feed("PING\r\n");
  EXPECT_EQ(parser.next(command), Found::error);
}

TEST(Resp, ADeclaredLengthTakesNoMemoryUntilItsBytesArrive) {
  RequestParser parser;
  model::Command command;
  parser.feed("*2147483647\r\n$536870912\r\nabc");
  EXPECT_EQ(parser.next(command), Found::nothing);
  EXPECT_LT(parser.held(), 100u);
}

TEST(Resp, AStrangerMaySendShortRequestsOnly) {
  bool is_stranger = true;
  const auto error_of = [&](std::string_view bytes) {
    RequestParser parser([&] { return is_stranger; });
    model::Command command;
    parser.feed(bytes);
    return parser.next(command) == Found::error ? parser.error() : "";
  };
  EXPECT_EQ(error_of("*10\r\n"), "");
  EXPECT_EQ(error_of("*11\r\n"), "ERR Protocol error: unauthenticated multibulk length");
  EXPECT_EQ(error_of("*1\r\n$16384\r\n"), "");
  EXPECT_EQ(error_of("*1\r\n$16385\r\n"), "ERR Protocol error: unauthenticated bulk length");
  is_stranger = false;
  EXPECT_EQ(error_of("*11\r\n$16385\r\n"), "");
}

TEST(Resp, WhatIsGivenBackHoldsNoMemory) {
  std::string text(1'000'000, 'x');
  give_back(text);
  EXPECT_EQ(text, "");
  EXPECT_LT(text.capacity(), 100U);
}

TEST(Resp, WhatOnlyResp3HasIsWrittenAsRedisWritesIt) {
  using lua::Type3;
  using lua::Typed;
  const auto written = [](const Reply& reply) {
    std::string bytes;
    encode(reply, bytes);
    return bytes;
  };
  EXPECT_EQ(written(Typed{}), "_\r\n");
  EXPECT_EQ(written(Typed{Type3::boolean, {std::int64_t{1}}}), "#t\r\n");
  EXPECT_EQ(written(Typed{Type3::number, {std::string("-inf")}}), ",-inf\r\n");
  EXPECT_EQ(written(Typed{Type3::verbatim, {std::string("m"), std::string("a\nb")}}), "=7\r\nm  :a\nb\r\n");
  EXPECT_EQ(written(Typed{Type3::map, {std::int64_t{1}, Typed{Type3::set, {}}}}), "%1\r\n:1\r\n~0\r\n");
}

TEST(Resp, ManyEmptyWordsCountForTheMemoryThatTheyTake) {
  RequestParser parser;
  model::Command command;
  parser.feed("*1000000\r\n");
  for (int i = 0; i < 1000; ++i) parser.feed("$0\r\n\r\n");
  EXPECT_EQ(parser.next(command), Found::nothing);
  EXPECT_GE(parser.held(), 1000 * sizeof(std::string));
}

TEST(Resp, EveryKindOfReplyHasItsForm) {
  EXPECT_EQ(encoded(lua::Nil{}), "$-1\r\n");
  EXPECT_EQ(encoded(lua::NilArray{}), "*-1\r\n");
  EXPECT_EQ(encoded(std::int64_t{-9223372036854775807 - 1}), ":-9223372036854775808\r\n");
  EXPECT_EQ(encoded(std::string("a\r\nb")), "$4\r\na\r\nb\r\n");
  EXPECT_EQ(encoded(lua::ok()), "+OK\r\n");
  EXPECT_EQ(encoded(lua::Error{"ERR no"}), "-ERR no\r\n");
  EXPECT_EQ(encoded(model::Reply::Array{std::int64_t{1}, model::Reply::Array{}, lua::Nil{}}),
            "*3\r\n:1\r\n*0\r\n$-1\r\n");
}

TEST(Resp, ALineBreakCannotEndALineReplyEarly) {
  EXPECT_EQ(encoded(lua::Error{"ERR a\r\n+OK"}), "-ERR a  +OK\r\n");
  EXPECT_EQ(encoded(lua::Status{"a\nb"}), "+a b\r\n");
}

}  // namespace
}  // namespace lockstep::redis
