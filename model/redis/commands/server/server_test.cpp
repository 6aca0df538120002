#include <gtest/gtest.h>
#include "model/redis/testing/test_client.h"

namespace lockstep::redis {
namespace {

using testing::TestClient;

TEST(Server, PingEchoAndTime) {
  TestClient client;
  EXPECT_EQ(client("PING"), "PONG");
  EXPECT_EQ(client("PING hello"), "\"hello\"");
  EXPECT_EQ(client("PING a b"), "(error) ERR wrong number of arguments for 'ping' command");
  EXPECT_EQ(client("ECHO hello"), "\"hello\"");
  client.wall_ms = 1'700'000'000'123;
  EXPECT_EQ(client("TIME"), "[\"1700000000\", \"123000\"]");
}

TEST(Server, EachConnectionSelectsOneOfSixteenDatabases) {
  TestClient client;
  constexpr ConnectionId other{1};
  EXPECT_EQ(client("SELECT 0"), "OK");
  EXPECT_EQ(client("SELECT 15"), "OK");
  EXPECT_EQ(client("SELECT 16"), "(error) ERR DB index is out of range");
  EXPECT_EQ(client("SELECT -1"), "(error) ERR DB index is out of range");
  EXPECT_EQ(client("SELECT x"), "(error) ERR value is not an integer or out of range");
  client("SET k v");
  EXPECT_EQ(client("GET k"), R"("v")");
  EXPECT_EQ(client("GET k", other), "(nil)");
  EXPECT_EQ(client("DBSIZE", other), "(integer) 0");
  EXPECT_EQ(client.node.other_dbs->at(15).size(), 1U);
}

TEST(Server, WhatAScriptSelectsHoldsUntilItEnds) {
  TestClient client;
  client.eval("redis.call('SELECT', '2') redis.call('SET', KEYS[1], 'v')", {"k"}, {});
  EXPECT_EQ(client("GET k"), "(nil)");
  client("SELECT 2");
  EXPECT_EQ(client("GET k"), R"("v")");
}

TEST(Server, SaveKeepsACopyThatLaterWritesDoNotChange) {
  TestClient client;
  client("SET k v");
  EXPECT_EQ(client("BGSAVE"), "Background saving started");
  EXPECT_EQ(client("BGSAVE now"), "(error) ERR syntax error");
  client("SET k w");
  ASSERT_TRUE(client.node.snapshot.has_value());
  EXPECT_EQ(std::get<String>(client.node.snapshot->db.find("k")->value).bytes, "v");
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
