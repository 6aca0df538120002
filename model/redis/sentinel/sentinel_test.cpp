#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include "model/redis/sentinel/test_bed.h"

namespace lockstep::redis::sentinel {
namespace {

using testing::Bed;
using testing::Limits;
using testing::Note;
using ::testing::ElementsAre;
using namespace std::chrono_literals;

Watch two_seconds() { return {2, Duration(2'000), Duration(10'000), 1}; }

/// Everybody has met: hellos go every two seconds, INFO of a new instance goes at once.
struct Settled : Bed {
  Settled(std::size_t sentinel_count, std::size_t replicas, const Watch& watch, Limits limits = {},
          std::uint64_t seed = 1)
      : Bed(sentinel_count, replicas, watch, limits, seed) {
    run_for(15s);
  }
};

TEST(Sentinel, ThreeSentinelsFindEachOtherAndTheReplicas) {
  Bed bed(3, 2, two_seconds());
  bed.run_for(5s);
  for (const Sentinel& sentinel : bed.sentinels) {
    EXPECT_EQ(sentinel.masters.at(Bed::name).peers.size(), 2U);
    EXPECT_EQ(sentinel.masters.at(Bed::name).replicas.size(), 2U);
  }
  EXPECT_EQ(bed.count("+sdown"), 0U);
}

TEST(Sentinel, AQuietWorldStaysQuiet) {
  Bed bed(3, 1, two_seconds());
  bed.run_for(5s);
  const std::size_t before = bed.told.size();
  bed.run_for(120s);
  EXPECT_EQ(bed.told.size(), before);
}

TEST(Sentinel, TheNewMasterIsAnnouncedThreeAndAHalfSecondsAfterTheOldOneDies) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Bed bed(3, 1, two_seconds(), {Duration(0), Duration(2), Duration(52), Duration(100)}, seed);
    bed.run_for(15s);
    const Duration killed = bed.now();
    bed.kill_server(0);
    ASSERT_TRUE(bed.run_until("+switch-master", 10s)) << "seed " << seed;
    EXPECT_GE(bed.first("+sdown")->at - killed, 2s) << "seed " << seed;
    EXPECT_LE(bed.first("+sdown")->at - killed, 2'300ms) << "seed " << seed;
    const Duration took = bed.now() - killed;
    EXPECT_GE(took, 2'500ms) << "seed " << seed;
    EXPECT_LE(took, 4'700ms) << "seed " << seed;
  }
}

TEST(Sentinel, TheLeaderTellsItsFailoverInTheOrderOfARealOne) {
  Settled bed(3, 2, two_seconds());
  const Duration killed = bed.now();
  bed.kill_server(0);
  ASSERT_TRUE(bed.run_until("+failover-end", 20s));
  const std::size_t leader = bed.first("+failover-end")->who;
  bed.run_for(100ms);
  EXPECT_THAT(bed.channels(leader, killed),
              ElementsAre("+sdown", "+odown", "+new-epoch", "+try-failover", "+vote-for-leader",
                          "+elected-leader", "+failover-state-select-slave", "+selected-slave",
                          "+failover-state-send-slaveof-noone", "+failover-state-wait-promotion",
                          "-role-change", "+promoted-slave", "+failover-state-reconf-slaves",
                          "+slave-reconf-sent", "+slave-reconf-inprog", "+slave-reconf-done", "-odown",
                          "+failover-end", "+switch-master", "+slave", "+slave"));
}

TEST(Sentinel, TheOthersLearnTheNewMasterFromTheLeadersHello) {
  Settled bed(3, 1, two_seconds());
  const Duration killed = bed.now();
  bed.kill_server(0);
  bed.run_for(10s);
  const std::size_t leader = bed.first("+failover-end")->who;
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(bed.sentinels[i].masters.at(Bed::name).instance.address, Bed::server_address(1));
    const auto names = bed.channels(i, killed);
    const bool learnt = std::count(names.begin(), names.end(), "+config-update-from") > 0;
    EXPECT_EQ(learnt, i != leader) << i;
  }
}

TEST(Sentinel, EventsSpeakAsRedisDoes) {
  Settled bed(3, 1, two_seconds());
  bed.kill_server(0);
  bed.run_for(10s);
  EXPECT_EQ(bed.first("+sdown")->rest, "master mymaster 127.0.0.1 6380");
  EXPECT_EQ(bed.first("+odown")->rest.substr(0, 40), "master mymaster 127.0.0.1 6380 #quorum 2");
  EXPECT_EQ(bed.first("+selected-slave")->rest,
            "slave 127.0.0.1:6381 127.0.0.1 6381 @ mymaster 127.0.0.1 6380");
  EXPECT_EQ(bed.first("+switch-master")->rest, "mymaster 127.0.0.1 6380 127.0.0.1 6381");
}

TEST(Sentinel, AReturnedOldMasterStaysAMasterForSecondsAndIsThenDemoted) {
  Settled bed(3, 1, two_seconds());
  bed.kill_server(0);
  bed.run_for(15s);
  const Duration back = bed.now();
  bed.start_server(0);
  EXPECT_EQ(bed.servers[0].facts.role, Role::master);
  ASSERT_TRUE(bed.run_until("+convert-to-slave", 60s));
  EXPECT_GT(bed.now() - back, 8s);  // four hello periods, and then the next INFO
  EXPECT_LT(bed.now() - back, 22s);
  bed.run_for(100ms);
  EXPECT_EQ(bed.servers[0].facts.follows, Bed::server_address(1));
}

TEST(Sentinel, WithoutAQuorumTheMasterIsDownForOneOnlyAndNothingHappens) {
  Watch watch = two_seconds();
  watch.quorum = 3;
  Settled bed(3, 1, watch);
  bed.kill_sentinel(2);
  bed.kill_server(0);
  bed.run_for(60s);
  EXPECT_GE(bed.count("+sdown"), 2U);
  EXPECT_EQ(bed.count("+odown"), 0U);
  EXPECT_EQ(bed.count("+try-failover"), 0U);
}

TEST(Sentinel, AQuorumWithoutAMajorityTriesAndIsNotElected) {
  Watch watch = two_seconds();
  watch.quorum = 1;
  Settled bed(5, 1, watch);
  for (const std::size_t dead : {2, 3, 4}) bed.kill_sentinel(dead);
  bed.kill_server(0);
  bed.run_for(60s);
  EXPECT_GE(bed.count("-failover-abort-not-elected"), 1U);
  EXPECT_EQ(bed.count("+elected-leader"), 0U);
  EXPECT_TRUE(bed.roles.empty());
}

TEST(Sentinel, AMajorityMustAlsoReachTheQuorumToElect) {
  Watch watch = two_seconds();
  watch.quorum = 3;  // all three must vote
  Settled bed(3, 1, watch);
  bed.kill_server(0);
  ASSERT_TRUE(bed.run_until("+elected-leader", 60s));
  const Master& master = bed.sentinels[bed.told.back().who].masters.at(Bed::name);
  std::size_t votes = 1;
  for (const auto& [id, peer] : master.peers) votes += peer.leader == master.leader ? 1 : 0;
  EXPECT_EQ(votes, 3U);
}

TEST(Sentinel, TwoCandidatesThatSplitTheVotesLeaveTheDecisionToALaterEpoch) {
  // Two Sentinels, both needed: if both begin at once, each votes for itself and nobody wins that epoch.
  Watch watch = two_seconds();
  std::size_t splits = 0;
  for (std::uint64_t seed = 1; seed <= 40 && splits == 0; ++seed) {
    Settled bed(2, 1, watch, {Duration(30), Duration(90), Duration(52), Duration(100)}, seed);
    bed.kill_server(0);
    bed.run_for(90s);
    if (bed.count("-failover-abort-not-elected") == 0) continue;
    ++splits;
    ASSERT_GE(bed.count("+elected-leader"), 1U) << "seed " << seed;
    EXPECT_GE(bed.sentinels[0].current_epoch, 2U);
    EXPECT_GT(bed.first("+elected-leader")->at, bed.first("-failover-abort-not-elected")->at);
  }
  EXPECT_EQ(splits, 1U) << "no seed split the votes";
}

TEST(Sentinel, AfterAFailedAttemptTheNextWaitsForTwiceTheTimeout) {
  Watch watch = two_seconds();
  watch.quorum = 1;
  Settled bed(3, 1, watch);
  bed.kill_sentinel(1);
  bed.kill_sentinel(2);
  bed.kill_server(0);
  bed.run_for(120s);
  std::vector<Duration> tries;
  for (const Note& note : bed.told)
    if (note.what == "+try-failover") tries.push_back(note.at);
  ASSERT_GE(tries.size(), 3U);
  for (std::size_t i = 1; i < tries.size(); ++i) {
    EXPECT_GE(tries[i] - tries[i - 1], 20s);
    EXPECT_LE(tries[i] - tries[i - 1], 21'100ms);  // and up to a second that is drawn
  }
}

TEST(Sentinel, AReplicaOfPriorityZeroIsNeverSelected) {
  Bed bed(3, 2, two_seconds());
  bed.servers[1].facts.priority = 0;
  bed.servers[1].facts.offset = 1'000;
  bed.run_for(15s);
  bed.kill_server(0);
  bed.run_for(10s);
  EXPECT_EQ(bed.servers[2].facts.role, Role::master);
  EXPECT_EQ(bed.first("+selected-slave")->rest.substr(0, 20), "slave 127.0.0.1:6382");
}

TEST(Sentinel, IfNoReplicaIsGoodTheFailoverIsGivenUp) {
  Bed bed(3, 1, two_seconds());
  bed.servers[1].facts.priority = 0;
  bed.run_for(15s);
  bed.kill_server(0);
  bed.run_for(10s);
  EXPECT_EQ(bed.count("-failover-abort-no-good-slave"), 1U);
  EXPECT_TRUE(bed.roles.empty());
}

TEST(Sentinel, AReplicaThatDiesWhileItIsPromotedEndsTheAttemptAfterTheTimeout) {
  Settled bed(3, 2, two_seconds());
  bed.kill_server(0);
  ASSERT_TRUE(bed.run_until("+failover-state-send-slaveof-noone", 20s));
  const std::size_t chosen = bed.told.back().rest.find(":6381") != std::string::npos ? 1 : 2;
  bed.kill_server(chosen);
  ASSERT_TRUE(bed.run_until("-failover-abort-slave-timeout", 40s));
  ASSERT_TRUE(bed.run_until("+switch-master", 60s));
  EXPECT_EQ(bed.servers[3 - chosen].facts.role, Role::master);
}

TEST(Sentinel, ReplicasAreReconfiguredParallelSyncsAtATime) {
  Watch watch = two_seconds();
  const auto most_at_once = [](const Bed& bed) {
    int under_way = 0, most = 0;
    for (const Note& note : bed.told) {
      if (note.what == "+slave-reconf-sent") most = std::max(most, ++under_way);
      if (note.what == "+slave-reconf-done") --under_way;
    }
    return most;
  };
  for (const std::size_t parallel : {1, 3}) {
    watch.parallel_syncs = parallel;
    Settled bed(3, 4, watch);
    bed.kill_server(0);
    bed.run_for(20s);
    EXPECT_EQ(bed.count("+failover-end"), 1U);
    EXPECT_EQ(most_at_once(bed), static_cast<int>(parallel));
  }
}

TEST(Sentinel, ReconfigurationThatHangsIsGivenUpAfterTenSeconds) {
  Watch watch = two_seconds();
  watch.failover_timeout = Duration(60'000);
  Limits slow;
  slow.sync = Duration(3'600'000);
  Settled bed(3, 3, watch, slow);
  bed.kill_server(0);
  ASSERT_TRUE(bed.run_until("+failover-end", 100s));
  EXPECT_EQ(bed.count("+failover-end-for-timeout"), 1U);
}

TEST(Sentinel, AClockThatIsSetBackMeansThirtySecondsOfInaction) {
  for (const Duration jump : {Duration(-500), Duration(2'500)}) {
    Bed bed(1, 1, {1, Duration(2'000), Duration(10'000), 1});
    bed.run_for(15s);
    bed.set_clock(0, jump);
    bed.kill_server(0);
    ASSERT_TRUE(bed.run_until("+tilt", 1s));
    const Duration tilted = bed.now();
    bed.run_for(29s);
    EXPECT_EQ(bed.count("+sdown"), 0U);
    ASSERT_TRUE(bed.run_until("-tilt", 2s));
    EXPECT_GE(bed.now() - tilted, 30s);
    ASSERT_NE(bed.first("+try-failover"), nullptr);  // in the same tick: it had been silent all the while
    EXPECT_EQ(bed.first("+try-failover")->at, bed.now());
    // By its measure the master went down just now, but the replica has been without it for too long.
    ASSERT_TRUE(bed.run_until("-failover-abort-no-good-slave", 10s));
  }
}

TEST(Sentinel, InTiltItDeniesThatAnybodyIsDown) {
  Settled bed(3, 1, two_seconds());
  bed.kill_server(0);
  ASSERT_TRUE(bed.run_until("+sdown", 5s));
  Sentinel sentinel = bed.sentinels[bed.told.back().who];
  const Settings settings{{{Bed::name, two_seconds()}}};
  const auto says_down = [&] {
    const Outputs outputs = step(sentinel, Asked{"x", {Bed::server_address(0), 0, "*"}}, settings);
    return std::get<SendAnswer>(outputs.at(0)).answer.down;
  };
  EXPECT_TRUE(says_down());
  step(sentinel, Passed{Duration(-1'000)}, settings);
  step(sentinel, Tick{}, settings);
  EXPECT_FALSE(says_down());
}

TEST(Sentinel, AnIsolatedOldMasterStaysWritableUntilItIsReachedAgain) {
  Settled bed(3, 1, two_seconds());
  for (std::size_t i = 0; i < 3; ++i) bed.cut(Bed::sentinel_address(i), Bed::server_address(0));
  bed.run_for(60s);
  EXPECT_EQ(bed.servers[1].facts.role, Role::master);
  EXPECT_EQ(bed.servers[0].facts.role, Role::master);  // nobody has told it
  bed.heal();
  bed.run_for(60s);
  EXPECT_EQ(bed.servers[0].facts.follows, Bed::server_address(1));
}

TEST(Sentinel, ASentinelOnTheWrongSideOfAPartitionDoesNotFailOver) {
  Settled bed(3, 1, two_seconds());
  for (const std::size_t other : {1, 2}) bed.cut(Bed::sentinel_address(0), Bed::sentinel_address(other));
  bed.cut(Bed::sentinel_address(0), Bed::server_address(0));
  bed.run_for(120s);
  EXPECT_EQ(bed.count("+odown"), 0U);
  EXPECT_TRUE(bed.roles.empty());
}

}  // namespace
}  // namespace lockstep::redis::sentinel
