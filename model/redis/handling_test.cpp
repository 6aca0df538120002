// No command may end the program, whatever number is among its words.
#include <gtest/gtest.h>

#include "model/redis/handling.h"
#include "model/redis/testing/test_client.h"

namespace lockstep::redis {
namespace {

using testing::TestClient;

const char* const too_long = "(error) ERR Lockstep refuses a reply of more than 512 MiB";

TEST(Handling, DrawsThatWouldFillTheMemoryAreRefused) {
  TestClient client;
  client("HSET h f v");
  client("ZADD z 1 m");
  client("SADD s m");
  for (const char* const count : {"-100000000", "-1000000000000", "-4611686018427387903"}) {
    for (const char* const line : {"HRANDFIELD h ", "ZRANDMEMBER z ", "SRANDMEMBER s "})
      EXPECT_EQ(client(line + std::string(count)), too_long) << line << count;
    EXPECT_EQ(client("HRANDFIELD h " + std::string(count) + " WITHVALUES"), too_long);
    EXPECT_EQ(client("ZRANDMEMBER z " + std::string(count) + " WITHSCORES"), too_long);
    EXPECT_EQ(client("EVAL \"return redis.call('HRANDFIELD', 'h', ARGV[1])\" 0 " + std::string(count))
                  .substr(0, 40),
              std::string(too_long).substr(0, 40));
  }
  EXPECT_EQ(client.execute({"SRANDMEMBER", "s", "-100000"}).reply.array()->size(), 100'000U);
}

TEST(Handling, FewDrawsOfLongElementsAreRefusedToo) {
  TestClient client;
  client.execute({"SADD", "s", std::string(1'000'000, 'm')});
  EXPECT_EQ(client("SRANDMEMBER s -1000"), too_long);
  EXPECT_EQ(client.execute({"SRANDMEMBER", "s", "-3"}).reply.array()->size(), 3U);
}

TEST(Handling, ATransactionThatAsksForALongValueAgainAndAgainGetsItUntilTheReplyIsTooLong) {
  TestClient client;
  client.execute({"SET", "k", std::string(100'000'000, 'v')});
  client("MULTI");
  for (int i = 0; i < 7; ++i) client("GET k");
  const Outcome outcome = client.execute({"EXEC"});
  const Reply::Array& replies = *outcome.reply.array();
  ASSERT_EQ(replies.size(), 7U);
  EXPECT_EQ(replies[4].bulk()->size(), 100'000'000U);
  EXPECT_EQ(testing::render(replies[5]), too_long);
  EXPECT_EQ(testing::render(replies[6]), too_long);
}

TEST(Handling, DebugPopulateMakesNoMoreThanTwoGigabytes) {
  TestClient client;
  const char* const refused = "(error) ERR Lockstep refuses to make more than 2 GiB at once";
  EXPECT_EQ(client("DEBUG POPULATE 9223372036854775807"), refused);
  EXPECT_EQ(client("DEBUG POPULATE 2 k 9223372036854775000"), refused);
  EXPECT_EQ(client("DEBUG POPULATE 3"), "OK");
}

/// What INFO counted, without the times: "get 2 0 1; ERR 1" is two calls of GET, of which one failed.
std::string counted(TestClient& client, const std::vector<std::string>& lines) {
  start(client.node, client.wall_ms);
  client("SET s x");
  client("CONFIG RESETSTAT");
  for (const std::string& line : lines) client(line);
  std::string text;
  for (const auto& [name, count] : client.node.statistics->by_command) {
    if (name == "config|resetstat") continue;
    text += name + " " + std::to_string(count.calls) + " " + std::to_string(count.rejected) + " " +
            std::to_string(count.failed) + "; ";
  }
  for (const auto& [code, times] : client.node.statistics->errors)
    text += code + " " + std::to_string(times) + "; ";
  return text;
}

std::string counted(const std::vector<std::string>& lines) {
  TestClient client;
  return counted(client, lines);
}

// As a redis-server 7.0.15 answered INFO commandstats and errorstats after these lines.
TEST(Handling, WhatFailsInsideATransactionIsCountedWhereItFails) {
  EXPECT_EQ(counted({"MULTI", "INCR s", "LPUSH s 1", "EXEC"}),
            "exec 1 0 0; incr 1 0 1; lpush 1 0 1; multi 1 0 0; ERR 1; WRONGTYPE 1; ");
  EXPECT_EQ(counted({"MULTI", "INCR s", "GET", "EXEC"}),
            "exec 1 0 1; get 0 1 0; multi 1 0 0; ERR 1; EXECABORT 1; ");
  EXPECT_EQ(counted({"EXEC", "DISCARD"}), "discard 1 0 1; exec 1 0 1; ERR 2; ");
}

TEST(Handling, WhatFailsInsideAScriptIsCountedOnceAndTheScriptIfItAnswersIt) {
  const auto script = [](const std::string& text) { return counted({"EVAL \"" + text + "\" 0"}); };
  EXPECT_EQ(script("redis.pcall('incr', 's') return 1"), "eval 1 0 0; incr 1 0 1; ERR 1; ");
  EXPECT_EQ(script("return redis.call('incr', 's')"), "eval 1 0 1; incr 1 0 1; ERR 1; ");
  EXPECT_EQ(script("return {redis.pcall('incr', 's'), {err='A b'}}"), "eval 1 0 2; incr 1 0 1; A 1; ERR 1; ");
  EXPECT_EQ(script("local ok, e = pcall(redis.call, 'incr', 's') error(e)"),
            "eval 1 0 1; incr 1 0 1; ERR 2; ");
  EXPECT_EQ(script("error({err='MY x'})"), "eval 1 0 1; MY 1; ");
  EXPECT_EQ(script("redis.pcall('nosuch') redis.pcall('get') redis.pcall('subscribe', 'x')"),
            "eval 1 0 0; get 0 1 0; subscribe 0 1 0; ERR 3; ");
  EXPECT_EQ(counted({"MULTI", "EVAL \"return redis.call('incr', 's')\" 0", "EXEC"}),
            "eval 1 0 1; exec 1 0 0; incr 1 0 1; multi 1 0 0; ERR 1; ");
}

TEST(Handling, WhatRanIsCountedAndWhatWasRefusedIsNot) {
  TestClient client;
  counted(client, {"GET s", "GET", "NOSUCH", "MULTI", "GET s", "GET s", "EXEC"});
  EXPECT_EQ(client.node.statistics->commands, 6) << "CONFIG RESETSTAT, too";
}

Reply fails(Call& call, Words words) {
  call.find_or_create<Hash>(words[1]);
  throw std::bad_alloc();
}

TEST(Handling, ACommandForWhichThereIsNoMemoryFailsAndLeavesNoEmptyKey) {
  TestClient client;
  client("SET before v");
  const Environment environment{client.engine};
  Outcome outcome;
  Call call(client.node, ConnectionId{}, environment, outcome, Call::Source::client, 0);
  const Spec spec{
      .name = "x", .arity = -1, .flags = 0, .first_key = 0, .last_key = 0, .key_step = 0, .handler = fails};
  const std::string_view words[] = {"x", "k"};
  EXPECT_EQ(testing::render(handle(call, spec, words)),
            "(error) ERR Lockstep has not enough memory for this command");
  EXPECT_EQ(client("KEYS *"), "[\"before\"]");
}

}  // namespace
}  // namespace lockstep::redis
