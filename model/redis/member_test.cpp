#include "model/redis/member.h"

#include <gtest/gtest.h>

#include "model/redis/testing/test_client.h"

namespace lockstep::redis {
namespace {

using testing::render;
using testing::TestClient;

const model::ClusterPlace::Member master{.name = "R0", .master = {}, .slots = {{0, 16'383}}},
    other_master{.name = "X0", .master = {}, .slots = {}},
    replica{.name = "R0.1", .master = "R0", .slots = {}};
const std::vector<std::string> group{"R0", "R0.1", "X0"};

TestClient node_called(const std::string& name) {
  TestClient client;
  join(client.node, {.myself = name, .members = {master, other_master, replica}});
  return client;
}

TEST(ShardChannels, GoWithTheirSlotAndWhoListenedIsTold) {
  TestClient old = node_called("R0");
  old("SSUBSCRIBE c", ConnectionId{3});
  old("SSUBSCRIBE d", ConnectionId{3});
  old("SUBSCRIBE c", ConnectionId{4});
  const std::vector<Push> told = succeed(old.node, "X0", group);
  ASSERT_EQ(told.size(), 2U);
  EXPECT_EQ(told[0].to, ConnectionId{3});
  EXPECT_EQ(render(told[0].message), "[\"sunsubscribe\", \"c\", (integer) 1]");
  EXPECT_EQ(render(told[1].message), "[\"sunsubscribe\", \"d\", (integer) 0]");
  EXPECT_TRUE(old.node.pubsub.shard_channels.empty());
  EXPECT_FALSE(old.node.pubsub.channels.empty()) << "that one is told over the bus";
  EXPECT_TRUE(succeed(old.node, "X0", group).empty()) << "it knows that already";
  EXPECT_EQ(old("SSUBSCRIBE c", ConnectionId{5}), "(error) MOVED 7365 X0:6379");
}

TEST(ShardChannels, StayWhereTheReplicaOfTheirSlotIsElected) {
  TestClient elected = node_called("R0.1");
  elected("SSUBSCRIBE c", ConnectionId{3});
  EXPECT_TRUE(succeed(elected.node, "R0.1", group).empty());
  EXPECT_EQ(elected.node.pubsub.shard_channels.size(), 1U);
}

}  // namespace
}  // namespace lockstep::redis
