#include <gtest/gtest.h>
#include "model/redis/testing/test_client.h"
#include "model/redis/testing/test_errors.h"

namespace lockstep::redis {
namespace {

using testing::TestClient;
using testing::not_integer;
using testing::syntax;
using testing::wrong_type;

TEST(Zmpop, TakesFromTheFirstKeyThatHasSomething) {
  TestClient client;
  client("ZADD z 1 a 2 b 3 c");
  EXPECT_EQ(client("ZMPOP 2 none z MIN"), "[\"z\", [[\"a\", \"1\"]]]");
  EXPECT_EQ(client("ZMPOP 1 z max COUNT 9"), "[\"z\", [[\"c\", \"3\"], [\"b\", \"2\"]]]");
  EXPECT_EQ(client("ZMPOP 1 z MAX"), "(nil array)");
  EXPECT_EQ(client("EXISTS z"), "(integer) 0");
}

TEST(Zmpop, IsReplicatedAsAPopOfWhatWasThere) {
  TestClient client;
  client("ZADD z 1 a 2 b 3 c");
  EXPECT_EQ(client.effects_of("ZMPOP 2 none z MIN COUNT 2"), "ZPOPMIN z 2");
  EXPECT_EQ(client.effects_of("ZMPOP 1 z MAX COUNT 20"), "ZPOPMAX z 1");
  EXPECT_EQ(client.effects_of("ZMPOP 1 z MAX"), "");
}

TEST(Zmpop, ADeadKeyOnTheWayGoes) {
  TestClient client(Role::master, Expiry::lazy);
  client("ZADD d 1 a");
  client("PEXPIRE d 10");
  client("ZADD z 1 a");
  client.pass(20);
  EXPECT_EQ(client.effects_of("ZMPOP 2 d z MIN"), "DEL d; ZPOPMIN z 1");
}

TEST(Zmpop, RefusesWithTextsOfItsOwn) {
  TestClient client;
  client("SET k v");
  for (const char* const line : {"ZMPOP 0 k MIN", "ZMPOP x k MIN", "ZMPOP -1 k MIN"})
    EXPECT_EQ(client(line), "(error) ERR numkeys should be greater than 0") << line;
  for (const char* const line :
       {"ZMPOP 1 k MIN COUNT 0", "ZMPOP 1 k MIN COUNT x", "ZMPOP 1 k MIN COUNT 0 BAD"})
    EXPECT_EQ(client(line), "(error) ERR count should be greater than 0") << line;
  for (const char* const line : {"ZMPOP 2 k MIN", "ZMPOP 1 k BAD", "ZMPOP 1 k MIN COUNT", "ZMPOP 1 k MIN BAD",
                                 "ZMPOP 1 k MIN COUNT 1 COUNT 2", "ZMPOP 9223372036854775807 k MIN"})
    EXPECT_EQ(client(line), syntax) << line;
  EXPECT_EQ(client("ZMPOP 2 none k MIN"), wrong_type);
}

TEST(Zrandmember, ShowsWithoutTaking) {
  TestClient client;
  client("ZADD z 1 a 2 b 3 c");
  EXPECT_EQ(client("ZRANDMEMBER z"), "\"a\"");
  EXPECT_EQ(client("ZRANDMEMBER z 2 WITHSCORES"), "[\"a\", \"1\", \"b\", \"2\"]");
  EXPECT_EQ(client("ZRANDMEMBER z -2"), "[\"a\", \"a\"]");
  EXPECT_EQ(client("ZRANDMEMBER z 0"), "[]");
  EXPECT_EQ(client("ZRANDMEMBER none"), "(nil)");
  EXPECT_EQ(client("ZRANDMEMBER none -2 WITHSCORES"), "[]");
}

TEST(Zrandmember, AllOfASortedSetComeFromTheHighestToTheLowest) {
  TestClient client;
  client("ZADD z 1 a 2 b 3 c");
  EXPECT_EQ(client("ZRANDMEMBER z 3"), "[\"c\", \"b\", \"a\"]");
  EXPECT_EQ(client("ZRANDMEMBER z 9223372036854775807"), "[\"c\", \"b\", \"a\"]");
}

TEST(Zrandmember, RefusesACountBeforeItsOptionAndBeforeTheKey) {
  TestClient client;
  client("SET k v");
  EXPECT_EQ(client("ZRANDMEMBER k x BAD"), not_integer);
  EXPECT_EQ(client("ZRANDMEMBER k 9223372036854775807 BAD"), syntax);
  EXPECT_EQ(client("ZRANDMEMBER k 1 WITHSCORES BAD"), syntax);
  EXPECT_EQ(client("ZRANDMEMBER k 4611686018427387904 WITHSCORES"), "(error) ERR value is out of range");
  EXPECT_EQ(
      client("ZRANDMEMBER k -9223372036854775808"),
      "(error) ERR value is out of range, value must between -9223372036854775807 and 9223372036854775807");
  EXPECT_EQ(client("ZRANDMEMBER k 0"), wrong_type);
}

TEST(Zscan, AListpackShowsItsOwnNumbers) {
  TestClient client;
  client("ZADD z 1e17 a 5e18 b 0.1 c -0 d -4e18 e");
  EXPECT_EQ(client("ZSCAN z 9 COUNT 1"),
            "[\"0\", [\"e\", \"-4000000000000000000\", \"d\", \"0\", \"c\", \"0.10000000000000001\", "
            "\"a\", \"100000000000000000\", \"b\", \"5e+18\"]]");
  EXPECT_EQ(client("ZSCAN z 0 MATCH a"), "[\"0\", [\"a\", \"100000000000000000\"]]");
  EXPECT_EQ(client("ZSCORE z a"), "\"1e+17\"") << "which ZSCORE does not";
}

TEST(Zscan, ASkipListShowsScoresAsOtherCommandsDo) {
  TestClient client;
  client.execute({"ZADD", "z", "1e17", std::string(65, 'm')});
  EXPECT_EQ(client("ZSCAN z 0"), "[\"0\", [\"" + std::string(65, 'm') + "\", \"1e+17\"]]");
}

TEST(Zscan, RefusesWhatIsNoCursorBeforeItLooksAtTheKey) {
  TestClient client;
  client("SET k v");
  EXPECT_EQ(client("ZSCAN k x"), "(error) ERR invalid cursor");
  EXPECT_EQ(client("ZSCAN k 0 BAD"), wrong_type);
  EXPECT_EQ(client("ZSCAN none 0 BAD"), "[\"0\", []]");
}

}  // namespace
}  // namespace lockstep::redis
