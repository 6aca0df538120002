#include <string>

#include <gtest/gtest.h>
#include "model/redis/testing/test_client.h"

namespace lockstep::redis {
namespace {

using testing::TestClient;

std::string encoding(TestClient& client, const std::string& key) { return client("OBJECT ENCODING " + key); }

TEST(Object, AStringThatLooksLikeAnIntegerIsKeptAsOne) {
  TestClient client;
  client("MSET i 9223372036854775807 j 9223372036854775808 k 007");
  EXPECT_EQ(encoding(client, "i"), "\"int\"");
  EXPECT_EQ(encoding(client, "j"), "\"embstr\"") << "it does not fit into 64 bits";
  EXPECT_EQ(encoding(client, "k"), "\"embstr\"");
  client("INCR n");
  EXPECT_EQ(encoding(client, "n"), "\"int\"");
}

TEST(Object, AStringOfMoreThan44BytesIsRaw) {
  TestClient client;
  client("SET short " + std::string(44, 'x'));
  client("SET long " + std::string(45, 'x'));
  EXPECT_EQ(encoding(client, "short"), "\"embstr\"");
  EXPECT_EQ(encoding(client, "long"), "\"raw\"");
}

TEST(Object, AStringThatWasChangedInPlaceStaysRawHoweverShort) {
  TestClient client;
  client("SET a 5");
  client("APPEND a ''");
  EXPECT_EQ(encoding(client, "a"), "\"raw\"");
  client("APPEND b 5");
  EXPECT_EQ(encoding(client, "b"), "\"int\"") << "APPEND to no key is a SET";
  client("SETRANGE c 0 5");
  EXPECT_EQ(encoding(client, "c"), "\"raw\"");
  client("SET d 5");
  client("SETRANGE d 0 ''");
  EXPECT_EQ(encoding(client, "d"), "\"int\"") << "nothing to write, nothing changed";
  client("SETBIT e 0 0");
  EXPECT_EQ(encoding(client, "e"), "\"raw\"");
  client("RENAME c f");
  EXPECT_EQ(encoding(client, "f"), "\"raw\"");
  client("SET f 5");
  EXPECT_EQ(encoding(client, "f"), "\"int\"");
}

TEST(Object, IncrbyfloatNeverLeavesAnInteger) {
  TestClient client;
  client("INCRBYFLOAT k 5");
  EXPECT_EQ(client("GET k"), "\"5\"");
  EXPECT_EQ(encoding(client, "k"), "\"embstr\"");
}

TEST(Object, SmallIntegersAreSharedByAllKeysButNotByACopy) {
  TestClient client;
  client("MSET k 9999 l 10000 m text");
  client("COPY k c");
  EXPECT_EQ(client("OBJECT REFCOUNT k"), "(integer) 2147483647");
  EXPECT_EQ(client("OBJECT REFCOUNT l"), "(integer) 1");
  EXPECT_EQ(client("OBJECT REFCOUNT m"), "(integer) 1");
  EXPECT_EQ(client("OBJECT REFCOUNT c"), "(integer) 1");
  EXPECT_EQ(encoding(client, "c"), "\"int\"");
}

TEST(Object, AggregatesAreCompactWhileTheyAreSmall) {
  TestClient client;
  client("RPUSH l v");
  client("HSET h f v");
  client("SADD s 1 2");
  client("ZADD z 1 m");
  EXPECT_EQ(encoding(client, "l"), "\"quicklist\"");
  EXPECT_EQ(encoding(client, "h"), "\"listpack\"");
  EXPECT_EQ(encoding(client, "s"), "\"intset\"");
  EXPECT_EQ(encoding(client, "z"), "\"listpack\"");
  client("HSET h g " + std::string(65, 'x'));
  client("SADD s text");
  client("ZADD z 1 " + std::string(65, 'x'));
  EXPECT_EQ(encoding(client, "h"), "\"hashtable\"");
  EXPECT_EQ(encoding(client, "s"), "\"hashtable\"");
  EXPECT_EQ(encoding(client, "z"), "\"skiplist\"");
}

TEST(Object, AMissingKeyIsNilAndFrequenciesAreNotKept) {
  TestClient client;
  for (const char* const line :
       {"OBJECT ENCODING k", "OBJECT REFCOUNT k", "OBJECT IDLETIME k", "OBJECT FREQ k"})
    EXPECT_EQ(client(line), "(nil)") << line;
  client("SET k v");
  EXPECT_EQ(
      client("OBJECT FREQ k"),
      "(error) ERR An LFU maxmemory policy is not selected, access frequency not tracked. Please note "
      "that when switching between policies at runtime LRU and LFU data will take some time to adjust.");
  EXPECT_EQ(client("OBJECT ENCODING"), "(error) ERR wrong number of arguments for 'object|encoding' command");
  EXPECT_EQ(client("OBJECT nosuch k"), "(error) ERR unknown subcommand 'nosuch'. Try OBJECT HELP.");
}

TEST(Object, EveryKeyIsAsOftenUsedAsANewOneWhereUsesAreCounted) {
  TestClient client;
  client("SET k v");
  client("CONFIG SET maxmemory-policy allkeys-lfu");
  EXPECT_EQ(client("OBJECT FREQ k"), "(integer) 5");
  EXPECT_TRUE(client("OBJECT IDLETIME k").starts_with("(error) ERR An LFU maxmemory policy is selected"));
  EXPECT_EQ(client("OBJECT IDLETIME nosuch"), "(nil)");
}

// The numbers are a redis-server's.
TEST(Memory, AStringTakesWhatItsAllocatorGives) {
  TestClient client;
  client("SET a 1"), client("SET b hello"), client("SET c 1.2345678901234568e+17");
  client("SET d " + std::string(44, 'x')), client("SET e " + std::string(45, 'x'));
  client("SET " + std::string(40, 'k') + " 1");
  EXPECT_EQ(client("MEMORY USAGE a"), "(integer) 48");
  EXPECT_EQ(client("MEMORY USAGE b"), "(integer) 64");
  EXPECT_EQ(client("MEMORY USAGE c"), "(integer) 80");
  EXPECT_EQ(client("MEMORY USAGE d"), "(integer) 96");
  EXPECT_EQ(client("MEMORY USAGE e"), "(integer) 112");
  EXPECT_EQ(client("MEMORY USAGE " + std::string(40, 'k')), "(integer) 88");
}

TEST(Object, NoKeyIsEverIdle) {
  TestClient client;
  client("SET k v");
  client.pass(60'000);
  EXPECT_EQ(client("OBJECT IDLETIME k"), "(integer) 0");
}

}  // namespace
}  // namespace lockstep::redis
