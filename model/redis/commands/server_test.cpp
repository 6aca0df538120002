#include <gtest/gtest.h>
#include "model/redis/test_client.h"

namespace lockstep::redis {
namespace {

using testing::TestClient;

const char* const not_integer = "(error) ERR value is not an integer or out of range";

TEST(Server, PingEchoAndTime) {
  TestClient client;
  EXPECT_EQ(client("PING"), "PONG");
  EXPECT_EQ(client("PING hello"), "\"hello\"");
  EXPECT_EQ(client("PING a b"), "(error) ERR wrong number of arguments for 'ping' command");
  EXPECT_EQ(client("ECHO hello"), "\"hello\"");
  client.wall_ms = 1'700'000'000'123;
  EXPECT_EQ(client("TIME"), "[\"1700000000\", \"123000\"]");
}

TEST(Server, ThereIsOneDatabase) {
  TestClient client;
  EXPECT_EQ(client("SELECT 0"), "OK");
  EXPECT_EQ(client("SELECT 1"), "(error) ERR DB index is out of range");
  EXPECT_EQ(client("SELECT x"), not_integer);
  EXPECT_EQ(client("SELECT 99999999999"),
            "(error) ERR value is out of range, value must between -2147483648 and 2147483647");
}

TEST(Server, SaveKeepsACopyThatLaterWritesDoNotChange) {
  TestClient client;
  client("SET k v");
  EXPECT_EQ(client("BGSAVE"), "Background saving started");
  EXPECT_EQ(client("BGSAVE now"), "(error) ERR syntax error");
  client("SET k w");
  ASSERT_TRUE(client.node.snapshot.has_value());
  EXPECT_EQ(std::get<String>(client.node.snapshot->find("k")->value).bytes, "v");
}

TEST(Server, RoleAndInfoNameTheRole) {
  TestClient client, replica(Role::replica);
  EXPECT_EQ(client("ROLE"), "[\"master\", (integer) 0, []]");
  EXPECT_EQ(replica.execute({"ROLE"}).reply.array()->front(), Reply(std::string("slave")));
  EXPECT_NE(client("INFO replication").find("role:master\r\n"), std::string::npos);
  EXPECT_NE(replica("INFO").find("role:slave\r\n"), std::string::npos);
  EXPECT_EQ(client("INFO nosuch"), "\"\"");
}

}  // namespace
}  // namespace lockstep::redis
