// Rules of one Sentinel that a whole failover shows only by chance.
#include <gtest/gtest.h>
#include "model/redis/sentinel/test_bed.h"

namespace lockstep::redis::sentinel {
namespace {

using testing::Bed;
using namespace std::chrono_literals;

Settings watching(std::size_t quorum) {
  Settings settings;
  settings.masters[Bed::name] = {quorum, Duration(2'000), Duration(10'000), 1};
  return settings;
}

bool tells(const Outputs& outputs, const std::string& channel) {
  for (const Output& output : outputs) {
    const auto* const event = std::get_if<Event>(&output);
    if (event && event->channel == channel) return true;
  }
  return false;
}

TEST(SentinelRules, AMajorityThatIsLessThanTheQuorumElectsNobody) {
  const Settings settings = watching(4);
  Bed bed(5, 1, settings.masters.at(Bed::name));
  bed.run_for(15s);
  bed.kill_server(0);
  ASSERT_TRUE(bed.run_until("+try-failover", 10s));
  Sentinel candidate = bed.sentinels[bed.told.back().who];
  Master& master = candidate.masters.at(Bed::name);
  const auto with_votes = [&](std::size_t votes) {
    for (auto& [id, peer] : master.peers) {
      peer.leader = votes > 0 ? candidate.id : "";
      peer.leader_epoch = candidate.current_epoch;
      votes -= votes > 0 ? 1 : 0;
    }
    return tells(step(candidate, Tick{}, settings), "+elected-leader");
  };
  EXPECT_FALSE(with_votes(2));  // three of five with its own: a majority
  EXPECT_TRUE(with_votes(3));
}

TEST(SentinelRules, AVoteOutlivesARestartButNotWhomItWasFor) {
  const Settings settings = watching(2);
  Sentinel voter;
  voter.id = "voter";
  monitor(voter, Bed::name, Bed::server_address(0));
  const auto leader_for = [&](const std::string& candidate, Epoch epoch) {
    const Asked asked{candidate, {Bed::server_address(0), epoch, candidate}};
    const Outputs outputs = step(voter, asked, settings);
    return std::get<SendAnswer>(outputs.back()).answer.leader;
  };
  EXPECT_EQ(leader_for("one", 7), "one");
  EXPECT_EQ(leader_for("two", 7), "one");
  EXPECT_EQ(leader_for("two", 6), "one");
  voter = restarted(voter);
  EXPECT_EQ(voter.current_epoch, 7U);
  EXPECT_EQ(leader_for("two", 7), "*");
  EXPECT_EQ(leader_for("two", 8), "two");
}

TEST(SentinelRules, WhoVotedForAnotherLeavesItTwiceTheTimeoutToFinish) {
  const Settings settings = watching(1);
  Sentinel voter;
  monitor(voter, Bed::name, Bed::server_address(0));
  Master& master = voter.masters.at(Bed::name);
  step(voter, Asked{"other", {Bed::server_address(0), 1, "other"}, Duration(500)}, settings);
  EXPECT_EQ(master.since_start, Duration(-500));
  const auto tries_after = [&](Duration time) {
    step(voter, Passed{time}, settings);
    voter.since_tick = Duration::zero();  // no tilt
    return tells(step(voter, Tick{}, settings), "+try-failover");
  };
  EXPECT_FALSE(tries_after(Duration(20'499)));
  EXPECT_TRUE(tries_after(Duration(1)));
}

TEST(SentinelRules, OfReplicasTheLowestPriorityThenTheMostDataThenTheSmallestRunIdIsSelected) {
  const auto selected = [](const std::function<void(Bed&)>& prepare) {
    Bed bed(3, 3, {2, Duration(2'000), Duration(10'000), 1});
    prepare(bed);
    bed.run_for(15s);
    bed.kill_server(0);
    bed.run_for(6s);
    for (std::size_t i = 1; i < bed.servers.size(); ++i)
      if (bed.servers[i].facts.role == Role::master) return i;
    return std::size_t{0};
  };
  EXPECT_EQ(selected([](Bed&) {}), 1U);
  EXPECT_EQ(selected([](Bed& bed) { bed.servers[1].facts.run_id = "z"; }), 2U);
  EXPECT_EQ(selected([](Bed& bed) { bed.servers[2].facts.offset = 101; }), 2U);
  EXPECT_EQ(selected([](Bed& bed) {
    bed.servers[2].facts.offset = 101;
    bed.servers[3].facts.priority = 99;
  }), 3U);
}

TEST(SentinelRules, AHelloWithAnOlderConfigurationChangesNothing) {
  const Settings settings = watching(2);
  Sentinel sentinel;
  sentinel.id = "me";
  monitor(sentinel, Bed::name, Bed::server_address(0));
  sentinel.masters.at(Bed::name).config_epoch = 5;
  const auto master_after = [&](Epoch epoch) {
    const Hello hello{Bed::sentinel_address(1), "you", 9, Bed::name, Bed::server_address(1), epoch};
    step(sentinel, HelloHeard{hello}, settings);
    return sentinel.masters.at(Bed::name).instance.address;
  };
  EXPECT_EQ(master_after(5), Bed::server_address(0));
  EXPECT_EQ(sentinel.current_epoch, 9U);
  EXPECT_EQ(master_after(6), Bed::server_address(1));
  EXPECT_TRUE(sentinel.masters.at(Bed::name).replicas.contains(Bed::server_address(0)));
}

TEST(SentinelRules, AReplicaThatFollowsAStrangerIsCorrectedAfterTheFailoverTimeout) {
  Bed bed(1, 1, {1, Duration(2'000), Duration(10'000), 1});
  bed.run_for(15s);
  const Duration wrong = bed.now();
  bed.servers[1].facts.follows = Bed::server_address(7);
  ASSERT_TRUE(bed.run_until("+fix-slave-config", 60s));
  EXPECT_GT(bed.now() - wrong, 10s);
  bed.run_for(1s);
  EXPECT_EQ(bed.servers[1].facts.follows, Bed::server_address(0));
}

TEST(SentinelRules, ABusyServerThatIsDownGetsOneScriptKill) {
  const Settings settings = watching(2);
  Sentinel sentinel;
  monitor(sentinel, Bed::name, Bed::server_address(0));
  const PingAnswer busy{{Bed::name, Bed::server_address(0)}, Pong::busy};
  EXPECT_TRUE(step(sentinel, busy, settings).empty());
  sentinel.masters.at(Bed::name).instance.sdown = true;
  const Outputs first = step(sentinel, busy, settings);
  ASSERT_EQ(first.size(), 1U);
  EXPECT_TRUE(std::holds_alternative<SendScriptKill>(first[0]));
  EXPECT_TRUE(step(sentinel, busy, settings).empty());
}

}  // namespace
}  // namespace lockstep::redis::sentinel
