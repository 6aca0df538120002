// What clients of Redisson do otherwise in other versions than 3.10.5, beside renewal (renewal_test.cpp).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/redisson/driven_process.h"
#include "model/redisson/versions.h"

namespace lockstep::redisson {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const Reply granted;
Reply answer_of(std::int64_t value) { return Reply{value}; }

model::Setup with_client(std::string_view version, std::vector<model::Step> program) {
  model::Setup setup = setup_for({{std::move(program)}});
  setup.client = *settings_of(version);
  return setup;
}

/// With an unlock that has a latch.
model::Setup with_latch(std::string_view version, std::vector<model::Step> program) {
  model::Setup setup = with_client(version, std::move(program));
  lua::Script& script = setup.scripts.roles.at("unlock");
  script.keys = {"lock", "channel", "latch"};
  script.args = {"message", "lease", "holder", "publish", "latch-time"};
  return setup;
}

TEST(Versions, AreInTheOrderOfTheirNumbersAndBeginWith300) {
  ASSERT_FALSE(versions().empty());
  EXPECT_EQ(versions().front().name, "3.0.0");
  EXPECT_TRUE(*settings_of("3.10.5") == Settings{}) << "those of a setup that names none";
  for (const Version& one : versions()) {
    ASSERT_TRUE(is_release(one.name)) << one.name;
    EXPECT_EQ(settings_of(one.name)->version, one.name) << "in order, and each once";
  }
}

TEST(Versions, OfAReleaseBetweenTwoRowsAreTheOlder) {
  EXPECT_EQ(settings_of("3.40.1")->version, "3.38.0");
  EXPECT_EQ(settings_of("3.9.1")->version, "3.8.2");
  EXPECT_EQ(settings_of("4.7.3")->version, "4.7.0");
  for (const char* none :
       {"", "3", "3.10", "3.010.5", "2.15.0", "3.53.0", "4.8.0", "5.0.0", "3.10.5.Final", "x"})
    EXPECT_EQ(settings_of(none), std::nullopt) << none;
}

TEST(Latch, IsDeletedAfterTheAnswerAndNobodyWaitsForThat) {
  Driven process(with_latch("3.24.0", {lock(), unlock(), lock()}));
  process.run().answer(granted).run().run().sent();
  const std::string latch = process.last_request().keys.at(2);
  EXPECT_EQ(latch, "redisson_unlock_latch:{orders}:id-of-A:1:1");
  EXPECT_EQ(process.last_request().args.at(4), "13500");
  process.answer(answer_of(1));
  EXPECT_EQ(process.sent(), (Sent{"delete-latch"}));
  EXPECT_THAT(process.last_request().args, ElementsAre("DEL", latch));
  process.run();
  EXPECT_EQ(process.returned(), Answer::yes);
  process.run().pass(3s).time_out().time_out();
  EXPECT_EQ(process.pending().size(), 2U) << "it is sent again, like the lock";
  process.pass(1500ms).time_out().answer(answer_of(1));
  EXPECT_EQ(process.returned(), std::nullopt);
}

TEST(Latch, IsDeletedWhateverTheAnswerButNotWithoutOne) {
  Driven refused(with_latch("3.24.0", {lock(), unlock()}));
  refused.run().answer(granted).run().run().sent();
  refused.answer(granted);
  EXPECT_EQ(refused.sent(), (Sent{"delete-latch"}));
  Driven failed(with_latch("3.24.0", {lock(), unlock()}));
  failed.run().answer(granted).run().run().sent();
  failed.answer(lua::Error{"ERR"});
  EXPECT_THAT(failed.sent(), IsEmpty());
}

TEST(Latch, IsCalledWronglyFrom3520To42) {
  Driven process(with_latch("4.2.0", {lock(), unlock()}));
  process.run().answer(granted).run().run().answer(answer_of(1));
  EXPECT_THAT(process.last_request().args, ElementsAre("DEL", "redisson_unlock_latch:{orders}:id-of-A:1"));
  Driven cured(with_latch("4.3.0", {lock(), unlock()}));
  cured.run().answer(granted).run().run();
  EXPECT_EQ(cured.last_request().args.at(4), "16000") << "(3 s + 1 s) four times";
  cured.answer(answer_of(1));
  EXPECT_EQ(cured.last_request().args.at(1), "redisson_unlock_latch:{orders}:id-of-A:1:1");
}

TEST(LeaseField, IsSetByTheGrantAndAskedForWithoutALeaseSince3152) {
  Driven process(
      with_client("3.15.2", {try_lock({.wait = 0ms, .lease = 5s}), lock({.lease = 6s}), unlock(), lock()}));
  process.run().answer(answer_of(9)).run();
  EXPECT_THAT(process.own().leases, IsEmpty()) << "a refused attempt changes nothing";
  process.run().answer(granted).run().run();
  EXPECT_EQ(process.last_request().args.at(1), "6000");
  process.answer(answer_of(1)).run().sent();
  process.run();
  EXPECT_EQ(process.sent(), (Sent{"lock 6000"}));
}

TEST(LeaseField, IsSetBackByEveryUnlockSince3192AndByTheLastOneSince3272) {
  for (const bool inner : {false, true}) {
    Driven process(with_client(inner ? "3.27.2" : "3.19.2",
                               {lock({.lease = 6s}), lock({.lease = 6s}), unlock(), unlock(), lock()}));
    process.run().answer(granted).run().run().answer(granted).run().run().answer(answer_of(0)).run().run();
    EXPECT_EQ(process.last_request().args.at(1), inner ? "6000" : "30000");
    process.answer(answer_of(1)).run().sent();
    process.run();
    EXPECT_EQ(process.sent(), (Sent{"lock 30000"}));
  }
}

TEST(Resending, WasUnknownUpTo391ButForWhatCouldNotLeave) {
  Driven process(with_client("3.9.1", {lock()}));
  process.run().sent();
  process.pass(3s).time_out();
  EXPECT_THAT(process.sent(), IsEmpty());
  process.run();
  EXPECT_EQ(process.returned(), Answer::exception);
}

TEST(Resending, EndsForAcquiresAndUnlocksOfServersWithoutReplicasIn3370) {
  Driven alone(with_client("3.37.0", {lock()}));
  alone.run().pass(3s).time_out().run();
  EXPECT_EQ(alone.returned(), Answer::exception);
  model::Setup setup = model::replicated(with_client("3.37.0", {lock()}));
  Driven replicated(setup);
  replicated.run().sent();
  replicated.pass(3s).time_out();
  EXPECT_EQ(replicated.pending().size(), 1U);
  replicated.pass(1500ms).time_out();
  EXPECT_EQ(replicated.sent(), (Sent{"lock 30000"}));
}

TEST(Resending, WaitsForADelayThatIsDrawnSince3480) {
  Driven process(model::replicated(with_client("3.48.0", {lock()})));
  process.run().pass(3s).time_out();
  EXPECT_EQ(process.pending().at(0).left.left, 500ms);
  EXPECT_EQ(process.pending().at(0).at_latest.left, 1s);
  process.pass(500ms);
  EXPECT_EQ(due_requests(process.process()).size(), 1U);
  EXPECT_FALSE(must_time_out(process.process()));
  process.pass(500ms);
  EXPECT_TRUE(must_time_out(process.process()));
  process.time_out().pass(3s).time_out();
  EXPECT_EQ(process.pending().at(0).left.left, 1s);
  EXPECT_EQ(process.pending().at(0).at_latest.left, 2s);
}

TEST(TryLockWithAWait, ReturnsFalseIfNobodyAnswersItsSecondAskSince470) {
  for (const std::string_view version : {"4.6.0", "4.7.0"}) {
    Driven process(with_client(version, {try_lock({.wait = 30s, .lease = 5s})}));
    process.run().answer(answer_of(9'000)).run().push("subscribe").run().pass(3s).time_out().run();
    EXPECT_EQ(process.returned(), version == "4.7.0" ? Answer::no : Answer::exception);
    Driven first(with_client(version, {try_lock({.wait = 30s, .lease = 5s})}));
    first.run().pass(3s).time_out().run();
    EXPECT_EQ(first.returned(), Answer::exception) << "the first ask throws in any case";
  }
}

TEST(Unlock, OfAnothersLockTakesAHoldOffTheWatchdogSince3121) {
  Driven process(with_client("3.12.1", {lock(), unlock()}));
  process.run().answer(granted).run().run().answer(granted).run();
  EXPECT_EQ(process.returned(), Answer::exception);
  EXPECT_THAT(process.own().watchdog.entries, IsEmpty());
}

}  // namespace
}  // namespace lockstep::redisson
