// What a client of Redisson does with a script that no replica has, version by version.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/redisson/driven_process.h"
#include "model/redisson/synced.h"
#include "model/redisson/versions.h"

namespace lockstep::redisson {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const Reply taken_now;
const Reply given_back{std::int64_t{1}};
constexpr std::int64_t none = 0, one = 1;

/// A master with a replica that is waited for, and an unlock with a latch.
model::Setup waiting(std::string_view version, std::vector<model::Step> program) {
  model::Setup setup = model::replicated(model::setup_for({{std::move(program)}}));
  setup.client = *settings_of(version);
  setup.wait = std::uint16_t{1};
  lua::Script& script = setup.scripts.roles.at("unlock");
  script.keys = {"lock", "channel", "latch"};
  script.args = {"message", "lease", "holder", "publish", "latch-time"};
  return setup;
}

TEST(WhatNoReplicaHas, IsGivenBackAndAskedForAgainSince3201) {
  Driven process(waiting("3.20.1", {lock(), unlock()}));
  process.run();
  EXPECT_TRUE(process.pending().at(0).request.waits());
  EXPECT_THAT(process.sent(), ElementsAre("lock 30000"));
  process.answer(taken_now, none);
  EXPECT_THAT(process.sent(), ElementsAre("unlock")) << "nobody has called it";
  EXPECT_EQ(process.own().watchdog.timers.size(), 0U);
  process.answer(given_back, none);
  EXPECT_THAT(process.sent(), IsEmpty()) << "it waits, however the unlock was answered";
  process.pass(1'500ms).time_out();
  EXPECT_THAT(process.sent(), ElementsAre("lock 30000"));
  process.answer(taken_now, one).run();
  EXPECT_EQ(process.returned(), Answer::yes);
  EXPECT_EQ(process.own().watchdog.timers.size(), 1U);
}

TEST(WhatNoReplicaHas, IsAskedForSoManyTimesAndThenTheCallFails) {
  Driven process(waiting("3.20.1", {lock()}));
  process.run();
  for (int repeats = 0; repeats < 3; ++repeats)
    process.answer(taken_now, none).answer(given_back, one).pass(1'500ms).time_out();
  EXPECT_FALSE(process.can_run(0));
  process.answer(taken_now, none).answer(given_back, one).run();
  EXPECT_EQ(process.returned(), Answer::exception);
}

TEST(WhatNoReplicaHas, IsGivenBackButNotAskedForAgainIn3200) {
  Driven process(waiting("3.20.0", {lock()}));
  process.run().answer(taken_now, none).sent();
  process.answer(given_back, none).run();
  EXPECT_EQ(process.returned(), Answer::exception);
  EXPECT_THAT(process.sent(), IsEmpty());
}

TEST(WhatNoReplicaHas, IsNotRecognisedFrom3250To346) {
  for (const char* version : {"3.25.0", "3.46.0"}) {
    Driven process(waiting(version, {lock()}));
    process.run().sent();
    process.answer(taken_now, none).run();
    EXPECT_EQ(process.returned(), Answer::exception) << version;
    EXPECT_THAT(process.sent(), IsEmpty()) << version;
  }
}

TEST(AnUnlockThatNoReplicaHas, IsBegunAnewUnderTheSameRequestIdSince3520) {
  for (const auto& [version, same] : {std::pair{"3.24.0", false}, std::pair{"3.52.0", true}}) {
    Driven process(waiting(version, {lock({.lease = 60s}), unlock()}));
    process.run().answer(taken_now, one).run().run();
    const std::string latch = process.last_request().keys.at(2);
    process.answer(given_back, none).pass(2s).time_out();
    EXPECT_EQ(process.last_request().keys.at(2) == latch, same) << version;
    process.answer(same ? given_back : Reply{}, one).run();
    EXPECT_EQ(process.returned(), same ? Answer::yes : Answer::exception) << version;
  }
}

TEST(AnUnlockThatNoReplicaHas, TakesAHoldOffTheWatchdogEachTime) {
  Driven process(waiting("3.47.0", {lock(), lock(), unlock()}));
  process.run().answer(taken_now, one).run().run().answer(taken_now, one).run().run();
  const auto holds = [&] { return process.own().watchdog.entries.empty() ? 0 : 1; };
  EXPECT_EQ(holds(), 1);
  const Reply still_held{std::int64_t{0}};
  process.answer(still_held, none);
  EXPECT_EQ(holds(), 1) << "one of two";
  process.pass(1'500ms).time_out().answer(still_held, one);
  EXPECT_EQ(holds(), 0) << "the other, though the thread still holds the lock";
}

TEST(Syncing, IsOfScriptsOfLocksWhereTheMasterHasReplicas) {
  const model::Setup alone = model::setup_for({{{lock()}}});
  model::Setup pair = model::replicated(alone);
  const model::Purpose acquire{};
  for (const auto& [version, count] : {std::pair{"3.10.5", model::Syncing::Count::none},
                                       std::pair{"3.12.5", model::Syncing::Count::fixed},
                                       std::pair{"3.18.1", model::Syncing::Count::asked},
                                       std::pair{"3.27.0", model::Syncing::Count::cached}}) {
    pair.client = *settings_of(version);
    EXPECT_EQ(syncing(pair, acquire).count, count) << version;
  }
  model::Setup single = alone;
  single.client = *settings_of("3.27.0");
  EXPECT_EQ(syncing(single, acquire).count, model::Syncing::Count::none);
}

}  // namespace
}  // namespace lockstep::redisson
