#include <gtest/gtest.h>
#include "model/redis/test_client.h"

namespace lockstep::redis {
namespace {

using testing::TestClient;

TEST(KeyCommands, ExistsCountsAKeyAsOftenAsItIsNamed) {
  TestClient client;
  client("SET k v");
  EXPECT_EQ(client("EXISTS k k none"), "(integer) 2");
  EXPECT_EQ(client("TOUCH k k none"), "(integer) 2");
}

TEST(KeyCommands, DelCountsEachKeyOnceAndReplicatesOnlyIfItRemovedOne) {
  TestClient client;
  client("MSET a 1 b 2");
  EXPECT_EQ(client.effects_of("DEL none"), "");
  EXPECT_EQ(client("DEL a a none"), "(integer) 1");
  EXPECT_EQ(client.effects_of("UNLINK b none"), "UNLINK b none");
}

TEST(KeyCommands, TypeNamesTheFiveTypesAndNone) {
  TestClient client;
  client("SET s v");
  client("RPUSH l v");
  client("HSET h f v");
  client("SADD t m");
  client("ZADD z 1 m");
  EXPECT_EQ(client("TYPE s"), "string");
  EXPECT_EQ(client("TYPE l"), "list");
  EXPECT_EQ(client("TYPE h"), "hash");
  EXPECT_EQ(client("TYPE t"), "set");
  EXPECT_EQ(client("TYPE z"), "zset");
  EXPECT_EQ(client("TYPE none"), "none");
}

TEST(KeyCommands, KeysMatchesPatterns) {
  TestClient client;
  client("MSET lock:a 1 lock:b 2 other 3");
  EXPECT_EQ(client("KEYS lock:*"), "[\"lock:a\", \"lock:b\"]");
  EXPECT_EQ(client("KEYS lock:[^a]"), "[\"lock:b\"]");
  EXPECT_EQ(client("KEYS ?????"), "[\"other\"]");
}

TEST(KeyCommands, RenameMovesTheTimeToLiveAndReplacesTheTarget) {
  TestClient client;
  client("SET a v PX 100");
  client("SET b w PX 900");
  EXPECT_EQ(client("RENAME a b"), "OK");
  EXPECT_EQ(client("PTTL b"), "(integer) 100");
  EXPECT_EQ(client("GET b"), "\"v\"");
  EXPECT_EQ(client("RENAME a b"), "(error) ERR no such key");
  EXPECT_EQ(client.effects_of("RENAME b b"), "");
  client("SET a v");
  EXPECT_EQ(client("RENAMENX a b"), "(integer) 0");
  EXPECT_EQ(client("RENAMENX a c"), "(integer) 1");
}

TEST(KeyCommands, FlushReplicatesEvenWhenThereIsNothingToRemove) {
  TestClient client;
  EXPECT_EQ(client.effects_of("FLUSHALL"), "FLUSHALL");
  client("SET k v");
  EXPECT_EQ(client("FLUSHDB ASYNC"), "OK");
  EXPECT_EQ(client("DBSIZE"), "(integer) 0");
  EXPECT_EQ(client("FLUSHALL now"), "(error) ERR syntax error");
}

}  // namespace
}  // namespace lockstep::redis
