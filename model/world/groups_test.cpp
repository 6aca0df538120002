// Independent masters: each group has its own truth, its own failover, and is learnt of by itself.
#include <gtest/gtest.h>

#include "model/world/test_setup.h"

namespace lockstep::model {
namespace {

using namespace std::chrono_literals;

/// R0 with R0.1, and R1 with R1.1; "orders" lives on the first, "stock" on the second.
Setup two_groups(const std::vector<Programs>& processes) {
  Setup setup = setup_for(processes);
  setup.topology = Topology::independent;
  setup.nodes = {{.name = "R0"},
                 {.name = "R0.1", .role = redis::Role::replica},
                 {.name = "R1", .group = GroupId{1}},
                 {.name = "R1.1", .role = redis::Role::replica, .group = GroupId{1}}};
  setup.objects[2].group = GroupId{1};
  return *complete(std::move(setup));
}

/// By group: whom the process takes for the master.
std::vector<NodeId> masters(const Process& process) {
  std::vector<NodeId> known;
  for (const Client& client : process.clients) known.push_back(client.master);
  return known;
}

TEST(Groups, ALockIsAskedForOnTheMasterOfItsGroup) {
  Led world(two_groups({{{lock(), lock({.object = 2})}}}));
  world("run A1")("request A/0 -> R0")("effects R0 -> R0.1")("reply R0 -> A/0")("run A1");
  world("run A1")("request A/0 -> R1")("effects R1 -> R1.1");
  EXPECT_TRUE(world.facts().held_by(0, "orders", ThreadId{0}));
  EXPECT_TRUE(world.facts().held_by(2, "stock", ThreadId{0}));
  EXPECT_EQ(world.node(0).db.size(), 1U);
  EXPECT_EQ(world.node(2).db.find("orders"), nullptr);
}

TEST(Groups, AWaiterListensOnTheMasterOfItsLocksGroup) {
  Led world(two_groups({{{lock({.lease = 9s, .object = 2})}}, {{lock({.object = 2})}}}));
  world("run A1")("request A/0 -> R1")("run B1")("request B/0 -> R1")("reply R1 -> B/0")("run B1");
  world("channel B -> R1")("push R1 -> B");
  EXPECT_EQ(world.node(2).pubsub.channels.size(), 1U);
}

TEST(Groups, FailOverEachForItself) {
  Led world(with(two_groups({{{work(60s), lock({.object = 2})}}}), {"failover", "crash-node"}));
  EXPECT_TRUE(world.can("failover R0.1"));
  world("failover R1.1");
  EXPECT_EQ(world.facts().master(GroupId{0}), NodeId{0});
  EXPECT_EQ(world.facts().master(GroupId{1}), NodeId{3});
  EXPECT_EQ(masters(world.process(0)), (std::vector<NodeId>{NodeId{0}, NodeId{2}}));
  EXPECT_FALSE(world.can("learn A in R0"));
  world("learn A in R1");
  EXPECT_EQ(masters(world.process(0)), (std::vector<NodeId>{NodeId{0}, NodeId{3}}));
  world("demote R1");
  EXPECT_EQ(world.world().streams[2]->master, NodeId{3});
  EXPECT_EQ(world.world().streams[1]->master, NodeId{0});
  world("crash-node R0");
  EXPECT_FALSE(world.facts().all_masters_up());
  EXPECT_EQ(world.facts().master(GroupId{1}), NodeId{3});
}

}  // namespace
}  // namespace lockstep::model
