#include "model/redis/member.h"

#include <gtest/gtest.h>

#include "model/redis/testing/test_client.h"

namespace lockstep::redis {
namespace {

using testing::render;
using testing::TestClient;

const std::vector<std::string> shard_and_spare{"R0", "R0.1", "X0"};

/// R0 has all slots, R0.1 copies it, X0 has none.
TestClient member_called(const std::string& name) {
  model::ClusterPlace place{.myself = name, .members = {}};
  place.members.push_back({.name = "R0", .master = {}, .slots = {{0, 16'383}}});
  place.members.push_back({.name = "R0.1", .master = "R0", .slots = {}});
  place.members.push_back({.name = "X0", .master = {}, .slots = {}});
  TestClient client;
  join(client.node, place);
  return client;
}

TEST(ShardChannels, GoWithTheirSlotAndWhoListenedIsTold) {
  TestClient old = member_called("R0");
  old("SSUBSCRIBE c", ConnectionId{3});
  old("SSUBSCRIBE d", ConnectionId{3});
  old("SUBSCRIBE c", ConnectionId{4});
  const std::vector<Push> told = succeed(old.node, "X0", shard_and_spare);
  ASSERT_EQ(told.size(), 2U);
  EXPECT_EQ(told[0].to, ConnectionId{3});
  EXPECT_EQ(render(told[0].message), "[\"sunsubscribe\", \"c\", (integer) 1]");
  EXPECT_EQ(render(told[1].message), "[\"sunsubscribe\", \"d\", (integer) 0]");
  EXPECT_TRUE(old.node.pubsub.shard_channels.empty());
  EXPECT_FALSE(old.node.pubsub.channels.empty()) << "that one is told over the bus";
  EXPECT_TRUE(succeed(old.node, "X0", shard_and_spare).empty()) << "it knows that already";
}

TEST(ShardChannels, StayWhereTheReplicaOfTheirSlotIsElected) {
  TestClient elected = member_called("R0.1");
  elected("SSUBSCRIBE c", ConnectionId{3});
  EXPECT_TRUE(succeed(elected.node, "R0.1", shard_and_spare).empty());
  EXPECT_EQ(elected.node.pubsub.shard_channels.size(), 1U);
}

}  // namespace
}  // namespace lockstep::redis
