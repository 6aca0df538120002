#include <string>

#include <gtest/gtest.h>
#include "model/redis/testing/test_client.h"
#include "model/redis/testing/test_errors.h"

namespace lockstep::redis {
namespace {

using testing::TestClient;
using testing::not_integer;

// ---- EXPIRE and its family ----------------------------------------------------------------------

TEST(Expire, ADeadlineThatIsNotInTheFutureRemovesTheKeyAndAnswersOne) {
  for (const char* const line :
       {"PEXPIRE k 0", "PEXPIRE k -1", "EXPIRE k -5", "PEXPIREAT k 1", "EXPIREAT k 0"}) {
    TestClient client;
    client("SET k v");
    EXPECT_EQ(client.effects_of(line), "DEL k") << line;
    EXPECT_EQ(client("EXISTS k"), "(integer) 0") << line;
    client("SET k v");
    EXPECT_EQ(client(line), "(integer) 1") << line;
    EXPECT_EQ(client(line), "(integer) 0") << line;
  }
}

TEST(Expire, ADeadlineOfThisVeryMomentIsNotInTheFuture) {
  TestClient client;
  client("SET k v");
  EXPECT_EQ(client("PEXPIREAT k 1700000000000"), "(integer) 1");
  EXPECT_EQ(client("EXISTS k"), "(integer) 0");
}

TEST(Expire, EveryFormReplicatesAsPexpireatWithTheTimeThatRemains) {
  TestClient client;
  client("SET k v");
  EXPECT_EQ(client.effects_of("pexpire k 100"), "PEXPIREAT k @100");
  EXPECT_EQ(client.effects_of("EXPIRE k 7"), "PEXPIREAT k @7000");
  EXPECT_EQ(client.effects_of("EXPIREAT k 1700000009"), "PEXPIREAT k @9000");
  EXPECT_EQ(client.effects_of("pexpireat k 1700000000500"), "pexpireat k @500");
  EXPECT_EQ(client.effects_of("PEXPIRE k 400 lt"), "PEXPIREAT k @400 lt");
}

TEST(Expire, ConditionsTakeAKeyWithoutTimeToLiveAsLivingForEver) {
  TestClient client;
  client("SET k v");
  EXPECT_EQ(client("PEXPIRE k 100 XX"), "(integer) 0");
  EXPECT_EQ(client("PEXPIRE k 100 GT"), "(integer) 0");
  EXPECT_EQ(client("PEXPIRE k 100 lt"), "(integer) 1");
  EXPECT_EQ(client("PEXPIRE k 200 NX"), "(integer) 0");
  EXPECT_EQ(client("PEXPIRE k 100 GT"), "(integer) 0");
  EXPECT_EQ(client("PEXPIRE k 101 XX GT"), "(integer) 1");
  EXPECT_EQ(client("PEXPIRE k -1 GT"), "(integer) 0");
  EXPECT_EQ(client("PTTL k"), "(integer) 101");
}

TEST(Expire, ImpossibleConditionsAreRefusedBeforeTheTimeIsRead) {
  TestClient client;
  EXPECT_EQ(client("EXPIRE k x NX GT"),
            "(error) ERR NX and XX, GT or LT options at the same time are not compatible");
  EXPECT_EQ(client("EXPIRE k x GT LT"), "(error) ERR GT and LT options at the same time are not compatible");
  EXPECT_EQ(client("EXPIRE k x FOO"), "(error) ERR Unsupported option FOO");
  EXPECT_EQ(client("EXPIRE k x"), not_integer);
}

TEST(Expire, ATimeThatDoesNotFitIsRefusedUnderTheCommandsOwnName) {
  TestClient client;
  client("SET k v");
  EXPECT_EQ(client("PEXPIRE k 9223372036854775807"), "(error) ERR invalid expire time in 'pexpire' command");
  EXPECT_EQ(client("EXPIRE k 9223372036854776"), "(error) ERR invalid expire time in 'expire' command");
  EXPECT_EQ(client("EXPIREAT k 9223372036854776"), "(error) ERR invalid expire time in 'expireat' command");
  EXPECT_EQ(client("PEXPIREAT k 9223372036854775807"), "(integer) 1");
  EXPECT_EQ(client("PEXPIRETIME k"), "(integer) 9223372036854775807");
  EXPECT_EQ(client("EXPIRETIME k"), "(integer) 9223372036854776");
}

TEST(Expire, OnlyAbsoluteTimesReadTheClock) {
  TestClient client;
  client("SET k v");
  for (const char* const line : {"PEXPIRE k 5000", "EXPIRE k 5", "PTTL k", "TTL k", "SET k v PX 5000",
                                 "SETEX k 5 v", "GETEX k EX 5", "PERSIST k", "EXPIRETIME none"}) {
    EXPECT_FALSE(client.execute(testing::words_of(line)).read_now) << line;
  }
  for (const char* const line :
       {"PEXPIREAT k 1700000009000", "EXPIREAT k 1700000009", "PEXPIRETIME k", "EXPIRETIME k",
        "SET k v PXAT 1700000009000", "SET k v EXAT 1700000009", "GETEX k PXAT 1700000009000", "TIME"}) {
    EXPECT_TRUE(client.execute(testing::words_of(line)).read_now) << line;
  }
}

// ---- TTL and its family -------------------------------------------------------------------------

TEST(TimeToLive, AMissingKeyIsMinusTwoAndOneWithoutTimeMinusOne) {
  TestClient client;
  client("SET k v");
  for (const char* const command : {"TTL", "PTTL", "EXPIRETIME", "PEXPIRETIME"}) {
    EXPECT_EQ(client(std::string(command) + " none"), "(integer) -2");
    EXPECT_EQ(client(std::string(command) + " k"), "(integer) -1");
  }
}

TEST(TimeToLive, SecondsAreRoundedHalfUp) {
  TestClient client;
  client("SET k v PX 500");
  EXPECT_EQ(client("TTL k"), "(integer) 1");
  client.pass(1);
  EXPECT_EQ(client("TTL k"), "(integer) 0");
  EXPECT_EQ(client("PTTL k"), "(integer) 499");
}

TEST(TimeToLive, PersistTakesTheTimeAwayOnce) {
  TestClient client;
  client("SET k v PX 500");
  EXPECT_EQ(client.effects_of("PERSIST k"), "PERSIST k");
  EXPECT_EQ(client("PERSIST k"), "(integer) 0");
  EXPECT_EQ(client.effects_of("PERSIST k"), "");
  EXPECT_EQ(client("PTTL k"), "(integer) -1");
}

TEST(TimeToLive, WritingIntoAContainerKeepsItAndAnEmptiedContainerTakesItAway) {
  TestClient client;
  client("HSET h f 1");
  client("PEXPIRE h 500");
  client("HINCRBY h f 1");
  EXPECT_EQ(client("PTTL h"), "(integer) 500");
  client("HDEL h f");
  client("HSET h f 1");
  EXPECT_EQ(client("PTTL h"), "(integer) -1");
}

}  // namespace
}  // namespace lockstep::redis
