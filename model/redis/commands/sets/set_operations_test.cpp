#include <gtest/gtest.h>
#include "model/redis/testing/test_client.h"
#include "model/redis/testing/test_errors.h"

namespace lockstep::redis {
namespace {

using testing::TestClient;
using testing::wrong_type;

std::string_view set_encoding(const TestClient& client, std::string_view key) {
  return encoding(std::get<Set>(client.node.db.find(key)->value));
}

TEST(SetOperations, ResultsOfIntegersAreAscending) {
  TestClient client;
  client("SADD s 10 9 1");
  client("SADD t 9 11 10");
  EXPECT_EQ(client("SINTER s t"), "[\"9\", \"10\"]");
  EXPECT_EQ(client("SUNION s none t"), "[\"1\", \"9\", \"10\", \"11\"]");
  EXPECT_EQ(client("SDIFF s t none"), "[\"1\"]");
  EXPECT_EQ(client("SDIFF s s"), "[]");
  EXPECT_EQ(client("SDIFF none s"), "[]");
  EXPECT_EQ(client("SINTER s none"), "[]");
}

TEST(SetOperations, AResultIsAnIntsetEvenIfItsSourcesAreNone) {
  TestClient client;
  client("SADD s 10 9 a");
  client("SREM s a");
  EXPECT_EQ(set_encoding(client, "s"), "hashtable");
  EXPECT_EQ(client("SUNION s"), "[\"9\", \"10\"]") << "its own order, not that of the hash table";
  EXPECT_EQ(client("SUNIONSTORE d s"), "(integer) 2");
  EXPECT_EQ(set_encoding(client, "d"), "intset");
  EXPECT_EQ(client("SINTERSTORE d s s"), "(integer) 2");
  EXPECT_EQ(set_encoding(client, "d"), "intset");
}

TEST(SetOperations, ADifferenceThatRemovesFromTheWholeFirstSetPassesThroughAHashTable) {
  TestClient client;
  client("SADD s 1 2 3 a b c");
  client("SADD t a b c");
  client("SADD u x");
  EXPECT_EQ(client("SDIFFSTORE d s t"), "(integer) 3");
  EXPECT_EQ(set_encoding(client, "d"), "intset") << "each member was looked up in the other set";
  client("SADD a a");
  client("SADD b b");
  client("SADD c c");
  EXPECT_EQ(client("SDIFFSTORE d s a b c u"), "(integer) 3");
  EXPECT_EQ(set_encoding(client, "d"), "hashtable") << "many small sets were removed one after the other";
  EXPECT_EQ(client("SMEMBERS d"), "[\"1\", \"2\", \"3\"]");
}

TEST(SetOperations, AUnionOfTooManyIntegersIsAHashTable) {
  TestClient client;
  Command large{"SADD", "s"};
  for (int i = 0; i < 512; ++i) large.push_back(std::to_string(i));
  client.execute(large);
  EXPECT_EQ(set_encoding(client, "s"), "intset");
  client("SADD t 1000");
  client("SUNIONSTORE d s t");
  EXPECT_EQ(set_encoding(client, "d"), "hashtable");
}

TEST(SetOperations, AStoredResultReplacesAnyValueAndItsTimeToLive) {
  TestClient client;
  client("SADD s a b");
  client("SET d text PX 1000");
  EXPECT_EQ(client.effects_of("SUNIONSTORE d s"), "SUNIONSTORE d s");
  EXPECT_EQ(client("SMEMBERS d"), "[\"a\", \"b\"]");
  EXPECT_EQ(client("PTTL d"), "(integer) -1");
  EXPECT_EQ(client("SDIFFSTORE s s none"), "(integer) 2") << "the target may be a source";
}

TEST(SetOperations, AnEmptyResultRemovesTheTargetAndIsReplicatedOnlyThen) {
  TestClient client;
  client("SADD s a");
  client("SET d text");
  EXPECT_EQ(client.effects_of("SINTERSTORE d s none"), "SINTERSTORE d s none");
  EXPECT_EQ(client("EXISTS d"), "(integer) 0");
  EXPECT_EQ(client.effects_of("SINTERSTORE d s none"), "");
  EXPECT_EQ(client.effects_of("SDIFFSTORE d s s"), "");
  EXPECT_EQ(client.effects_of("SDIFFSTORE s s s"), "SDIFFSTORE s s s");
}

TEST(SetOperations, ADeadTargetGoesByADelUnlessTheResultIsEmpty) {
  TestClient client(Role::master, Expiry::lazy);
  client("SADD s a");
  client("SET d text PX 10");
  client.pass(20);
  EXPECT_EQ(client.effects_of("SUNIONSTORE d s"), "DEL d; SUNIONSTORE d s");
  client("SET d text PX 10");
  client.pass(20);
  EXPECT_EQ(client.effects_of("SUNIONSTORE d none"), "SUNIONSTORE d none")
      << "nobody looks whether it is dead";
}

TEST(SetOperations, AWrongTypeIsNoticedEvenBehindAMissingKey) {
  TestClient client;
  client("SET k v");
  client("SADD s a");
  for (const char* const line : {"SINTER none k", "SUNION s k", "SDIFF none k", "SINTERSTORE d none k",
                                 "SUNIONSTORE d k", "SDIFFSTORE d s k", "SINTERCARD 2 none k"}) {
    EXPECT_EQ(client(line), wrong_type) << line;
  }
  EXPECT_EQ(client("EXISTS d"), "(integer) 0");
}

TEST(Sintercard, CountsUpToItsLimit) {
  TestClient client;
  client("SADD s a b c");
  client("SADD t a b c d");
  EXPECT_EQ(client("SINTERCARD 2 s t"), "(integer) 3");
  EXPECT_EQ(client("SINTERCARD 2 s t LIMIT 2"), "(integer) 2");
  EXPECT_EQ(client("SINTERCARD 2 s t limit 2 LIMIT 0"), "(integer) 3")
      << "the last one counts, and 0 is none";
  EXPECT_EQ(client("SINTERCARD 2 s none"), "(integer) 0");
}

TEST(Sintercard, RefusesWithTextsOfItsOwn) {
  TestClient client;
  client("SET k v");
  for (const char* const line : {"SINTERCARD 0 k", "SINTERCARD -1 k", "SINTERCARD x k"})
    EXPECT_EQ(client(line), "(error) ERR numkeys should be greater than 0") << line;
  EXPECT_EQ(client("SINTERCARD 2 k"), "(error) ERR Number of keys can't be greater than number of args");
  EXPECT_EQ(client("SINTERCARD 1 k LIMIT -1"), "(error) ERR LIMIT can't be negative");
  EXPECT_EQ(client("SINTERCARD 1 k LIMIT x"), "(error) ERR LIMIT can't be negative");
  EXPECT_EQ(client("SINTERCARD 1 k LIMIT"), "(error) ERR syntax error");
  EXPECT_EQ(client("SINTERCARD 1 k BAD 1"), "(error) ERR syntax error");
}

}  // namespace
}  // namespace lockstep::redis
