// lockAsync(), tryLockAsync(), unlockAsync() (locks/listening.h, 1 to 6), and what their callers do with the
// futures.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/redisson/driven_process.h"
#include "model/redisson/versions.h"

namespace lockstep::redisson {
namespace {

using namespace std::chrono_literals;
using model::call;
using model::lock;
using model::setup_for;
using model::Step;
using model::try_lock;
using model::unlock;
using testing::ElementsAre;
using testing::IsEmpty;
using Sent = std::vector<std::string>;

const Reply granted;
Reply number(std::int64_t value) { return Reply{value}; }

Step async(Step step) {
  step.async = true;
  return step;
}
const Step get{.kind = StepKind::get, .jump = 2}, cancel{.kind = StepKind::cancel};
const Step work{.kind = StepKind::work, .span = {10s, 10s}};

Driven calls(std::vector<Step> program, const char* version = "3.28.0") {
  Setup setup = setup_for({{std::move(program)}});
  setup.client = *settings_of(version);
  return Driven(std::move(setup));
}

/// The future of thread 0 has been refused twice, and listens for the rest of this TTL.
Driven& listen(Driven& process, std::int64_t ttl) {
  process.run().answer(number(ttl)).push("subscribe").answer(number(ttl));
  process.sent();
  return process;
}

TEST(LockAsync, LetsItsThreadGoOnAndIsReadByGet) {
  Driven process = calls({async(lock()), work, get, unlock()});
  process.run();
  EXPECT_EQ(process.sent(), (Sent{"lock 30000"}));
  process.run();
  process.answer(granted);
  EXPECT_EQ(process.future(), Answer::yes);
  EXPECT_EQ(process.returned(), std::nullopt) << "nobody has asked for it";
  process.pass(10s).run();
  EXPECT_EQ(process.returned(), Answer::yes);
  EXPECT_EQ(process.future(), std::nullopt);
}

TEST(LockAsync, GetWaitsUntilTheFutureIsComplete) {
  Driven process = calls({async(lock()), get, unlock()});
  process.run().run();
  EXPECT_FALSE(process.can_run(0));
  process.answer(granted).run();
  EXPECT_EQ(process.returned(), Answer::yes);
}

TEST(LockAsync, ThatIsRefusedSubscribesAndListensUntilAMessageComes) {
  Driven process = calls({async(lock()), get});
  process.run().answer(number(20'000));
  EXPECT_EQ(process.sent(), (Sent{"lock 30000", "SUBSCRIBE"}));
  process.push("subscribe").answer(number(20'000));
  EXPECT_EQ(process.sent(), (Sent{"lock 30000"}));
  ASSERT_EQ(process.own().pub_sub.entries.at("orders").listeners.size(), 1U);
  process.push("message");
  EXPECT_EQ(process.sent(), (Sent{"lock 30000"}));
  EXPECT_EQ(process.own().pub_sub.entries.at("orders").permits, 1U) << "the message has stored one as well";
  process.answer(granted);
  EXPECT_EQ(process.sent(), (Sent{"UNSUBSCRIBE"}));
  EXPECT_EQ(process.future(), Answer::yes);
}

TEST(LockAsync, AsksAgainWhenTheHoldersLeaseIsOver) {
  Driven process = calls({async(lock()), get});
  listen(process, 20'000).pass(20'000ms);
  EXPECT_FALSE(process.anything_due());
  process.pass(1ms).fire_first();
  EXPECT_EQ(process.sent(), (Sent{"lock 30000"}));
}

TEST(LockAsync, ListensWithoutLimitIfTheLockHasNoTtl) {
  Driven process = calls({async(lock()), get});
  listen(process, -1).pass(100'000s);
  EXPECT_FALSE(process.anything_due());
}

TEST(LockAsync, TakesAStoredWakeUpInsteadOfListening) {
  Driven process = calls({async(lock()), get});
  process.run().answer(number(9)).push("subscribe").push("message").answer(number(9));
  EXPECT_EQ(process.sent(), (Sent{"lock 30000", "SUBSCRIBE", "lock 30000", "lock 30000"}));
}

TEST(LockAsync, UpTo327MissesAMessageThatComesBeforeItListens) {
  Driven old = calls({async(lock()), get}, "3.27.2");
  listen(old, 20'000).push("message");
  EXPECT_EQ(old.sent(), (Sent{})) << "nobody listens yet";
  old.fire_first();
  EXPECT_EQ(old.own().pub_sub.entries.at("orders").listeners.size(), 1U);
  EXPECT_EQ(old.own().pub_sub.entries.at("orders").permits, 1U) << "and it does not look for that";
  EXPECT_EQ(old.sent(), (Sent{}));
}

TEST(LockAsync, FailsWhenItsSubscriptionIsNotConfirmedInTime) {
  Driven process = calls({async(lock()), get});
  process.run().answer(number(20'000)).pass(7'500ms).fire_first();
  EXPECT_EQ(process.future(), Answer::exception);
}

TEST(TryLockAsync, AnswersFalseWhenItsTimeIsUp) {
  Driven process = calls({async(try_lock({.wait = 5s})), get});
  listen(process, 20'000).pass(5s).fire_first();
  EXPECT_EQ(process.future(), Answer::no);
  EXPECT_EQ(process.sent(), (Sent{"UNSUBSCRIBE"}));
}

TEST(TryLockAsync, OfAFairLockGivesUpWithoutAWordOfItsWait) {
  auto setup = setup_for({{{async(try_lock({.wait = 5s, .lease = 9s})), get}}});
  setup.client = *settings_of("3.28.0");
  setup.threads[0].program[0].object = static_cast<std::uint16_t>(setup.objects.size());
  setup.objects.push_back({.kind = model::number_of(*model::find_kind("fair")), .name = "orders"});
  for (const char* role : {"fair-lock", "fair-acquire-failed"}) {
    lua::Script& script = setup.scripts.roles[role] = setup.scripts.roles["lock"];
    script.keys = {};
    script.args = {"wait"};
  }
  Driven process(setup);
  process.run();
  EXPECT_THAT(process.last_request().args, ElementsAre("5000"));
  process.pass(5s).answer(number(20'000));
  EXPECT_THAT(process.last_request().args, ElementsAre("300000")) << "acquireFailedAsync(-1, null)";
}

TEST(UnlockAsync, IsOneRequestAndItsAnswer) {
  Driven process = calls({async(unlock()), get});
  process.run().answer(number(1)).run();
  EXPECT_EQ(process.returned(), Answer::yes);
  Driven other = calls({async(unlock()), get});
  other.run().answer(Reply{}).run();
  EXPECT_EQ(other.returned(), Answer::exception);
}

TEST(Futures, ThatAreCancelledGiveBackALockThatComesLater) {
  Driven process = calls({async(lock()), cancel, work});
  process.run().run().sent();
  process.answer(granted);
  EXPECT_EQ(process.sent(), (Sent{"unlock"}));
  EXPECT_THAT(process.process().threads.rows.at(0).futures, IsEmpty());
  EXPECT_TRUE(process.pending().at(0).caller_gone);
  process.answer(number(1));
  EXPECT_THAT(process.own().watchdog.timers, IsEmpty());
}

TEST(Futures, ThatAreLetGoKeepALockOfWhichNobodyIsTold) {
  Driven process = calls({async(lock()), async(lock({.object = 2})), get});
  process.run().run().sent();
  process.answer(granted);
  EXPECT_EQ(process.sent(), (Sent{})) << "it is not given back";
  EXPECT_EQ(process.process().threads.rows.at(0).futures.size(), 1U);
}

TEST(Futures, GoOnWhenGetIsInterrupted) {
  Driven process = calls({async(lock()), get});
  process.run().run().interrupt();
  EXPECT_EQ(process.returned(), Answer::exception);
  process.sent();
  process.answer(granted);
  EXPECT_EQ(process.own().watchdog.timers.size(), 1U) << "the lock is taken and renewed, and nobody knows";
}

TEST(Futures, AndThreadsAreWokenByOneMessageBoth) {
  auto setup = setup_for({{{async(lock()), get}, {lock()}}});
  setup.client = *settings_of("3.28.0");
  Driven process(setup);
  listen(process, 20'000);
  process.run(1).answer(number(20'000)).run(1).answer(number(20'000)).run(1);
  ASSERT_NE(process.in<Parked>(1), nullptr);
  process.sent();
  process.push("message");
  EXPECT_EQ(process.sent(), (Sent{"lock 30000"})) << "the future asks";
  EXPECT_TRUE(process.can_run(1)) << "and so may the thread";
}

}  // namespace
}  // namespace lockstep::redisson
