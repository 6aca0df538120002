#include <gtest/gtest.h>
#include "model/redis/testing/test_client.h"
#include "model/redis/testing/test_errors.h"

namespace lockstep::redis {
namespace {

using testing::TestClient;
using testing::not_integer;
using testing::wrong_type;

TEST(Set, PlainSetDropsTheTimeToLiveAndKeepttlKeepsIt) {
  TestClient client;
  client("SET k v PX 100");
  EXPECT_EQ(client("SET k w KEEPTTL"), "OK");
  EXPECT_EQ(client("PTTL k"), "(integer) 100");
  EXPECT_EQ(client("SET k x"), "OK");
  EXPECT_EQ(client("PTTL k"), "(integer) -1");
}

TEST(Set, NxAndXxAnswerNilWhenTheyDoNothing) {
  TestClient client;
  EXPECT_EQ(client("SET k v XX"), "(nil)");
  EXPECT_EQ(client("SET k v NX PX 100"), "OK");
  EXPECT_EQ(client("SET k w NX"), "(nil)");
  EXPECT_EQ(client.effects_of("SET k w NX"), "");
  EXPECT_EQ(client("GET k"), "\"v\"");
}

TEST(Set, GetAnswersTheOldValueWhetherOrNotItWasReplaced) {
  TestClient client;
  EXPECT_EQ(client("SET k v GET"), "(nil)");
  EXPECT_EQ(client("SET k w NX GET"), "\"v\"");
  EXPECT_EQ(client("SET k x GET"), "\"v\"");
  client("RPUSH l i");
  EXPECT_EQ(client("SET l v GET"), wrong_type);
  EXPECT_EQ(client("SET l v"), "OK");
}

TEST(Set, ReplicatesAnyTimeAsPxatWithoutOtherOptions) {
  TestClient client;
  EXPECT_EQ(client.effects_of("set k v px 100 nx"), "SET k v PXAT @100");
  EXPECT_EQ(client.effects_of("SET k v EX 1 GET"), "SET k v PXAT @1000");
  EXPECT_EQ(client.effects_of("SET k v XX PXAT 1700000000500"), "SET k v PXAT @500");
  EXPECT_EQ(client.effects_of("set k v xx get"), "set k v xx");
  EXPECT_EQ(client.effects_of("SET k v KEEPTTL"), "SET k v KEEPTTL");
  EXPECT_EQ(client.effects_of("SETEX k 3 v"), "SET k v PXAT @3000");
  EXPECT_EQ(client.effects_of("PSETEX k 3 v"), "SET k v PXAT @3");
}

TEST(Set, TheSameTimeOptionTwiceIsAcceptedAndTwoKindsAreNot) {
  TestClient client;
  EXPECT_EQ(client("SET k v PX 100 PX 200"), "OK");
  EXPECT_EQ(client("PTTL k"), "(integer) 200");
  for (const char* const line : {"SET k v PX 100 EX 1", "SET k v NX XX", "SET k v PX", "SET k v KEEPTTL PX 5",
                                 "SET k v bad", "SET k v PERSIST"}) {
    EXPECT_EQ(client(line), "(error) ERR syntax error") << line;
  }
}

TEST(Set, ATimeThatIsNotPositiveIsRefusedUnderTheCommandsOwnName) {
  TestClient client;
  EXPECT_EQ(client("SET k v PX 0"), "(error) ERR invalid expire time in 'set' command");
  EXPECT_EQ(client("SET k v EX 9223372036854776"), "(error) ERR invalid expire time in 'set' command");
  EXPECT_EQ(client("SETEX k -1 v"), "(error) ERR invalid expire time in 'setex' command");
  EXPECT_EQ(client("PSETEX k 9223372036854775807 v"), "(error) ERR invalid expire time in 'psetex' command");
  EXPECT_EQ(client("SET k v PX abc"), not_integer);
}

TEST(Set, ADeadlineInThePastStoresAKeyThatIsDeadAlready) {
  TestClient client;
  EXPECT_EQ(client("SET k v PXAT 1"), "OK");
  EXPECT_EQ(client("DBSIZE"), "(integer) 1");
  EXPECT_EQ(client.effects_of("GET k"), "DEL k");
  EXPECT_EQ(client("DBSIZE"), "(integer) 0");
}

TEST(Getex, ChangesOnlyTheTimeToLiveAndReplicatesOnlyThat) {
  TestClient client;
  client("SET k v");
  EXPECT_EQ(client.effects_of("GETEX k"), "");
  EXPECT_EQ(client.effects_of("GETEX k PX 100"), "PEXPIREAT k @100");
  EXPECT_EQ(client("GETEX k PERSIST"), "\"v\"");
  EXPECT_EQ(client("PTTL k"), "(integer) -1");
  EXPECT_EQ(client.effects_of("GETEX k PERSIST"), "");
  EXPECT_EQ(client.effects_of("GETEX k PXAT 1"), "DEL k");
  EXPECT_EQ(client("GETEX k EX 0"), "(nil)") << "a missing key is answered before the time is read";
  EXPECT_EQ(client("GETEX k KEEPTTL"), "(error) ERR syntax error");
}

TEST(Strings, GetsetReplicatesAsSetAndGetdelAsDel) {
  TestClient client;
  EXPECT_EQ(client("GETSET k v"), "(nil)");
  EXPECT_EQ(client.effects_of("GETSET k w"), "SET k w");
  EXPECT_EQ(client.effects_of("GETDEL k"), "DEL k");
  EXPECT_EQ(client("GETDEL k"), "(nil)");
  EXPECT_EQ(client.effects_of("GETDEL k"), "");
}

TEST(Strings, SetnxAnswersOneOrZeroAndReplicatesOnlySuccess) {
  TestClient client;
  EXPECT_EQ(client.effects_of("SETNX k v"), "SETNX k v");
  EXPECT_EQ(client("SETNX k w"), "(integer) 0");
  EXPECT_EQ(client.effects_of("SETNX k w"), "");
}

TEST(Strings, MgetReadsOtherTypesAsNil) {
  TestClient client;
  client("MSET a 1 b 2");
  client("RPUSH l i");
  EXPECT_EQ(client("MGET a l none b"), "[\"1\", (nil), (nil), \"2\"]");
  EXPECT_EQ(client("MSET a 1 b"), "(error) ERR wrong number of arguments for 'mset' command");
  EXPECT_EQ(client("MSETNX a 9 c 9"), "(integer) 0");
  EXPECT_EQ(client("EXISTS c"), "(integer) 0");
}

TEST(Strings, AppendKeepsTheTimeToLive) {
  TestClient client;
  client("SET k ab PX 100");
  EXPECT_EQ(client("APPEND k cd"), "(integer) 4");
  EXPECT_EQ(client("PTTL k"), "(integer) 100");
  EXPECT_EQ(client("STRLEN k"), "(integer) 4");
  EXPECT_EQ(client("STRLEN none"), "(integer) 0");
}

TEST(Counters, AnIntegerHasOnlyOneForm) {
  TestClient client;
  for (const char* const text :
       {"''", "01", "+1", "-0", "' 1'", "'1 '", "1.0", "9223372036854775808", "abc"}) {
    EXPECT_EQ(client("INCRBY k " + std::string(text)), not_integer) << text;
    client("SET s " + std::string(text));
    EXPECT_EQ(client("INCR s"), not_integer) << text;
  }
  EXPECT_EQ(client("INCRBY k -9223372036854775808"), "(integer) -9223372036854775808");
}

TEST(Counters, OverflowIsRefusedAndChangesNothing) {
  TestClient client;
  client("SET k 9223372036854775807");
  EXPECT_EQ(client("INCR k"), "(error) ERR increment or decrement would overflow");
  EXPECT_EQ(client("DECRBY k -9223372036854775808"), "(error) ERR decrement would overflow");
  EXPECT_EQ(client("GET k"), "\"9223372036854775807\"");
  client("HSET h f -9223372036854775808");
  EXPECT_EQ(client("HINCRBY h f -1"), "(error) ERR increment or decrement would overflow");
}

TEST(Counters, ABadIncrementIsNoticedBeforeAWrongType) {
  TestClient client;
  client("RPUSH l i");
  EXPECT_EQ(client("INCRBY l x"), not_integer);
  EXPECT_EQ(client("HINCRBY l f x"), not_integer);
  EXPECT_EQ(client("INCRBY l 1"), wrong_type);
  EXPECT_EQ(client("INCRBYFLOAT l x"), wrong_type) << "here the type comes first";
}

TEST(Counters, IncrbyfloatReplicatesItsResult) {
  TestClient client;
  EXPECT_EQ(client("INCRBYFLOAT k 3.0e3"), "\"3000\"");
  EXPECT_EQ(client.effects_of("INCRBYFLOAT k 0.1"), "SET k 3000.10000000000000009 KEEPTTL");
  EXPECT_EQ(client("INCRBYFLOAT k abc"), "(error) ERR value is not a valid float");
  EXPECT_EQ(client("INCRBYFLOAT k inf"), "(error) ERR increment would produce NaN or Infinity");
  EXPECT_EQ(client.effects_of("HINCRBYFLOAT h f 1.50"), "HSET h f 1.5");
  EXPECT_EQ(client("HINCRBYFLOAT h f inf"), "(error) ERR value is NaN or Infinity");
}

}  // namespace
}  // namespace lockstep::redis
