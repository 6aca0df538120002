#include <gtest/gtest.h>
#include "model/redis/testing/test_client.h"
#include "model/redis/testing/test_errors.h"

namespace lockstep::redis {
namespace {

using testing::TestClient;
using testing::not_integer;
using testing::wrong_type;

TEST(Lists, PushesAddOneByOneAtTheirEnd) {
  TestClient client;
  EXPECT_EQ(client("LPUSH l a b"), "(integer) 2");
  EXPECT_EQ(client("RPUSH l c d"), "(integer) 4");
  EXPECT_EQ(client("LRANGE l 0 -1"), "[\"b\", \"a\", \"c\", \"d\"]");
  EXPECT_EQ(client("LPUSHX none a"), "(integer) 0");
  EXPECT_EQ(client("RPUSHX l e"), "(integer) 5");
}

TEST(Lists, PopsWithACountAnswerArraysAndANullArrayForAMissingKey) {
  TestClient client;
  client("RPUSH l a b c d");
  EXPECT_EQ(client("LPOP l"), "\"a\"");
  EXPECT_EQ(client("RPOP l 2"), "[\"d\", \"c\"]");
  EXPECT_EQ(client("LPOP l 0"), "[]");
  EXPECT_EQ(client("LPOP l 9"), "[\"b\"]");
  EXPECT_EQ(client("EXISTS l"), "(integer) 0");
  EXPECT_EQ(client("LPOP l"), "(nil)");
  EXPECT_EQ(client("LPOP l 1"), "(nil array)");
  EXPECT_EQ(client("LPOP l -1"), "(error) ERR value is out of range, must be positive");
  EXPECT_EQ(client("LPOP l x"), "(error) ERR value is out of range, must be positive");
  EXPECT_EQ(client("LPOP l 1 2"), "(error) ERR wrong number of arguments for 'lpop' command");
}

TEST(Lists, IndicesCountFromTheTailWhenNegative) {
  TestClient client;
  client("RPUSH l a b c");
  EXPECT_EQ(client("LINDEX l 0"), "\"a\"");
  EXPECT_EQ(client("LINDEX l -1"), "\"c\"");
  EXPECT_EQ(client("LINDEX l 3"), "(nil)");
  EXPECT_EQ(client("LINDEX none x"), "(nil)") << "a missing key is answered before the index is read";
  EXPECT_EQ(client("LINDEX l x"), not_integer);
  EXPECT_EQ(client("LRANGE l -100 1"), "[\"a\", \"b\"]");
  EXPECT_EQ(client("LRANGE l 2 1"), "[]");
}

TEST(Lists, LremRemovesFromTheTailForANegativeCount) {
  TestClient client;
  client("RPUSH l x a x b x");
  EXPECT_EQ(client("LREM l -2 x"), "(integer) 2");
  EXPECT_EQ(client("LRANGE l 0 -1"), "[\"x\", \"a\", \"b\"]");
  EXPECT_EQ(client("LREM l 1 b"), "(integer) 1");
  EXPECT_EQ(client.effects_of("LREM l 0 none"), "");
  EXPECT_EQ(client.effects_of("LREM l 0 x"), "LREM l 0 x");
}

TEST(Lists, LsetReplacesAnItem) {
  TestClient client;
  EXPECT_EQ(client("LSET l 0 v"), "(error) ERR no such key");
  client("RPUSH l a b");
  EXPECT_EQ(client("LSET l -1 z"), "OK");
  EXPECT_EQ(client("LSET l 2 z"), "(error) ERR index out of range");
  EXPECT_EQ(client("LRANGE l 0 -1"), "[\"a\", \"z\"]");
}

TEST(Lists, LtrimReplicatesOnlyWhenItRemoves) {
  TestClient client;
  client("RPUSH l a b c");
  EXPECT_EQ(client.effects_of("LTRIM l 0 -1"), "");
  EXPECT_EQ(client.effects_of("LTRIM l 1 1"), "LTRIM l 1 1");
  EXPECT_EQ(client("LRANGE l 0 -1"), "[\"b\"]");
  EXPECT_EQ(client("LTRIM l 5 9"), "OK");
  EXPECT_EQ(client("EXISTS l"), "(integer) 0");
}

TEST(Lists, LinsertPutsAnItemBesideThePivot) {
  TestClient client;
  client("RPUSH l a c");
  EXPECT_EQ(client("LINSERT l BEFORE c b"), "(integer) 3");
  EXPECT_EQ(client("LINSERT l after c d"), "(integer) 4");
  EXPECT_EQ(client("LRANGE l 0 -1"), "[\"a\", \"b\", \"c\", \"d\"]");
  EXPECT_EQ(client("LINSERT l BEFORE none x"), "(integer) -1");
  EXPECT_EQ(client("LINSERT none BEFORE a x"), "(integer) 0");
  EXPECT_EQ(client("LINSERT l beside a x"), "(error) ERR syntax error");
}

TEST(Lists, EveryCommandRefusesAnotherType) {
  TestClient client;
  client("SET s v");
  for (const char* const line :
       {"LPUSH s v", "RPUSH s v", "LPUSHX s v", "RPUSHX s v", "LPOP s", "RPOP s 1", "LLEN s", "LINDEX s 0",
        "LRANGE s 0 1", "LREM s 0 v", "LSET s 0 v", "LTRIM s 0 1", "LINSERT s BEFORE a b"}) {
    EXPECT_EQ(client(line), wrong_type) << line;
  }
}

}  // namespace
}  // namespace lockstep::redis
