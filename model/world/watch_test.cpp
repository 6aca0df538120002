// Sentinels as a world has them (watch.h): who takes a master for down, who replaces it, who is told.
#include <gtest/gtest.h>

#include "model/redis/sentinel/kind.h"
#include "model/redis/sentinel/spans.h"
#include "model/world/test_setup.h"
#include "model/world/watch.h"

namespace lockstep::model {
namespace {

using namespace std::chrono_literals;

/// R0 with replicas, and Sentinels S0, S1 … of whom a majority decides after five seconds.
Setup watched(Setup setup, std::size_t replicas = 1, std::size_t sentinels = 3) {
  setup.topology = Topology::sentinel;
  for (std::size_t i = 1; i <= replicas; ++i)
    setup.nodes.push_back({.name = "R" + std::to_string(i), .role = ServerRole::replica});
  for (std::size_t i = 0; i < sentinels; ++i) {
    NodeSetup sentinel{.name = "S" + std::to_string(i), .role = ServerRole::sentinel};
    sentinel.kind = &redis::sentinel::server_kind;
    setup.nodes.push_back(sentinel);
  }
  setup.watching = {.quorum = sentinels / 2 + 1,
                    .down_after = 5s,
                    .failover_timeout = 10s,
                    .election = {redis::sentinel::election.lo, redis::sentinel::election.hi},
                    .conversion = {redis::sentinel::conversion.lo, redis::sentinel::conversion.hi}};
  setup.limits.learn = {0s, 4s};
  return setup;
}

Setup two_who_lock() { return watched(setup_for({{{lock(), work(60s)}}, {{work(60s)}}})); }

/// Processes go on and messages arrive, and time passes; nobody is elected, told or made a replica.
void pass_for(Led& world, Duration time) {
  const auto is_dull = [](const std::string& text) {
    for (const char* verb :
         {"run ", "request ", "reply ", "push ", "channel ", "effects ", "ack ", "renew ", "time-out "})
      if (text.starts_with(verb)) return true;
    return false;
  };
  for (const Duration end = world.now() + time; world.now() < end;) {
    const auto texts = world.enabled();
    const auto dull = std::find_if(texts.begin(), texts.end(), is_dull);
    if (dull != texts.end()) world(*dull);
    else if (world.can_any("pass")) world.pass();
    else return;
  }
}

TEST(Watch, AHealthyDeploymentHasNothingToWaitFor) {
  Led world(two_who_lock());
  EXPECT_EQ(next_deadline(*world.world().watch), sim::never);
  EXPECT_FALSE(world.can_any("elect"));
}

TEST(Watch, AMasterThatIsNotHeardForLongEnoughIsReplaced) {
  Led world(with(two_who_lock(), {"crash-node"}));
  world("crash-node R0").settle();
  EXPECT_EQ(next_deadline(*world.world().watch), 5s) << "not before down-after";
  EXPECT_FALSE(world.can_any("elect"));
  pass_for(world, 5s);
  world("elect R1");
  EXPECT_EQ(world.world().group({}).master, NodeId{1});
  EXPECT_TRUE(world.can("learn A") && world.can("learn B"));
}

TEST(Watch, AnElectionEndsInItsSpan) {
  Led world(with(two_who_lock(), {"crash-node"}));
  world("crash-node R0");
  pass_for(world, 7s);
  EXPECT_TRUE(world.can("elect R1"));
  EXPECT_FALSE(world.can_any("pass")) << "the span is over";
}

TEST(Watch, AMasterThatIsHeardInTimeStays) {
  Led world(with(two_who_lock(), {"crash-node", "restart-node"}));
  world("crash-node R0");
  pass_for(world, 4s);
  world("restart-node R0");
  pass_for(world, 4s);
  EXPECT_FALSE(world.can_any("elect"));
  EXPECT_EQ(world.world().watch->until_down[2][0].left, sim::never) << "and the count begins anew";
}

TEST(Watch, AMajorityOfAllSentinelsHasToBeThere) {
  auto setup = with(two_who_lock(), {"crash-node", "restart-node"});
  allow(setup, "crash-node", 3);
  Led world(setup);
  world("crash-node R0")("crash-node S0")("crash-node S1");
  pass_for(world, 8s);
  EXPECT_FALSE(world.can_any("elect"));
  world("restart-node S0");
  pass_for(world, 4s);
  EXPECT_FALSE(world.can_any("elect")) << "the quorum is two, and S0 has to wait for itself";
  pass_for(world, 1s);
  EXPECT_TRUE(world.can("elect R1"));
}

TEST(Watch, ASentinelThatIsCutOffDoesNothing) {
  Led world(with(two_who_lock(), {"isolate-node"}));
  world("isolate S0");
  pass_for(world, 8s);
  EXPECT_FALSE(world.can_any("elect")) << "it takes the master for down, and nobody else does";
}

TEST(Watch, AMasterThatIsCutOffGoesOnForItsClients) {
  Led world(with(two_who_lock(), {"isolate-node"}));
  world("isolate R0")("run A1")("request A/0 -> R0");
  EXPECT_FALSE(world.can_any("effects")) << "its replica does not hear of the lock";
  world("reply R0 -> A/0");
  pass_for(world, 5s);
  world("elect R1");
  EXPECT_TRUE(world.facts().truth(0, "orders").value().free());
  ASSERT_EQ(world.all<FailedOver>().size(), 1U);
  EXPECT_TRUE(world.all<FailedOver>()[0].lost_writes);
}

TEST(Watch, AnOldMasterIsOneForSomeTimeAfterItIsHeardAgain) {
  Led world(with(two_who_lock(), {"isolate-node"}));
  world("isolate R0");
  pass_for(world, 5s);
  world("elect R1")("learn A")("learn B");
  pass_for(world, 20s);
  EXPECT_FALSE(world.can_any("demote")) << "nobody can tell it";
  world("rejoin R0");
  pass_for(world, 7s);
  EXPECT_FALSE(world.can_any("demote"));
  pass_for(world, 1s);
  world("demote R0");
  EXPECT_EQ(world.world().streams[0]->master, NodeId{1});
}

TEST(Watch, AProcessLearnsFromASentinelThatItReachesAndThatKnows) {
  auto setup = with(two_who_lock(), {"crash-node", "isolate-node"});
  allow(setup, "cut-link", 2);
  Led world(setup);
  world("isolate S0")("cut A | S1")("cut A | S2")("crash-node R0");
  pass_for(world, 5s);
  world("elect R1");
  EXPECT_TRUE(world.can("learn B"));
  EXPECT_FALSE(world.can("learn A")) << "it reaches only S0, which has heard of nothing";
  world("rejoin S0");
  EXPECT_TRUE(world.can("learn A"));
}

TEST(Watch, TheReplicaWithTheMostDataIsElected) {
  auto setup = with(watched(setup_for({{{lock(), work(60s)}}}), 2), {"pause-node", "replica-lag"});
  Led world(setup);
  world("lag R1")("run A1")("request A/0 -> R0")("effects R0 -> R2")("pause-node R0");
  pass_for(world, 5s);
  EXPECT_TRUE(world.can("elect R2"));
  EXPECT_FALSE(world.can("elect R1"));
}

TEST(Watch, OfEqualReplicasEitherMayBeElected) {
  Led world(with(watched(setup_for({{{work(60s)}}}), 2), {"crash-node"}));
  world("crash-node R0");
  pass_for(world, 5s);
  EXPECT_TRUE(world.can("elect R1") && world.can("elect R2"));
}

TEST(Watch, WithoutAReplicaTheNextAttemptComesAfterTwiceTheTimeOut) {
  auto setup = two_who_lock();
  allow(setup, "crash-node", 2);
  allow(setup, "restart-node");
  Led world(setup);
  world("crash-node R1")("crash-node R0");
  pass_for(world, 7s);
  world("restart-node R1");
  EXPECT_EQ(next_deadline(*world.world().watch), 20s);
  EXPECT_FALSE(world.can_any("elect"));
  pass_for(world, 20s);
  EXPECT_TRUE(world.can("elect R1"));
}

TEST(Watch, SplitVotesCostTwiceTheTimeOut) {
  Led world(with(two_who_lock(), {"crash-node", "split-votes"}));
  world("crash-node R0");
  EXPECT_FALSE(world.can_any("split-votes")) << "there is no election yet";
  pass_for(world, 5s);
  world("split-votes R0");
  EXPECT_EQ(next_deadline(*world.world().watch), 20s);
  EXPECT_FALSE(world.can_any("elect"));
  pass_for(world, 20s);
  EXPECT_TRUE(world.can("elect R1"));
}

/// Three masters with a replica each; "orders" is of R0.
Setup clustered(const std::vector<Programs>& processes) {
  Setup setup = setup_for(processes);
  setup.topology = Topology::cluster;
  setup.nodes.clear();
  for (std::uint16_t i = 0; i < 3; ++i) {
    const std::string name = "R" + std::to_string(i);
    const auto first = static_cast<std::uint16_t>(i * 5'461);
    const std::uint16_t last = i < 2 ? static_cast<std::uint16_t>(first + 5'460) : std::uint16_t{16'383};
    setup.nodes.push_back({.name = name, .group = GroupId{i}, .slots = {{first, last}}});
    setup.nodes.push_back({.name = name + ".1", .role = ServerRole::replica, .group = GroupId{i}});
  }
  setup.watching = {.down_after = 4s,
                    .failover_timeout = 8s,
                    .election = {500ms, 6'500ms},
                    .conversion = {0s, 6s},
                    .closing = {0s, 2'500ms}};
  setup.limits.learn = {0s, 6s};
  return *complete(std::move(setup));
}
Setup one_who_locks_in_a_cluster() { return clustered({{{lock(), work(60s)}}, {{work(60s)}}}); }

TEST(ClusterWatch, OtherMastersElectAReplicaOfTheOneThatIsDown) {
  Led world(with(one_who_locks_in_a_cluster(), {"crash-node"}));
  world("crash-node R0");
  pass_for(world, 4s);
  EXPECT_FALSE(world.can_any("elect")) << "a replica waits half a second before it asks for votes";
  pass_for(world, 500ms);
  world("elect R0.1");
  EXPECT_EQ(world.world().group({}).master, NodeId{1});
}

TEST(ClusterWatch, AMasterInAMinorityTakesWritesUntilItCloses) {
  Led world(with(one_who_locks_in_a_cluster(), {"isolate-node"}));
  world("isolate R0");
  pass_for(world, 3s);
  EXPECT_FALSE(world.can_any("close"));
  pass_for(world, 1s);
  world("close R0");
  EXPECT_FALSE((*world.node(0).cluster)->ok);
  world("rejoin R0");
  EXPECT_TRUE((*world.node(0).cluster)->ok) << "it hears the others again, and nobody was elected";
}

TEST(ClusterWatch, NobodyServesWhileAMasterIsMissing) {
  Led world(with(one_who_locks_in_a_cluster(), {"crash-node"}));
  world("crash-node R0");
  pass_for(world, 4s);
  EXPECT_TRUE((*world.node(2).cluster)->ok);
  pass_for(world, 500ms);
  EXPECT_FALSE((*world.node(2).cluster)->ok);
  world("elect R0.1");
  EXPECT_TRUE((*world.node(2).cluster)->ok);
}

TEST(ClusterWatch, AnOldMasterSendsClientsToTheNewOne) {
  auto setup = clustered({{{work(30s), lock(), work(60s)}}});
  setup.limits.learn = {60s, 60s};
  Led world(with(setup, {"crash-node", "restart-node"}));
  world("crash-node R0");
  pass_for(world, 4'500ms);
  world("elect R0.1");
  pass_for(world, 5s);
  world("restart-node R0")("demote R0");
  pass_for(world, 20'500ms);
  world.settle();
  EXPECT_TRUE(world.facts().held_by(0, "orders", ThreadId{0})) << "on the new master";
  EXPECT_EQ(world.process(0).clients.at(0).master, NodeId{0}) << "which A does not know yet";
}

/// The same, with a master X0 that has no slots yet.
Setup with_spare(const std::vector<Programs>& processes) {
  Setup setup = clustered(processes);
  setup.nodes.push_back({.name = "X0", .role = ServerRole::spare});
  return with(*complete(std::move(setup)), {"move-slots"});
}

TEST(MoveSlots, TakesKeyAfterKeyAndTheSlotsAtLast) {
  Led world(with_spare({{{lock(), work(60s)}}}));
  world("run A1")("request A/0 -> R0")("reply R0 -> A/0")("move-slots X0");
  EXPECT_TRUE(world.facts().held_by(0, "orders", ThreadId{0}));
  world("take X0");
  EXPECT_EQ(world.node(0).db.size(), 0U);
  EXPECT_EQ(world.node(6).db.size(), 1U);
  EXPECT_TRUE(world.facts().held_by(0, "orders", ThreadId{0})) << "wherever its key is";
  EXPECT_EQ(world.world().group({}).master, NodeId{0});
  world("take X0");
  EXPECT_EQ(world.world().group({}).master, NodeId{6});
  EXPECT_TRUE(world.facts().held_by(0, "orders", ThreadId{0}));
  EXPECT_FALSE(world.can_any("take"));
}

TEST(MoveSlots, OfAFreeLockSendsClientsOnBehindAnAsking) {
  Led world(with_spare({{{lock(), work(60s)}}}));
  world("move-slots X0")("run A1")("request A/0 -> R0");
  EXPECT_EQ(world.link(0, 0).flights.at(0).reply.value().error()->text, "ASK 105 X0:6379");
  world("reply R0 -> A/0")("request A/0 -> X0");
  EXPECT_TRUE(world.facts().held_by(0, "orders", ThreadId{0}));
  EXPECT_TRUE(world.node(6).sessions->empty()) << "the ASKING was for one request";
  EXPECT_EQ(world.process(0).clients.at(0).master, NodeId{0}) << "which is no news of who is master";
}

TEST(MoveSlots, TellsAnUnlockToTryAgainWhileItsKeysAreInPartHere) {
  Led moving(with_spare({{{lock(), unlock()}}}));
  moving("run A1")("request A/0 -> R0")("reply R0 -> A/0")("move-slots X0")("run A1");
  if (moving.can("run A1")) moving("run A1");
  moving("request A/0 -> R0");
  EXPECT_TRUE(moving.link(0, 0).flights.at(0).reply.value().error()->text.starts_with("TRYAGAIN "));
}

TEST(ClusterWatch, TwoOfThreeMastersDownIsTheEnd) {
  auto setup = one_who_locks_in_a_cluster();
  allow(setup, "crash-node", 2);
  Led world(setup);
  world("crash-node R0")("crash-node R1");
  pass_for(world, 4s);
  world("close R2");
  pass_for(world, 20s);
  EXPECT_FALSE(world.can_any("elect"));
}

}  // namespace
}  // namespace lockstep::model
