// Faults that a scenario fixes: at a time, before and after events, and on messages.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "model/world/fixed.h"
#include "model/world/test_setup.h"

namespace lockstep::model {
namespace {

using namespace std::chrono_literals;

Setup a_holder() { return setup_for({{{lock(), work(20s), unlock()}}}); }

TEST(FixedFaults, HappenAtTheirTimeAndAreNotPaidFor) {
  auto setup = a_holder();
  setup.fixed = {{.fault = *find_fault("crash-process", setup), .at = 4s}};
  Led world(setup);
  world.settle()("pass 4000ms");
  EXPECT_THAT(world.enabled(), testing::ElementsAre("fixed 0"));
  world("fixed 0");
  EXPECT_EQ(world.process(0).life, Process::Life::dead);
}

TEST(FixedFaults, ThatBefallNothingChangeNothing) {
  auto setup = a_holder();
  setup.fixed = {{.fault = *find_fault("pause-process", setup), .ends = true, .at = 0s}};
  Led world(setup);
  world("fixed 0");
  EXPECT_EQ(world.process(0).life, Process::Life::running);
  EXPECT_FALSE(world.can("fixed 0"));
}

TEST(FixedFaults, EndWhenTheScenarioSaysAndNotEarlier) {
  auto setup = a_holder();
  const FaultId pause = *find_fault("pause-process", setup);
  setup.fixed = {{.fault = pause, .at = 1s}, {.fault = pause, .ends = true, .at = 3s}};
  Led world(setup);
  world.settle()("pass 1000ms")("fixed 0");
  EXPECT_FALSE(world.can("resume A"));
  world("pass 2000ms")("fixed 1");
  EXPECT_EQ(world.process(0).life, Process::Life::running);
}

FaultEvent reply_to(std::string role) {
  return {.kind = FaultEvent::Kind::reply, .role = std::move(role), .lock = "orders"};
}

TEST(FixedFaults, BeforeAnEventTakeThePlaceOfItsMove) {
  auto setup = a_holder();
  FixedFault fault{.fault = *find_fault("crash-process", setup)};
  fault.event = reply_to("lock");
  fault.before = true;
  setup.fixed = {fault};
  Led world(setup);
  world("run A1")("request A/0 -> R0");
  EXPECT_THAT(world.enabled(), testing::ElementsAre("fixed 0"));
  world("fixed 0");
  EXPECT_EQ(world.process(0).life, Process::Life::dead);
  EXPECT_TRUE(world.answers(0).empty());
}

TEST(FixedFaults, AfterAnEventLeaveNothingElseToHappen) {
  auto setup = setup_for({{{lock(), work(20s)}}, {{work(60s)}}});
  FixedFault fault{.fault = *find_fault("crash-process", setup)};
  fault.event = FaultEvent{.kind = FaultEvent::Kind::acquires, .lock = "orders", .process = ProcessId{0}};
  setup.fixed = {fault};
  Led world(setup);
  world("run A1")("request A/0 -> R0")("reply R0 -> A/0");
  EXPECT_TRUE(world.can("run B1"));
  world("run A1");
  EXPECT_THAT(world.enabled(), testing::ElementsAre("fixed 0"));
  world("fixed 0");
  EXPECT_EQ(world.all<FixedFaultCame>().size(), 1U);
  EXPECT_TRUE(world.facts().held_by(0, "orders", ThreadId{0})) << "it died holding the lock";
}

TEST(FixedFaults, OfMessagesBefallTheFirstThatArrivesFromThenOn) {
  auto setup = setup_for({{{lock(), work(1s), unlock()}}});
  FixedFault fault{.fault = *find_fault("lose-message", setup), .aim = Aim::message};
  fault.message = reply_to("unlock");
  setup.fixed = {fault};
  Led world(setup);
  world("run A1")("request A/0 -> R0")("reply R0 -> A/0")("run A1")("run A1")("pass 1000ms")("run A1");
  world("request A/0 -> R0");
  EXPECT_THAT(world.enabled(), testing::ElementsAre("fixed-reply 0 R0 -> A/0"));
  world("fixed-reply 0 R0 -> A/0");
  EXPECT_EQ(world.all<MessageLost>().size(), 1U);
  world("pass 3000ms")("time-out A/0 at R0")("request A/0 -> R0")("reply R0 -> A/0");
}

TEST(FixedFaults, HoldAMessageUntilItIsReleasedAtItsTime) {
  auto setup = setup_for({{{lock()}}});
  const FaultId delay = *find_fault("delay-message", setup);
  const FaultEvent message{.kind = FaultEvent::Kind::request, .role = "lock", .lock = "orders"};
  setup.fixed = {{.fault = delay, .aim = Aim::message}, {.fault = delay, .ends = true, .aim = Aim::message}};
  setup.fixed[0].message = setup.fixed[1].message = message;
  setup.fixed[1].at = 2s;
  Led world(setup);
  world("run A1")("fixed-request 0 A/0 -> R0");
  EXPECT_FALSE(world.can_any("release-request"));
  world.until(2s)("fixed 1")("request A/0 -> R0");
}

Setup on_disk(redis::Persistence persistence, std::vector<std::pair<const char*, Duration>> fixed) {
  auto setup = setup_for({{{lock({.lease = 60s}), work(20s)}}});
  setup.persistence = persistence;
  for (const auto& [key, at] : fixed)
    setup.fixed.push_back({.fault = *find_fault(key, setup), .aim = Aim::node, .at = at});
  return setup;
}

std::size_t came(const Led& world) { return world.all<FixedFaultCame>().size(); }

TEST(FixedFaults, OfAPowerLossMayComeBeforeTheCrashOfTheirInstantAndNotLater) {
  const auto after_restart = [](Duration crash, std::size_t came_then) {
    auto setup = on_disk(redis::Persistence::append_only, {{"power-loss", 1s}, {"crash-node", crash}});
    Led world(with(std::move(setup), {"restart-node"}));
    world("run A1")("request A/0 -> R0")("reply R0 -> A/0")("run A1").until(1s);
    world("fixed 0").until(crash)("fixed 1");
    if (world.can("fixed 0")) world("fixed 0");
    EXPECT_EQ(came(world), came_then);
    world("restart-node R0");
    return world.node(0).db.size();
  };
  EXPECT_EQ(after_restart(1s, 2), 0U);
  EXPECT_EQ(after_restart(1001ms, 1), 1U) << "it was for another instant";
}

TEST(FixedFaults, OfAServerThatFindNothingDoNotCome) {
  const auto came_to = [](redis::Persistence persistence, const char* key, bool up) {
    auto setup = on_disk(persistence, {{"crash-node", up ? 2s : 500ms}, {key, 1s}});
    if (std::string_view(key) == "evict-key") setup.fixed[1].key = "orders";
    setup.use_script_cache = true;
    Led world(std::move(setup));
    world.until(1s)("fixed 1");
    return came(world) - (up ? 0 : 1);
  };
  using redis::Persistence;
  EXPECT_EQ(came_to(Persistence::snapshot, "save", true), 1U);
  EXPECT_EQ(came_to(Persistence::snapshot, "save", false), 0U);
  EXPECT_EQ(came_to(Persistence::none, "save", true), 0U);
  EXPECT_EQ(came_to(Persistence::append_only, "power-loss", true), 0U);
  EXPECT_EQ(came_to(Persistence::append_only, "power-loss", false), 0U) << "it had run on";
  EXPECT_EQ(came_to(Persistence::none, "evict-key", true), 1U);
  EXPECT_EQ(came_to(Persistence::none, "evict-key", false), 0U);
  EXPECT_EQ(came_to(Persistence::none, "flush-scripts", true), 1U);
  EXPECT_EQ(came_to(Persistence::none, "flush-scripts", false), 0U);
}

TEST(FixedFaults, OfALinkBetweenNodesFindNothingWhereOneIsDown) {
  auto setup = replicated(setup_for({{{work(20s)}}}));
  for (const char* key : {"crash-node", "replica-lag", "cut-replica"})
    setup.fixed.push_back({.fault = *find_fault(key, setup), .aim = Aim::node, .target = 1, .at = 1s});
  setup.fixed[0].target = 0;
  Led world(std::move(setup));
  world("run A1").until(1s)("fixed 0")("fixed 1")("fixed 2");
  EXPECT_EQ(came(world), 1U);
}

TEST(SavePoints, AndACrashOfTheirInstantComeInEitherOrder) {
  for (const bool saved : {true, false}) {
    auto setup = on_disk(redis::Persistence::snapshot, {{"crash-node", 2s}});
    setup.save = {{1s, 1}};
    Led world(with(std::move(setup), {"restart-node"}));
    world("run A1")("request A/0 -> R0")("reply R0 -> A/0")("run A1").until(2s);
    EXPECT_TRUE(world.can("cron R0") && world.can("fixed 0"));
    EXPECT_FALSE(world.can_any("pass"));
    if (saved) world("cron R0");
    EXPECT_EQ(world.can("cron R0"), !saved);
    world("fixed 0");
    EXPECT_FALSE(world.can("cron R0"));
    world("restart-node R0");
    EXPECT_EQ(world.node(0).db.size(), saved ? 1U : 0U);
  }
}

TEST(SavePoints, OfANodeThatIsPausedComeWhenItGoesOn) {
  auto setup = on_disk(redis::Persistence::snapshot, {});
  setup.save = {{1s, 1}};
  Led world(with(std::move(setup), {"pause-node", "crash-node"}));
  world("run A1")("request A/0 -> R0")("reply R0 -> A/0")("run A1").until(2s);
  world("pause-node R0");
  EXPECT_FALSE(world.can("cron R0"));
  world.pass()("resume-node R0")("cron R0");
  EXPECT_GT(world.now(), 2s);
  EXPECT_TRUE(world.node(0).snapshot.has_value());
}

TEST(FixedFaults, OfEveryKindHappen) {
  auto setup =
      replicated(setup_for({{{lock({.lease = 60s}), work(20s)}}, {{call(StepKind::lock_interruptibly)}}}));
  const auto fixed = [&](const char* key, Aim aim, std::uint16_t target, Duration at, bool ends = false) {
    FixedFault fault{.fault = *find_fault(key, setup), .ends = ends, .aim = aim, .target = target};
    fault.at = at;
    setup.fixed.push_back(fault);
  };
  fixed("cut-link", Aim::link, 1, 1s);
  fixed("cut-link", Aim::link, 1, 2s, true);
  fixed("replica-lag", Aim::node, 1, 3s);
  fixed("replica-lag", Aim::node, 1, 4s, true);
  fixed("interrupt-thread", Aim::thread, 1, 5s);
  fixed("clock-jump", Aim::node, 0, 6s);
  setup.fixed.back().by = 10s;
  fixed("pause-node", Aim::node, 0, 7s);
  fixed("pause-node", Aim::node, 0, 8s, true);
  fixed("stall-thread", Aim::thread, 0, 9s);
  fixed("stall-thread", Aim::thread, 0, 10s, true);
  fixed("cut-replica", Aim::node, 1, 11s);
  fixed("cut-replica", Aim::node, 1, 12s, true);
  fixed("evict-key", Aim::node, 0, 13s);
  setup.fixed.back().key = "orders";
  fixed("break-connection", Aim::link, 1, 4500ms);
  Led world(setup);
  world("run A1")("request A/0 -> R0")("reply R0 -> A/0")("run A1").until(14s);
  std::set<std::size_t> came;
  for (const auto& one : world.all<FixedFaultCame>()) came.insert(one.number);
  EXPECT_EQ(came.size(), setup.fixed.size()) << testing::PrintToString(came);
  EXPECT_EQ(world.node(0).db.size(), 0U);
}

}  // namespace
}  // namespace lockstep::model
