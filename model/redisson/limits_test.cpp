// A pool of connections, refusals of a server, and clients that are shut down (model/client/requests.h,
// refusals.h).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/client/refusals.h"
#include "model/redisson/driven_process.h"
#include "model/redisson/versions.h"

namespace lockstep::redisson {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

const Reply granted_at_last;

Driven pooled(std::uint16_t connections) {
  auto setup = setup_for({{{lock()}, {lock({.object = 2})}, {lock()}}});
  setup.client.connection_pool = connections;
  return Driven(std::move(setup));
}

TEST(ConnectionPool, HasNoLimitByDefault) {
  Driven process = pooled(0);
  process.run(0).run(1).run(2);
  EXPECT_THAT(process.pending(), SizeIs(3));
}

TEST(ConnectionPool, LetsRequestsWaitInLineForAFreeConnection) {
  Driven process = pooled(1);
  process.run(0).run(2).run(1);
  EXPECT_THAT(process.pending(), SizeIs(1));
  EXPECT_THAT(process.process().clients[0].queue, SizeIs(2));
  process.answer(granted_at_last);
  ASSERT_THAT(process.pending(), SizeIs(1));
  EXPECT_EQ(process.pending()[0].request.purpose.thread, ThreadId{2}) << "first come, first served";
}

TEST(ConnectionPool, AnInterruptReachesTheRequestThatWaitsInLine) {
  Driven process = pooled(1);
  process.run(0).run(1).interrupt(1);
  EXPECT_TRUE(process.process().clients[0].queue.at(0).caller_gone);
  process.answer(granted_at_last);
  ASSERT_THAT(process.pending(), SizeIs(1));
  EXPECT_TRUE(process.pending()[0].caller_gone);
  process.answer(granted_at_last);
  EXPECT_THAT(process.pending(), IsEmpty()) << "its handler runs, and nobody reads the answer";
}

TEST(ConnectionPool, FreesAConnectionWhenItsRequestHasTimedOut) {
  Driven process = pooled(1);
  process.run(0).run(1).pass(3s).time_out();
  ASSERT_THAT(process.pending(), SizeIs(1));
  EXPECT_EQ(process.pending()[0].request.purpose.thread, ThreadId{1}) << "the copy stands behind it";
  EXPECT_THAT(process.process().clients[0].queue, SizeIs(1));
}

TEST(ConnectionPool, FailsARequestThatFindsNoConnectionInTime) {
  Driven process = pooled(1);
  process.run(0).pass(1s).run(1).pass(2s).time_out().pass(3s);
  process.answer(granted_at_last).pass(1s);
  auto setup = setup_for({{{lock()}, {lock({.object = 2})}}});
  setup.client.connection_pool = 1;
  setup.client.connection_wait = 2s;
  Driven impatient(std::move(setup));
  impatient.run(0).run(1).pass(2s).fire_first();
  EXPECT_THAT(impatient.process().clients[0].queue, IsEmpty());
  impatient.run(1);
  EXPECT_EQ(impatient.returned(), Answer::exception);
}

TEST(ConnectionPool, CountsEachNodeByItself) {
  Driven process = pooled(1);
  process.run(0);
  model::Outgoing to_replica{.request = process.last_request(), .node = model::NodeId{1}};
  EXPECT_FALSE(model::must_queue(process.process(), to_replica, process.setup()));
  process.process().clients[0].pending.push_back(process.pending()[0]);
  process.process().clients[0].pending.back().node = model::NodeId{1};
  ASSERT_TRUE(model::must_queue(process.process(), to_replica, process.setup()));
  model::queue(process.process(), to_replica, process.setup());
  EXPECT_FALSE(model::next_in_line(process.process(), 0, process.setup()).has_value());
  process.process().clients[0].pending.erase(process.process().clients[0].pending.begin());
  EXPECT_FALSE(model::next_in_line(process.process(), 0, process.setup()).has_value())
      << "the master's connection is free, and no help";
  process.process().clients[0].pending.clear();
  const auto next = model::next_in_line(process.process(), 0, process.setup());
  ASSERT_TRUE(next.has_value());
  EXPECT_EQ(next->node, model::NodeId{1});
}

Driven refused_client(const char* version) {
  auto setup = setup_for({{{lock()}}});
  setup.client = *settings_of(version);
  return Driven(std::move(setup));
}

TEST(Refusals, AreSentAgainLaterSince3201) {
  for (const model::Refusal& refusal : model::refusals()) {
    Driven process = refused_client("3.20.1");
    process.run().answer(lua::Error{std::string(refusal.word) + " not now"});
    ASSERT_THAT(process.pending(), SizeIs(1)) << refusal.word;
    EXPECT_TRUE(process.pending()[0].between);
    EXPECT_EQ(process.pending()[0].left.left, 1'500ms);
    EXPECT_FALSE(process.can_run(0));
    process.sent();
    process.pass(1'500ms).time_out();
    EXPECT_EQ(process.sent(), (Sent{"lock 30000"}));
    process.answer(granted_at_last).run();
    EXPECT_EQ(process.returned(), Answer::yes);
  }
}

TEST(Refusals, EndTheCallWhenAllAttemptsAreRefused) {
  Driven process = refused_client("3.20.1");
  const Reply refusal{lua::Error{"READONLY You can't write against a read only replica."}};
  process.run();
  for (int attempt = 0; attempt < 3; ++attempt) process.answer(refusal).pass(1'500ms).time_out();
  process.answer(refusal).run();
  EXPECT_EQ(process.returned(), Answer::exception);
}

TEST(Refusals, WereExceptionsBefore) {
  Driven process = refused_client("3.19.2");
  process.run().answer(lua::Error{"LOADING Redis is loading the dataset in memory"}).run();
  EXPECT_EQ(process.returned(), Answer::exception);
}

TEST(Refusals, AreNoOtherErrors) {
  for (const char* text : {"ERR no", "WRONGTYPE", "LOADINGS", "NOSCRIPT No matching script.", "BUSYKEY"})
    EXPECT_FALSE(model::is_refused_for_now(Reply{lua::Error{text}})) << text;
  EXPECT_TRUE(model::is_refused_for_now(Reply{lua::Error{"LOADING"}}));
  EXPECT_FALSE(model::is_refused_for_now(Reply{std::string("LOADING")}));
}

const Step shut_down_step{.kind = StepKind::shutdown};

TEST(Shutdown, FailsWhatIsAskedAndWhatIsAskedLater) {
  Driven process(setup_for({{{lock()}, {shut_down_step, lock({.object = 2})}}}));
  process.run(0).run(1);
  EXPECT_THAT(process.pending(), IsEmpty());
  process.run(0);
  EXPECT_EQ(process.returned(), Answer::exception);
  process.run(1);
  EXPECT_THAT(process.pending(), IsEmpty());
  process.run(1);
  EXPECT_EQ(process.returned(), Answer::exception);
}

TEST(Shutdown, StopsTheWatchdog) {
  Driven process(setup_for({{{lock(), shut_down_step}}}));
  process.run().answer(granted_at_last).run();
  ASSERT_THAT(process.own().watchdog.timers, SizeIs(1));
  process.run();
  EXPECT_THAT(process.own().watchdog.timers, IsEmpty());
}

TEST(Shutdown, LeavesAParkedThreadToItsOwnTime) {
  Driven process(setup_for({{{lock()}, {shut_down_step}}}));
  const Reply busy{std::int64_t{9'000}};
  process.run(0).answer(busy).run(0).push("subscribe").run(0).answer(busy).run(0);
  ASSERT_NE(process.in<Parked>(0), nullptr);
  process.run(1);
  EXPECT_FALSE(process.can_run(0));
  process.pass(9'001ms).run(0).run(0);
  EXPECT_EQ(process.returned(), Answer::exception);
  EXPECT_THAT(process.own().pub_sub.entries, IsEmpty());
}

}  // namespace
}  // namespace lockstep::redisson
