// Links that are cut for longer than connections live, connections that break, replicas that are cut off.
#include <gtest/gtest.h>

#include "model/world/test_setup.h"

namespace lockstep::model {
namespace {

using namespace std::chrono_literals;

TEST(CutLink, BreaksItsConnectionsWhenItLastsForTheirTimeOut) {
  auto setup = with(setup_for({{{lock({.lease = 20s}), unlock()}}, {{lock()}}}), {"cut-link"});
  setup.limits.cut_max = 5s;
  setup.limits.connection_timeout = 2s;
  Led world(setup);
  world("run A1")("request A/0 -> R0")("reply R0 -> A/0")("run A1");
  world("run B1")("request B/0 -> R0")("reply R0 -> B/0")("run B1")("channel B -> R0")("push R0 -> B");
  world("run B1")("request B/0 -> R0")("reply R0 -> B/0")("run B1");
  ASSERT_EQ(world.node(0).pubsub.channels.size(), 1U);
  world("cut B | R0")("run A1")("request A/0 -> R0");
  EXPECT_EQ(world.link(1, 0).down.size(), 1U) << "the release was published into the cut";
  world.settle()("pass 1000ms")("pass 1000ms");
  EXPECT_TRUE(world.can("heal B | R0")) << "at the last moment it may still arrive";
  world("give-up B | R0");
  EXPECT_TRUE(world.link(1, 0).empty()) << "it is lost";
  EXPECT_TRUE(world.node(0).pubsub.empty());
  EXPECT_FALSE(world.can("reconnect B to R0"));
  world("heal B | R0")("reconnect B to R0")("channel B -> R0")("push R0 -> B");
  EXPECT_EQ(world.node(0).pubsub.channels.size(), 1U) << "the client subscribes anew";
}

TEST(CutLink, ThatEndsBeforeTheTimeOutLosesNothing) {
  auto setup = with(setup_for({{{lock()}}}), {"cut-link"});
  setup.limits.cut_max = 1999ms;
  setup.limits.connection_timeout = 2s;
  Led world(setup);
  world("run A1")("cut A | R0")("pass 1000ms")("pass 999ms");
  EXPECT_FALSE(world.can("give-up A | R0"));
  world("heal A | R0")("request A/0 -> R0");
}

TEST(CutLink, SendsNothingOnceItHasTimedOut) {
  auto setup = with(setup_for({{{work(3s), lock()}}}), {"cut-link"});
  setup.limits.connection_timeout = 2s;
  Led world(setup);
  world("run A1")("cut A | R0")("pass 1000ms")("pass 1000ms")("give-up A | R0")("pass 1000ms")("run A1");
  EXPECT_TRUE(world.link(0, 0).empty());
  world("heal A | R0");
  EXPECT_FALSE(world.can("request A/0 -> R0")) << "it was sent over no connection";
  world.by_default_until("time-out");
  world("time-out A/0 at R0")("request A/0 -> R0");
}

TEST(BreakConnection, LosesWhatWasPublishedUntilTheClientListensAgain) {
  auto setup = with(setup_for({{{lock({.lease = 20s}), unlock()}}, {{lock()}}}), {"break-connection"});
  Led world(setup);
  EXPECT_FALSE(world.can_any("break"));
  world("run A1")("request A/0 -> R0")("reply R0 -> A/0")("run A1");
  world("run B1")("request B/0 -> R0")("reply R0 -> B/0")("run B1")("channel B -> R0")("push R0 -> B");
  world("run B1")("request B/0 -> R0")("run A1")("request A/0 -> R0")("break B | R0");
  EXPECT_TRUE(world.link(1, 0).down.empty());
  EXPECT_EQ(world.link(1, 0).flights.size(), 1U) << "requests travel on connections of their own";
  EXPECT_TRUE(world.node(0).pubsub.empty());
  world("reconnect B to R0")("channel B -> R0")("push R0 -> B");
  EXPECT_EQ(world.node(0).pubsub.channels.size(), 1U);
}

TEST(CutReplica, LosesEffectsAndSynchronisesAnewWhenItHeals) {
  auto setup = with(replicated(setup_for({{{lock(), work(20s), unlock()}}})), {"cut-replica"});
  Led world(setup);
  world("run A1")("request A/0 -> R0")("cut-replica R1");
  EXPECT_FALSE(world.can("effects R0 -> R1"));
  world("reply R0 -> A/0");
  EXPECT_FALSE(world.can("resync R1"));
  EXPECT_EQ(world.node(1).db.size(), 0U);
  world("heal-replica R1")("resync R1");
  EXPECT_EQ(world.node(1).db.size(), 1U);
  EXPECT_FALSE(world.can_any("cut-replica"));
}

TEST(CutReplica, IsPromotedWithoutWhatItMissed) {
  auto setup = with(replicated(setup_for({{{lock(), work(20s), unlock()}}})),
                    {"cut-replica", "crash-node", "failover"});
  Led world(setup);
  world("cut-replica R1")("run A1")("request A/0 -> R0")("crash-node R0")("failover R1");
  ASSERT_EQ(world.all<FailedOver>().size(), 1U);
  EXPECT_TRUE(world.all<FailedOver>()[0].lost_writes);
}

}  // namespace
}  // namespace lockstep::model
