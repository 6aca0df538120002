// lockAsync(), tryLockAsync(), unlockAsync() (locks/listening.h, 1 to 6), and what their callers do with the
// futures.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/redisson/driven_process.h"
#include "model/redisson/versions.h"

namespace lockstep::redisson {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const Reply told_of_grant;
Reply ttl_or_count(std::int64_t value) { return Reply{value}; }

Step in_future(Step step) {
  step.async = true;
  return step;
}
const Step get_it{.kind = StepKind::get, .jump = 2}, cancel_it{.kind = StepKind::cancel};
const Step ten_seconds{.kind = StepKind::work, .span = {10s, 10s}};

Driven futures_of(std::vector<Step> program, const char* version = "3.28.0") {
  Setup setup = setup_for({{std::move(program)}});
  setup.client = *settings_of(version);
  return Driven(std::move(setup));
}

/// The future of thread 0 has been refused twice, and listens for the rest of this TTL.
Driven& let_listen(Driven& process, std::int64_t ttl) {
  process.run().answer(ttl_or_count(ttl)).push("subscribe").answer(ttl_or_count(ttl));
  process.sent();
  return process;
}

TEST(LockAsync, LetsItsThreadGoOnAndIsReadByGet) {
  Driven process = futures_of({in_future(lock()), ten_seconds, get_it, unlock()});
  process.run();
  EXPECT_EQ(process.sent(), (Sent{"lock 30000"}));
  process.run();
  process.answer(told_of_grant);
  EXPECT_EQ(process.future(), Answer::yes);
  EXPECT_EQ(process.returned(), std::nullopt) << "nobody has asked for it";
  process.pass(10s).run();
  EXPECT_EQ(process.returned(), Answer::yes);
  EXPECT_EQ(process.future(), std::nullopt);
}

TEST(LockAsync, GetWaitsUntilTheFutureIsComplete) {
  Driven process = futures_of({in_future(lock()), get_it, unlock()});
  process.run().run();
  EXPECT_FALSE(process.can_run(0));
  process.answer(told_of_grant).run();
  EXPECT_EQ(process.returned(), Answer::yes);
}

TEST(LockAsync, ThatIsRefusedSubscribesAndListensUntilAMessageComes) {
  Driven process = futures_of({in_future(lock()), get_it});
  process.run().answer(ttl_or_count(20'000));
  EXPECT_EQ(process.sent(), (Sent{"lock 30000", "SUBSCRIBE"}));
  process.push("subscribe").answer(ttl_or_count(20'000));
  EXPECT_EQ(process.sent(), (Sent{"lock 30000"}));
  ASSERT_EQ(process.own().pub_sub.entries.at("orders").listeners.size(), 1U);
  process.push("message");
  EXPECT_EQ(process.sent(), (Sent{"lock 30000"}));
  EXPECT_EQ(process.own().pub_sub.entries.at("orders").permits, 1U) << "the message has stored one as well";
  process.answer(told_of_grant);
  EXPECT_EQ(process.sent(), (Sent{"UNSUBSCRIBE"}));
  EXPECT_EQ(process.future(), Answer::yes);
}

TEST(LockAsync, AsksAgainWhenTheHoldersLeaseIsOver) {
  Driven process = futures_of({in_future(lock()), get_it});
  let_listen(process, 20'000).pass(20'000ms);
  EXPECT_FALSE(process.anything_due());
  process.pass(1ms).fire_first();
  EXPECT_EQ(process.sent(), (Sent{"lock 30000"}));
}

TEST(LockAsync, ListensWithoutLimitIfTheLockHasNoTtl) {
  Driven process = futures_of({in_future(lock()), get_it});
  let_listen(process, -1).pass(100'000s);
  EXPECT_FALSE(process.anything_due());
}

TEST(LockAsync, TakesAStoredWakeUpInsteadOfListening) {
  Driven process = futures_of({in_future(lock()), get_it});
  process.run().answer(ttl_or_count(9)).push("subscribe").push("message").answer(ttl_or_count(9));
  EXPECT_EQ(process.sent(), (Sent{"lock 30000", "SUBSCRIBE", "lock 30000", "lock 30000"}));
}

TEST(LockAsync, UpTo327MissesAMessageThatComesBeforeItListens) {
  Driven old = futures_of({in_future(lock()), get_it}, "3.27.2");
  let_listen(old, 20'000).push("message");
  EXPECT_EQ(old.sent(), (Sent{})) << "nobody listens yet";
  old.fire_first();
  EXPECT_EQ(old.own().pub_sub.entries.at("orders").listeners.size(), 1U);
  EXPECT_EQ(old.own().pub_sub.entries.at("orders").permits, 1U) << "and it does not look for that";
  EXPECT_EQ(old.sent(), (Sent{}));
}

TEST(LockAsync, FailsWhenItsSubscriptionIsNotConfirmedInTime) {
  Driven process = futures_of({in_future(lock()), get_it});
  process.run().answer(ttl_or_count(20'000)).pass(7'500ms).fire_first();
  EXPECT_EQ(process.future(), Answer::exception);
}

TEST(TryLockAsync, AnswersFalseWhenItsTimeIsUp) {
  Driven process = futures_of({in_future(try_lock({.wait = 5s})), get_it});
  let_listen(process, 20'000).pass(5s).fire_first();
  EXPECT_EQ(process.future(), Answer::no);
  EXPECT_EQ(process.sent(), (Sent{"UNSUBSCRIBE"}));
}

TEST(TryLockAsync, OfAFairLockGivesUpWithoutAWordOfItsWait) {
  auto setup = setup_for({{{in_future(try_lock({.wait = 5s, .lease = 9s})), get_it}}});
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
  process.pass(5s).answer(ttl_or_count(20'000));
  EXPECT_THAT(process.last_request().args, ElementsAre("300000")) << "acquireFailedAsync(-1, null)";
}

TEST(UnlockAsync, IsOneRequestAndItsAnswer) {
  Driven process = futures_of({in_future(unlock()), get_it});
  process.run().answer(ttl_or_count(1)).run();
  EXPECT_EQ(process.returned(), Answer::yes);
  Driven other = futures_of({in_future(unlock()), get_it});
  other.run().answer(Reply{}).run();
  EXPECT_EQ(other.returned(), Answer::exception);
}

TEST(Futures, ThatAreCancelledGiveBackALockThatComesLater) {
  Driven process = futures_of({in_future(lock()), cancel_it, ten_seconds});
  process.run().run().sent();
  process.answer(told_of_grant);
  EXPECT_EQ(process.sent(), (Sent{"unlock"}));
  EXPECT_THAT(process.process().threads.rows.at(0).futures, IsEmpty());
  EXPECT_TRUE(process.pending().at(0).caller_gone);
  process.answer(ttl_or_count(1));
  EXPECT_THAT(process.own().watchdog.timers, IsEmpty());
}

TEST(Futures, ThatAreLetGoKeepALockOfWhichNobodyIsTold) {
  Driven process = futures_of({in_future(lock()), in_future(lock({.object = 2})), get_it});
  process.run().run().sent();
  process.answer(told_of_grant);
  EXPECT_EQ(process.sent(), (Sent{})) << "it is not given back";
  EXPECT_EQ(process.process().threads.rows.at(0).futures.size(), 1U);
}

TEST(Futures, GoOnWhenGetIsInterrupted) {
  Driven process = futures_of({in_future(lock()), get_it});
  process.run().run().interrupt();
  EXPECT_EQ(process.returned(), Answer::exception);
  process.sent();
  process.answer(told_of_grant);
  EXPECT_EQ(process.own().watchdog.timers.size(), 1U) << "the lock is taken and renewed, and nobody knows";
}

TEST(Futures, AndThreadsAreWokenByOneMessageBoth) {
  auto setup = setup_for({{{in_future(lock()), get_it}, {lock()}}});
  setup.client = *settings_of("3.28.0");
  Driven process(setup);
  let_listen(process, 20'000);
  process.run(1).answer(ttl_or_count(20'000)).run(1).answer(ttl_or_count(20'000)).run(1);
  ASSERT_NE(process.in<Parked>(1), nullptr);
  process.sent();
  process.push("message");
  EXPECT_EQ(process.sent(), (Sent{"lock 30000"})) << "the future asks";
  EXPECT_TRUE(process.can_run(1)) << "and so may the thread";
}

TEST(Futures, OfAnotherThreadAreItsOwn) {
  Step taken = in_future(lock()), released = in_future(unlock());
  taken.by = released.by = 2;
  model::Setup setup = setup_for({{{taken, get_it, released, get_it}, {ten_seconds}}});
  setup.client = *settings_of("3.28.0");
  Driven process(std::move(setup));
  process.run(0);
  EXPECT_EQ(process.last_request().purpose.thread, ThreadId{1});
  EXPECT_EQ(process.future(0), std::nullopt);
  process.run(0);
  EXPECT_FALSE(process.can_run(0));
  process.answer(told_of_grant);
  EXPECT_EQ(process.future(1), Answer::yes);
  process.run(0);
  EXPECT_EQ(process.returned(), Answer::yes);
  ASSERT_EQ(process.own().watchdog.timers.size(), 1U);
  process.run(0);
  EXPECT_EQ(process.last_request().purpose.thread, ThreadId{1});
}

/// Of a spin lock (spinning_futures.h).
Driven spinning_future(Step step, const char* version) {
  Setup setup = setup_for({{{in_future(std::move(step)), get_it}}});
  setup.client = *settings_of(version);
  lua::Script& script = setup.scripts.roles["spin-lock"] = setup.scripts.roles["lock"];
  script.role = "spin-lock";
  setup.objects.at(0).kind = model::number_of(*model::find_kind("spin"));
  return Driven(std::move(setup));
}

TEST(SpinAsync, SleepsByATimerOfItsClientAndAsksAgain) {
  Driven process = spinning_future(lock(), "3.24.0");
  process.run().answer(ttl_or_count(20'000));
  process.sent();
  ASSERT_EQ(process.own().asleep.size(), 1U);
  EXPECT_EQ(process.own().asleep.at(0).lo.left, 1ms);
  process.pass(1ms).fire_first();
  EXPECT_EQ(process.sent(), (Sent{"spin-lock 30000"}));
  process.answer(ttl_or_count(19'999));
  EXPECT_EQ(process.own().asleep.at(0).hi.left, 2ms);
  process.pass(2ms).fire_first().answer(ttl_or_count(19'997));
  EXPECT_EQ(process.own().asleep.at(0).lo.left, 4ms);
  EXPECT_EQ(process.own().asleep.at(0).hi.left, 5ms) << "by chance";
  process.pass(5ms).fire_first().answer(ttl_or_count(19'992));
  EXPECT_EQ(process.own().asleep.at(0).lo.left, 10ms) << "twice the one that it was";
  process.pass(10ms).fire_first().answer(told_of_grant);
  EXPECT_EQ(process.future(), Answer::yes);
  EXPECT_THAT(process.own().asleep, IsEmpty());
}

TEST(SpinAsync, CountsItsSleepsSince3221) {
  for (const char* version : {"3.22.0", "3.22.1"}) {
    Driven process = spinning_future(try_lock({.wait = 2ms}), version);
    process.run().answer(ttl_or_count(20'000)).pass(1ms).fire_first().answer(ttl_or_count(19'999));
    EXPECT_EQ(process.future(), std::nullopt);
    process.pass(2ms).fire_first().answer(ttl_or_count(19'997));
    const bool counts = version == std::string_view("3.22.1");
    EXPECT_EQ(process.future(), counts ? std::optional(Answer::no) : std::nullopt) << version;
  }
}

}  // namespace
}  // namespace lockstep::redisson
