#include <string>

#include <gtest/gtest.h>
#include "model/redis/testing/test_client.h"

namespace lockstep::redis {
namespace {

using testing::TestClient;

const char* const not_a_number = "(error) ERR One or more scores can't be converted into double";

TEST(Sort, ComparesNumbersUnlessAskedForText) {
  TestClient client;
  client("RPUSH l 10 9 1.5 -1");
  EXPECT_EQ(client("SORT l"), "[\"-1\", \"1.5\", \"9\", \"10\"]");
  EXPECT_EQ(client("SORT l DESC LIMIT 1 2"), "[\"9\", \"1.5\"]");
  EXPECT_EQ(client("SORT l ALPHA"), "[\"-1\", \"1.5\", \"10\", \"9\"]");
  client("RPUSH l text");
  EXPECT_EQ(client("SORT l"), not_a_number);
  EXPECT_EQ(client("SORT_RO l ALPHA LIMIT 4 9"), "[\"text\"]");
}

TEST(Sort, WeighsByStringsAndFieldsAndFetchesThem) {
  TestClient client;
  client("SADD s a b c");
  client("MSET weight:a 3 weight:b 1");
  client("HSET of:a name A");
  EXPECT_EQ(client("SORT s BY weight:*"), "[\"c\", \"b\", \"a\"]") << "no weight is 0";
  EXPECT_EQ(client("SORT s BY weight:* GET # GET of:*->name LIMIT 1 2"), "[\"b\", (nil), \"a\", \"A\"]");
  EXPECT_EQ(client("SORT s BY weight:* GET fixed"), "[(nil), (nil), (nil)]") << "a pattern needs its star";
  client("SET weight:c text");
  EXPECT_EQ(client("SORT s BY weight:*"), not_a_number);
  EXPECT_EQ(client("SORT s ALPHA BY weight:* DESC"), "[\"c\", \"a\", \"b\"]");
}

TEST(Sort, ByAPatternWithoutStarKeepsTheOrder) {
  TestClient client;
  client("RPUSH l b c a");
  EXPECT_EQ(client("SORT l BY nosort"), "[\"b\", \"c\", \"a\"]");
  EXPECT_EQ(client("SORT l BY nosort DESC LIMIT 0 2"), "[\"a\", \"c\"]");
  EXPECT_EQ(client("SORT l BY nosort BY x* LIMIT 0 1"), "[\"b\"]") << "once given up, order stays given up";
}

TEST(Sort, ASetIsSortedAllTheSameWhenItIsStored) {
  TestClient client;
  client("SADD s text b 10");
  EXPECT_EQ(client.effects_of("SORT s BY nosort STORE l"), "SORT s BY nosort STORE l");
  EXPECT_EQ(client("LRANGE l 0 -1"), "[\"10\", \"b\", \"text\"]");
}

TEST(Sort, APartOfManyEqualItemsLiesAsThePartialQuicksortLeavesIt) {
  TestClient client;
  client("RPUSH l a b c d e f g h i j");
  EXPECT_EQ(client("SORT l ALPHA BY w*"),
            "[\"a\", \"b\", \"c\", \"d\", \"e\", \"f\", \"g\", \"h\", \"i\", \"j\"]");
  EXPECT_EQ(client("SORT l ALPHA BY w* LIMIT 0 4"), "[\"j\", \"b\", \"c\", \"d\"]");
}

TEST(Sort, APartOfAHundredItemsIsWhatAServerAnswered) {
  TestClient client;  // redis-server 7.0.15 was asked the same
  for (int i = 0; i < 100; ++i) {
    client("RPUSH l " + std::to_string(i));
    if (i % 2 == 0) client("SET w" + std::to_string(i) + " " + std::to_string(i * 7 % 5));
  }
  EXPECT_EQ(client("SORT l ALPHA BY w* LIMIT 45 20"),
            "[\"79\", \"43\", \"77\", \"45\", \"75\", \"40\", \"20\", \"50\", \"80\", \"30\", "
            "\"60\", \"90\", \"0\", \"70\", \"10\", \"38\", \"8\", \"18\", \"28\", \"48\"]");
  EXPECT_EQ(client("SORT l ALPHA BY w* DESC LIMIT 10 20"),
            "[\"54\", \"24\", \"74\", \"14\", \"44\", \"64\", \"34\", \"4\", \"94\", \"84\", "
            "\"96\", \"76\", \"36\", \"56\", \"6\", \"86\", \"16\", \"66\", \"26\", \"46\"]");
}

TEST(Sort, AScriptSeesASetInOrder) {
  TestClient client;
  client("SADD s text b 10");
  EXPECT_EQ(testing::render(client.eval("return redis.call('SORT', KEYS[1], 'BY', 'nosort')", {"s"}, {})),
            "[\"10\", \"b\", \"text\"]");
}

TEST(Sort, ADeadTargetGoesByTheSortIfNothingIsStoredAndByADelOtherwise) {
  TestClient client(Role::master, Expiry::lazy);
  client("SET target v PX 10");
  client.pass(11);
  EXPECT_EQ(client.effects_of("SORT none STORE target"), "SORT none STORE target");
  client("RPUSH l 1");
  client("SET target v PX 10");
  client.pass(11);
  EXPECT_EQ(client.effects_of("SORT l STORE target"), "DEL target; SORT l STORE target");
}

TEST(Sort, StoringNothingRemovesTheTarget) {
  TestClient client;
  client("SET l v");
  EXPECT_EQ(client("SORT none STORE l"), "(integer) 0");
  EXPECT_EQ(client("EXISTS l"), "(integer) 0");
  EXPECT_EQ(client.effects_of("SORT none STORE l"), "");
  client("RPUSH l b a");
  client("PEXPIRE l 100");
  EXPECT_EQ(client("SORT l ALPHA GET nosuch* STORE l"), "(integer) 2");
  EXPECT_EQ(client("LRANGE l 0 -1"), "[\"\", \"\"]");
  EXPECT_EQ(client("PTTL l"), "(integer) -1");
}

TEST(Sort, RefusesWhatItDoesNotKnowBeforeTheWrongType) {
  TestClient client;
  client("SET k v");
  EXPECT_EQ(client("SORT k"), "(error) WRONGTYPE Operation against a key holding the wrong kind of value");
  EXPECT_EQ(client("SORT k LIMIT 1"), "(error) ERR syntax error");
  EXPECT_EQ(client("SORT k LIMIT x 1"), "(error) ERR value is not an integer or out of range");
  EXPECT_EQ(client("SORT_RO k STORE l"), "(error) ERR syntax error");
  EXPECT_EQ(client("SORT none"), "[]");
}

// Redis sorts a sorted set out of its skip list, and never makes it small again.
TEST(Sort, LeavesASortedSetInItsLargeForm) {
  TestClient client;
  client("ZADD z 1 a");
  EXPECT_EQ(client("OBJECT ENCODING z"), "\"listpack\"");
  client("SORT_RO z ALPHA");
  EXPECT_EQ(client("OBJECT ENCODING z"), "\"skiplist\"");
}

}  // namespace
}  // namespace lockstep::redis
