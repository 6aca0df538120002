// A fair lock, from the side of its client: what it is told, and where it listens.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/redisson/driven_process.h"
#include "model/redisson/versions.h"

namespace lockstep::redisson {
namespace {

using testing::ElementsAre;

const Reply taken_by_nobody;
Reply left(std::int64_t ms) { return Reply{ms}; }

const model::LockKind& fair_kind() { return *model::find_kind("fair"); }

/// One thread that makes these calls of a fair lock; the scripts tell what their words are, and nothing else.
Setup fair_setup(std::vector<model::Step> program, Settings client = *settings_of("3.15.2")) {
  Setup setup = setup_for({{std::move(program)}});
  setup.objects.at(0).kind = model::number_of(fair_kind());
  setup.client = std::move(client);
  const auto knows = [&](const char* role, std::vector<std::string> keys, std::vector<std::string> args) {
    lua::Script script;
    script.role = role;
    script.text = "return nil";
    script.keys = std::move(keys);
    script.args = std::move(args);
    setup.scripts.roles[role] = std::move(script);
  };
  knows("fair-lock", {"lock", "queue", "deadlines"}, {"lease", "holder", "wait", "now"});
  knows("fair-try-lock", {"lock", "queue", "deadlines"}, {"lease", "holder", "now", "wait"});
  knows("fair-acquire-failed", {"queue", "deadlines"}, {"holder", "wait"});
  knows("fair-unlock", {"lock", "queue", "deadlines", "channel"}, {"message", "lease", "holder", "now"});
  return setup;
}

const std::string own_channel = "redisson_lock__channel:{orders}:id-of-A:1";

TEST(FairLock, SendsTheNamesOfItsQueueAndItsDeadlinesAndWhatTimeItIs) {
  Driven process(fair_setup({model::lock(), model::unlock()}));
  process.run();
  EXPECT_THAT(process.last_request().keys,
              ElementsAre("orders", "redisson_lock_queue:{orders}", "redisson_lock_timeout:{orders}"));
  EXPECT_THAT(process.last_request().args,
              ElementsAre("30000", "id-of-A:1", "300000", "1700000000000"));
  process.answer(taken_by_nobody).run().run();
  EXPECT_THAT(process.last_request().keys,
              ElementsAre("orders", "redisson_lock_queue:{orders}", "redisson_lock_timeout:{orders}",
                          "redisson_lock__channel:{orders}"));
}

TEST(FairLock, AWaiterListensOnAChannelOfItsOwn) {
  Driven process(fair_setup({model::lock()}));
  process.run().answer(left(1'000)).run();
  ASSERT_EQ(process.own().pub_sub.entries.size(), 1U);
  EXPECT_EQ(process.own().pub_sub.entries.begin()->first, "orders:id-of-A:1");
  EXPECT_EQ(process.own().pub_sub.entries.begin()->second.channel.name, own_channel);
}

TEST(FairLock, ATryWithoutAWaitSendsTheOtherScript) {
  Driven process(fair_setup({model::try_lock()}));
  process.run();
  EXPECT_THAT(process.last_request().args, ElementsAre("30000", "id-of-A:1", "1700000000000", "300000"));
  EXPECT_THAT(process.sent(), ElementsAre("fair-try-lock 30000"));
  process.answer(left(1)).run();
  EXPECT_EQ(process.returned(), Answer::no) << "it has no place to give up";
  EXPECT_THAT(process.sent(), testing::IsEmpty());
}

TEST(FairLock, WhoseTimeIsUpLeavesTheQueueBeforeItsCallReturns) {
  Driven process(fair_setup({model::try_lock({.wait = 2s, .lease = 5s})}));
  process.run().answer(left(9'000)).run();
  process.sent();
  process.pass(2s).run();
  EXPECT_THAT(process.sent(), ElementsAre("fair-acquire-failed")) << "no confirmation came";
  EXPECT_EQ(process.returned(), std::nullopt);
  EXPECT_FALSE(process.can_run(0));
  EXPECT_THAT(process.last_request().args, ElementsAre("id-of-A:1", "2000"));
  process.answer(taken_by_nobody).run();
  EXPECT_EQ(process.returned(), Answer::no);
}

TEST(FairLock, AnInterruptLeavesThePlaceBehind) {
  Driven process(fair_setup({model::try_lock({.wait = 2s})}));
  process.run().answer(left(9'000)).run();
  process.sent();
  process.interrupt();
  EXPECT_EQ(process.returned(), Answer::exception);
  EXPECT_THAT(process.sent(), testing::IsEmpty());
}

/// The wait that an acquire says, and the one that giving up says.
std::pair<std::string, std::string> said(model::Step call, const Settings& client) {
  Driven process(fair_setup({std::move(call)}, client));
  process.run();
  const std::string first = process.last_request().args.at(2);
  process.answer(left(9'000)).run().pass(1h).run();
  return {first, process.last_request().args.at(1)};
}

TEST(FairLock, SaysHowLongItsCallerWaits) {
  using Pair = std::pair<std::string, std::string>;
  const Settings since_3133 = *settings_of("3.13.3"), before = *settings_of("3.10.7");
  EXPECT_EQ(said(model::try_lock({.wait = 10s}), before), (Pair{"5000", "5000"}));
  EXPECT_EQ(said(model::try_lock({.wait = 10s, .lease = 1s}), since_3133), (Pair{"10000", "10000"}));
  EXPECT_EQ(said(model::try_lock({.wait = 10s}), since_3133), (Pair{"10", "10000"}))
      << "without a lease the unit is lost on the way";
  EXPECT_EQ(said(model::try_lock({.wait = 1'500ms}), since_3133), (Pair{"1500", "1500"}));
  Settings as_3240 = since_3133;
  as_3240.fair_wait_unit_lost = false;
  EXPECT_EQ(said(model::try_lock({.wait = 10s}), as_3240), (Pair{"10000", "10000"}));
}

}  // namespace
}  // namespace lockstep::redisson
