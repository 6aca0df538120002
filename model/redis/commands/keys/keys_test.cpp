#include <set>
#include <string>

#include <gtest/gtest.h>
#include "model/redis/testing/test_client.h"

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

TEST(KeyCommands, RenameToItselfNeedsTheKeyAllTheSame) {
  TestClient client;
  EXPECT_EQ(client("RENAME k k"), "(error) ERR no such key");
  client("RPUSH k v");
  EXPECT_EQ(client("RENAME k k"), "OK");
  EXPECT_EQ(client("RENAMENX k k"), "(integer) 0");
}

TEST(Randomkey, DrawsEveryKeyAndTheFirstWithoutChance) {
  TestClient client;
  EXPECT_EQ(client("RANDOMKEY"), "(nil)");
  client("MSET a 1 b 2 c 3");
  EXPECT_EQ(client("RANDOMKEY"), "\"a\"");
  sim::Random dice(1);
  const Environment drawing{.engine = client.engine, .chance = &dice};
  std::set<std::string> drawn;
  for (int i = 0; i < 100; ++i)
    drawn.insert(*execute(client.node, ConnectionId{}, {"RANDOMKEY"}, drawing).reply.bulk());
  EXPECT_EQ(drawn, (std::set<std::string>{"a", "b", "c"}));
}

TEST(Randomkey, RemovesTheDeadThatAreDrawnOnAMaster) {
  TestClient client(Role::master, Expiry::lazy);
  client("SET a v PX 10");
  client("SET b v");
  client.pass(11);
  EXPECT_EQ(client.effects_of("RANDOMKEY"), "DEL a");
  EXPECT_EQ(client("RANDOMKEY"), "\"b\"");
}

TEST(Randomkey, OnAReplicaTellsADeadKeyOnlyIfThereIsNoOther) {
  TestClient replica(Role::replica);
  replica.node.db.put("a", String{"v"}).remaining = Duration(10);
  replica.node.db.put("b", String{"v"}).remaining = Duration(20);
  replica.pass(11);
  EXPECT_EQ(replica("RANDOMKEY"), "\"b\"");
  replica.pass(11);
  EXPECT_EQ(replica("RANDOMKEY"), "\"a\"");
  EXPECT_EQ(replica("DBSIZE"), "(integer) 2");
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
