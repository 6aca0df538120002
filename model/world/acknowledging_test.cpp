// WAIT behind a script, what replicas acknowledge, masters that hear of too few, and questions to replicas.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/redisson/versions.h"
#include "model/world/acknowledging.h"
#include "model/world/asking.h"
#include "model/world/test_setup.h"

namespace lockstep::model {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;

/// A master with replicas, and clients that wait for so many; without, the answer has failed.
Setup waiting_for(std::uint16_t replicas, Setup setup) {
  setup.wait = replicas;
  setup.client.wait_needs = 1;
  return replicated(std::move(setup));
}
Setup one_lock() { return setup_for({{{lock(), work(1s), unlock()}}}); }

TEST(WaitForReplicas, IsAnsweredWhenTheReplicaHasAcknowledgedAndNotBefore) {
  Led world(waiting_for(1, one_lock()));
  world("run A1")("request A/0 -> R0");
  EXPECT_FALSE(world.can("reply R0 -> A/0")) << "the lock is stored, and its connection is blocked";
  EXPECT_FALSE(world.stored_on(0, "orders").free());
  world("effects R0 -> R1");
  EXPECT_FALSE(world.can("reply R0 -> A/0")) << "the replica has it, and the master does not know";
  world("ack R1 -> R0")("reply R0 -> A/0")("run A1");
  EXPECT_THAT(world.answers(0), ElementsAre(Answer::yes));
}

TEST(WaitForReplicas, EndsWithItsTimeAndThenTheRequestHasFailed) {
  Led world(with(waiting_for(1, one_lock()), {"replica-lag"}));
  world("lag R1")("run A1")("request A/0 -> R0")("pass 1000ms");
  EXPECT_FALSE(world.can_any("pass")) << "it is over";
  world("wait-over A/0 at R0")("reply R0 -> A/0")("run A1");
  EXPECT_THAT(world.answers(0), ElementsAre(Answer::exception));
  EXPECT_FALSE(world.stored_on(0, "orders").free()) << "its script ran all the same";
}

TEST(WaitForReplicas, TakesAnyAnswerWhereNothingIsNeeded) {
  model::Setup setup = with(waiting_for(1, one_lock()), {"replica-lag"});
  setup.client.wait_needs = 0;
  Led world(setup);
  world("lag R1")("run A1")("request A/0 -> R0")("pass 1000ms")("wait-over A/0 at R0");
  world("reply R0 -> A/0")("run A1");
  EXPECT_THAT(world.answers(0), ElementsAre(Answer::yes));
}

TEST(WaitForReplicas, AsksNobodyWhereAllIsAcknowledged) {
  Led world(waiting_for(1, setup_for({{{lock()}}, {{try_lock()}}})));
  world("run A1")("request A/0 -> R0")("effects R0 -> R1")("ack R1 -> R0")("reply R0 -> A/0");
  world("run B1")("request B/0 -> R0");
  EXPECT_TRUE(world.can("reply R0 -> B/0")) << "a refusal writes nothing";
}

TEST(WaitForReplicas, OfTwoIsAnsweredByBothAndAReplicaThatIsGoneDoesNotCount) {
  Led world(with(replicated(waiting_for(2, one_lock())), {"crash-node"}));
  world("run A1")("request A/0 -> R0")("effects R0 -> R1")("ack R1 -> R0");
  EXPECT_FALSE(world.can("reply R0 -> A/0"));
  world("effects R0 -> R2")("crash-node R1")("ack R2 -> R0");
  EXPECT_FALSE(world.can("reply R0 -> A/0")) << "there is one";
  world("pass 1000ms")("wait-over A/0 at R0")("reply R0 -> A/0")("run A1");
  EXPECT_THAT(world.answers(0), ElementsAre(Answer::yes)) << "and one is enough";
}

TEST(WaitForReplicas, LastsLongerThanAnAnswerIsWaitedForElse) {
  Led world(with(waiting_for(1, one_lock()), {"lose-message"}));
  world("run A1")("lose-request A/0 -> R0");
  world("pass 4000ms");
  EXPECT_TRUE(world.can("time-out A/0 at R0"));
}

TEST(WaitForReplicas, OfAProcessThatDiesAnswersNobody) {
  Led world(with(waiting_for(1, one_lock()), {"crash-process"}));
  world("run A1")("request A/0 -> R0")("crash A");
  EXPECT_TRUE(world.link(0, 0).empty());
  world.settle();
}

TEST(WaitForReplicas, CountsOneThatHasSynchronisedAnew) {
  Led world(with(waiting_for(1, one_lock()), {"cut-replica"}));
  world("run A1")("request A/0 -> R0")("cut-replica R1");
  EXPECT_EQ(connected_replicas(world.world(), NodeId{0}), 0U);
  world("heal-replica R1")("resync R1")("ack R1 -> R0")("reply R0 -> A/0")("run A1");
  EXPECT_THAT(world.answers(0), ElementsAre(Answer::yes));
}

Setup of_version(std::string_view version, Setup setup) {
  setup.client = *redisson::settings_of(version);
  return replicated(std::move(setup));
}

TEST(ReplicaCount, IsAskedForBeforeEachScriptFrom3181AndOnceSince3270) {
  for (const auto& [version, asked] : {std::pair{"3.18.1", 2}, std::pair{"3.27.0", 1}}) {
    Led world(of_version(version, one_lock()));
    world.until(2s).settle();
    const auto& log = world.tracer().monitor_lines();
    EXPECT_EQ(std::count_if(log.begin(), log.end(),
                            [](const std::string& line) { return line.find("INFO") != std::string::npos; }),
              asked)
        << version;
    EXPECT_EQ(std::count_if(log.begin(), log.end(),
                            [](const std::string& line) { return line.find("WAIT") != std::string::npos; }),
              2)
        << version;
  }
}

TEST(ReplicaCount, OfNoneIsKeptForEverAndNoWaitIsSent) {
  Led world(with(of_version("3.27.0", one_lock()), {"cut-replica"}));
  world("cut-replica R1")("run A1")("request A/0 -> R0")("reply R0 -> A/0");
  world("request A/0 -> R0")("reply R0 -> A/0");
  EXPECT_EQ(world.process(0).clients[0].replicas, 0);
  world("heal-replica R1").until(2s).settle();
  EXPECT_EQ(world.process(0).clients[0].replicas, 0);
  EXPECT_THAT(world.answers(0), ElementsAre(Answer::yes, Answer::yes));
}

TEST(ReplicaCount, IsForgottenWhenAWaitIsAnsweredOtherwise) {
  Led world(with(of_version("3.27.0", one_lock()), {"replica-lag"}));
  world("lag R1").settle();
  EXPECT_EQ(world.process(0).clients[0].replicas, 1);
  world("pass 1000ms")("wait-over A/0 at R0")("reply R0 -> A/0");
  EXPECT_EQ(world.process(0).clients[0].replicas, std::nullopt);
}

TEST(MinReplicas, KeepAMasterThatHasTooFewFromWriting) {
  model::Setup setup = with(replicated(one_lock()), {"cut-replica"});
  setup.min_replicas = 1;
  Led world(setup);
  world.settle();
  EXPECT_FALSE(world.stored_on(0, "orders").free()) << "it has one";
  Led without(setup);
  without("cut-replica R1")("run A1")("request A/0 -> R0");
  EXPECT_TRUE(without.stored_on(0, "orders").free());
}

TEST(MinReplicas, CountAReplicaThatIsPausedUntilItsLagIsOver) {
  model::Setup setup = with(replicated(setup_for({{{work(1s)}}})), {"pause-node"});
  setup.min_replicas = 1;
  setup.min_replicas_max_lag = 2s;
  Led world(setup);
  world("pause-node R1");
  EXPECT_EQ(good_replicas(world.world(), NodeId{0}, setup), 1);
  world.world().pauses.write()[1].left = setup.limits.node_pause_max - 3001ms;
  EXPECT_EQ(good_replicas(world.world(), NodeId{0}, setup), 0);
}

TEST(Asking, GoesToAReplicaAndWhichIsAMoveWhereThereAreSeveral) {
  const Step is_locked{.kind = StepKind::is_locked};
  model::Setup one = replicated(setup_for({{{is_locked}}}));
  one.client.read_mode = 1;
  Led world(one);
  world("run A1")("request A/0 -> R1")("reply R1 -> A/0");
  Led both(replicated(one));
  both("run A1");
  EXPECT_THAT(both.enabled(), ElementsAre("ask A/0 at R1", "ask A/0 at R2"));
  both("ask A/0 at R2")("request A/0 -> R2")("reply R2 -> A/0");
  one.client.read_mode = 0;
  Led master(one);
  master("run A1")("request A/0 -> R0");
}

}  // namespace
}  // namespace lockstep::model
