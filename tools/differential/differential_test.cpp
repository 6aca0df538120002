// The model beside a real redis-server whose clock is set in step with the model's: what one answers, the
// other answers, to the byte and to the millisecond. `lockstep-differential` runs the same for longer.
#include <gtest/gtest.h>

#include "tools/differential/campaign.h"
#include "tools/differential/client_steps.h"
#include "tools/differential/random_scripts.h"

namespace lockstep::differential {
namespace {

class Differential : public testing::Test {
 protected:
  void SetUp() override {
    if (server_.missing()) GTEST_SKIP() << server_.problem();
    ASSERT_EQ(server_.problem(), "");
  }

  static void expect_no_difference(RealServer& server, const Plan& plan, const Watch& watch) {
    BothSides sides(server, watch);
    const Tally tally = run(plan, sides);
    for (const std::string& difference : tally.differences) ADD_FAILURE() << difference;
    EXPECT_EQ(tally.counted, plan.count);
    EXPECT_GT(tally.time_steps, plan.count / 10);
  }

  RealServer server_;
};

Watch calls() {
  Watch watch;
  watch.calls = true;
  return watch;
}

Watch calls_and_messages() {
  Watch watch = calls();
  watch.clients = 2;
  return watch;
}

Watch effects(Watch::Effects where) {
  Watch watch;
  watch.effects = where;
  return watch;
}

Watch several_clients() {
  Watch watch;
  watch.clients = clients_count;
  watch.clock_in_pipeline = false;
  return watch;
}

TEST_F(Differential, RandomCommandsAreAnsweredAsARealServerAnswersThem) {
  expect_no_difference(server_, command_plan(50'000, {}), {});
}

TEST_F(Differential, ClientsInTransactionsAndSubscriptionsReceiveWhatARealServerSendsThem) {
  expect_no_difference(server_, client_plan(10'000), several_clients());
}

TEST_F(Differential, InResp3EveryReplyAndMessageHasTheTypeThatARealServerGivesIt) {
  Watch watch;
  watch.resp3 = true;
  expect_no_difference(server_, command_plan(20'000, {}), watch);
  expect_no_difference(server_, script_plan(2'000), watch);
  watch = several_clients();
  watch.resp3 = true;
  expect_no_difference(server_, client_plan(5'000), watch);
}

TEST_F(Differential, EventsOfKeysAreWhatARealServerPublishes) {
  Watch watch;
  watch.clients = 2;
  expect_no_difference(server_, event_plan(20'000), watch);
}

TEST_F(Differential, RandomScriptsAnswerAndCallWhatTheyDoOnARealServer) {
  expect_no_difference(server_, script_plan(6'000), calls());
}

TEST_F(Differential, LockScriptsAnswerCallAndTellWhatTheyDoOnARealServer) {
  expect_no_difference(server_, lock_plan(5'000), calls_and_messages());
}

TEST_F(Differential, EffectsAreWhatARealServerWritesToItsAppendOnlyFile) {
  RealServer server({"redis-server", RealServer::Log::append_only});
  Watch watch = effects(Watch::Effects::file);
  expect_no_difference(server, command_plan(20'000, {}), watch);
  expect_no_difference(server, script_plan(3'000), watch);
  watch.clients = 2;
  expect_no_difference(server, lock_plan(2'000), watch);
}

TEST_F(Differential, EffectsAreWhatARealServerSendsToItsReplicas) {
  Watch watch = effects(Watch::Effects::replica);
  expect_no_difference(server_, command_plan(20'000, {}), watch);
  expect_no_difference(server_, script_plan(3'000), watch);
  watch.clients = 2;
  expect_no_difference(server_, lock_plan(2'000), watch);
}

TEST_F(Differential, TransactionsAreReplicatedInOnePieceAsByARealServer) {
  Watch watch = several_clients();
  watch.effects = Watch::Effects::replica;
  expect_no_difference(server_, client_plan(5'000), watch);
}

// The clock itself: the boundary that everything above stands on.
TEST_F(Differential, AKeyOfTheRealServerIsAliveAtItsDeadlineAndDeadOneMillisecondLater) {
  RealServer& real = server_;
  real.ask({"VCLOCK", std::to_string(begin_ms)});
  real.ask({"SET", "k", "v", "PX", "100"});
  real.ask({"VCLOCK", std::to_string(begin_ms + 100)});
  EXPECT_EQ(real.ask({"PTTL", "k"}), model::Reply(std::int64_t{0}));
  EXPECT_EQ(real.ask({"DBSIZE"}), model::Reply(std::int64_t{1}));
  real.ask({"VCLOCK", std::to_string(begin_ms + 101)});
  EXPECT_EQ(real.ask({"DBSIZE"}), model::Reply(std::int64_t{1})) << "nobody has looked it up";
  EXPECT_EQ(real.ask({"PTTL", "k"}), model::Reply(std::int64_t{-2}));
  EXPECT_EQ(real.ask({"DBSIZE"}), model::Reply(std::int64_t{0}));
}

TEST_F(Differential, TheClockOfTheRealServerStandsStillUntilItIsSet) {
  RealServer& real = server_;
  real.ask({"VCLOCK", "1700000000123"});
  const model::Reply time = model::Reply::Array{std::string("1700000000"), std::string("123000")};
  EXPECT_EQ(real.ask({"TIME"}), time);
  EXPECT_EQ(real.ask({"TIME"}), time);
}

// A comparison that cannot fail proves nothing. The model does not know VCLOCK, which is the test's own.
TEST_F(Differential, ADifferenceIsFoundShrunkToWhatItNeedsAndPrintedAsATest) {
  BothSides sides(server_, {});
  Steps steps(40, Step{sim::Duration(1), {"GET", "other"}});
  steps[7].command = {"SET", "k", "v", "PX", "60"};
  const std::string script = "return redis.call('exists', KEYS[1]) == 1 and redis.pcall('vclock', 5)";
  steps[20].command = {"EVAL", script, "1", "k"};
  const auto found = sides.run(steps);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->step, 21u);
  EXPECT_EQ(as_test(shrink(sides, steps, *found)),
            "TEST(Differential, NameWhatIsDifferent) {\n"
            "  TestClient client(Role::master, Expiry::lazy);\n"
            "  client.execute({\"SET\", \"k\", \"v\", \"PX\", \"60\"});\n"
            "  EXPECT_EQ(render(client.execute({\"EVAL\", \"" +
                script +
                "\", \"1\", \"k\"}).reply),\n"
                "            \"(integer) 5\");\n"
                "}\n"
                "reply of the model: (error) ERR Unknown Redis command called from script\n"
                "reply of the server: (integer) 5\n");
}

TEST_F(Differential, ADifferenceInStateAloneIsFound) {
  BothSides sides(server_, {});
  sides.begin();
  sides.add({sim::Duration::zero(), {"SET", "k", "v", "PX", "1000"}});
  server_.ask({"SET", "unseen", "v"});
  const auto found = sides.finish();
  ASSERT_TRUE(found);
  EXPECT_EQ(found->command, model::Command{"DBSIZE"});
  EXPECT_EQ(found->model, "(integer) 1");
  EXPECT_EQ(found->real, "(integer) 2");
}

}  // namespace
}  // namespace lockstep::differential
