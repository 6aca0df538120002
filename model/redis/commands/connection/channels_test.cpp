#include <gtest/gtest.h>
#include "model/redis/testing/test_client.h"

namespace lockstep::redis {
namespace {

using testing::TestClient;

using testing::render;

constexpr ConnectionId first{1}, second{2};

std::string pushes_of(TestClient& client, const Command& command) {
  std::string text;
  for (const Push& push : client.execute(command).pushes) {
    text += (text.empty() ? "" : "; ") + std::to_string(push.to.value) + " " + render(push.message);
  }
  return text;
}

TEST(Channels, SubscribeAnswersOnceForEachChannelWithTheTotal) {
  TestClient client;
  const Outcome outcome = client.execute({"SUBSCRIBE", "a", "b", "a"}, first);
  EXPECT_EQ(render(outcome.reply), "[\"subscribe\", \"a\", (integer) 1]");
  ASSERT_EQ(outcome.more_replies.size(), 2u);
  EXPECT_EQ(render(outcome.more_replies[0]), "[\"subscribe\", \"b\", (integer) 2]");
  EXPECT_EQ(render(outcome.more_replies[1]), "[\"subscribe\", \"a\", (integer) 2]");
  EXPECT_EQ(client("PSUBSCRIBE p*", first), "[\"psubscribe\", \"p*\", (integer) 3]");
  EXPECT_EQ(client("SSUBSCRIBE s", first), "[\"ssubscribe\", \"s\", (integer) 1]")
      << "shard channels count apart";
}

TEST(Channels, UnsubscribeWithoutNamesLeavesAllOfItsKind) {
  TestClient client;
  EXPECT_EQ(client("UNSUBSCRIBE", first), "[\"unsubscribe\", (nil), (integer) 0]");
  client("SUBSCRIBE b a", first);
  client("PSUBSCRIBE p*", first);
  const Outcome outcome = client.execute({"UNSUBSCRIBE"}, first);
  EXPECT_EQ(render(outcome.reply), "[\"unsubscribe\", \"a\", (integer) 2]");
  ASSERT_EQ(outcome.more_replies.size(), 1u);
  EXPECT_EQ(render(outcome.more_replies[0]), "[\"unsubscribe\", \"b\", (integer) 1]");
  EXPECT_EQ(client("PUNSUBSCRIBE none", first), "[\"punsubscribe\", \"none\", (integer) 1]");
  EXPECT_EQ(client("PUNSUBSCRIBE p*", first), "[\"punsubscribe\", \"p*\", (integer) 0]");
  EXPECT_TRUE(client.node.pubsub.empty());
}

TEST(Channels, AMessageReachesSubscribersInTheirOrderAndThenPatterns) {
  TestClient client;
  client("SUBSCRIBE c", second);
  client("SUBSCRIBE c", first);
  client("PSUBSCRIBE c*", second);
  EXPECT_EQ(
      pushes_of(client, {"PUBLISH", "c", "m"}),
      "2 [\"message\", \"c\", \"m\"]; 1 [\"message\", \"c\", \"m\"]; 2 [\"pmessage\", \"c*\", \"c\", \"m\"]");
  EXPECT_EQ(client("PUBLISH c m"), "(integer) 3");
}

TEST(Channels, ShardChannelsAreANamespaceOfTheirOwn) {
  TestClient client;
  client("SSUBSCRIBE c", first);
  EXPECT_EQ(client("PUBLISH c m"), "(integer) 0");
  EXPECT_EQ(pushes_of(client, {"SPUBLISH", "c", "m"}), "1 [\"smessage\", \"c\", \"m\"]");
}

TEST(Channels, PublishIsReplicatedEvenWithoutReceiversAndNotByAReplica) {
  TestClient client, replica(Role::replica);
  EXPECT_EQ(client.effects_of("PUBLISH c m"), "PUBLISH c m");
  EXPECT_EQ(replica.effects_of("PUBLISH c m"), "");
}

TEST(Channels, ASubscriberMayOnlyManageItsSubscriptionsAndPing) {
  TestClient client;
  client("SUBSCRIBE c", first);
  EXPECT_EQ(client("GET k", first),
            "(error) ERR Can't execute 'get': only (P|S)SUBSCRIBE / (P|S)UNSUBSCRIBE / PING / QUIT / RESET "
            "are allowed "
            "in this context");
  EXPECT_EQ(client("PING", first), "[\"pong\", \"\"]");
  EXPECT_EQ(client("PING x", first), "[\"pong\", \"x\"]");
  EXPECT_EQ(client("GET k", second), "(nil)");
  client("UNSUBSCRIBE c", first);
  EXPECT_EQ(client("GET k", first), "(nil)");
}

TEST(Channels, PubsubShowsWhoListens) {
  TestClient client;
  client("SUBSCRIBE ab b", first);
  client("SUBSCRIBE b", second);
  client("PSUBSCRIBE p*", first);
  client("SSUBSCRIBE s", first);
  EXPECT_EQ(client("PUBSUB CHANNELS"), "[\"ab\", \"b\"]");
  EXPECT_EQ(client("PUBSUB CHANNELS a*"), "[\"ab\"]");
  EXPECT_EQ(client("PUBSUB NUMSUB b none"), "[\"b\", (integer) 2, \"none\", (integer) 0]");
  EXPECT_EQ(client("PUBSUB NUMPAT"), "(integer) 1");
  EXPECT_EQ(client("PUBSUB SHARDCHANNELS"), "[\"s\"]");
  EXPECT_EQ(client("PUBSUB SHARDNUMSUB s"), "[\"s\", (integer) 1]");
}

}  // namespace
}  // namespace lockstep::redis
