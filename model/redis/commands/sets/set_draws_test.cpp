#include <gtest/gtest.h>
#include "model/redis/testing/test_client.h"
#include "model/redis/testing/test_errors.h"

namespace lockstep::redis {
namespace {

using testing::TestClient;
using testing::not_integer;
using testing::wrong_type;

const char* const not_positive = "(error) ERR value is out of range, must be positive";
const char* const not_between =
    "(error) ERR value is out of range, value must between -9223372036854775807 and 9223372036854775807";

Set& set_at(TestClient& client, std::string_view key) {
  return std::get<Set>(client.node.db.find(key)->value);
}

TEST(Spop, WithoutChanceTakesTheFirst) {
  TestClient client;
  client("SADD s 3 1 2");
  EXPECT_EQ(client("SPOP s"), "\"1\"");
  EXPECT_EQ(client("SPOP s 1"), "[\"2\"]");
  EXPECT_EQ(client("SPOP s"), "\"3\"");
  EXPECT_EQ(client("SPOP s"), "(nil)");
  EXPECT_EQ(client("SPOP s 1"), "[]");
}

TEST(Spop, ChanceReachesEveryMember) {
  sim::Random chance(1);
  std::set<std::string> popped;
  for (int i = 0; i < 100; ++i) {
    TestClient client;
    client.chance = &chance;
    client("SADD s a b c d");
    popped.insert(client("SPOP s"));
  }
  EXPECT_EQ(popped, (std::set<std::string>{"\"a\"", "\"b\"", "\"c\"", "\"d\""}));
}

TEST(Spop, ReplicatesWhatWasRemovedAndNotThatItWasDrawn) {
  TestClient client;
  client("SADD s 1 2 3 4 5 6");
  EXPECT_EQ(client.effects_of("SPOP s"), "SREM s 1");
  EXPECT_EQ(client.effects_of("SPOP s 2"), "SREM s 2; SREM s 3");
  EXPECT_EQ(client.effects_of("SPOP s 0"), "");
  EXPECT_EQ(client.effects_of("SPOP s 3"), "DEL s") << "as many as there are";
  client("SADD s a");
  EXPECT_EQ(client.effects_of("SPOP s"), "SREM s a") << "without a count even the last one";
  EXPECT_EQ(client("EXISTS s"), "(integer) 0");
}

TEST(Spop, AllOfASetComesInTheOrderOfItsUnion) {
  TestClient client;
  client("SADD s 10 9 a");
  client("SREM s a");
  EXPECT_EQ(client("SMEMBERS s"), "[\"10\", \"9\"]");
  EXPECT_EQ(client("SPOP s 5"), "[\"9\", \"10\"]");
}

TEST(Spop, TheFewThatRemainMoveToANewSetWhichMayBeAnIntset) {
  TestClient client;
  client("SADD s 1 a b c d e");
  EXPECT_EQ(client("SPOP s 5"), "[\"a\", \"b\", \"c\", \"d\", \"e\"]");
  EXPECT_EQ(encoding(set_at(client, "s")), "intset");
  client("SADD t 1 a b c d");
  client("SPOP t 3");
  EXPECT_EQ(encoding(set_at(client, "t")), "hashtable") << "two of five are not few enough";
  client("SADD u a");
  client("SADD u 1 2 3 4 5");
  client("PEXPIRE u 1000");
  client("SPOP u 5");
  EXPECT_EQ(client("PTTL u"), "(integer) 1000") << "a pop keeps the time to live";
}

TEST(Spop, RefusesACountBeforeItLooksAtTheKey) {
  TestClient client;
  client("SET k v");
  EXPECT_EQ(client("SPOP k -1"), not_positive);
  EXPECT_EQ(client("SPOP k x"), not_positive);
  EXPECT_EQ(client("SPOP k 1 2"), "(error) ERR syntax error");
  EXPECT_EQ(client("SPOP k 0"), wrong_type);
  EXPECT_EQ(client("SPOP k"), wrong_type);
}

TEST(Srandmember, ShowsWithoutTaking) {
  TestClient client;
  client("SADD s a b c");
  EXPECT_EQ(client("SRANDMEMBER s"), "\"a\"");
  EXPECT_EQ(client("SRANDMEMBER s 2"), "[\"a\", \"b\"]");
  EXPECT_EQ(client("SRANDMEMBER s 9223372036854775807"), "[\"a\", \"b\", \"c\"]");
  EXPECT_EQ(client("SRANDMEMBER s -4"), "[\"a\", \"a\", \"a\", \"a\"]")
      << "a negative count draws each time anew";
  EXPECT_EQ(client("SRANDMEMBER s 0"), "[]");
  EXPECT_EQ(client.effects_of("SRANDMEMBER s"), "");
  EXPECT_EQ(client("SRANDMEMBER none"), "(nil)");
  EXPECT_EQ(client("SRANDMEMBER none -2"), "[]");
}

TEST(Srandmember, APositiveCountDrawsDifferentMembersAndMissesNone) {
  TestClient client;
  sim::Random chance(1);
  client.chance = &chance;
  client("SADD s a b c d e");
  std::set<std::string> pairs;
  for (int i = 0; i < 300; ++i) pairs.insert(client("SRANDMEMBER s 2"));
  EXPECT_EQ(pairs.size(), 10u) << "each pair of five, and none with the same member twice";
}

TEST(Srandmember, RefusesACountBeforeItLooksAtTheKey) {
  TestClient client;
  client("SET k v");
  EXPECT_EQ(client("SRANDMEMBER k x"), not_integer);
  EXPECT_EQ(client("SRANDMEMBER k 9223372036854775808"), not_integer);
  EXPECT_EQ(client("SRANDMEMBER k -9223372036854775808"), not_between);
  EXPECT_EQ(client("SRANDMEMBER k 1 2"), "(error) ERR syntax error");
  EXPECT_EQ(client("SRANDMEMBER k 0"), wrong_type);
}

}  // namespace
}  // namespace lockstep::redis
