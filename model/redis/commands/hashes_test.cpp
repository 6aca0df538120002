#include <set>
#include <string>

#include <gtest/gtest.h>
#include "model/redis/testing/test_client.h"
#include "model/redis/testing/test_errors.h"

namespace lockstep::redis {
namespace {

using testing::TestClient;
using testing::wrong_type;

TEST(Hashes, HsetCountsOnlyNewFieldsAndReplicatesEvenAnEqualValue) {
  TestClient client;
  EXPECT_EQ(client("HSET h a 1 b 2 a 3"), "(integer) 2");
  EXPECT_EQ(client("HSET h a 3"), "(integer) 0");
  EXPECT_EQ(client.effects_of("HSET h a 3"), "HSET h a 3");
  EXPECT_EQ(client("HMSET h c 4"), "OK");
  EXPECT_EQ(client("HMSET h c"), "(error) ERR wrong number of arguments for 'hmset' command");
}

TEST(Hashes, ASmallHashKeepsTheOrderOfInsertion) {
  TestClient client;
  client("HSET h z 1 a 2 m 3");
  client("HSET h a 9");
  EXPECT_EQ(client("HGETALL h"), "[\"z\", \"1\", \"a\", \"9\", \"m\", \"3\"]");
  client("HDEL h z");
  client("HSET h z 1");
  EXPECT_EQ(client("HKEYS h"), "[\"a\", \"m\", \"z\"]");
  EXPECT_EQ(client("HVALS h"), "[\"9\", \"3\", \"1\"]");
}

TEST(Hashes, AHashWithALongValueIsOrderedByFieldForGood) {
  TestClient client;
  client("HSET h z 1 a 2");
  client("HSET h m " + std::string(65, 'x'));
  client("HDEL h m");
  EXPECT_EQ(client("HKEYS h"), "[\"a\", \"z\"]");
}

TEST(Hashes, AHashOfMoreThan512FieldsIsOrderedByField) {
  TestClient client;
  for (int i = 0; i < 512; ++i) client("HSET h f" + std::to_string(999 - i) + " v");
  EXPECT_EQ(*client.execute({"HKEYS", "h"}).reply.array()->front().bulk(), "f999");
  client("HSET h f000 v");
  EXPECT_EQ(*client.execute({"HKEYS", "h"}).reply.array()->front().bulk(), "f000");
  EXPECT_EQ(client("HLEN h"), "(integer) 513");
  EXPECT_EQ(client("HGET h f700"), "\"v\"");
}

TEST(Hashes, AHashWithoutFieldsIsNoKey) {
  TestClient client;
  client("HSET h a 1 b 2");
  EXPECT_EQ(client("HDEL h a none"), "(integer) 1");
  EXPECT_EQ(client("HDEL h b"), "(integer) 1");
  EXPECT_EQ(client("EXISTS h"), "(integer) 0");
  EXPECT_EQ(client.effects_of("HDEL h b"), "");
}

TEST(Hashes, AMissingHashReadsAsEmpty) {
  TestClient client;
  EXPECT_EQ(client("HGET h f"), "(nil)");
  EXPECT_EQ(client("HMGET h f g"), "[(nil), (nil)]");
  EXPECT_EQ(client("HGETALL h"), "[]");
  EXPECT_EQ(client("HLEN h"), "(integer) 0");
  EXPECT_EQ(client("HEXISTS h f"), "(integer) 0");
  EXPECT_EQ(client("HSTRLEN h f"), "(integer) 0");
}

TEST(Hashes, HincrbyStartsAtZeroAndRefusesWhatIsNoInteger) {
  TestClient client;
  EXPECT_EQ(client("HINCRBY h f -1"), "(integer) -1");
  client("HSET h g 1.5");
  EXPECT_EQ(client("HINCRBY h g 1"), "(error) ERR hash value is not an integer");
  client("HSET h t text");
  EXPECT_EQ(client("HINCRBYFLOAT h t 1"), "(error) ERR hash value is not a float");
  EXPECT_EQ(client("HINCRBYFLOAT h g 0.5"), "\"2\"");
}

TEST(Hashes, HsetnxLeavesAFieldAlone) {
  TestClient client;
  EXPECT_EQ(client("HSETNX h f 1"), "(integer) 1");
  EXPECT_EQ(client("HSETNX h f 2"), "(integer) 0");
  EXPECT_EQ(client.effects_of("HSETNX h f 2"), "");
  EXPECT_EQ(client("HGET h f"), "\"1\"");
}

TEST(Hrandfield, WithoutChanceAnswersTheFirstFields) {
  TestClient client;
  client("HSET h a 1 b 2 c 3");
  EXPECT_EQ(client("HRANDFIELD h"), "\"a\"");
  EXPECT_EQ(client("HRANDFIELD h 2"), "[\"a\", \"b\"]");
  EXPECT_EQ(client("HRANDFIELD h -2 WITHVALUES"), "[\"a\", \"1\", \"a\", \"1\"]");
  EXPECT_EQ(client("HRANDFIELD h 9 withvalues"), "[\"a\", \"1\", \"b\", \"2\", \"c\", \"3\"]");
  EXPECT_EQ(client("HRANDFIELD h 0"), "[]");
  EXPECT_EQ(client("HRANDFIELD none"), "(nil)");
  EXPECT_EQ(client("HRANDFIELD none 1"), "[]");
}

TEST(Hrandfield, WithChanceDrawsEveryFieldAndNoneTwiceUnlessAsked) {
  TestClient client;
  client("HSET h a 1 b 2 c 3");
  sim::Random dice(1);
  const Environment drawing{.engine = client.engine, .chance = &dice};
  std::set<std::string> single, pairs;
  for (int i = 0; i < 200; ++i) {
    single.insert(*execute(client.node, ConnectionId{}, {"HRANDFIELD", "h"}, drawing).reply.bulk());
    const Outcome two = execute(client.node, ConnectionId{}, {"HRANDFIELD", "h", "2"}, drawing);
    pairs.insert(testing::render(two.reply));
  }
  EXPECT_EQ(single, (std::set<std::string>{"a", "b", "c"}));
  EXPECT_EQ(pairs, (std::set<std::string>{"[\"a\", \"b\"]", "[\"a\", \"c\"]", "[\"b\", \"c\"]"}));
}

TEST(Hrandfield, ReadsItsCountBeforeItsOptionAndBothBeforeTheKey) {
  TestClient client;
  EXPECT_EQ(client("HRANDFIELD h x y"), "(error) ERR value is not an integer or out of range");
  EXPECT_EQ(client("HRANDFIELD h 1 values"), "(error) ERR syntax error");
  EXPECT_EQ(client("HRANDFIELD h -9223372036854775808"),
            "(error) ERR value is out of range, value must between -9223372036854775807 and "
            "9223372036854775807");
  EXPECT_EQ(client("HRANDFIELD h 9223372036854775807 WITHVALUES"), "(error) ERR value is out of range");
  EXPECT_EQ(client("HRANDFIELD h 9223372036854775807"), "[]");
}

TEST(Hashes, EveryCommandRefusesAnotherType) {
  TestClient client;
  client("SET s v");
  for (const char* const line : {"HSET s f v", "HMSET s f v", "HSETNX s f v", "HGET s f", "HMGET s f",
                                 "HGETALL s", "HDEL s f", "HEXISTS s f", "HLEN s", "HKEYS s", "HVALS s",
                                 "HINCRBY s f 1", "HINCRBYFLOAT s f 1", "HSTRLEN s f",
                                 "HRANDFIELD s", "HRANDFIELD s 1", "HSCAN s 0"}) {
    EXPECT_EQ(client(line), wrong_type) << line;
  }
}

}  // namespace
}  // namespace lockstep::redis
