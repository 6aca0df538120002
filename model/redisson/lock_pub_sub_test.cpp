// The subscription that the threads of a process share (lock_pub_sub.h, 1 to 4), and the watchdog
// (watchdog.h, 1 to 4).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/redisson/driven_process.h"

namespace lockstep::redisson {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr ThreadId first{0}, second{1}, third{2};
const std::string orders = "orders";
const Channel channel{channel_of(orders), 1};

Waiter of(ThreadId thread) { return {thread}; }

/// What was asked of the server, as + and - for SUBSCRIBE and UNSUBSCRIBE.
std::string taken(Out& out) {
  std::string signs;
  for (const auto& [client, request] : std::exchange(out.channels, {}))
    signs += request.subscribe ? '+' : '-';
  return signs;
}

TEST(LockPubSub, SubscribesOnceForAllThreadsAndCompletesForAllOfThem) {
  LockPubSub pub_sub;
  Out out;
  EXPECT_FALSE(pub_sub.subscribe(orders, channel, of(first), out));
  EXPECT_FALSE(pub_sub.subscribe(orders, channel, of(second), out));
  EXPECT_EQ(taken(out), "+");
  EXPECT_THAT(pub_sub.confirmed(orders, out), ElementsAre(of(first), of(second)));
  EXPECT_TRUE(pub_sub.subscribe(orders, channel, of(third), out)) << "there is nothing to wait for any more";
  EXPECT_EQ(taken(out), "");
  EXPECT_EQ(pub_sub.entries.at(orders).references, 3);
}

TEST(LockPubSub, UnsubscribesWithItsLastReference) {
  LockPubSub pub_sub;
  Out out;
  pub_sub.subscribe(orders, channel, of(first), out);
  pub_sub.subscribe(orders, channel, of(second), out);
  pub_sub.confirmed(orders, out);
  taken(out);
  pub_sub.unsubscribe(orders, out);
  EXPECT_EQ(taken(out), "");
  pub_sub.unsubscribe(orders, out);
  EXPECT_EQ(taken(out), "-");
  pub_sub.unsubscription_confirmed(orders, out);
  EXPECT_THAT(pub_sub.entries, IsEmpty());
}

TEST(LockPubSub, StoresAPermitForEveryMessageForTheLifeOfTheEntry) {
  LockPubSub pub_sub;
  Out out;
  pub_sub.subscribe(orders, channel, of(first), out);
  pub_sub.confirmed(orders, out);
  pub_sub.message(orders, true);
  pub_sub.message(orders, true);
  EXPECT_TRUE(pub_sub.take_permit(orders));
  EXPECT_TRUE(pub_sub.take_permit(orders));
  EXPECT_FALSE(pub_sub.take_permit(orders));
  pub_sub.message(orders, true);
  pub_sub.unsubscribe(orders, out);
  pub_sub.unsubscription_confirmed(orders, out);
  pub_sub.subscribe(orders, channel, of(first), out);
  pub_sub.confirmed(orders, out);
  EXPECT_FALSE(pub_sub.take_permit(orders)) << "a new entry begins without permits";
}

TEST(LockPubSub, WakesTheThreadThatWasParkedFirst) {
  LockPubSub pub_sub;
  Out out;
  for (const ThreadId thread : {first, second}) pub_sub.subscribe(orders, channel, of(thread), out);
  pub_sub.confirmed(orders, out);
  pub_sub.park(orders, second);
  pub_sub.park(orders, first);
  EXPECT_FALSE(pub_sub.may_wake(orders, second));
  pub_sub.message(orders, true);
  EXPECT_TRUE(pub_sub.may_wake(orders, second));
  EXPECT_FALSE(pub_sub.may_wake(orders, first));
  pub_sub.take_permit(orders);
  pub_sub.unpark(orders, second);
  EXPECT_FALSE(pub_sub.may_wake(orders, first)) << "one message wakes one thread";
}

TEST(LockPubSub, TheMessageOfAWriteLockWakesAllWhoAreParkedAndNobodyWhoIsAboutTo) {
  LockPubSub pub_sub;
  Out out;
  for (const ThreadId thread : {first, second}) pub_sub.subscribe(orders, channel, of(thread), out);
  pub_sub.confirmed(orders, out);
  pub_sub.message_to_all(orders);
  EXPECT_FALSE(pub_sub.take_permit(orders)) << "nobody was parked";
  pub_sub.park(orders, first);
  pub_sub.park(orders, second);
  pub_sub.message_to_all(orders);
  EXPECT_TRUE(pub_sub.may_wake(orders, first));
  EXPECT_TRUE(pub_sub.take_permit(orders));
  pub_sub.unpark(orders, first);
  EXPECT_TRUE(pub_sub.may_wake(orders, second));
}

TEST(LockPubSub, ForgetsAMessageForNobodyIfItIsAMutant) {
  LockPubSub pub_sub;
  Out out;
  pub_sub.subscribe(orders, channel, of(first), out);
  pub_sub.confirmed(orders, out);
  pub_sub.message(orders, false);
  EXPECT_FALSE(pub_sub.take_permit(orders));
  pub_sub.park(orders, first);
  pub_sub.message(orders, false);
  EXPECT_TRUE(pub_sub.may_wake(orders, first));
}

TEST(LockPubSub, SubscribesAgainOnlyBehindAnUnsubscribeUnderWay) {
  LockPubSub pub_sub;
  Out out;
  pub_sub.subscribe(orders, channel, of(first), out);
  pub_sub.confirmed(orders, out);
  pub_sub.unsubscribe(orders, out);
  EXPECT_EQ(taken(out), "+-");
  EXPECT_FALSE(pub_sub.subscribe(orders, channel, of(second), out));
  EXPECT_FALSE(pub_sub.subscribe(orders, channel, of(third), out));
  EXPECT_EQ(taken(out), "");
  pub_sub.message(orders, true);  // for the old subscription
  pub_sub.unsubscription_confirmed(orders, out);
  EXPECT_EQ(taken(out), "+");
  EXPECT_EQ(pub_sub.entries.at(orders).references, 2);
  EXPECT_EQ(pub_sub.entries.at(orders).permits, 0U);
  EXPECT_THAT(pub_sub.confirmed(orders, out), ElementsAre(of(second), of(third)));
}

TEST(LockPubSub, DropsTheReferenceOfAThreadThatGaveUpWhenTheConfirmationComes) {
  LockPubSub pub_sub;
  Out out;
  pub_sub.subscribe(orders, channel, of(first), out);
  pub_sub.subscribe(orders, channel, of(second), out);
  pub_sub.abandon(orders, first);
  EXPECT_THAT(pub_sub.confirmed(orders, out), ElementsAre(of(second)));
  EXPECT_EQ(pub_sub.entries.at(orders).references, 1);
  EXPECT_EQ(taken(out), "+");
}

TEST(LockPubSub, ForgetsAThreadThatGaveUpBehindAnUnsubscribe) {
  LockPubSub pub_sub;
  Out out;
  pub_sub.subscribe(orders, channel, of(first), out);
  pub_sub.confirmed(orders, out);
  pub_sub.unsubscribe(orders, out);
  pub_sub.subscribe(orders, channel, of(second), out);
  pub_sub.abandon(orders, second);
  taken(out);
  pub_sub.unsubscription_confirmed(orders, out);
  EXPECT_EQ(taken(out), "");
  EXPECT_THAT(pub_sub.entries, IsEmpty());
}

TEST(LockPubSub, ANewConnectionSubscribesAgainAndEndsAnUnsubscribeUnderWay) {
  LockPubSub pub_sub;
  Out out;
  pub_sub.subscribe(orders, channel, of(first), out);
  pub_sub.confirmed(orders, out);
  pub_sub.subscribe("stock", {channel_of("stock"), 2}, of(second), out);
  pub_sub.confirmed("stock", out);
  pub_sub.unsubscribe("stock", out);
  taken(out);
  pub_sub.resubscribe_all(out);
  EXPECT_EQ(taken(out), "+");
  EXPECT_EQ(pub_sub.entries.count("stock"), 0U);
  EXPECT_THAT(pub_sub.confirmed(orders, out), IsEmpty()) << "nobody waits for it";
  EXPECT_EQ(pub_sub.entries.at(orders).references, 1);
}

/// Channels that share a mutex.
const std::string jobs = "jobs", items = "items";
Channel stripe_7(const std::string& lock) { return {channel_of(lock), 7}; }

TEST(Stripes, AreTakenFromTheBytesOfTheNameAsJavaDoes) {
  EXPECT_EQ(stripe_of("", 50), 33) << "the empty array has the hash 1, and 31 is added to that";
  EXPECT_EQ(stripe_of(channel_of(jobs), 50), stripe_of(channel_of(items), 50));
  EXPECT_NE(stripe_of(channel_of(orders), 50), stripe_of(channel_of("stock"), 50));
  EXPECT_EQ(stripe_of("\xc3\xa4", 1'000), ((31 * (31 * 1 - 61) - 92 + 31) % 1'000) * -1 + 1)
      << "bytes are signed, and so is the hash";
  for (const char* name : {"a", "orders", "a much longer name of a channel that wraps around"})
    EXPECT_EQ(stripe_of(name, 1), 1) << name;
}

TEST(Stripes, LetOneOfTwoChannelsWaitForTheOther) {
  LockPubSub pub_sub;
  Out out;
  EXPECT_FALSE(pub_sub.subscribe(jobs, stripe_7(jobs), of(first), out));
  EXPECT_FALSE(pub_sub.subscribe(items, stripe_7(items), of(second), out));
  EXPECT_EQ(taken(out), "+") << "the second is not asked for yet";
  EXPECT_THAT(pub_sub.confirmed(jobs, out), ElementsAre(of(first)));
  EXPECT_EQ(taken(out), "+");
  EXPECT_THAT(pub_sub.confirmed(items, out), ElementsAre(of(second)));
  EXPECT_THAT(pub_sub.line, IsEmpty());
}

TEST(Stripes, DoNotHinderChannelsThatShareNone) {
  LockPubSub pub_sub;
  Out out;
  pub_sub.subscribe(jobs, stripe_7(jobs), of(first), out);
  pub_sub.subscribe(orders, {channel_of(orders), 8}, of(second), out);
  pub_sub.subscribe("mine", {channel_of("mine"), 0}, of(third), out);
  EXPECT_EQ(taken(out), "+++");
}

TEST(Stripes, LetAnUnsubscribeWaitForTheSubscriptionOfAnother) {
  LockPubSub pub_sub;
  Out out;
  pub_sub.subscribe(jobs, stripe_7(jobs), of(first), out);
  pub_sub.confirmed(jobs, out);
  pub_sub.subscribe(items, stripe_7(items), of(second), out);
  pub_sub.unsubscribe(jobs, out);
  EXPECT_EQ(taken(out), "++");
  EXPECT_EQ(pub_sub.entries.at(jobs).references, 1) << "it still hears messages";
  pub_sub.confirmed(items, out);
  EXPECT_EQ(taken(out), "-");
  pub_sub.unsubscription_confirmed(jobs, out);
  EXPECT_EQ(pub_sub.entries.count(jobs), 0U);
}

TEST(Stripes, AreTakenInOrderOfArrivalEvenByTheLockWhoseTurnItIs) {
  LockPubSub pub_sub;
  Out out;
  pub_sub.subscribe(jobs, stripe_7(jobs), of(first), out);
  pub_sub.subscribe(items, stripe_7(items), of(second), out);
  pub_sub.subscribe(jobs, stripe_7(jobs), of(third), out);
  EXPECT_THAT(pub_sub.confirmed(jobs, out), ElementsAre(of(first))) << "the third stands behind the second";
  EXPECT_THAT(pub_sub.confirmed(items, out), ElementsAre(of(second), of(third)));
  EXPECT_EQ(pub_sub.entries.at(jobs).references, 2);
}

TEST(Stripes, AreNotKeptByWhoGivesUpInLine) {
  LockPubSub pub_sub;
  Out out;
  pub_sub.subscribe(jobs, stripe_7(jobs), of(first), out);
  pub_sub.subscribe(items, stripe_7(items), of(second), out);
  pub_sub.abandon(items, second);
  EXPECT_THAT(pub_sub.line, IsEmpty());
  pub_sub.confirmed(jobs, out);
  EXPECT_EQ(taken(out), "+");
}

TEST(Unconfirmed, ASubscribeFailsForThoseWhoWaitForItAndIsUndone) {
  LockPubSub pub_sub;
  Out out;
  const Channels patient{out, 0, 3s};
  pub_sub.subscribe(jobs, stripe_7(jobs), of(first), patient);
  pub_sub.subscribe(items, stripe_7(items), of(second), patient);
  EXPECT_EQ(pub_sub.entries.at(jobs).unconfirmed.left, 3s);
  const auto [failed, over] = pub_sub.unanswered(jobs, patient);
  EXPECT_THAT(failed, ElementsAre(of(first)));
  EXPECT_THAT(over, IsEmpty());
  EXPECT_EQ(taken(out), "+-") << "the mutex is kept until that is confirmed";
  pub_sub.abandon(jobs, first);
  EXPECT_THAT(pub_sub.unanswered(jobs, patient).over, IsEmpty());
  EXPECT_EQ(taken(out), "+") << "an UNSUBSCRIBE is taken for confirmed, and the next in line has its turn";
  EXPECT_EQ(pub_sub.entries.count(jobs), 0U);
}

TEST(Unconfirmed, ASubscribeOnANewConnectionIsSentOnceMore) {
  LockPubSub pub_sub;
  Out out;
  const Channels patient{out, 0, 3s};
  pub_sub.subscribe(orders, channel, of(first), patient);
  pub_sub.confirmed(orders, patient);
  EXPECT_EQ(pub_sub.entries.at(orders).unconfirmed.left, sim::never);
  pub_sub.resubscribe_all(patient);
  EXPECT_THAT(pub_sub.unanswered(orders, patient).failed, IsEmpty());
  EXPECT_EQ(taken(out), "+++");
  pub_sub.confirmed(orders, patient);
  EXPECT_EQ(pub_sub.entries.at(orders).unconfirmed.left, sim::never);
}

TEST(Listeners, AreRunOneByOneBesideAPermitAndAllByTheMessageOfAWriteLock) {
  LockPubSub pub_sub;
  Out out;
  pub_sub.subscribe(orders, channel, {first, 1}, out);
  pub_sub.confirmed(orders, out);
  for (const ThreadId thread : {first, second, third}) pub_sub.listen(orders, {thread, 1, {5s}});
  EXPECT_THAT(pub_sub.listeners_of(orders, false), ElementsAre(Waiter{first, 1, {5s}}));
  EXPECT_EQ(pub_sub.listeners_of(orders, true).size(), 2U);
  EXPECT_THAT(pub_sub.listeners_of(orders, true), IsEmpty());
}

TEST(Watchdog, StartsItsTimerWithTheFirstHoldAndOnlyCountsTheLater) {
  Watchdog watchdog;
  watchdog.add(orders, first, 0, 10s);
  watchdog.add(orders, first, 0, 20s);
  watchdog.add(orders, second, 0, 20s);
  ASSERT_EQ(watchdog.timers.size(), 1U);
  EXPECT_EQ(watchdog.timers[0].left.left, 10s);
  EXPECT_EQ(watchdog.entries.at(orders).holds,
            (std::vector<std::pair<ThreadId, std::uint32_t>>{{first, 2}, {second, 1}}));
}

TEST(Watchdog, RenewsForTheFirstThreadOfTheEntry) {
  Watchdog watchdog;
  watchdog.add(orders, second, 3, 10s);
  watchdog.add(orders, first, 0, 10s);
  const auto due = watchdog.fire(0);
  ASSERT_EQ(due.size(), 1U);
  EXPECT_EQ(due[0].thread, second);
  EXPECT_EQ(due[0].object, 3);
  EXPECT_THAT(watchdog.timers, IsEmpty()) << "only the answer sets it again";
}

TEST(Watchdog, GoesWithTheLastHoldOfTheLastThread) {
  Watchdog watchdog;
  watchdog.add(orders, first, 0, 10s);
  watchdog.add(orders, second, 0, 10s);
  watchdog.cancel(orders, first);
  EXPECT_EQ(watchdog.timers.size(), 1U);
  watchdog.cancel(orders, first);
  EXPECT_EQ(watchdog.entries.size(), 1U) << "it has no hold left to take";
  watchdog.cancel(orders, second);
  EXPECT_THAT(watchdog.entries, IsEmpty());
  EXPECT_THAT(watchdog.timers, IsEmpty());
  watchdog.cancel(orders, second);
}

TEST(Watchdog, AnAnswerThatComesAfterTheEntryWasReplacedStartsASecondTimerThatCancellingLeaves) {
  Watchdog watchdog;
  watchdog.add(orders, first, 0, 10s);
  watchdog.fire(0);  // its renewal is under way
  watchdog.cancel(orders, first);
  watchdog.again(orders, 0, first, 10s);
  EXPECT_THAT(watchdog.timers, IsEmpty()) << "without an entry nothing is set";
  watchdog.add(orders, second, 0, 10s);
  watchdog.again(orders, 0, first, 5s);  // the late answer
  ASSERT_EQ(watchdog.timers.size(), 2U);
  watchdog.cancel(orders, second);
  ASSERT_EQ(watchdog.timers.size(), 1U) << "only the one that was set last is stopped";
  EXPECT_EQ(watchdog.timers[0].left.left, 10s);
  EXPECT_THAT(watchdog.fire(0), IsEmpty()) << "and the other finds nothing to do";
}

class WatchdogOfAProcess : public testing::TestWithParam<bool> {};

TEST_P(WatchdogOfAProcess, IsSetAgainAfterZeroOnlyIn3105And3106) {
  auto setup = setup_for({{{lock()}}});
  setup.client.renew_again_after_zero = GetParam();
  Driven process(setup);
  process.run().answer(Reply{}).run().pass(10s).fire_timer();
  EXPECT_EQ(process.sent(), (Sent{"lock 30000", "renew 30000"}));
  process.answer(Reply{std::int64_t{0}});
  EXPECT_EQ(process.own().watchdog.timers.size(), GetParam() ? 1U : 0U);
  EXPECT_EQ(process.own().watchdog.entries.size(), 1U);
}

INSTANTIATE_TEST_SUITE_P(Versions, WatchdogOfAProcess, testing::Bool());

TEST(WatchdogOfAProcess, RenewsEveryThirdOfTheLeaseWhileItIsAnsweredOne) {
  Driven process(setup_for({{{lock()}}}));
  process.run().answer(Reply{}).run();
  for (int round = 0; round < 3; ++round) process.pass(10s).fire_timer().answer(Reply{std::int64_t{1}});
  EXPECT_EQ(process.sent(), (Sent{"lock 30000", "renew 30000", "renew 30000", "renew 30000"}));
}

TEST(WatchdogOfAProcess, KeepsItsEntryButNoTimerAfterAnError) {
  Driven process(setup_for({{{lock()}}}));
  process.run().answer(Reply{}).run().pass(10s).fire_timer().answer(lua::Error{"ERR"});
  EXPECT_THAT(process.own().watchdog.timers, IsEmpty());
  EXPECT_EQ(process.own().watchdog.entries.size(), 1U);
}

TEST(WatchdogOfAProcess, TakesPeriodAndLeaseFromTheFieldThatAnotherThreadMayHaveChanged) {
  Driven process(setup_for({{{lock()}, {model::try_lock({.wait = 0ms, .lease = 3s})}}}));
  process.run(0).answer(Reply{}).run(0);
  process.run(1).answer(Reply{std::int64_t{9}}).run(1).sent();
  process.pass(10s).fire_timer();
  EXPECT_EQ(process.sent(), (Sent{"renew 3000"}));
  process.answer(Reply{std::int64_t{1}});
  EXPECT_EQ(process.own().watchdog.timers.at(0).left.left, 1s);
}

TEST(SharedSubscription, OneMessageLetsOneOfTwoParkedThreadsGoOn) {
  Driven process(setup_for({{{lock()}, {lock()}}}));
  const Reply busy{std::int64_t{9'000}};
  process.run(0).answer(busy).run(0).run(1).answer(busy).run(1);
  EXPECT_EQ(process.sent(), (Sent{"lock 30000", "SUBSCRIBE", "lock 30000"}));
  process.push("subscribe").run(1).answer(busy).run(1).run(0).answer(busy).run(0);
  process.push("message");
  EXPECT_TRUE(process.can_run(1));
  EXPECT_FALSE(process.can_run(0));
  process.run(1);
  EXPECT_FALSE(process.can_run(0));
}

}  // namespace
}  // namespace lockstep::redisson
