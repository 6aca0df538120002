#include <gtest/gtest.h>
#include "model/redis/test_client.h"

namespace lockstep::redis {
namespace {

using testing::TestClient;

const char* const wrong_type = "(error) WRONGTYPE Operation against a key holding the wrong kind of value";

TEST(Sets, IntegersAreListedInNumericOrderUntilAnotherMemberComes) {
  TestClient client;
  EXPECT_EQ(client("SADD s 10 9 -1 9"), "(integer) 3");
  EXPECT_EQ(client("SMEMBERS s"), "[\"-1\", \"9\", \"10\"]");
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
