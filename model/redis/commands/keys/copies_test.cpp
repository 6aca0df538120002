#include <gtest/gtest.h>
#include "model/redis/testing/test_client.h"

namespace lockstep::redis {
namespace {

using testing::TestClient;

TEST(Copy, TakesTheTimeToLiveAlongAndLeavesTheSource) {
  TestClient client;
  client("RPUSH a x y");
  client("PEXPIRE a 100");
  EXPECT_EQ(client.effects_of("COPY a b"), "COPY a b");
  EXPECT_EQ(client("LRANGE b 0 -1"), "[\"x\", \"y\"]");
  EXPECT_EQ(client("PTTL b"), "(integer) 100");
  client("RPUSH b z");
  EXPECT_EQ(client("LLEN a"), "(integer) 2") << "the copy is a value of its own";
}

TEST(Copy, DoesNotReplaceUnlessAsked) {
  TestClient client;
  client("MSET a 1 b 2");
  client("PEXPIRE b 100");
  EXPECT_EQ(client("COPY a b"), "(integer) 0");
  EXPECT_EQ(client("COPY none b REPLACE"), "(integer) 0");
  EXPECT_EQ(client.effects_of("COPY a b"), "");
  EXPECT_EQ(client("COPY a b replace"), "(integer) 1");
  EXPECT_EQ(client("GET b"), "\"1\"");
  EXPECT_EQ(client("PTTL b"), "(integer) -1") << "the old time to live goes with the old value";
}

TEST(Copy, ReadsTheDatabaseBeforeItLooksAtTheKeys) {
  TestClient client;
  EXPECT_EQ(client("COPY a b DB 16"), "(error) ERR DB index is out of range");
  EXPECT_EQ(client("COPY a b DB -1"), "(error) ERR DB index is out of range");
  EXPECT_EQ(client("COPY a b DB x"), "(error) ERR value is not an integer or out of range");
  EXPECT_EQ(client("COPY a b DB 2147483648"),
            "(error) ERR value is out of range, value must between -2147483648 and 2147483647");
  EXPECT_EQ(client("COPY a b DB"), "(error) ERR syntax error");
  EXPECT_EQ(client("COPY a a"), "(error) ERR source and destination objects are the same");
  EXPECT_EQ(client("COPY a b DB 0"), "(integer) 0");
}

TEST(Move, RefusesTheDatabaseThatTheKeyIsIn) {
  TestClient client;
  client("SET a 1");
  EXPECT_EQ(client("MOVE a 0"), "(error) ERR source and destination objects are the same");
  EXPECT_EQ(client("MOVE a 16"), "(error) ERR DB index is out of range");
  EXPECT_EQ(client("MOVE a x"), "(error) ERR value is not an integer or out of range");
}

}  // namespace
}  // namespace lockstep::redis
