#include <gtest/gtest.h>
#include "model/redis/testing/test_client.h"
#include "model/redis/testing/test_errors.h"

namespace lockstep::redis {
namespace {

using testing::TestClient;
using testing::wrong_type;

TEST(Sets, IntegersAreListedInNumericOrderUntilAnotherMemberComes) {
  TestClient client;
  EXPECT_EQ(client("SADD s 10 9 -1 9"), "(integer) 3");
  EXPECT_EQ(client("SMEMBERS s"), "[\"-1\", \"9\", \"10\"]");
  EXPECT_EQ(client("SADD other -3 -20 100 3 -9223372036854775808"), "(integer) 5");
  EXPECT_EQ(client("SMEMBERS other"), "[\"-9223372036854775808\", \"-20\", \"-3\", \"3\", \"100\"]");
  EXPECT_EQ(client("SADD s a"), "(integer) 1");
  EXPECT_EQ(client("SMEMBERS s"), "[\"-1\", \"10\", \"9\", \"a\"]");
  client("SREM s a");
  EXPECT_EQ(client("SMEMBERS s"), "[\"-1\", \"10\", \"9\"]") << "the change is for good";
}

TEST(Sets, MembersAreThereOnce) {
  TestClient client;
  client("SADD s a 01");
  EXPECT_EQ(client.effects_of("SADD s a"), "");
  EXPECT_EQ(client("SISMEMBER s 01"), "(integer) 1");
  EXPECT_EQ(client("SISMEMBER s 1"), "(integer) 0");
  EXPECT_EQ(client("SMISMEMBER s a b"), "[(integer) 1, (integer) 0]");
  EXPECT_EQ(client("SREM s a 01 none"), "(integer) 2");
  EXPECT_EQ(client("EXISTS s"), "(integer) 0");
  EXPECT_EQ(client("SCARD s"), "(integer) 0");
}

TEST(Smove, MovesAMemberAndSaysWhetherItWasThere) {
  TestClient client;
  client("SADD s a b");
  client("SADD t b");
  EXPECT_EQ(client.effects_of("SMOVE s t b"), "SMOVE s t b") << "even if the target had it";
  EXPECT_EQ(client("SMEMBERS t"), "[\"b\"]");
  EXPECT_EQ(client.effects_of("SMOVE s t none"), "");
  EXPECT_EQ(client("SMOVE s new a"), "(integer) 1");
  EXPECT_EQ(client("EXISTS s"), "(integer) 0");
  EXPECT_EQ(client("SMEMBERS new"), "[\"a\"]");
}

TEST(Smove, ToItselfChangesNothing) {
  TestClient client;
  client("SADD s a");
  EXPECT_EQ(client("SMOVE s s a"), "(integer) 1");
  EXPECT_EQ(client.effects_of("SMOVE s s a"), "");
  EXPECT_EQ(client("SMOVE s s b"), "(integer) 0");
}

TEST(Smove, AMissingSourceIsAnswered) {
  TestClient client;
  client("SET k v");
  client("SADD s a");
  EXPECT_EQ(client("SMOVE none k a"), "(integer) 0") << "whatever the target is";
  EXPECT_EQ(client("SMOVE s k none"), wrong_type);
  EXPECT_EQ(client("SMOVE k s a"), wrong_type);
}

TEST(Sscan, AnIntsetComesInOnePieceWhereverTheCursorPoints) {
  TestClient client;
  client("SADD s 3 1 2 10");
  EXPECT_EQ(client("SSCAN s 0 COUNT 1"), "[\"0\", [\"1\", \"2\", \"3\", \"10\"]]");
  EXPECT_EQ(client("SSCAN s 77 MATCH 1*"), "[\"0\", [\"1\", \"10\"]]");
  EXPECT_EQ(client("SSCAN none 5 BAD"), "[\"0\", []]") << "options of a missing key are not read";
}

TEST(Sscan, WhatStaysInAHashTableIsSeenAlthoughOthersComeAndGo) {
  TestClient client;
  for (int i = 0; i < 100; ++i) client("SADD s stays" + std::to_string(i) + " goes" + std::to_string(i));
  std::set<std::string> seen;
  std::string cursor = "0";
  int pages = 0;
  do {
    const Outcome page = client.execute({"SSCAN", "s", cursor, "COUNT", "5"});
    cursor = *page.reply.array()->front().bulk();
    for (const Reply& member : *page.reply.array()->back().array()) seen.insert(*member.bulk());
    client("SREM s goes" + std::to_string(pages));
    client("SADD s new" + std::to_string(pages++));
  } while (cursor != "0");
  EXPECT_GT(pages, 10);
  for (int i = 0; i < 100; ++i) EXPECT_TRUE(seen.contains("stays" + std::to_string(i))) << i;
}

TEST(Sscan, RefusesWhatIsNoCursorBeforeItLooksAtTheKey) {
  TestClient client;
  client("SET k v");
  EXPECT_EQ(client("SSCAN k x"), "(error) ERR invalid cursor");
  EXPECT_EQ(client("SSCAN k 0 BAD"), wrong_type);
  client("SADD s a");
  EXPECT_EQ(client("SSCAN s 0 COUNT 0"), "(error) ERR syntax error");
  EXPECT_EQ(client("SSCAN s 0 COUNT x"), "(error) ERR value is not an integer or out of range");
  EXPECT_EQ(client("SSCAN s 0 TYPE set"), "(error) ERR syntax error");
}

TEST(Sets, EveryCommandRefusesAnotherType) {
  TestClient client;
  client("SET k v");
  for (const char* const line :
       {"SADD k m", "SREM k m", "SISMEMBER k m", "SMISMEMBER k m", "SMEMBERS k", "SCARD k"}) {
    EXPECT_EQ(client(line), wrong_type) << line;
  }
}

}  // namespace
}  // namespace lockstep::redis
