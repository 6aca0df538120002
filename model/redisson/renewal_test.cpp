// The generations of the watchdog (renewal.h), driven by hand; what 3.10.5 does stands in
// lock_pub_sub_test.cpp.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/redisson/driven_process.h"
#include "model/redisson/versions.h"

namespace lockstep::redisson {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using Words = std::vector<std::string>;

const Reply yes_it_is;
const Reply one_renewed{std::int64_t{1}}, none_renewed{std::int64_t{0}}, freed{std::int64_t{1}};

/// Threads of one process of a version; its renewals are of several locks at once if it knows that.
Driven renewing(std::string_view version, std::vector<std::vector<model::Step>> threads) {
  model::Setup setup = setup_for({std::move(threads)});
  setup.client = *settings_of(version);
  lua::Script& renew = setup.scripts.roles.at("renew");
  if (setup.client.watchdog_generation == 3) {
    renew.keys = {"locks"};
    renew.args = {"lease", "holders"};
  }
  return Driven(setup);
}

Driven& take(Driven& process, std::size_t thread = 0) {
  return process.run(thread).answer(yes_it_is).run(thread);
}
Driven& give_back(Driven& process, std::size_t thread = 0) {
  return process.run(thread).answer(freed).run(thread);
}

TEST(RenewalPerThread, OfWhoCameFirstEndsWithAZeroAndWithAnyFinalUnlock) {
  Driven process = renewing("3.9.0", {{lock(), lock()}, {unlock()}});
  take(take(process));
  EXPECT_EQ(process.own().watchdog.timers.size(), 1U) << "the second lock starts nothing";
  process.pass(10s).sent();
  process.fire_timer();
  EXPECT_EQ(process.sent(), (Words{"renew 30000"}));
  process.answer(one_renewed);
  EXPECT_EQ(process.own().watchdog.timers.at(0).left.left, 10s);
  process.pass(10s).fire_timer().answer(none_renewed);
  EXPECT_THAT(process.own().watchdog.entries, IsEmpty());
  EXPECT_THAT(process.own().watchdog.timers, IsEmpty());
  Driven other = renewing("3.9.0", {{lock()}, {unlock()}});
  give_back(take(other), 1);
  EXPECT_THAT(other.own().watchdog.timers, IsEmpty()) << "another thread was told that the lock is free";
}

TEST(RenewalPerThread, IsNotEndedByAnInnerUnlockNorBefore381ByOneThatFails) {
  for (const std::string_view version : {"3.8.0", "3.8.1"}) {
    Driven process = renewing(version, {{lock(), unlock(), unlock()}});
    take(process).run().answer(none_renewed).run();
    EXPECT_EQ(process.own().watchdog.timers.size(), 1U);
    process.run().answer(lua::Error{"ERR"});
    EXPECT_EQ(process.own().watchdog.timers.size(), version == "3.8.0" ? 1U : 0U);
  }
}

TEST(RenewalPerThread, IsDoubledByAnAnswerThatComesAfterAnotherLock) {
  Driven process = renewing("3.9.0", {{lock(), unlock(), lock(), unlock()}});
  take(process).pass(10s).fire_timer();
  const ConnectionId renewal = process.pending().at(0).connection;
  const auto answer_newest = [&](const Reply& reply) {
    process.answer_on(process.pending().back().connection, reply).run();
  };
  process.run();
  answer_newest(freed);
  process.run();
  answer_newest(yes_it_is);
  process.answer_on(renewal, one_renewed);
  EXPECT_EQ(process.own().watchdog.timers.size(), 2U);
  process.run();
  answer_newest(freed);
  EXPECT_EQ(process.own().watchdog.timers.size(), 1U) << "no unlock stops the first one";
  EXPECT_THAT(process.own().watchdog.entries, IsEmpty());
  process.sent();
  process.pass(10s).fire_timer();
  EXPECT_EQ(process.sent(), (Words{"renew 30000"})) << "it renews whatever that thread holds by now";
}

struct Row {
  std::string_view version;
  bool timer_after_zero, entry_after_zero, entry_after_error;
};

class RenewalPerLock : public testing::TestWithParam<Row> {};

TEST_P(RenewalPerLock, EndsAsItsVersionDoes) {
  const Row& row = GetParam();
  Driven zero = renewing(row.version, {{lock()}, {lock()}});
  take(take(zero), 1).pass(10s).fire_timer().answer(none_renewed);
  EXPECT_EQ(zero.own().watchdog.timers.size(), row.timer_after_zero ? 1U : 0U);
  EXPECT_EQ(zero.own().watchdog.entries.size(), row.entry_after_zero ? 1U : 0U);
  Driven failed = renewing(row.version, {{lock()}});
  take(failed).pass(10s).fire_timer().answer(lua::Error{"ERR"});
  EXPECT_THAT(failed.own().watchdog.timers, IsEmpty());
  EXPECT_EQ(failed.own().watchdog.entries.size(), row.entry_after_error ? 1U : 0U);
}

INSTANTIATE_TEST_SUITE_P(Versions, RenewalPerLock,
                         testing::Values(Row{"3.10.5", true, true, true}, Row{"3.10.6", true, true, true},
                                         Row{"3.10.7", false, true, true}, Row{"3.13.6", false, true, true},
                                         Row{"3.14.0", false, true, false}, Row{"3.16.0", false, true, false},
                                         Row{"3.16.1", false, false, false},
                                         Row{"3.43.0", false, false, false}));

TEST(RenewalPerLock, AsksForTheWatchdogsTimeSince3272) {
  for (const std::string_view version : {"3.27.1", "3.27.2"}) {
    Driven process = renewing(version, {{lock(), lock({.lease = 6s})}});
    take(take(process)).pass(10s).sent();
    process.fire_timer();
    EXPECT_EQ(process.sent(), (Words{version == "3.27.2" ? "renew 30000" : "renew 6000"}));
  }
}

TEST(RenewalPerClient, IsOneRequestForAllLocksAndOneTimer) {
  Driven process = renewing("3.46.0", {{lock(), lock({.object = 2})}, {lock()}});
  take(process).pass(4s);
  take(take(process), 1).sent();
  ASSERT_EQ(process.own().watchdog.timers.size(), 1U);
  EXPECT_EQ(process.own().watchdog.timers.at(0).left.left, 6s) << "whenever a lock was taken";
  process.pass(6s).fire_timer();
  EXPECT_EQ(process.sent(), (Words{"renew 30000"}));
  EXPECT_THAT(process.last_request().keys, ElementsAre("orders", "stock"));
  EXPECT_THAT(process.last_request().args, ElementsAre("30000", "id-of-A:1", "id-of-A:1"));
  EXPECT_THAT(process.own().watchdog.timers, IsEmpty());
  process.pass(2s).answer(Reply{Reply::Array{one_renewed, one_renewed}});
  ASSERT_EQ(process.own().watchdog.timers.size(), 1U);
  EXPECT_EQ(process.own().watchdog.timers.at(0).left.left, 10s) << "from the end of the round";
}

TEST(RenewalPerClient, GoesLockByLockIfTheBatchIsOne) {
  model::Setup setup = setup_for({{{lock(), lock({.object = 2})}}});
  setup.client = *settings_of("3.46.0");
  setup.client.watchdog_batch = 1;
  Driven process(setup);
  take(take(process)).pass(10s).fire_timer();
  EXPECT_EQ(process.last_request().keys.at(0), "orders");
  process.answer(one_renewed);
  EXPECT_EQ(process.last_request().keys.at(0), "stock");
  EXPECT_THAT(process.own().watchdog.timers, IsEmpty());
  process.answer(lua::Error{"ERR"});
  EXPECT_EQ(process.own().watchdog.timers.size(), 1U) << "an error ends the round, not the task";
}

TEST(RenewalPerClient, AZeroTakesOneHoldOffWhateverTheThreadHoldsByThen) {
  Driven process = renewing("3.46.0", {{lock(), lock()}});
  take(take(process)).pass(10s).fire_timer().answer(Reply{Reply::Array{none_renewed}});
  EXPECT_EQ(process.own().watchdog.entries.at("orders").holds.at(0).second, 1U);
  process.pass(10s).fire_timer().answer(Reply{Reply::Array{none_renewed}});
  EXPECT_THAT(process.own().watchdog.entries, IsEmpty());
  EXPECT_THAT(process.own().watchdog.timers, IsEmpty());
}

TEST(RenewalPerClient, KeepsTheTimerOfATaskThatStoppedAndSoMayHaveTwo) {
  Driven process = renewing("3.46.0", {{lock(), unlock(), lock()}});
  give_back(take(process));
  EXPECT_THAT(process.own().watchdog.running, IsEmpty());
  EXPECT_EQ(process.own().watchdog.timers.size(), 1U);
  process.pass(3s);
  take(process);
  ASSERT_EQ(process.own().watchdog.timers.size(), 2U);
  process.pass(7s).fire_timer().answer(Reply{Reply::Array{one_renewed}});
  EXPECT_EQ(process.own().watchdog.timers.size(), 2U) << "both go on";
}

TEST(RenewalPerClient, GoesOnForAThreadThatHeldTwiceUpTo3451) {
  for (const std::string_view version : {"3.44.0", "3.46.0"}) {
    Driven process = renewing(version, {{lock(), lock(), unlock(), unlock()}, {lock()}});
    take(take(process));
    give_back(give_back(process));
    take(process, 1).pass(10s).fire_timer();
    if (version == "3.44.0") process.fire_timer();  // reads the entries
    EXPECT_EQ(process.last_request().args.at(1), version == "3.44.0" ? "id-of-A:1" : "id-of-A:2");
    process.answer(Reply{Reply::Array{none_renewed}});
    EXPECT_EQ(process.own().watchdog.entries.size(), version == "3.44.0" ? 1U : 0U);
  }
}

TEST(RenewalPerClient, EndsForGoodWhenAnEntryGoesWhileItIsRead) {
  for (const std::string_view version : {"3.44.0", "3.45.1", "3.46.0"}) {
    Driven process = renewing(version, {{lock(), unlock()}, {lock({.object = 2})}});
    take(take(process), 1).pass(10s).sent();
    process.fire_timer();
    if (version == "3.46.0") {
      EXPECT_EQ(process.sent(), (Words{"renew 30000"})) << "at once";
      continue;
    }
    give_back(process).sent();
    process.fire_timer();
    EXPECT_EQ(process.sent(), version == "3.44.0" ? Words{} : Words{"renew 30000"}) << version;
    EXPECT_EQ(process.own().watchdog.running.size(), 1U);
    EXPECT_THAT(process.own().watchdog.timers, IsEmpty());
  }
}

TEST(RenewalPerClient, Of3451EndsWhenAllEntriesGoThatItHasListed) {
  Driven process = renewing("3.45.1", {{lock(), unlock()}, {lock({.object = 2})}});
  take(process).pass(10s).fire_timer();
  take(process, 1);
  give_back(process).sent();
  process.fire_timer();
  EXPECT_EQ(process.sent(), Words{});
  EXPECT_EQ(process.own().watchdog.entries.size(), 1U) << "nobody renews it";
  EXPECT_THAT(process.own().watchdog.timers, IsEmpty());
}

}  // namespace
}  // namespace lockstep::redisson
