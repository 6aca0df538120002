#include <gtest/gtest.h>
#include "model/redis/testing/test_client.h"
#include "model/redis/testing/test_errors.h"

namespace lockstep::redis {
namespace {

using testing::TestClient;
using testing::wrong_type;

TEST(Lmove, TakesFromOneEndAndPutsToAnother) {
  TestClient client;
  client("RPUSH a 1 2 3");
  EXPECT_EQ(client("LMOVE a b LEFT RIGHT"), "\"1\"");
  EXPECT_EQ(client.effects_of("LMOVE a b right LEFT"), "LMOVE a b right LEFT");
  EXPECT_EQ(client("LRANGE b 0 -1"), "[\"3\", \"1\"]");
  EXPECT_EQ(client.effects_of("RPOPLPUSH a b"), "RPOPLPUSH a b");
  EXPECT_EQ(client("EXISTS a"), "(integer) 0") << "an empty list is no key";
  EXPECT_EQ(client("LMOVE a b LEFT RIGHT"), "(nil)");
}

TEST(Lmove, OntoItselfTurnsTheList) {
  TestClient client;
  client("RPUSH a 1 2 3");
  EXPECT_EQ(client("RPOPLPUSH a a"), "\"3\"");
  EXPECT_EQ(client("LRANGE a 0 -1"), "[\"3\", \"1\", \"2\"]");
  client("RPUSH one x");
  client("PEXPIRE one 100");
  EXPECT_EQ(client("LMOVE one one LEFT LEFT"), "\"x\"");
  EXPECT_EQ(client("PTTL one"), "(integer) 100") << "the list was never gone";
}

TEST(Lmove, LooksAtTheTargetOnlyIfThereIsSomethingToMove) {
  TestClient client;
  client("SET s v");
  EXPECT_EQ(client("LMOVE none s LEFT LEFT"), "(nil)");
  client("RPUSH a 1");
  EXPECT_EQ(client("LMOVE a s LEFT LEFT"), wrong_type);
  EXPECT_EQ(client("LMOVE s a LEFT up"), "(error) ERR syntax error");
  EXPECT_EQ(client("LLEN a"), "(integer) 1");
}

TEST(Lmpop, TakesFromTheFirstListThatThereIs) {
  TestClient client;
  client("RPUSH a 1 2 3");
  EXPECT_EQ(client("LMPOP 2 none a LEFT"), "[\"a\", [\"1\"]]");
  EXPECT_EQ(client.effects_of("LMPOP 1 a RIGHT COUNT 9"), "RPOP a 2");
  EXPECT_EQ(client("LMPOP 2 none a LEFT"), "(nil array)");
  client("SET s v");
  EXPECT_EQ(client("LMPOP 2 s a LEFT"), wrong_type);
}

TEST(Lmpop, NamesWhatIsWrongWithItsNumbers) {
  TestClient client;
  EXPECT_EQ(client("LMPOP 0 a LEFT"), "(error) ERR numkeys should be greater than 0");
  EXPECT_EQ(client("LMPOP x a LEFT"), "(error) ERR numkeys should be greater than 0");
  EXPECT_EQ(client("LMPOP 2 a LEFT"), "(error) ERR syntax error");
  EXPECT_EQ(client("LMPOP 9223372036854775807 a LEFT"), "(error) ERR syntax error");
  EXPECT_EQ(client("LMPOP 1 a LEFT COUNT 0 more"), "(error) ERR count should be greater than 0");
  EXPECT_EQ(client("LMPOP 1 a LEFT COUNT 1 COUNT 1"), "(error) ERR syntax error");
}

TEST(Lpos, FindsMatchesFromEitherEnd) {
  TestClient client;
  client("RPUSH l a b a c a");
  EXPECT_EQ(client("LPOS l a"), "(integer) 0");
  EXPECT_EQ(client("LPOS l a RANK 2"), "(integer) 2");
  EXPECT_EQ(client("LPOS l a RANK -1"), "(integer) 4");
  EXPECT_EQ(client("LPOS l a COUNT 0"), "[(integer) 0, (integer) 2, (integer) 4]");
  EXPECT_EQ(client("LPOS l a RANK -2 COUNT 2"), "[(integer) 2, (integer) 0]");
  EXPECT_EQ(client("LPOS l c MAXLEN 3"), "(nil)");
  EXPECT_EQ(client("LPOS l none COUNT 1"), "[]");
  EXPECT_EQ(client("LPOS none a"), "(nil)");
}

TEST(Lpos, TheLeastOfAllRanksSkipsNothingAndForgetsTheCount) {
  TestClient client;
  client("RPUSH l a b a c a");
  EXPECT_EQ(client("LPOS l a RANK -9223372036854775808"), "(integer) 4");
  EXPECT_EQ(client("LPOS l a RANK -9223372036854775808 COUNT 2"), "[(integer) 4, (integer) 2, (integer) 0]");
  EXPECT_EQ(client("LPOS l a RANK -9223372036854775807"), "(nil)");
}

TEST(Lpos, NamesTheOptionThatItRefuses) {
  TestClient client;
  EXPECT_EQ(
      client("LPOS l a RANK 0"),
      "(error) ERR RANK can't be zero: use 1 to start from the first match, 2 from the second ... or use "
      "negative to start from the end of the list");
  EXPECT_EQ(client("LPOS l a COUNT -1"), "(error) ERR COUNT can't be negative");
  EXPECT_EQ(client("LPOS l a MAXLEN x"), "(error) ERR MAXLEN can't be negative");
  EXPECT_EQ(client("LPOS l a RANK"), "(error) ERR syntax error");
}

}  // namespace
}  // namespace lockstep::redis
