#include "model/redis/cluster/texts.h"

#include <gtest/gtest.h>
#include "model/redis/testing/test_client.h"

namespace lockstep::redis::cluster {
namespace {

using redis::testing::render;

constexpr std::int64_t noon_ms = 1'700'000'000'000;

/// Two masters a and b with half of the slots each, and c, a replica of a. Asked is a.
Map three_nodes() {
  Map map;
  map.myself = "a";
  map.members["a"].address = {"127.0.0.1", 7000, 17000};
  map.members["b"].address = {"127.0.0.1", 7001, 17001};
  map.members["c"].address = {"127.0.0.1", 7002, 17002};
  map.members["a"].config_epoch = 1;
  map.members["b"].config_epoch = 2;
  map.members["b"].since_pong = Duration(250);
  map.members["c"].kind = Kind::replica;
  map.members["c"].master = "a";
  map.members["c"].offset = 14;
  map.current_epoch = 2;
  map.ok = true;
  assign(map, "a", slots_between(0, 8'191));
  assign(map, "b", slots_between(8'192, 16'383));
  return map;
}

TEST(ClusterTexts, NodesHasALineForEachMember) {
  EXPECT_EQ(nodes_text(three_nodes(), noon_ms),
            "a 127.0.0.1:7000@17000 myself,master - 0 0 1 connected 0-8191\n"
            "b 127.0.0.1:7001@17001 master - 0 1699999999750 2 connected 8192-16383\n"
            "c 127.0.0.1:7002@17002 slave a 0 0 1 connected\n");
}

TEST(ClusterTexts, NodesShowsSuspicionsAndSlotsOnTheirWay) {
  Map map = three_nodes();
  map.members["b"].health = Health::pfail;
  map.members["b"].since_ping = Duration(2'000);
  map.members["c"].health = Health::fail;
  map.members["c"].linked = false;
  map.migrating[5] = "b";
  map.importing[9'000] = "b";
  assign(map, "b", slots_between(77, 77));
  EXPECT_EQ(nodes_text(map, noon_ms),
            "a 127.0.0.1:7000@17000 myself,master - 0 0 1 connected 0-76 78-8191 [5->-b] [9000-<-b]\n"
            "b 127.0.0.1:7001@17001 master,fail? - 1699999998000 1699999999750 2 connected 77 8192-16383\n"
            "c 127.0.0.1:7002@17002 slave,fail a 0 0 1 disconnected\n");
}

TEST(ClusterTexts, SlotsListsTheOwnerFirstAndOnlyReplicasThatCanServe) {
  Map map = three_nodes();
  EXPECT_EQ(render(slots_reply(map)),
            "[[(integer) 0, (integer) 8191, [\"127.0.0.1\", (integer) 7000, \"a\", []],"
            " [\"127.0.0.1\", (integer) 7002, \"c\", []]],"
            " [(integer) 8192, (integer) 16383, [\"127.0.0.1\", (integer) 7001, \"b\", []]]]");
  map.members["c"].offset = 0;
  EXPECT_EQ(render(slots_reply(map)).find("7002"), std::string::npos);
}

TEST(ClusterTexts, ShardsSaysWhoIsMasterAndHowHealthyEachIs) {
  Map map = three_nodes();
  map.members["c"].offset = 0;
  map.members["b"].health = Health::fail;
  EXPECT_EQ(render(shards_reply(map)),
            "[[\"slots\", [(integer) 0, (integer) 8191], \"nodes\", [[\"id\", \"a\", \"port\","
            " (integer) 7000,"
            " \"ip\", \"127.0.0.1\", \"endpoint\", \"127.0.0.1\", \"role\", \"master\","
            " \"replication-offset\", (integer) 0, \"health\", \"online\"],"
            " [\"id\", \"c\", \"port\", (integer) 7002, \"ip\", \"127.0.0.1\", \"endpoint\", \"127.0.0.1\","
            " \"role\", \"replica\", \"replication-offset\", (integer) 0, \"health\", \"loading\"]]],"
            " [\"slots\", [(integer) 8192, (integer) 16383], \"nodes\", [[\"id\", \"b\", \"port\","
            " (integer) 7001, \"ip\", \"127.0.0.1\", \"endpoint\", \"127.0.0.1\", \"role\", \"master\","
            " \"replication-offset\", (integer) 0, \"health\", \"fail\"]]]]");
}

TEST(ClusterTexts, InfoCountsSlotsByTheHealthOfTheirOwners) {
  Map map = three_nodes();
  map.members["b"].health = Health::fail;
  map.ok = false;
  EXPECT_EQ(cluster_info_text(map, "cluster_stats_messages_ping_sent:1\r\n"),
            "cluster_state:fail\r\ncluster_slots_assigned:16384\r\ncluster_slots_ok:8192\r\n"
            "cluster_slots_pfail:0\r\ncluster_slots_fail:8192\r\ncluster_known_nodes:3\r\ncluster_size:2\r\n"
            "cluster_current_epoch:2\r\ncluster_my_epoch:1\r\ncluster_stats_messages_ping_sent:1\r\n"
            "total_cluster_links_buffer_limit_exceeded:0\r\n");
}

TEST(ClusterMap, ASlotHasOneOwnerAtMost) {
  Map map = three_nodes();
  assign(map, "b", slots_between(100, 200));
  EXPECT_EQ(*owner_of(map, 150), "b");
  EXPECT_EQ(*owner_of(map, 99), "a");
  map.members["a"].slots.erase({0, 0});
  EXPECT_EQ(owner_of(map, 0), nullptr);
}

TEST(ClusterMap, OnlyMastersWithSlotsVote) {
  Map map = three_nodes();
  map.members["d"];
  EXPECT_EQ(voters(map), 2U);
  EXPECT_EQ(majority(map), 2U);
}

}  // namespace
}  // namespace lockstep::redis::cluster
