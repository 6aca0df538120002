#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include "model/redis/cluster/test_bed.h"
#include "model/redis/cluster/texts.h"

namespace lockstep::redis::cluster {
namespace {

using testing::Bed;
using testing::Event;
using testing::Limits;
using testing::two_seconds;
using namespace std::chrono_literals;

/// Long enough up that everybody serves.
struct Settled : Bed {
  Settled(std::size_t masters, std::size_t replicas_each, const Settings& settings, Limits limits = {},
          std::uint64_t seed = 1)
      : Bed(masters, replicas_each, settings, limits, seed) {
    run_for(10s);
  }
};

TEST(ClusterBus, MastersThatWereStartedServeAfterTwoSecondsAndReplicasAtOnce) {
  Bed bed(3, 1, two_seconds());
  bed.run_for(1'900ms);
  EXPECT_FALSE(bed.nodes[0].map.ok);
  EXPECT_TRUE(bed.nodes[3].map.ok);
  bed.run_for(400ms);
  for (const Bus& node : bed.nodes) EXPECT_TRUE(node.map.ok);
}

TEST(ClusterBus, AQuietClusterStaysQuiet) {
  Settled bed(3, 1, two_seconds());
  const std::size_t before = bed.events.size();
  bed.run_for(60s);
  EXPECT_EQ(bed.events.size(), before);
  EXPECT_EQ(bed.nodes[0].map.current_epoch, 3U);
}

TEST(ClusterBus, AMasterThatDiesIsReplacedWithinTheTimesThatARealClusterShows) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Settled bed(3, 1, two_seconds(), {Duration(0), Duration(2)}, seed);
    const Duration killed = bed.now();
    bed.kill(0);
    bed.run_for(10s);
    const Event* const failing = bed.first<StateChanged>(killed);
    const Event* const promoted = bed.first<Promoted>(killed);
    ASSERT_TRUE(failing && promoted) << "seed " << seed;
    EXPECT_GE(failing->at - killed, 2'000ms) << "seed " << seed;
    // Half of the timeout until the ping, the whole until the suspicion, and a round of gossip.
    EXPECT_LE(failing->at - killed, 4'300ms) << "seed " << seed;
    EXPECT_GE(promoted->at - failing->at, 500ms) << "seed " << seed;
    EXPECT_LE(promoted->at - failing->at, 1'250ms) << "seed " << seed;
    EXPECT_EQ(promoted->node, 3U);
  }
}

TEST(ClusterBus, TheReplicaTakesAllSlotsUnderANewEpochAndEverybodyAgrees) {
  Settled bed(3, 1, two_seconds());
  bed.kill(0);
  bed.run_for(10s);
  for (const std::size_t node : {1, 2, 3, 4, 5}) {
    const Map& map = bed.nodes[node].map;
    EXPECT_TRUE(map.ok);
    EXPECT_EQ(*owner_of(map, 0), Bed::name(3));
    EXPECT_EQ(map.members.at(Bed::name(3)).config_epoch, 4U);
    EXPECT_EQ(map.current_epoch, 4U);
  }
}

TEST(ClusterBus, TheOrderOfEventsIsFailureElectionVotesPromotion) {
  Settled bed(3, 1, two_seconds());
  const Duration killed = bed.now();
  bed.kill(0);
  bed.run_for(10s);
  const Duration marked = bed.first<MarkedFailing>(killed)->at, asked = bed.first<Asking>(killed)->at,
                 voted = bed.first<Voted>(killed)->at, promoted = bed.first<Promoted>(killed)->at;
  EXPECT_LE(marked, asked);
  EXPECT_LT(asked, voted);
  EXPECT_LT(voted, promoted);
  EXPECT_EQ(bed.count<Voted>(), 2U);  // both masters that are left
}

TEST(ClusterBus, TheReturnedOldMasterNeverServesAgainAndReplicatesItsSuccessor) {
  Settled bed(3, 1, two_seconds());
  bed.kill(0);
  bed.run_for(10s);
  bed.restart(0);
  for (int i = 0; i < 400; ++i) {
    bed.run_for(10ms);
    ASSERT_FALSE(bed.takes_writes(0, 0));
  }
  const Member& me = bed.nodes[0].map.me();
  EXPECT_EQ(me.kind, Kind::replica);
  EXPECT_EQ(me.master, Bed::name(3));
  EXPECT_EQ(bed.nodes[1].map.members.at(Bed::name(0)).health, Health::alive);
}

TEST(ClusterBus, AMasterThatIsBackBeforeItsReplicaWonStaysMaster) {
  Settled bed(3, 1, two_seconds());
  bed.kill(0);
  bed.run_for(1s);
  bed.restart(0);
  bed.run_for(20s);
  EXPECT_EQ(bed.count<Promoted>(), 0U);
  EXPECT_TRUE(bed.takes_writes(0, 0));
}

TEST(ClusterBus, WithoutAMajorityOfMastersNobodyFailsAndNobodyIsPromoted) {
  Settled bed(3, 1, two_seconds());
  bed.kill(0);
  bed.kill(1);
  bed.run_for(60s);
  EXPECT_EQ(bed.count<MarkedFailing>(), 0U);
  EXPECT_EQ(bed.count<Promoted>(), 0U);
  EXPECT_FALSE(bed.nodes[2].map.ok);
  EXPECT_EQ(bed.nodes[2].map.members.at(Bed::name(0)).health, Health::pfail);
}

TEST(ClusterBus, AnIsolatedMasterTakesWritesUntilItsOwnTimeoutAndThenNoMore) {
  Settled bed(3, 1, two_seconds());
  const Duration cut = bed.now();
  bed.isolate(0);
  bed.run_for(1'900ms);
  EXPECT_TRUE(bed.takes_writes(0, 0));  // acknowledged writes that will be lost
  Duration stopped{};
  while (stopped == 0ms && bed.now() - cut < 10s) {
    bed.run_for(10ms);
    if (!bed.takes_writes(0, 0)) stopped = bed.now() - cut;
  }
  EXPECT_LE(stopped, 3'300ms);
  bed.run_for(10s);
  EXPECT_TRUE(bed.takes_writes(3, 0));
  bed.heal();
  bed.run_for(20s);
  EXPECT_EQ(bed.nodes[0].map.me().master, Bed::name(3));
}

TEST(ClusterBus, AMasterThatWasInAMinorityWaitsBeforeItServesAgain) {
  Settled bed(3, 0, two_seconds());
  bed.isolate(0);
  bed.run_for(10s);
  ASSERT_FALSE(bed.nodes[0].map.ok);
  const Duration healed = bed.now();
  bed.heal();
  bed.run_for(30s);
  const Event* served = nullptr;
  for (const Event& event : bed.events) {
    const auto* const change = std::get_if<StateChanged>(&event.what);
    if (event.node == 0 && event.at > healed && change && change->ok) served = &event;
  }
  ASSERT_NE(served, nullptr);
  EXPECT_GE(served->at - healed, 2s);  // node_timeout, between 0.5 and 5 seconds
}

TEST(ClusterBus, AShortSilenceIsASuspicionAtMost) {
  Settled bed(3, 1, two_seconds());
  bed.isolate(0);
  bed.run_for(1'500ms);
  bed.heal();
  bed.run_for(20s);
  EXPECT_EQ(bed.count<MarkedFailing>(), 0U);
  for (const Bus& node : bed.nodes)
    EXPECT_EQ(node.map.members.at(Bed::name(0)).health, Health::alive);
}

TEST(ClusterBus, TheReplicaWithMoreDataGoesFirst) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    Settled bed(3, 2, two_seconds(), {}, seed);
    bed.set_offset(3, 500);
    bed.set_offset(6, 900);
    bed.run_for(5s);
    bed.kill(0);
    bed.run_for(10s);
    ASSERT_NE(bed.first<Promoted>(), nullptr) << "seed " << seed;
    EXPECT_EQ(bed.first<Promoted>()->node, 6U) << "seed " << seed;
    EXPECT_EQ(bed.count<Promoted>(), 1U) << "seed " << seed;
    EXPECT_EQ(bed.nodes[3].map.me().master, Bed::name(6)) << "seed " << seed;
  }
}

TEST(ClusterBus, AReplicaWithoutItsMasterForTooLongDoesNotStand) {
  Settings settings = two_seconds();
  settings.validity_factor = 1;
  settings.replica_ping = Duration(1'000);
  Settled bed(3, 1, settings);
  bed.cut(0, 3);  // only the replica loses it, and its data grows old
  bed.run_for(10s);
  bed.kill(0);
  bed.run_for(30s);
  EXPECT_GE(bed.count<MarkedFailing>(), 1U);
  EXPECT_EQ(bed.count<Asking>(), 0U);
  settings.validity_factor = 0;
  Settled never_too_old(3, 1, settings);
  never_too_old.cut(0, 3);
  never_too_old.run_for(10s);
  never_too_old.kill(0);
  never_too_old.run_for(30s);
  EXPECT_EQ(never_too_old.count<Promoted>(), 1U);
}

TEST(ClusterBus, TwoMastersThatDieTogetherAreReplacedInEpochsOfTheirOwn) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    Settled bed(5, 1, two_seconds(), {}, seed);
    bed.kill(0);
    bed.kill(1);
    bed.run_for(60s);
    std::vector<Epoch> epochs;
    for (const Event& event : bed.events)
      if (const auto* const promoted = std::get_if<Promoted>(&event.what)) epochs.push_back(promoted->epoch);
    ASSERT_EQ(epochs.size(), 2U) << "seed " << seed;
    EXPECT_NE(epochs[0], epochs[1]) << "seed " << seed;
  }
}

/// A voter, and the request of the replica of a master that has failed.
struct Ballot {
  Settled bed{3, 2, two_seconds()};
  Bus voter = bed.nodes[1];
  Message request;

  Ballot() {
    Member& dead = voter.map.members.at(Bed::name(0));
    dead.health = Health::fail;
    dead.since_failing = Duration::zero();
    request.sender = Bed::name(3);
    request.kind = Kind::replica;
    request.master = Bed::name(0);
    request.slots = dead.slots;
    request.config_epoch = 1;
    request.current_epoch = 4;
    request.body = VoteRequest{};
  }
  bool votes() {
    for (const Output& output : step(voter, Heard{request}, two_seconds()))
      if (std::holds_alternative<Voted>(output)) return true;
    return false;
  }
};

TEST(ClusterVote, AMasterVotesOnceInAnEpoch) {
  Ballot ballot;
  EXPECT_TRUE(ballot.votes());
  ballot.voter.since_vote.clear();
  ballot.request.sender = Bed::name(6);
  EXPECT_FALSE(ballot.votes());
  ballot.request.current_epoch = 5;
  EXPECT_TRUE(ballot.votes());
}

TEST(ClusterVote, AMasterVotesForReplicasOfOneMasterOnceInTwiceTheTimeout) {
  Ballot ballot;
  EXPECT_TRUE(ballot.votes());
  ballot.request.current_epoch = 5;
  EXPECT_FALSE(ballot.votes());
  step(ballot.voter, Passed{Duration(3'999)}, two_seconds());
  EXPECT_FALSE(ballot.votes());
  step(ballot.voter, Passed{Duration(1)}, two_seconds());
  EXPECT_TRUE(ballot.votes());
}

TEST(ClusterVote, AVoteOutlivesARestart) {
  Ballot ballot;
  EXPECT_TRUE(ballot.votes());
  ballot.voter = restarted(ballot.voter);
  ballot.request.sender = Bed::name(6);
  EXPECT_FALSE(ballot.votes());
  ballot.request.current_epoch = 5;
  EXPECT_TRUE(ballot.votes());
}

TEST(ClusterVote, NobodyVotesWhileTheMasterIsOnlySuspected) {
  Ballot ballot;
  ballot.voter.map.members.at(Bed::name(0)).health = Health::pfail;
  EXPECT_FALSE(ballot.votes());
}

TEST(ClusterVote, AnOldEpochOrOldSlotsGetNoVote) {
  Ballot old_epoch;
  old_epoch.request.current_epoch = 2;
  EXPECT_FALSE(old_epoch.votes());
  Ballot old_slots;
  old_slots.voter.map.members.at(Bed::name(0)).config_epoch = 2;  // the slots were claimed anew since
  EXPECT_FALSE(old_slots.votes());
}

TEST(ClusterVote, AMasterWithoutSlotsHasNoVote) {
  Ballot ballot;
  ballot.voter.map.me().slots = {};
  EXPECT_FALSE(ballot.votes());
}

TEST(ClusterBus, OfTwoMastersWithOneEpochTheSmallerNameTakesANewOne) {
  Settled bed(3, 0, two_seconds());
  for (Bus& node : bed.nodes) node.map.members.at(Bed::name(1)).config_epoch = 3;  // as m2 has
  bed.run_for(10s);
  EXPECT_EQ(bed.nodes[2].map.me().config_epoch, 3U);
  EXPECT_EQ(bed.nodes[1].map.me().config_epoch, 4U);
  EXPECT_EQ(bed.nodes[0].map.members.at(Bed::name(1)).config_epoch, 4U);
}

TEST(ClusterBus, SlotsThatAreImportedMoveByHandOnly) {
  Settled bed(2, 0, two_seconds());
  Bus& node = bed.nodes[0];
  node.map.importing[9'000] = Bed::name(1);
  node.map.me().slots.insert({9'000, 9'000});
  node.map.members.at(Bed::name(1)).slots.erase({9'000, 9'000});
  bed.run_for(5s);
  EXPECT_EQ(*owner_of(node.map, 9'000), Bed::name(0));
  EXPECT_EQ(*owner_of(bed.nodes[1].map, 9'000), Bed::name(1));  // whose epoch is the higher one
}

TEST(ClusterBus, WithoutFullCoverageTheOthersGoOn) {
  Settings settings = two_seconds();
  settings.full_coverage = false;
  Settled bed(3, 0, settings);
  bed.kill(0);
  bed.run_for(20s);
  EXPECT_TRUE(bed.takes_writes(1, 6'000));
  EXPECT_EQ(bed.nodes[1].map.members.at(Bed::name(0)).health, Health::fail);
}

TEST(ClusterBus, WhoClaimsSlotsUnderAnOldEpochIsToldWhoseTheyAre) {
  Settled bed(3, 1, two_seconds());
  Bus node = bed.nodes[1];
  Member& successor = node.map.members.at(Bed::name(3));
  successor.kind = Kind::master;
  successor.master.clear();
  successor.config_epoch = 4;
  const SlotSet slots = node.map.members.at(Bed::name(0)).slots;
  assign(node.map, Bed::name(3), slots);
  Message stale;
  stale.sender = Bed::name(0);
  stale.config_epoch = 1;
  stale.slots = slots;
  stale.body = Notice{};
  const Update* update = nullptr;
  const Outputs outputs = step(node, Heard{stale}, two_seconds());
  for (const Output& output : outputs) {
    const auto* const sent = std::get_if<Send>(&output);
    if (sent) update = std::get_if<Update>(&sent->message.body);
  }
  ASSERT_NE(update, nullptr);
  EXPECT_EQ(update->node, Bed::name(3));
  EXPECT_EQ(update->config_epoch, 4U);
  EXPECT_EQ(update->slots, slots);
}

TEST(ClusterBus, AFailedMasterThatAnswersIsTakenBackOnlyAfterItsReplicasHadTheirChance) {
  Settled bed(3, 1, two_seconds());
  Bus node = bed.nodes[1];
  Member& failed = node.map.members.at(Bed::name(0));
  failed.health = Health::fail;
  failed.since_failing = Duration::zero();
  Message pong;
  pong.sender = Bed::name(0);
  pong.config_epoch = 1;
  pong.slots = failed.slots;
  pong.body = Pong{};
  step(node, Passed{Duration(4'000)}, two_seconds());
  step(node, Heard{pong}, two_seconds());
  EXPECT_EQ(failed.health, Health::fail);
  step(node, Passed{Duration(1)}, two_seconds());
  step(node, Heard{pong}, two_seconds());
  EXPECT_EQ(failed.health, Health::alive);
}

TEST(ClusterBus, ANodeLearnsFromGossipWhenItsOwnPongWasHeard) {
  Bed bed(3, 1, two_seconds());
  bed.nodes[0].map.me().since_pong.reset();
  bed.run_for(5s);
  const auto& heard = bed.nodes[0].map.me().since_pong;
  ASSERT_TRUE(heard.has_value());
  EXPECT_LE(*heard, 2s);
}

TEST(ClusterBus, NodesShowsTheFailover) {
  Settled bed(3, 1, two_seconds());
  bed.kill(0);
  bed.run_for(10s);
  const std::string line = node_line(bed.nodes[1].map, Bed::name(0), 0);
  EXPECT_THAT(line, ::testing::HasSubstr("master,fail - "));
  EXPECT_THAT(line, ::testing::EndsWith(" 1 disconnected"));
}

}  // namespace
}  // namespace lockstep::redis::cluster
