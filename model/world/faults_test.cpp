// The table of faults (`lockstep help faults`): what each does, how it ends, and that it is paid for.
#include <gtest/gtest.h>

#include "model/world/test_setup.h"

namespace lockstep::model {
namespace {

using namespace std::chrono_literals;

Setup one_holder() { return setup_for({{{lock(), work(20s), unlock()}}}); }
const std::string orders = "orders";

TEST(CrashProcess, LosesRepliesButNotRequestsThatWereSent) {
  Led world(with(setup_for({{{lock()}}, {{work(1s)}}}), {"crash-process"}));
  world("run A1")("crash A");
  EXPECT_EQ(world.process(0).life, Process::Life::dead);
  world("request A/0 -> R0");
  EXPECT_EQ(world.facts().truth(0, orders).value().count_of("id-of-A:1"), 1)
      << "the lock is taken by a dead thread";
  EXPECT_TRUE(world.link(0, 0).empty()) << "and nobody is told";
  EXPECT_FALSE(world.can_any("crash"));
}

TEST(CrashProcess, EndsItsSubscriptionsAndTimers) {
  Led world(with(setup_for({{{lock({.lease = 60s})}}, {{lock()}}}), {"crash-process"}));
  world("run A1")("request A/0 -> R0").settle();
  EXPECT_EQ(world.node(0).pubsub.channels.size(), 1U);
  EXPECT_EQ(world.client(1).pub_sub.entries.size(), 1U);
  world("crash B");
  EXPECT_TRUE(world.node(0).pubsub.empty());
  EXPECT_TRUE(world.process(1).clients.at(0).library.empty()) << "the dead one has forgotten everything";
}

TEST(RestartProcess, BeginsItsProgramsAnewAsAClientWithAnotherName) {
  auto setup = with(one_holder(), {"crash-process"});
  allow(setup, "restart-process");
  Led world(setup);
  world.settle()("crash A")("restart A");
  EXPECT_EQ(world.process(0).incarnation, 1);
  world("run A1")("request A/0 -> R0");
  EXPECT_FALSE(world.facts().held_by(0, orders, ThreadId{0})) << "the dead client still holds the lock";
  EXPECT_EQ(world.facts().truth(0, orders).value().count_of("id-of-A:1"), 1);
  EXPECT_EQ(holder_name(setup, ThreadId{0}, 1, 0), "id-of-A-again-1:1");
}

TEST(LoseMessage, OfARequestLeavesItsSenderToTheResponseTimeOut) {
  Led world(with(setup_for({{{lock()}}}), {"lose-message"}));
  world("run A1")("lose-request A/0 -> R0");
  EXPECT_EQ(world.all<MessageLost>().size(), 1U);
  world("pass 3000ms")("time-out A/0 at R0")("request A/0 -> R0");
  EXPECT_EQ(world.facts().truth(0, orders).value().count_of("id-of-A:1"), 1);
}

TEST(LoseMessage, OfAReplyMakesTheAcquireCountTwice) {
  Led world(with(setup_for({{{lock()}}}), {"lose-message"}));
  world("run A1")("request A/0 -> R0")("lose-reply R0 -> A/0")("pass 3000ms")("time-out A/0 at R0");
  world("request A/0 -> R0");
  EXPECT_EQ(world.facts().truth(0, orders).value().count_of("id-of-A:1"), 2);
}

TEST(LoseMessage, DoesNotGiveTheNextRequestsReplyToTheThreadThatWaitsForTheLostOne) {
  Led world(with(setup_for({{{lock()}, {lock({.object = 2})}}}), {"lose-message"}));
  world("run A1")("lose-request A/0 -> R0")("run A2");
  EXPECT_FALSE(world.can("request A/0 -> R0"));
  world("request A/1 -> R0")("reply R0 -> A/1");
  EXPECT_NE(world.in<redisson::Asking>(0, 0), nullptr);
  EXPECT_NE(world.in<redisson::Answered>(0, 1), nullptr);
}

TEST(DelayMessage, HoldsItUntilItIsReleasedWhileTimePasses) {
  Led world(with(setup_for({{{lock()}}}), {"delay-message"}));
  world("run A1")("hold-request A/0 -> R0");
  EXPECT_FALSE(world.can("request A/0 -> R0"));
  EXPECT_TRUE(world.can_any("pass"));
  while (!world.can("time-out A/0 at R0")) world("pass 1000ms");
  world("time-out A/0 at R0")("request A/1 -> R0")("release-request A/0 -> R0")("request A/0 -> R0");
  EXPECT_EQ(world.facts().truth(0, orders).value().count_of("id-of-A:1"), 2) << "both copies ran";
  EXPECT_FALSE(world.can_any("hold-reply"));
}

TEST(CutLink, LetsNothingPassUntilItHealsAtTheLatestAtItsMaximum) {
  auto setup = with(setup_for({{{lock()}}}), {"cut-link"});
  setup.limits.cut_max = 2s;
  Led world(setup);
  world("run A1")("cut A | R0");
  EXPECT_FALSE(world.can("request A/0 -> R0"));
  EXPECT_TRUE(world.can("heal A | R0"));
  world("pass 1000ms")("pass 1000ms");
  EXPECT_FALSE(world.can_any("pass"));
  world("heal A | R0")("request A/0 -> R0");
  EXPECT_FALSE(world.can_any("cut"));
}

TEST(CrashNode, LosesWhatIsUnderWayAndKeepsWhatPersistenceKept) {
  for (const auto persistence : {redis::Persistence::none, redis::Persistence::append_only}) {
    auto setup = with(one_holder(), {"crash-node"});
    allow(setup, "restart-node");
    setup.persistence = persistence;
    Led world(setup);
    world.settle()("crash-node R0");
    EXPECT_EQ(world.facts().master(), std::nullopt);
    EXPECT_FALSE(world.can_any("crash-node"));
    world("restart-node R0");
    EXPECT_EQ(world.facts().held_by(0, orders, ThreadId{0}), persistence == redis::Persistence::append_only);
  }
}

TEST(CrashNode, MakesSubscribersConnectAgainWhenItIsBack) {
  auto setup = with(setup_for({{{lock({.lease = 600s})}}, {{lock()}}}), {"crash-node"});
  allow(setup, "restart-node");
  setup.persistence = redis::Persistence::append_only;
  Led world(setup);
  world("run A1")("request A/0 -> R0").settle()("crash-node R0");
  EXPECT_TRUE(world.link(1, 0).broken);
  world("restart-node R0")("reconnect B to R0")("channel B -> R0")("push R0 -> B");
  EXPECT_EQ(world.node(0).pubsub.channels.size(), 1U);
}

TEST(CrashNode, TellsItsReplicasNothingAnyMore) {
  auto setup =
      with(replicated(setup_for({{{lock({.lease = 5s})}}, {{work(60s)}}})), {"crash-node"});
  Led world(setup);
  world.settle();
  ASSERT_EQ(world.node(1).db.size(), 1U);
  world("crash-node R0");
  while (world.can_any("pass") && world.now() < 6s) world.pass();
  EXPECT_GE(world.now(), 6s);
  EXPECT_TRUE(world.world().streams[1]->batches.empty())
      << "the lock died on the dead master, which cannot say so";
}

TEST(Failover, LosesWhatIsUnderWayToTheReplica) {
  Led world(with(replicated(one_holder()), {"failover"}));
  world("run A1")("request A/0 -> R0");
  EXPECT_TRUE(world.can("effects R0 -> R1"));
  world("failover R1");
  ASSERT_EQ(world.all<FailedOver>().size(), 1U);
  EXPECT_TRUE(world.all<FailedOver>()[0].lost_writes);
  EXPECT_FALSE(world.can("effects R0 -> R1"));
  EXPECT_EQ(world.facts().master(), NodeId{1});
  EXPECT_TRUE(world.facts().truth(0, orders).value().free());
}

TEST(Failover, KeepsWhatTheReplicaHasSeen) {
  Led world(with(replicated(one_holder()), {"failover"}));
  world("run A1")("request A/0 -> R0")("effects R0 -> R1")("failover R1");
  EXPECT_FALSE(world.all<FailedOver>()[0].lost_writes);
  EXPECT_TRUE(world.facts().held_by(0, orders, ThreadId{0}));
}

TEST(Failover, EachProcessLearnsOfItByAMoveOfItsOwnAndWritesToTheOldMasterUntilThen) {
  Led world(with(replicated(setup_for({{{lock()}}, {{lock()}}})), {"failover"}));
  world("failover R1");
  EXPECT_FALSE(world.facts().knows_master(ProcessId{0}));
  world("learn B")("run A1")("run B1")("request A/0 -> R0")("request B/0 -> R1");
  EXPECT_EQ(world.stored_on(0, orders).count_of("id-of-A:1"), 1);
  EXPECT_EQ(world.stored_on(1, orders).count_of("id-of-B:1"), 1);
}

TEST(Failover, TheOldMasterIsDemotedByAMoveOfItsOwnAndLosesItsDivergentWrites) {
  Led world(with(replicated(setup_for({{{lock()}}})), {"failover"}));
  world("failover R1")("run A1")("request A/0 -> R0")("demote R0");
  EXPECT_EQ(world.node(0).role, redis::Role::replica);
  EXPECT_EQ(world.node(0).db.size(), 0U);
  EXPECT_TRUE(world.link(0, 0).empty()) << "its clients are cut off";
  EXPECT_EQ(world.world().streams[0]->master, NodeId{1});
}

TEST(Failover, IsLearntAndFollowedAtTheLatestAtTheEndOfItsInterval) {
  auto setup = with(replicated(setup_for({{{work(60s)}}})), {"failover"});
  setup.limits.learn = {2s, 3s};
  Led world(setup);
  world("run A1")("failover R1");
  EXPECT_FALSE(world.can("learn A"));
  while (!world.can("learn A")) world(world.enabled().front());
  EXPECT_EQ(world.now(), 2s);
  while (world.can_any("pass")) world.pass();
  EXPECT_EQ(world.now(), 3s);
  EXPECT_TRUE(world.can("learn A") && world.can("demote R0"));
}

TEST(Failover, OfASentinelThatJudgesRightlyNeedsADeadMaster) {
  auto setup = with(replicated(one_holder()), {"failover"});
  allow(setup, "crash-node");
  setup.limits.failover_needs_dead_master = true;
  Led world(setup);
  EXPECT_FALSE(world.can("failover R1"));
  world("crash-node R0");
  EXPECT_TRUE(world.can("failover R1"));
}

TEST(Failover, ADeadMasterThatComesBackIsDemotedAndThenFollows) {
  auto setup = with(replicated(one_holder()), {"failover"});
  allow(setup, "crash-node");
  allow(setup, "restart-node");
  setup.persistence = redis::Persistence::append_only;
  Led world(setup);
  world("run A1")("request A/0 -> R0")("crash-node R0")("failover R1")("restart-node R0");
  EXPECT_EQ(world.node(0).role, redis::Role::master) << "it does not know yet";
  EXPECT_EQ(world.stored_on(0, orders).count_of("id-of-A:1"), 1);
  world("demote R0");
  EXPECT_EQ(world.node(0).db.size(), 0U);
}

TEST(ReplicaLag, HoldsTheStreamUntilItEnds) {
  auto setup = with(replicated(one_holder()), {"replica-lag"});
  setup.limits.lag_max = 2s;
  Led world(setup);
  world("lag R1")("run A1")("request A/0 -> R0");
  EXPECT_FALSE(world.can("effects R0 -> R1"));
  world("reply R0 -> A/0")("run A1")("run A1")("pass 1000ms")("pass 1000ms");
  EXPECT_FALSE(world.can_any("pass"));
  world("unlag R1")("effects R0 -> R1");
  EXPECT_EQ(world.node(1).db.size(), 1U);
}

TEST(ReplicaSkew, MakesAKeyDieEarlierOnAReplicaWhoseClockIsAhead) {
  auto setup = replicated(setup_for({{{lock({.lease = 5s})}}}));
  setup.nodes[1].clock_offset = 2s;
  Led world(setup);
  world("run A1")("request A/0 -> R0")("effects R0 -> R1");
  EXPECT_EQ(world.node(0).db.find(orders)->remaining, 5s);
  EXPECT_EQ(world.node(1).db.find(orders)->remaining, 3s);
}

TEST(ClockDrift, MakesAKeyDieEarlierByTheNodesClockThanByTrueTime) {
  auto setup = setup_for({{{lock({.lease = 10s}), work(20s)}}});
  setup.nodes[0].clock_drift_ppm = 250'000;  // ten seconds of its clock are eight of true time
  Led world(setup);
  world("run A1")("request A/0 -> R0")("reply R0 -> A/0")("run A1")("run A1")("pass 8001ms");
  EXPECT_EQ(world.all<KeyExpired>().size(), 1U);
}

TEST(ClockDrift, WhatAClockGainsAddsUpToWholeMilliseconds) {
  auto setup = setup_for({{{lock({.lease = 60s}), work(5ms), work(5ms), work(60s)}}});
  setup.nodes[0].clock_drift_ppm = 100'000;
  Led world(setup);
  world("run A1")("request A/0 -> R0")("reply R0 -> A/0")("run A1")("run A1")("pass 5ms");
  EXPECT_EQ(world.node(0).db.find(orders)->remaining, Duration(60'000 - 5));
  world("run A1")("pass 5ms");
  EXPECT_EQ(world.node(0).db.find(orders)->remaining, Duration(60'000 - 11));
}

TEST(ClockDrift, ADeadlineUnderWayIsTheOneOfTheMastersClockWhenItWasSent) {
  auto setup = replicated(setup_for({{{lock({.lease = 60s}), work(10s)}}}));
  setup.nodes[0].clock_drift_ppm = 100'000;
  setup.network = {.kind = NetworkKind::interval, .delay = {0s, 10s}, .held_max = 0};
  Led world(setup);
  world("run A1")("request A/0 -> R0")("reply R0 -> A/0")("run A1")("run A1").pass();
  const Duration on_master = *world.node(0).db.find(orders)->remaining;
  ASSERT_LT(on_master, 60s);
  world("effects R0 -> R1");
  // The replica's clock is right: it has passed less of the sixty seconds.
  EXPECT_GT(*world.node(1).db.find(orders)->remaining, on_master);
}

TEST(ClockJump, LeavesDeadlinesThatWereSentBeforeItAsTheyWere) {
  auto setup = with(replicated(one_holder()), {"clock-jump"});
  setup.limits.clock_jumps = {5s};
  Led world(setup);
  world("run A1")("request A/0 -> R0")("jump R0 5000ms")("effects R0 -> R1");
  EXPECT_EQ(world.node(0).db.find(orders)->remaining, 25s);
  EXPECT_EQ(world.node(1).db.find(orders)->remaining, 30s);
}

TEST(ClockJump, ShiftsKeysAndNotTimers) {
  auto setup = with(one_holder(), {"clock-jump"});
  setup.limits.clock_jumps = {31s, -5s};
  Led back(setup);
  back.settle()("jump R0 -5000ms");
  EXPECT_EQ(back.node(0).db.find(orders)->remaining, 35s);
  EXPECT_EQ(back.client(0).watchdog.timers.at(0).left.left, 10s);
  Led ahead(setup);
  ahead.settle()("jump R0 31000ms");
  EXPECT_EQ(ahead.node(0).db.size(), 0U);
  EXPECT_EQ(ahead.all<KeyExpired>().size(), 1U);
  EXPECT_FALSE(ahead.can_any("jump"));
}

TEST(EvictKey, TakesAKeyFromMasterAndReplica) {
  Led world(with(replicated(one_holder()), {"evict-key"}));
  world.settle()("evict R0 0");
  EXPECT_EQ(world.node(0).db.size(), 0U);
  world("effects R0 -> R1");
  EXPECT_EQ(world.node(1).db.size(), 0U);
  EXPECT_FALSE(world.can_any("evict"));
}

TEST(FlushScripts, MakesTheClientSendTheTextAgain) {
  auto setup = with(setup_for({{{lock(), unlock()}}}), {"flush-scripts"});
  setup.use_script_cache = true;
  Led world(setup);
  world("run A1")("request A/0 -> R0");
  EXPECT_TRUE(says(world.all<Evaluated>().back().items, Meaning::failed));
  EXPECT_EQ(world.link(0, 0).flights.at(0).reply.value().error()->text.substr(0, 8), "NOSCRIPT");
  world("reply R0 -> A/0")("request A/0 -> R0");
  EXPECT_TRUE(world.facts().held_by(0, orders, ThreadId{0}));
  world("flush-scripts R0");
  EXPECT_TRUE(world.node(0).scripts.empty());
  EXPECT_FALSE(world.can_any("flush-scripts"));
}

TEST(InterruptThread, EndsAWaitAndIsPaidFor) {
  Led world(with(setup_for({{{lock({.lease = 60s})}}, {{call(StepKind::lock_interruptibly)}}}),
                 {"interrupt-thread"}));
  world("run A1")("request A/0 -> R0")("reply R0 -> A/0")("run A1")("run A1").settle();
  world("interrupt B1");
  EXPECT_EQ(world.answers(1), std::vector{Answer::exception});
  EXPECT_FALSE(world.can_any("interrupt"));
}

TEST(PauseNode, AnswersNothingWhileItsClockRunsOn) {
  auto setup = with(setup_for({{{lock({.lease = 2s})}}, {{lock()}}}), {"pause-node"});
  Led world(setup);
  world("run A1")("request A/0 -> R0")("pause-node R0")("reply R0 -> A/0")("run B1");
  EXPECT_FALSE(world.can("request B/0 -> R0"));
  world.until(3s)("time-out B/0 at R0")("resume-node R0");
  EXPECT_TRUE(world.facts().truth(0, orders)->free()) << "the key died meanwhile";
  world("request B/0 -> R0")("request B/1 -> R0");
  EXPECT_EQ(world.facts().truth(0, orders)->count_of("id-of-B:1"), 2) << "both copies are served";
}

TEST(PauseNode, EndsAtItsMaximumAndMayBeReplacedMeanwhile) {
  auto setup = with(replicated(one_holder()), {"pause-node", "failover"});
  setup.limits.node_pause_max = 1s;
  setup.limits.failover_needs_dead_master = true;
  Led world(setup);
  EXPECT_FALSE(world.can("failover R1"));
  world("pause-node R0");
  EXPECT_TRUE(world.can("failover R1"));
  world("run A1")("pass 1000ms");
  EXPECT_FALSE(world.can_any("pass"));
  world("resume-node R0")("request A/0 -> R0");
}

TEST(StallThread, StopsOneThreadWhileTheWatchdogOfItsProcessGoesOn) {
  auto setup = with(setup_for({{{lock(), work(5s), unlock()}}}), {"stall-thread"});
  setup.limits.stall_max = 60s;
  Led world(setup);
  world("run A1")("request A/0 -> R0")("reply R0 -> A/0")("run A1")("stall A1");
  world.by_default_until("renew");
  EXPECT_EQ(world.now(), 10s);
  EXPECT_FALSE(world.can("run A1"));
  world("renew A 0")("request A/0 -> R0")("unstall A1");
  EXPECT_TRUE(world.can("run A1"));
}

TEST(StallThread, IsGoneWithItsProcess) {
  auto setup = with(setup_for({{{lock(), work(5s), unlock()}}}), {"stall-thread", "crash-process"});
  allow(setup, "restart-process");
  Led world(setup);
  world("stall A1")("crash A");
  EXPECT_FALSE(world.can("unstall A1"));
  world("restart A");
  EXPECT_TRUE(world.can("run A1"));
}

TEST(Tracer, NamesAsCauseOnlyEventsThatAreThereAndCameBefore) {
  auto setup = with(replicated(setup_for({{{lock(), work(1s), unlock()}}, {{lock(), unlock()}}})),
                    {"lose-message"});
  Led world(setup);
  world("run A1")("lose-request A/0 -> R0").until(100s);
  const auto& events = world.tracer().events();
  ASSERT_GT(events.size(), 30U);
  std::size_t causes = 0;
  for (std::size_t i = 0; i < events.size(); ++i) {
    EXPECT_EQ(events[i].index, static_cast<std::int64_t>(i));
    if (i > 0) { EXPECT_GE(events[i].time_us, events[i - 1].time_us); }
    for (const auto& earlier : {events[i].cause, events[i].of}) {
      if (!earlier) continue;
      ++causes;
      EXPECT_GE(*earlier, 0);
      EXPECT_LT(*earlier, events[i].index);
    }
    if (events[i].kind == sim::TraceKind::recv || events[i].kind == sim::TraceKind::eval) {
      EXPECT_TRUE(events[i].msg.has_value()) << i;
    }
  }
  EXPECT_GT(causes, 10U);
}

TEST(Tracer, TellsTheSameOfTheSameMoves) {
  const auto setup = setup_for({{{lock(), work(1s), unlock()}}, {{lock(), unlock()}}});
  Led one(setup), other(setup);
  one.until(100s);
  other.until(100s);
  EXPECT_EQ(one.tracer().events(), other.tracer().events());
  EXPECT_EQ(one.tracer().monitor_lines(), other.tracer().monitor_lines());
}

}  // namespace
}  // namespace lockstep::model
