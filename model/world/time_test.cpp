// When time may pass and how far (`lockstep help time-and-network`).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/world/test_setup.h"

namespace lockstep::model {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;

TEST(Time, DoesNotPassWhileAThreadCanRunOrAMessageCanBeDelivered) {
  Led world(setup_for({{{lock()}}}));
  EXPECT_THAT(world.enabled(), ElementsAre("run A1"));
  world("run A1");
  EXPECT_THAT(world.enabled(), ElementsAre("request A/0 -> R0"));
  world("request A/0 -> R0");
  EXPECT_THAT(world.enabled(), ElementsAre("reply R0 -> A/0"));
  world("reply R0 -> A/0")("run A1")("run A1");
  EXPECT_THAT(world.enabled(), ElementsAre("pass 10000ms")) << "until the watchdog is due";
}

TEST(Time, EndsWhenNothingHasADeadlineAnyMore) {
  Led world(setup_for({{{lock(), unlock()}}}));
  world.until(100s);
  EXPECT_THAT(world.enabled(), testing::IsEmpty());
  EXPECT_EQ(world.now(), 0s);
  EXPECT_TRUE(world.facts().at_rest());
}

TEST(Time, StopsAtTheNextDeadlineAndTimersAreNotEarly) {
  Led world(setup_for({{{work(5s)}}, {{work(7s)}}}));
  world("run A1")("run B1");
  EXPECT_THAT(world.enabled(), ElementsAre("pass 5000ms"));
  world("pass 5000ms");
  EXPECT_THAT(world.enabled(), ElementsAre("run A1"));
  world("run A1");
  EXPECT_THAT(world.enabled(), ElementsAre("pass 2000ms"));
}

TEST(Time, EveryOrderOfWhatIsDueAtOneInstantIsThere) {
  Led world(setup_for({{{work(5s)}}, {{work(5s)}}}));
  world("run A1")("run B1")("pass 5000ms");
  EXPECT_THAT(world.enabled(), ElementsAre("run A1", "run B1"));
}

TEST(Time, AKeyLivesAtItsDeadlineAndAWaiterAsksOneMillisecondLater) {
  Led world(setup_for({{{lock({.lease = 5s})}}, {{lock({.lease = 5s})}}}));
  world("run A1")("request A/0 -> R0").settle();
  const redisson::Parked* parked = world.in<redisson::Parked>(1);
  ASSERT_NE(parked, nullptr);
  EXPECT_EQ(parked->left.left, 5'001ms);
  EXPECT_THAT(world.enabled(), ElementsAre("pass 5001ms"));
  world("pass 5001ms");
  EXPECT_EQ(world.all<KeyExpired>().size(), 1U);
  EXPECT_THAT(world.enabled(), ElementsAre("run B1"));
  world.settle();
  EXPECT_TRUE(world.facts().held_by(0, "orders", ThreadId{1}));
  EXPECT_EQ(world.now(), 5'001ms);
}

TEST(Time, OfBusyLoToHiMayEndAnywhereInsideAndMustAtItsEnd) {
  auto setup = setup_for({{{work(2s, 4s)}}});
  Led world(setup);
  world("run A1");
  EXPECT_FALSE(world.can("run A1"));
  while (!world.can("run A1")) world(world.enabled().front());
  EXPECT_EQ(world.now(), 2s) << "not before its lower end";
  EXPECT_TRUE(world.can_any("pass"));
  while (world.can_any("pass")) world.pass();
  EXPECT_EQ(world.now(), 4s) << "and not after its upper end";
  EXPECT_THAT(world.enabled(), ElementsAre("run A1"));
}

TEST(Time, InsideAnIntervalStopsWithinAMillisecondOfEachTie) {
  Led world(setup_for({{{work(0s, 10s)}}, {{work(3'500ms)}}}));
  world("run A1")("run B1");
  std::vector<std::int64_t> instants;
  while (world.now() < 4s) {
    if (world.can("run B1")) world("run B1");
    world.pass();
    instants.push_back(world.now().count());
  }
  EXPECT_THAT(instants, testing::IsSupersetOf({1'000, 2'000, 3'000, 3'499, 3'500, 3'501}));
}

TEST(Network, OfAnIntervalDeliversFromItsLowerToItsUpperEnd) {
  auto setup = setup_for({{{lock({.lease = 5s})}}});
  setup.network = {.kind = NetworkKind::interval, .delay = {5ms, 20ms}};
  setup.grain = 5ms;
  Led world(setup);
  world("run A1");
  EXPECT_FALSE(world.can("request A/0 -> R0"));
  while (!world.can("request A/0 -> R0")) world(world.enabled().front());
  EXPECT_EQ(world.now(), 5ms);
  EXPECT_TRUE(world.can_any("pass")) << "it may take longer";
  while (world.can_any("pass")) world.pass();
  EXPECT_EQ(world.now(), 20ms);
  EXPECT_THAT(world.enabled(), ElementsAre("request A/0 -> R0"));
}

TEST(Network, OfAnyDelayLetsTimePassWithSoManyMessagesLate) {
  auto setup = setup_for({{{lock({.lease = 5s})}}, {{lock({.lease = 5s})}}, {{work(60s)}}});
  setup.network = {.kind = NetworkKind::any, .held_max = 1};
  Led world(setup);
  world("run C1")("run A1")("run B1");
  EXPECT_FALSE(world.can_any("pass")) << "two may not be late";
  world("request B/0 -> R0")("reply R0 -> B/0")("run B1")("run B1");
  EXPECT_TRUE(world.can_any("pass")) << "one may";
  world.pass().pass();
  EXPECT_TRUE(world.can("request A/0 -> R0"));
}

TEST(Network, CommandsOvertakeEachOtherAndMessagesOfTheSubscriptionDoNot) {
  Led world(setup_for({{{lock()}, {lock({.object = 2})}}}));
  world("run A1")("run A2");
  EXPECT_THAT(world.enabled(), ElementsAre("request A/0 -> R0", "request A/1 -> R0"));
  world("request A/1 -> R0");
  EXPECT_TRUE(world.can("reply R0 -> A/1"));
}

TEST(Horizon, EndsTime) {
  auto setup = setup_for({{{lock()}}});
  setup.horizon = 25s;
  Led world(setup);
  world.until(100s);
  EXPECT_EQ(world.now(), 25s);
  EXPECT_FALSE(world.can_any("pass"));
}

TEST(Pause, StopsThreadsTimersAndHandlersWhileAllClocksRunOn) {
  auto setup = setup_for({{{lock(), work(20s), unlock()}}});
  allow(setup, "pause-process");
  setup.grain = 60s;
  Led world(setup);
  world.settle()("pause A");
  EXPECT_EQ(world.process(0).life, Process::Life::paused);
  EXPECT_EQ(world.process(0).pause_left.left, setup.limits.pause_max);
  world("pass 10000ms");
  EXPECT_FALSE(world.can("renew A 0")) << "its timer is due, but it does not run";
  EXPECT_EQ(world.client(0).watchdog.timers.at(0).left.left, 0s);
  while (world.can_any("pass")) world.pass();
  EXPECT_EQ(world.now(), 60s) << "the pause ends at its maximum";
  EXPECT_EQ(world.node(0).db.size(), 0U) << "the lease ran out";
  world("resume A");
  EXPECT_TRUE(world.can("renew A 0"));
  EXPECT_FALSE(world.can("pause A")) << "it was paid for once";
}

TEST(Pause, MayEndEarlyAndItsMessagesWaitForIt) {
  auto setup = setup_for({{{lock()}}});
  allow(setup, "pause-process");
  Led world(setup);
  world("run A1")("request A/0 -> R0")("pause A");
  EXPECT_FALSE(world.can("reply R0 -> A/0"));
  EXPECT_TRUE(world.can_any("pass")) << "what cannot be delivered holds nothing back";
  world("resume A")("reply R0 -> A/0");
}

TEST(ProcessClock, IsSaidWhereARequestSaysWhatTimeItIs) {
  auto setup = setup_for({{{work(2s), lock()}}, {{work(2s), lock()}}});
  setup.scripts.roles.at("lock").args = {"lease", "holder", "now"};
  setup.processes[1].clock_offset = Duration{-400};
  setup.epoch_ms = 1'000'000;
  Led world(setup);
  world.until(2s)("run A1")("run B1");
  const auto said = [&](std::size_t p) { return world.link(p, 0).flights.at(0).request->args.at(2); };
  EXPECT_EQ(said(0), "1002000");
  EXPECT_EQ(said(1), "1001600");
}

}  // namespace
}  // namespace lockstep::model
