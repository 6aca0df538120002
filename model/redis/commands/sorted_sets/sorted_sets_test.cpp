#include <gtest/gtest.h>
#include "model/redis/testing/test_client.h"
#include "model/redis/testing/test_errors.h"

namespace lockstep::redis {
namespace {

using testing::TestClient;
using testing::not_integer;
using testing::wrong_type;

TEST(Zadd, AnswersAddedChangedOrTheNewScore) {
  TestClient client;
  EXPECT_EQ(client("ZADD z 1 a 2 b"), "(integer) 2");
  EXPECT_EQ(client("ZADD z 5 a 3 c"), "(integer) 1");
  EXPECT_EQ(client("ZADD z CH 6 a 4 d"), "(integer) 2");
  EXPECT_EQ(client("ZADD z INCR 0.5 a"), "\"6.5\"");
  EXPECT_EQ(client("ZADD z NX INCR 1 a"), "(nil)");
  EXPECT_EQ(client("ZADD z XX 1 new"), "(integer) 0");
  EXPECT_EQ(client("ZADD none XX INCR 1 m"), "(nil)");
  EXPECT_EQ(client("EXISTS none"), "(integer) 0");
}

TEST(Zadd, GtAndLtMoveScoresOneWayAndStillAddMembers) {
  TestClient client;
  client("ZADD z 5 a");
  EXPECT_EQ(client("ZADD z GT CH 4 a 1 b"), "(integer) 1");
  EXPECT_EQ(client("ZSCORE z a"), "\"5\"");
  EXPECT_EQ(client("ZADD z LT CH 4 a"), "(integer) 1");
  EXPECT_EQ(client("ZADD z GT INCR -1 a"), "(nil)");
}

TEST(Zadd, ReplicatesOnlyWhatChangedSomething) {
  TestClient client;
  client("ZADD z 1 a");
  EXPECT_EQ(client.effects_of("ZADD z 1 a"), "");
  EXPECT_EQ(client.effects_of("ZINCRBY z 0 a"), "");
  EXPECT_EQ(client.effects_of("zadd z nx 2 a 3 b"), "zadd z nx 2 a 3 b");
}

TEST(Zadd, RefusesWhatDoesNotFitTogether) {
  TestClient client;
  client("SET s v");
  EXPECT_EQ(client("ZADD s NX XX 1 a"), "(error) ERR XX and NX options at the same time are not compatible");
  EXPECT_EQ(client("ZADD s NX GT 1 a"),
            "(error) ERR GT, LT, and/or NX options at the same time are not compatible");
  EXPECT_EQ(client("ZADD s INCR 1 a 2 b"),
            "(error) ERR INCR option supports a single increment-element pair");
  EXPECT_EQ(client("ZADD s 1 a 2"), "(error) ERR syntax error");
  EXPECT_EQ(client("ZADD s x a"), "(error) ERR value is not a valid float");
  EXPECT_EQ(client("ZADD s nan a"), "(error) ERR value is not a valid float");
  EXPECT_EQ(client("ZADD s 1 a"), wrong_type);
  client("ZADD z inf a");
  EXPECT_EQ(client("ZINCRBY z -inf a"), "(error) ERR resulting score is not a number (NaN)");
}

TEST(Zadd, ScoresArePrintedWithSeventeenDigits) {
  TestClient client;
  client("ZADD z 0.1 a 1700000000123 b 1e17 c -inf d 3.0 e -0 f");
  EXPECT_EQ(client("ZMSCORE z a b c d e f none"),
            "[\"0.10000000000000001\", \"1700000000123\", \"1e+17\", \"-inf\", \"3\", \"0\", (nil)]");
  EXPECT_EQ(client("ZADD other INCR -0 m"), "\"-0\"");
  EXPECT_EQ(client("ZSCORE other m"), "\"0\"") << "a stored zero has no sign";
}

TEST(SortedSets, MembersAreOrderedByScoreThenBytewise) {
  TestClient client;
  client("ZADD z 2 b 1 z 2 B 2 aa");
  EXPECT_EQ(client("ZRANGE z 0 -1"), "[\"z\", \"B\", \"aa\", \"b\"]");
  EXPECT_EQ(client("ZRANGE z 0 1 REV WITHSCORES"), "[\"b\", \"2\", \"aa\", \"2\"]");
  EXPECT_EQ(client("ZREVRANGE z 3 9"), "[\"z\"]");
  EXPECT_EQ(client("ZRANK z b"), "(integer) 3");
  EXPECT_EQ(client("ZREVRANK z b"), "(integer) 0");
  EXPECT_EQ(client("ZRANK z none"), "(nil)");
}

TEST(SortedSets, ScoreRangesTakeBoundsInAndOut) {
  TestClient client;
  client("ZADD z 1 a 2 b 3 c");
  EXPECT_EQ(client("ZRANGEBYSCORE z (1 +inf"), "[\"b\", \"c\"]");
  EXPECT_EQ(client("ZRANGE z 3 (1 BYSCORE REV LIMIT 1 5"), "[\"b\"]");
  EXPECT_EQ(client("ZRANGEBYSCORE z -inf inf LIMIT -1 5"), "[]");
  EXPECT_EQ(client("ZRANGEBYSCORE z -inf inf LIMIT 1 -1"), "[\"b\", \"c\"]");
  EXPECT_EQ(client("ZCOUNT z 1 (3"), "(integer) 2");
  EXPECT_EQ(client("ZCOUNT z x 3"), "(error) ERR min or max is not a float");
  EXPECT_EQ(client("ZCOUNT z '' ' 2'"), "(integer) 2")
      << "bounds are read leniently: nothing is 0, blanks are skipped";
}

TEST(SortedSets, LexicographicRangesCompareMembers) {
  TestClient client;
  client("ZADD z 0 a 0 b 0 c");
  EXPECT_EQ(client("ZRANGEBYLEX z [b +"), "[\"b\", \"c\"]");
  EXPECT_EQ(client("ZRANGE z (c - BYLEX REV"), "[\"b\", \"a\"]");
  EXPECT_EQ(client("ZLEXCOUNT z - (c"), "(integer) 2");
  EXPECT_EQ(client("ZRANGEBYLEX z b +"), "(error) ERR min or max not valid string range item");
}

TEST(SortedSets, ALexicographicRangeOverDifferentScoresLooksAtBothEndsFirst) {
  TestClient client;
  client("ZADD z 1 b 2 c 3 a");
  EXPECT_EQ(client("ZRANGEBYLEX z (a +"), "[]") << "the last entry is not above the minimum";
  EXPECT_EQ(client("ZRANGEBYLEX z - +"), "[\"b\", \"c\", \"a\"]");
}

TEST(SortedSets, NobodyLooksAtTheMembersThatALimitSkips) {
  TestClient client;
  client("ZADD z 1 b 2 x 3 a 4 c");
  EXPECT_EQ(client("ZRANGEBYLEX z - (d"), "[\"b\"]") << "x ends the range";
  EXPECT_EQ(client("ZRANGEBYLEX z - (d LIMIT 2 9"), "[\"a\", \"c\"]") << "unless it is skipped";
  EXPECT_EQ(client("ZREVRANGEBYLEX z + [b LIMIT 1 9"), "[]") << "from the other end a ends it";
  EXPECT_EQ(client("ZREVRANGEBYLEX z + [b LIMIT 2 9"), "[\"x\", \"b\"]");
}

TEST(SortedSets, RangeOptionsThatDoNotFitHaveTextsOfTheirOwn) {
  TestClient client;
  EXPECT_EQ(client("ZRANGE z 0 1 LIMIT 0 1"),
            "(error) ERR syntax error, LIMIT is only supported in combination with either BYSCORE or BYLEX");
  EXPECT_EQ(client("ZRANGE z - + BYLEX WITHSCORES"),
            "(error) ERR syntax error, WITHSCORES not supported in combination with BYLEX");
  EXPECT_EQ(client("ZRANGE z 0 1 BYSCORE BYLEX"), "(error) ERR syntax error");
  EXPECT_EQ(client("ZRANGEBYSCORE z 0 1 REV"), "(error) ERR syntax error");
  EXPECT_EQ(client("ZRANGE z 0 1 BYSCORE LIMIT x 1"), not_integer);
  EXPECT_EQ(client("ZRANGE z x 1"), not_integer);
}

TEST(SortedSets, RemovedStretchesAreReplicatedAsTheyStand) {
  TestClient client;
  client("ZADD z 1 a 2 b 3 c 4 d 5 e");
  EXPECT_EQ(client.effects_of("ZREMRANGEBYSCORE z 9 10"), "");
  EXPECT_EQ(client.effects_of("ZREMRANGEBYSCORE z -inf (2"), "ZREMRANGEBYSCORE z -inf (2");
  EXPECT_EQ(client("ZREMRANGEBYRANK z 0 0"), "(integer) 1");
  EXPECT_EQ(client("ZREM z c none"), "(integer) 1");
  EXPECT_EQ(client("ZREMRANGEBYSCORE z -inf +inf"), "(integer) 2");
  EXPECT_EQ(client("EXISTS z"), "(integer) 0");
}

TEST(SortedSets, PopsAnswerAFlatArray) {
  TestClient client;
  client("ZADD z 1 a 2 b 3 c");
  EXPECT_EQ(client("ZPOPMAX z"), "[\"c\", \"3\"]");
  EXPECT_EQ(client("ZPOPMIN z 0"), "[]");
  EXPECT_EQ(client("ZPOPMIN z 9"), "[\"a\", \"1\", \"b\", \"2\"]");
  EXPECT_EQ(client("ZPOPMIN z"), "[]");
  EXPECT_EQ(client("ZPOPMIN z -1"), "(error) ERR value is out of range, must be positive");
  EXPECT_EQ(client("ZPOPMIN z 1 2"), "(error) ERR syntax error");
}

TEST(SortedSets, EveryCommandRefusesAnotherType) {
  TestClient client;
  client("SET s v");
  for (const char* const line :
       {"ZADD s 1 m", "ZINCRBY s 1 m", "ZREM s m", "ZSCORE s m", "ZMSCORE s m", "ZCARD s", "ZCOUNT s 0 1",
        "ZLEXCOUNT s - +", "ZRANK s m", "ZRANGE s 0 1", "ZRANGEBYSCORE s 0 1", "ZREMRANGEBYSCORE s 0 1",
        "ZREMRANGEBYRANK s 0 1", "ZPOPMIN s"}) {
    EXPECT_EQ(client(line), wrong_type) << line;
  }
}

}  // namespace
}  // namespace lockstep::redis
