#include <string>

#include <gtest/gtest.h>
#include "model/redis/testing/test_client.h"

namespace lockstep::redis {
namespace {

using testing::TestClient;

const char* const too_long = "(error) ERR string exceeds maximum allowed size (proto-max-bulk-len)";

TEST(Getrange, CountsFromTheEndWhenNegativeAndClamps) {
  TestClient client;
  client("SET k 'This is a string'");
  EXPECT_EQ(client("GETRANGE k 0 3"), "\"This\"");
  EXPECT_EQ(client("GETRANGE k -3 -1"), "\"ing\"");
  EXPECT_EQ(client("SUBSTR k 10 100"), "\"string\"");
  EXPECT_EQ(client("GETRANGE k -1 -3"), "\"\"");
  EXPECT_EQ(client("GETRANGE k 100 200"), "\"\"");
  EXPECT_EQ(client("GETRANGE none 0 -1"), "\"\"");
}

TEST(Getrange, AnEndFarBeforeTheStringIsItsFirstByte) {
  TestClient client;
  client("SET k abc");
  EXPECT_EQ(client("GETRANGE k 0 -100"), "\"a\"");
  EXPECT_EQ(client("GETRANGE k -100 -200"), "\"\"");
}

TEST(Setrange, FillsTheGapWithZerosAndKeepsTheTimeToLive) {
  TestClient client;
  client("SET k abc PX 100");
  EXPECT_EQ(client("SETRANGE k 1 XY"), "(integer) 3");
  EXPECT_EQ(client("GET k"), "\"aXY\"");
  EXPECT_EQ(client("SETRANGE k 5 z"), "(integer) 6");
  EXPECT_EQ(client.execute({"GET", "k"}).reply, Reply(std::string("aXY\0\0z", 6)));
  EXPECT_EQ(client("PTTL k"), "(integer) 100");
}

TEST(Setrange, OfNothingMakesNoKeyAndReplicatesNothing) {
  TestClient client;
  EXPECT_EQ(client.effects_of("SETRANGE k 10 ''"), "");
  EXPECT_EQ(client("EXISTS k"), "(integer) 0");
  EXPECT_EQ(client("SETRANGE k 536870912 ''"), "(integer) 0") << "the size is not even looked at";
}

TEST(Setrange, RefusesAStringOfMoreThan512Mebibytes) {
  TestClient client;
  EXPECT_EQ(client("SETRANGE k 536870912 x"), too_long);
  EXPECT_EQ(client("SETRANGE k 9223372036854775807 x"), too_long);
  EXPECT_EQ(client("SETRANGE k -1 x"), "(error) ERR offset is out of range");
  EXPECT_EQ(client("EXISTS k"), "(integer) 0");
}

TEST(Lcs, AnswersTheSubsequenceItsLengthOrItsPlaces) {
  TestClient client;
  client("MSET a ohmytext b mynewtext");
  EXPECT_EQ(client("LCS a b"), "\"mytext\"");
  EXPECT_EQ(client("LCS a b LEN"), "(integer) 6");
  const std::string text = "[[(integer) 4, (integer) 7], [(integer) 5, (integer) 8]";
  const std::string my = "[[(integer) 2, (integer) 3], [(integer) 0, (integer) 1]";
  EXPECT_EQ(client("LCS a b IDX"), "[\"matches\", [" + text + "], " + my + "]], \"len\", (integer) 6]");
  EXPECT_EQ(client("LCS a b IDX MINMATCHLEN 4 WITHMATCHLEN"),
            "[\"matches\", [" + text + ", (integer) 4]], \"len\", (integer) 6]");
}

TEST(Lcs, AMissingKeyIsAnEmptyStringAndAnotherTypeHasAnErrorOfItsOwn) {
  TestClient client;
  client("SET a text");
  EXPECT_EQ(client("LCS a none"), "\"\"");
  EXPECT_EQ(client("LCS a none IDX"), "[\"matches\", [], \"len\", (integer) 0]");
  client("RPUSH l v");
  EXPECT_EQ(client("LCS a l bad"), "(error) ERR The specified keys must contain string values");
  EXPECT_EQ(client("LCS a a bad"), "(error) ERR syntax error");
  EXPECT_EQ(client("LCS a a IDX LEN"),
            "(error) ERR If you want both the length and indexes, please just use IDX.");
}

TEST(Lcs, LooksBothKeysUpBeforeTheirTypes) {
  TestClient client(Role::master, Expiry::lazy);
  client("ZADD k1 1 a"), client("SET k2 v PX 1"), client.pass(2);
  EXPECT_EQ(client.effects_of("LCS k1 k2"), "DEL k2");
  EXPECT_EQ(client("DBSIZE"), "(integer) 1");
}

TEST(Lcs, RefusesATableOfMoreThan512Mebibytes) {
  TestClient client;
  client("SET a " + std::string(20'000, 'x'));
  client("SET b " + std::string(20'000, 'y'));
  EXPECT_EQ(client("LCS a b LEN"),
            "(error) ERR Insufficient memory, transient memory for LCS exceeds proto-max-bulk-len");
}

}  // namespace
}  // namespace lockstep::redis
