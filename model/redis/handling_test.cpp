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
  const Spec spec{.name = "x", .arity = -1, .flags = 0, .first_key = 0, .last_key = 0, .key_step = 0,
                  .handler = fails};
  const std::string_view words[] = {"x", "k"};
  EXPECT_EQ(testing::render(handle(call, spec, words)),
            "(error) ERR Lockstep has not enough memory for this command");
  EXPECT_EQ(client("KEYS *"), "[\"before\"]");
}

}  // namespace
}  // namespace lockstep::redis
