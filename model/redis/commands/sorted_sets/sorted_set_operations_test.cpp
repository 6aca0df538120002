#include <gtest/gtest.h>
#include "model/redis/testing/test_client.h"
#include "model/redis/testing/test_errors.h"

namespace lockstep::redis {
namespace {

using testing::TestClient;
using testing::syntax;
using testing::wrong_type;

std::string_view encoding_at(const TestClient& client, std::string_view key) {
  return encoding(std::get<SortedSet>(client.node.db.find(key)->value));
}

/// 65 bytes, one more than a listpack takes.
const std::string long_member(65, 'm');

TEST(SortedSetOperations, ScoresAreWeightedAndAggregated) {
  TestClient client;
  client("ZADD a 1 x 2 y");
  client("ZADD b 10 y 20 z");
  EXPECT_EQ(client("ZUNION 2 a b WITHSCORES"), "[\"x\", \"1\", \"y\", \"12\", \"z\", \"20\"]");
  EXPECT_EQ(client("ZUNION 3 a none b"), "[\"x\", \"y\", \"z\"]");
  EXPECT_EQ(client("ZINTER 2 a b WEIGHTS 2 3 WITHSCORES"), "[\"y\", \"34\"]");
  EXPECT_EQ(client("ZINTER 2 a b AGGREGATE MIN WITHSCORES"), "[\"y\", \"2\"]");
  EXPECT_EQ(client("ZINTER 2 a b aggregate max withscores"), "[\"y\", \"10\"]");
  EXPECT_EQ(client("ZDIFF 2 a b WITHSCORES"), "[\"x\", \"1\"]");
  EXPECT_EQ(client("ZINTER 2 a none"), "[]");
}

TEST(SortedSetOperations, ASetTakesPartWithScoresOfOne) {
  TestClient client;
  client("ZADD z 5 x 6 y");
  client("SADD s y w");
  EXPECT_EQ(client("ZUNION 2 z s WEIGHTS 1 10 WITHSCORES"), "[\"x\", \"5\", \"w\", \"10\", \"y\", \"16\"]");
  EXPECT_EQ(client("ZDIFF 2 s z WITHSCORES"), "[\"w\", \"1\"]");
  EXPECT_EQ(client("ZINTERCARD 2 s s"), "(integer) 2");
}

TEST(SortedSetOperations, WhatIsNotANumberIsZero) {
  TestClient client;
  client("ZADD z inf a -inf b 1 c");
  EXPECT_EQ(client("ZUNION 2 z z WEIGHTS 1 -1 WITHSCORES"), "[\"a\", \"0\", \"b\", \"0\", \"c\", \"0\"]");
  EXPECT_EQ(client("ZUNION 1 z WEIGHTS 0 WITHSCORES"), "[\"a\", \"0\", \"b\", \"0\", \"c\", \"0\"]");
  client("ZADD zero 0 c");
  EXPECT_EQ(client("ZINTER 2 zero z WEIGHTS inf 1 WITHSCORES"), "[\"c\", \"1\"]");
}

TEST(SortedSetOperations, TheSmallestOperandIsAddedFirst) {
  TestClient client;
  client("ZADD a 1e17 m 1 x 2 y");
  client("ZADD b -1e17 m 1 x");
  client("ZADD c 1 m");
  EXPECT_EQ(client("ZINTER 3 a b c WITHSCORES"), "[\"m\", \"0\"]")
      << "1 - 1e17 is rounded, then 1e17 is added";
  EXPECT_EQ(client("ZINTER 3 a b c WEIGHTS 1 1 16 WITHSCORES"), "[\"m\", \"16\"]")
      << "a weight goes with its key";
  EXPECT_EQ(client("ZUNION 3 a b c WITHSCORES"), "[\"m\", \"0\", \"x\", \"2\", \"y\", \"2\"]");
}

TEST(SortedSetOperations, AStoredResultIsAListpackIfItIsSmall) {
  TestClient client;
  client.execute({"ZADD", "z", "-0", long_member, "-0", "a"});
  EXPECT_EQ(encoding_at(client, "z"), "skiplist");
  EXPECT_EQ(client("ZUNION 1 z WITHSCORES"), "[\"a\", \"-0\", \"" + long_member + "\", \"-0\"]");
  client.execute({"ZREM", "z", long_member});
  EXPECT_EQ(encoding_at(client, "z"), "skiplist") << "the change is for good";
  EXPECT_EQ(client("ZSCORE z a"), "\"-0\"") << "a skip list keeps the sign";
  client("ZUNIONSTORE d 1 z");
  EXPECT_EQ(encoding_at(client, "d"), "listpack");
  EXPECT_EQ(client("ZSCORE d a"), "\"0\"");
}

TEST(SortedSetOperations, TheHundredAndTwentyNinthEntryMakesASkipList) {
  TestClient client;
  for (int i = 0; i < 128; ++i) client("ZADD z 1 m" + std::to_string(i));
  EXPECT_EQ(encoding_at(client, "z"), "listpack");
  client("ZADD z 2 m5");
  EXPECT_EQ(encoding_at(client, "z"), "listpack");
  client("ZADD z 1 m128");
  EXPECT_EQ(encoding_at(client, "z"), "skiplist");
  client("ZREM z m1");
  EXPECT_EQ(encoding_at(client, "z"), "skiplist");
}

TEST(SortedSetOperations, AnEmptyResultRemovesTheTargetAndIsReplicatedOnlyThen) {
  TestClient client;
  client("ZADD z 1 a");
  client("SET d text PX 1000");
  EXPECT_EQ(client.effects_of("zunionstore d 1 z weights 2"), "zunionstore d 1 z weights 2");
  EXPECT_EQ(client("PTTL d"), "(integer) -1");
  EXPECT_EQ(client.effects_of("ZINTERSTORE d 2 z none"), "ZINTERSTORE d 2 z none");
  EXPECT_EQ(client.effects_of("ZINTERSTORE d 2 z none"), "");
  EXPECT_EQ(client("ZDIFFSTORE z 2 z z"), "(integer) 0") << "the target may be a source";
  EXPECT_EQ(client("EXISTS z"), "(integer) 0");
}

TEST(SortedSetOperations, ADeadTargetGoesByADelUnlessTheResultIsEmpty) {
  TestClient client(Role::master, Expiry::lazy);
  client("ZADD z 1 a");
  for (const char* const line : {"ZUNIONSTORE d 1 z", "ZRANGESTORE d z 0 1"}) {
    client("SET d text PX 10");
    client.pass(20);
    EXPECT_EQ(client.effects_of(line), std::string("DEL d; ") + line);
  }
  for (const char* const line : {"ZUNIONSTORE d 1 none", "ZRANGESTORE d none 0 1"}) {
    client("SET d text PX 10");
    client.pass(20);
    EXPECT_EQ(client.effects_of(line), line) << "nobody looks whether it is dead";
  }
}

TEST(SortedSetOperations, TheNumberOfKeysIsReadFirst) {
  TestClient client;
  client("SET k v");
  EXPECT_EQ(client("ZUNION x k"), "(error) ERR value is not an integer or out of range");
  EXPECT_EQ(client("ZUNION 0 k"), "(error) ERR at least 1 input key is needed for 'zunion' command");
  EXPECT_EQ(client("ZDIFFSTORE d -5 k"),
            "(error) ERR at least 1 input key is needed for 'zdiffstore' command");
  EXPECT_EQ(client("ZINTERCARD 0 k"), "(error) ERR at least 1 input key is needed for 'zintercard' command");
  EXPECT_EQ(client("ZUNION 2 k"), syntax);
  EXPECT_EQ(client("ZUNION 9223372036854775807 k"), syntax);
}

TEST(SortedSetOperations, AWrongTypeIsNoticedBeforeTheOptions) {
  TestClient client;
  client("SET k v");
  for (const char* const line :
       {"ZUNION 1 k BAD", "ZINTER 2 none k WEIGHTS x 1", "ZDIFF 1 k", "ZINTERCARD 2 none k",
        "ZUNIONSTORE d 1 k", "ZINTERSTORE d 2 none k", "ZDIFFSTORE d 2 none k"}) {
    EXPECT_EQ(client(line), wrong_type) << line;
  }
}

TEST(SortedSetOperations, OptionsMayBeRepeatedAndTheLastOneCounts) {
  TestClient client;
  client("ZADD z 1 a");
  EXPECT_EQ(client("ZUNION 1 z WEIGHTS 2 WEIGHTS 3 AGGREGATE MIN AGGREGATE SUM WITHSCORES WITHSCORES"),
            "[\"a\", \"3\"]");
  for (const char* const line : {"ZUNION 1 z WEIGHTS", "ZUNION 1 z WEIGHTS 1 2", "ZUNION 1 z AGGREGATE",
                                 "ZUNION 1 z AGGREGATE avg", "ZDIFF 1 z WEIGHTS 1", "ZDIFF 1 z AGGREGATE MAX",
                                 "ZUNIONSTORE d 1 z WITHSCORES", "ZINTERCARD 1 z WITHSCORES",
                                 "ZINTERCARD 1 z WEIGHTS 1", "ZUNION 1 z LIMIT 1", "ZINTERCARD 1 z LIMIT"}) {
    EXPECT_EQ(client(line), syntax) << line;
  }
  EXPECT_EQ(client("ZUNION 1 z WEIGHTS x"), "(error) ERR weight value is not a float");
  EXPECT_EQ(client("ZUNION 1 z WEIGHTS nan"), "(error) ERR weight value is not a float");
  EXPECT_EQ(client("ZINTERCARD 1 z LIMIT -1"), "(error) ERR LIMIT can't be negative");
  client("ZADD z 2 b 3 c");
  EXPECT_EQ(client("ZINTERCARD 1 z LIMIT 2"), "(integer) 2");
  EXPECT_EQ(client("ZINTERCARD 1 z LIMIT 0"), "(integer) 3");
}

TEST(Zrangestore, StoresWhatZrangeShows) {
  TestClient client;
  client("ZADD z 1 a 2 b 3 c");
  EXPECT_EQ(client("ZRANGESTORE d z 0 1 REV"), "(integer) 2");
  EXPECT_EQ(client("ZRANGE d 0 -1 WITHSCORES"), "[\"b\", \"2\", \"c\", \"3\"]");
  EXPECT_EQ(client("ZRANGESTORE d z (1 +inf BYSCORE LIMIT 1 5"), "(integer) 1");
  EXPECT_EQ(client("ZRANGE d 0 -1"), "[\"c\"]");
  EXPECT_EQ(client("ZRANGESTORE d z - (b BYLEX"), "(integer) 1");
  EXPECT_EQ(client("ZRANGESTORE z z 0 0"), "(integer) 1") << "the target may be the source";
  EXPECT_EQ(client("ZCARD z"), "(integer) 1");
}

TEST(Zrangestore, IsReplicatedAsItStandsIfItChangedSomething) {
  TestClient client;
  client("ZADD z 1 a 2 b");
  client("SET d text");
  EXPECT_EQ(client.effects_of("ZRANGESTORE d z 0 0"), "ZRANGESTORE d z 0 0");
  EXPECT_EQ(client.effects_of("ZRANGESTORE d none 0 0"), "ZRANGESTORE d none 0 0");
  EXPECT_EQ(client.effects_of("ZRANGESTORE d none 0 0"), "");
}

TEST(Zrangestore, RefusesScoresAndWhatZrangeRefuses) {
  TestClient client;
  client("SET k v");
  EXPECT_EQ(client("ZRANGESTORE d k 0 1 WITHSCORES"), syntax);
  EXPECT_EQ(client("ZRANGESTORE d k a b BYSCORE"), "(error) ERR min or max is not a float");
  EXPECT_EQ(client("ZRANGESTORE d k 0 1"), wrong_type);
}

TEST(Zrangestore, OnlyTheFirstEntriesOfALargeResultLoseTheSignOfZero) {
  TestClient client;
  client.execute({"ZADD", "z", "0", long_member});
  for (int i = 100; i < 229; ++i) client("ZADD z -0 m" + std::to_string(i));
  client("ZREM z " + long_member);
  client("ZRANGESTORE d z -inf inf BYSCORE");
  EXPECT_EQ(client("ZMSCORE d m100 m227 m228"), "[\"0\", \"0\", \"-0\"]");
  client("ZRANGESTORE d z 0 -1");
  EXPECT_EQ(client("ZMSCORE d m100 m227 m228"), "[\"-0\", \"-0\", \"-0\"]")
      << "by rank their number is known";
}

}  // namespace
}  // namespace lockstep::redis
