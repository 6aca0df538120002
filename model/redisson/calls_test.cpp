// lock(), tryLock(), unlock() and forceUnlock(), step by step (the order of thread.h).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/redisson/driven_process.h"

namespace lockstep::redisson {
namespace {

using model::Ended;
using model::Ready;
using testing::ElementsAre;
using testing::IsEmpty;

const Reply nil;
Reply number(std::int64_t value) { return Reply{value}; }

/// A process with one thread that makes these calls.
Driven calls(std::vector<model::Step> program) { return Driven(setup_for({{std::move(program)}})); }

/// Thread 0 has been refused, has subscribed and was refused again: it is parked for the rest of this TTL.
Driven& park(Driven& process, std::int64_t ttl) {
  process.run().answer(number(ttl)).run().push("subscribe").run().answer(number(ttl)).run();
  EXPECT_NE(process.in<Parked>(), nullptr);
  process.sent();
  return process;
}

TEST(Lock, AsksForTheWatchdogsLeaseAndReturnsWhenItIsGranted) {
  Driven process = calls({lock()});
  process.run();
  EXPECT_THAT(process.last_request().args, ElementsAre("30000", "id-of-A:1"));
  EXPECT_THAT(process.last_request().keys, ElementsAre("orders"));
  EXPECT_FALSE(process.can_run(0));
  process.answer(nil);
  EXPECT_EQ(process.returned(), std::nullopt) << "the handler has run, the thread has not";
  process.run();
  EXPECT_EQ(process.returned(), Answer::yes);
  EXPECT_EQ(process.sent(), (Sent{"lock 30000"}));
}

TEST(Lock, ArmsTheWatchdogInTheReplyHandlerAndOnlyWithoutALeaseOfItsOwn) {
  Driven watched = calls({lock()});
  watched.run().answer(nil);
  ASSERT_EQ(watched.own().watchdog.timers.size(), 1U);
  EXPECT_EQ(watched.own().watchdog.timers[0].left.left, 10s);
  Driven leased = calls({lock({.lease = 5s})});
  leased.run().answer(nil);
  EXPECT_THAT(leased.own().watchdog.entries, IsEmpty());
  EXPECT_EQ(leased.sent(), (Sent{"lock 5000"}));
}

TEST(Lock, SubscribesWhenRefusedAndAsksAgainWhenThatIsConfirmed) {
  Driven process = calls({lock()});
  process.run().answer(number(20'000)).run();
  ASSERT_NE(process.in<Subscribing>(), nullptr);
  EXPECT_EQ(process.in<Subscribing>()->left.left, 7'500ms);
  EXPECT_EQ(process.sent(), (Sent{"lock 30000", "SUBSCRIBE"}));
  EXPECT_FALSE(process.can_run(0));
  process.push("subscribe");
  EXPECT_NE(process.in<Subscribed>(), nullptr);
  process.run();
  EXPECT_EQ(process.sent(), (Sent{"lock 30000"}));
  process.answer(nil).run();
  EXPECT_EQ(process.returned(), Answer::yes);
  EXPECT_EQ(process.sent(), (Sent{"UNSUBSCRIBE"}));
}

TEST(Lock, IsParkedOneMillisecondLongerThanTheTtlSays) {
  Driven process = calls({lock()});
  park(process, 20'000);
  EXPECT_EQ(process.in<Parked>()->left.left, 20'001ms);
  process.pass(20'000ms);
  EXPECT_FALSE(process.can_run(0));
  process.pass(1ms).run();
  EXPECT_EQ(process.sent(), (Sent{"lock 30000"})) << "it asks again";
}

TEST(Lock, IsParkedWithoutLimitIfTheLockHasNoTtl) {
  Driven process = calls({lock()});
  park(process, -1);
  EXPECT_EQ(process.in<Parked>()->left.left, sim::never);
  process.pass(100'000s);
  EXPECT_FALSE(process.can_run(0));
  EXPECT_TRUE(process.push("message").can_run(0));
}

TEST(Lock, IsWokenByAMessageAndTakesItsPermit) {
  Driven process = calls({lock()});
  park(process, 20'000);
  process.push("message");
  EXPECT_EQ(process.own().pub_sub.entries.at("orders").permits, 1U);
  process.run();
  EXPECT_EQ(process.own().pub_sub.entries.at("orders").permits, 0U);
  EXPECT_EQ(process.sent(), (Sent{"lock 30000"}));
}

TEST(Lock, DoesNotParkIfAMessageCameWhileItWasAsking) {
  Driven process = calls({lock()});
  process.run().answer(number(9)).run().push("subscribe").run();
  process.push("message").answer(number(9)).sent();
  process.run();
  EXPECT_NE(process.in<Asking>(), nullptr);
  EXPECT_EQ(process.sent(), (Sent{"lock 30000"}));
}

TEST(Lock, ThrowsWhenTheSubscriptionIsNotConfirmedInTimeAndDropsItLater) {
  Driven process = calls({lock()});
  process.run().answer(number(9)).run().pass(7'500ms).run();
  EXPECT_EQ(process.returned(), Answer::exception);
  process.sent();
  process.push("subscribe");
  EXPECT_EQ(process.sent(), (Sent{"UNSUBSCRIBE"})) << "nobody wants it any more";
  process.push("unsubscribe");
  EXPECT_THAT(process.own().pub_sub.entries, IsEmpty());
}

TEST(Lock, ThrowsWhenTheServerAnswersWithAnError) {
  Driven process = calls({lock()});
  process.run().answer(lua::Error{"READONLY You can't write against a read only replica."}).run();
  EXPECT_EQ(process.returned(), Answer::exception);
  EXPECT_THAT(process.own().watchdog.entries, IsEmpty());
}

TEST(TryLock, IsRefusedAtOnceWithoutSubscribing) {
  Driven process = calls({try_lock()});
  process.run().answer(number(20'000)).run();
  EXPECT_EQ(process.returned(), Answer::no);
  EXPECT_EQ(process.sent(), (Sent{"lock 30000"}));
}

TEST(TryLock, GoesOnBehindItsUnlockWhenItIsRefused) {
  std::vector<model::Step> program{try_lock(), unlock(), lock({.object = 2})};
  program[0].jump = 2;
  Driven process = calls(program);
  process.run().answer(number(20'000)).run().sent();
  process.run();
  EXPECT_EQ(process.last_request().keys.at(0), "stock");
}

TEST(TryLockWithAWait, CountsTheTimeOfItsFirstAsk) {
  Driven process = calls({try_lock({.wait = 10ms, .lease = 5s})});
  process.run().pass(10ms).answer(number(20'000)).run();
  EXPECT_EQ(process.returned(), Answer::no);
  EXPECT_EQ(process.sent(), (Sent{"lock 5000"}));
}

TEST(TryLockWithAWait, IsGrantedEvenIfItsTimeIsUp) {
  Driven process = calls({try_lock({.wait = 10ms, .lease = 5s})});
  process.run().pass(10ms).answer(nil).run();
  EXPECT_EQ(process.returned(), Answer::yes);
}

TEST(TryLockWithAWait, WaitsForItsSubscriptionNoLongerThanWhatIsLeft) {
  Driven process = calls({try_lock({.wait = 100ms, .lease = 5s})});
  process.run().pass(40ms).answer(number(20'000)).run();
  EXPECT_EQ(process.in<Subscribing>()->left.left, 60ms);
  process.pass(60ms).run();
  EXPECT_EQ(process.returned(), Answer::no);
}

TEST(TryLockWithAWait, IsRefusedWhenTheConfirmationComesAtTheEndOfItsTime) {
  Driven process = calls({try_lock({.wait = 100ms, .lease = 5s})});
  process.run().answer(number(20'000)).run().pass(100ms).push("subscribe").run();
  EXPECT_EQ(process.returned(), Answer::no);
  EXPECT_EQ(process.sent(), (Sent{"lock 5000", "SUBSCRIBE", "UNSUBSCRIBE"}));
}

TEST(TryLockWithAWait, ParksForTheTtlIfThatIsShorterAndForItsTimeIfNot) {
  Driven shorter = calls({try_lock({.wait = 10s, .lease = 5s})});
  EXPECT_EQ(park(shorter, 2'000).in<Parked>()->left.left, 2'001ms);
  Driven longer = calls({try_lock({.wait = 10s, .lease = 5s})});
  EXPECT_EQ(park(longer, 20'000).in<Parked>()->left.left, 10s);
  Driven endless = calls({try_lock({.wait = 10s, .lease = 5s})});
  EXPECT_EQ(park(endless, -1).in<Parked>()->left.left, 10s);
}

TEST(TryLockWithAWait, IsRefusedAtTimeZeroEvenIfItTookAPermit) {
  Driven process = calls({try_lock({.wait = 10s, .lease = 5s})});
  park(process, 20'000).pass(10s).push("message");
  process.run();
  EXPECT_EQ(process.returned(), Answer::no);
  EXPECT_EQ(process.sent(), (Sent{"UNSUBSCRIBE"}));
}

TEST(TryLockWithAWait, SwallowsAPermitThatAnotherThreadWaitsForWhenItsTimeIsUp) {
  Driven process(setup_for({{{try_lock({.wait = 10s, .lease = 5s})}, {lock()}}}));
  process.run(0).answer(number(20'000)).run(0).push("subscribe").run(0).answer(number(20'000)).run(0);
  process.run(1).answer(number(20'000)).run(1).answer(number(20'000)).run(1);
  process.pass(10s).push("message").run(0);
  EXPECT_EQ(process.returned(), Answer::no);
  EXPECT_FALSE(process.can_run(1)) << "the one message for this process is used up";
}

TEST(Unlock, SendsTheLeaseFieldOfItsOwnObject) {
  Driven process = calls({lock({.lease = 5s}), unlock(), lock({.lease = 5s}), unlock({.object = 1})});
  process.run().answer(nil).run().run();
  EXPECT_THAT(process.last_request().args, ElementsAre("0", "5000", "id-of-A:1"));
  EXPECT_THAT(process.last_request().keys, ElementsAre("orders", "redisson_lock__channel:{orders}"));
  process.answer(number(1)).run().run().answer(nil).run().run();
  EXPECT_THAT(process.last_request().args, ElementsAre("0", "30000", "id-of-A:1"));
}

TEST(Unlock, SendsALeaseThatOnlyARefusedAttemptAskedFor) {
  Driven process(setup_for({{{lock(), unlock()}, {try_lock({.wait = 0ms, .lease = 7s})}}}));
  process.run(0).answer(nil).run(0);
  process.run(1).answer(number(20'000)).run(1);
  process.run(0);
  EXPECT_EQ(process.last_request().args.at(1), "7000");
}

TEST(Unlock, OfOnesOwnLockReturnsAndStopsTheWatchdog) {
  Driven process = calls({lock(), unlock()});
  process.run().answer(nil).run().run().answer(number(1));
  EXPECT_THAT(process.own().watchdog.entries, IsEmpty());
  EXPECT_THAT(process.own().watchdog.timers, IsEmpty());
  process.returned();
  process.run();
  EXPECT_EQ(process.returned(), Answer::yes);
}

TEST(Unlock, OfAnothersLockThrowsAndLeavesTheWatchdogAlone) {
  Driven process = calls({lock(), unlock()});
  process.run().answer(nil).run().run().answer(nil).run();
  EXPECT_EQ(process.returned(), Answer::exception);
  EXPECT_EQ(process.own().watchdog.entries.size(), 1U) << "up to 3.12.0 only 0, 1 or an error stop it";
}

TEST(Unlock, OfAnInnerHoldKeepsTheWatchdogForTheOuterOne) {
  Driven process = calls({lock(), lock(), unlock(), unlock()});
  process.run().answer(nil).run().run().answer(nil).run();
  EXPECT_EQ(process.own().watchdog.entries.at("orders").holds.at(0).second, 2U);
  process.run().answer(number(0)).run();
  EXPECT_EQ(process.returned(), Answer::yes);
  EXPECT_EQ(process.own().watchdog.entries.at("orders").holds.at(0).second, 1U);
  process.run().answer(number(1));
  EXPECT_THAT(process.own().watchdog.entries, IsEmpty());
}

TEST(ForceUnlock, StopsAllRenewalsOfTheLockBeforeItAsksAndSaysWhetherThereWasOne) {
  Driven process = calls({lock(), call(StepKind::force_unlock), call(StepKind::force_unlock)});
  process.run().answer(nil).run().run();
  EXPECT_THAT(process.own().watchdog.entries, IsEmpty());
  EXPECT_EQ(process.sent(), (Sent{"lock 30000", "force-unlock"}));
  process.answer(number(1)).run();
  EXPECT_EQ(process.returned(), Answer::yes);
  process.run().answer(number(0)).run();
  EXPECT_EQ(process.returned(), Answer::no);
}

TEST(Interrupt, OfAParkedLockReturnsWithoutTheLockAsUpTo3105) {
  Driven process = calls({lock()});
  park(process, 20'000).interrupt();
  EXPECT_EQ(process.returned(), Answer::yes);
  EXPECT_EQ(process.sent(), (Sent{"UNSUBSCRIBE"}));
  EXPECT_THAT(process.own().watchdog.entries, IsEmpty());
}

/// A process of 3.10.6 that interrupts may come to.
Driven interruptible_calls(std::vector<model::Step> program) {
  auto setup = model::with(setup_for({{std::move(program)}}), {"interrupt-thread"});
  setup.client.lock_returns_on_interrupt = false;
  return Driven(setup);
}

TEST(Interrupt, OfAParkedLockMakesItWaitOnceMoreAndTheNextThrowsSince3106) {
  Driven process = interruptible_calls({lock()});
  park(process, 20'000).pass(5s).interrupt();
  EXPECT_EQ(process.returned(), std::nullopt);
  ASSERT_NE(process.in<Parked>(), nullptr);
  EXPECT_EQ(process.in<Parked>()->left.left, 20'001ms) << "from its beginning";
  EXPECT_THAT(process.sent(), IsEmpty());
  process.interrupt();
  EXPECT_EQ(process.returned(), Answer::exception);
  EXPECT_EQ(process.sent(), (Sent{"UNSUBSCRIBE"}));
}

TEST(Interrupt, OfAParkedLockLeavesItsPlaceInTheQueueAndItsMessage) {
  Driven process = interruptible_calls({lock()});
  park(process, 20'000).push("message").interrupt();
  EXPECT_NE(process.in<Asking>(), nullptr) << "it takes the stored message";
  EXPECT_EQ(process.own().pub_sub.entries.at("orders").permits, 0U);
}

TEST(Interrupt, OfALockThatIsParkedWithoutLimitIsNoticedWhenItHasAskedAgain) {
  Driven process = interruptible_calls({lock()});
  park(process, -1).interrupt();
  EXPECT_NE(process.in<Parked>(), nullptr);
  EXPECT_FALSE(interruptible(process.process(), setup_for({{{lock()}}}), ThreadId{0}));
  process.push("message").run();
  EXPECT_EQ(process.returned(), Answer::exception);
  EXPECT_EQ(process.sent(), (Sent{"lock 30000", "UNSUBSCRIBE"}));
  process.answer(nil);
  EXPECT_EQ(process.own().watchdog.entries.size(), 1U) << "it is granted, and nobody knows";
}

TEST(Interrupt, OfAParkedLockInterruptiblyOrTryLockThrows) {
  Driven interruptibly = calls({call(StepKind::lock_interruptibly)});
  EXPECT_EQ(park(interruptibly, 20'000).interrupt().returned(), Answer::exception);
  Driven tried = calls({try_lock({.wait = 60s, .lease = 5s})});
  EXPECT_EQ(park(tried, 20'000).interrupt().returned(), Answer::exception);
}

TEST(Interrupt, OfAnAskingLockThrowsAndItsHandlerStillArmsTheWatchdog) {
  Driven process = calls({lock()});
  process.run().interrupt();
  EXPECT_EQ(process.returned(), Answer::exception);
  process.answer(nil);
  EXPECT_EQ(process.own().watchdog.entries.size(), 1U)
      << "a lock that nobody knows of is renewed for ever";
  EXPECT_NE(process.in<Ready>(), nullptr);
}

TEST(Interrupt, WhileSubscribingDropsTheSubscriptionOnceItIsConfirmed) {
  Driven process = calls({lock()});
  process.run().answer(number(9)).run().interrupt();
  EXPECT_EQ(process.returned(), Answer::yes);
  process.sent();
  process.push("subscribe");
  EXPECT_EQ(process.sent(), (Sent{"UNSUBSCRIBE"}));
}

TEST(ResponseTimeOut, SendsARequestThreeTimesMoreAndThenThrows) {
  Driven process = calls({lock()});
  process.run();
  for (int resent = 0; resent < 3; ++resent) {
    EXPECT_EQ(process.sent(), (Sent{"lock 30000"}));
    process.pass(3s).time_out();
    EXPECT_EQ(process.pending().at(0).attempts, resent + 1);
  }
  process.sent();
  process.pass(3s).time_out();
  EXPECT_THAT(process.sent(), IsEmpty());
  process.run();
  EXPECT_EQ(process.returned(), Answer::exception);
}

TEST(ResponseTimeOut, MakesTheAnswerToTheEarlierCopyTooLate) {
  Driven process = calls({lock()});
  process.run();
  const ConnectionId first = process.pending().at(0).connection;
  process.pass(3s).time_out().answer_on(first, nil);
  EXPECT_NE(process.in<Asking>(), nullptr);
  EXPECT_THAT(process.own().watchdog.entries, IsEmpty());
  EXPECT_EQ(process.pending().size(), 1U);
}

TEST(ResponseTimeOut, SendsAgainOnlyAfterTheRetryIntervalIfThereIsOne) {
  auto setup = setup_for({{{lock()}}});
  setup.client.retry_interval = 700ms;
  Driven process(setup);
  process.run().sent();
  const ConnectionId first = process.pending().at(0).connection;
  process.pass(3s).time_out();
  EXPECT_THAT(process.sent(), IsEmpty());
  process.answer_on(first, nil);
  EXPECT_NE(process.in<Asking>(), nullptr) << "nobody listens to the first copy any more";
  process.pass(700ms).time_out();
  EXPECT_EQ(process.sent(), (Sent{"lock 30000"}));
  EXPECT_EQ(process.pending().at(0).attempts, 1);
}

TEST(ResponseTimeOut, OfAnUnlockStopsTheWatchdogAndThrows) {
  Driven process = calls({lock(), unlock()});
  process.run().answer(nil).run().run();
  for (int send = 0; send < 4; ++send) process.pass(3s).time_out();
  EXPECT_THAT(process.own().watchdog.entries, IsEmpty());
  process.run();
  EXPECT_EQ(process.returned(), Answer::exception);
}

TEST(ScriptCache, AServerThatDoesNotKnowTheScriptIsSentItsText) {
  auto setup = setup_for({{{lock()}}});
  setup.use_script_cache = true;
  Driven process(setup);
  process.run();
  EXPECT_EQ(words_of(process.last_request(), setup).at(0), "EVALSHA");
  EXPECT_EQ(words_of(process.last_request(), setup).at(1), setup.scripts.find("lock")->sha1);
  process.answer(lua::Error{"NOSCRIPT No matching script. Please use EVAL."});
  EXPECT_EQ(words_of(process.last_request(), setup).at(0), "EVAL");
  EXPECT_EQ(process.pending().size(), 1U);
  process.answer(nil).run();
  EXPECT_EQ(process.returned(), Answer::yes);
}

TEST(Programs, AnExceptionThatNobodyExpectsEndsTheThread) {
  Driven process = calls({unlock(), lock()});
  process.run().answer(nil).run().run();
  EXPECT_NE(process.in<Ended>(), nullptr);
}

TEST(Programs, AnExpectedExceptionDoesNot) {
  Driven process = calls({unlock(), {.kind = StepKind::expect, .answer = Answer::exception}, lock()});
  process.run().answer(nil).run().run();
  EXPECT_NE(process.in<Asking>(), nullptr);
}

TEST(Crash, ForgetsEverythingButHowOftenTheProcessWasStarted) {
  Driven process = calls({lock(), unlock()});
  process.run().answer(nil).run();
  process.process().incarnation = 2;
  crash(process.process());
  EXPECT_EQ(process.process().life, Process::Life::dead);
  EXPECT_EQ(process.process().incarnation, 2);
  EXPECT_TRUE(process.process().clients.at(0).library.empty());
  EXPECT_NE(process.in<Ended>(), nullptr);
}

}  // namespace
}  // namespace lockstep::redisson
