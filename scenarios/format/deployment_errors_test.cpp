// Mistakes about deployments in which nodes judge each other: the exact text and caret of each.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "scenarios/format/test_library.h"

namespace lockstep::scenarios {
namespace {

/// A scenario in which [redis] stands in line 4 and the rest behind it.
std::string with(const std::string& rest, const std::string& step = "lock a") {
  return fmt::format("format = 1\n[process.A]\nthreads = [[\"{}\", \"unlock a\"]]\n{}", step, rest);
}
std::string problem(const std::string& rest, const std::string& step = "lock a") {
  const std::string text = shown(with(rest, step));
  return text.substr(0, text.find('\n', text.find("-->")));
}

TEST(Deployments, WantNodesAndSentinelsThatCanDecide) {
  const std::string sentinel = "[redis]\nmode = \"sentinel\"\n";
  EXPECT_EQ(problem(sentinel), "no error");
  EXPECT_EQ(problem(sentinel + "sentinels = 0"),
            "error: `sentinels` wants a whole number from 1 to 7, not 0\n  --> x.toml:6:13");
  EXPECT_EQ(problem(sentinel + "quorum = 4"),
            "error: a quorum of 4 is never met: there are 3 Sentinels\n  --> x.toml:6:10");
  EXPECT_EQ(problem(sentinel + "nodes = 1"),
            "error: mode `sentinel` wants at least 2 nodes: a master and a replica\n  --> x.toml:6:9");
  EXPECT_EQ(problem(sentinel + "down-after = \"0s\""),
            "error: `down-after` wants at least 1ms\n  --> x.toml:6:14");
}

TEST(Deployments, LoadWhatTheyHaveOnADisk) {
  EXPECT_EQ(problem("[redis]\npersistence = \"snapshot\"\nloading = \"5s\""), "no error");
  EXPECT_EQ(problem("[redis]\nloading = \"5s\""),
            "error: `loading` is the time that a node reads its data, and without `persistence` it has none\n"
            "  --> x.toml:5:11");
  EXPECT_EQ(problem("[redis]\npersistence = \"snapshot\"\nloading = \"0s\""),
            "error: `loading` wants at least 1ms\n  --> x.toml:6:11");
  EXPECT_EQ(problem("[redis]\npersistence = \"snapshot\"\nloading = \"25h\""),
            "error: `loading` is at most a day\n  --> x.toml:6:11");
  EXPECT_EQ(problem("[redis]\nmode = \"sentinel\"\npersistence = \"snapshot\"\nloading = \"5s\""),
            "error: `loading` is not for nodes that judge each other (`sentinel`, `cluster`)\n"
            "  --> x.toml:7:11");
}

TEST(Deployments, HaveSettingsOfTheirOwnMode) {
  EXPECT_EQ(problem("[redis]\nsentinels = 3"),
            "error: `sentinels` is only for `mode = \"sentinel\"`\n  --> x.toml:5:1");
  EXPECT_EQ(problem("[redis]\nmode = \"sentinel\"\nnode-timeout = \"1s\""),
            "error: `node-timeout` is only for `mode = \"cluster\"`\n  --> x.toml:6:1");
  EXPECT_EQ(problem("[redis]\nmode = \"cluster\"\nquorum = 2"),
            "error: `quorum` is only for `mode = \"sentinel\"`\n  --> x.toml:6:1");
}

TEST(Deployments, OfferTheFaultsOfTheirMode) {
  EXPECT_EQ(problem("[faults]\nisolate-node = 1"),
            "error: `isolate-node` is for `mode = \"sentinel\"` and `\"cluster\"` in [redis], where nodes "
            "judge each other\n  --> x.toml:5:1");
  EXPECT_EQ(problem("[redis]\nmode = \"sentinel\"\n[faults]\nfailover = 1"),
            "error: in this mode nodes elect a new master by themselves: crash, pause or isolate one, "
            "instead of `failover`\n  --> x.toml:7:1");
  EXPECT_EQ(problem("[redis]\nmode = \"sentinel\"\n[faults]\nfailover-needs-dead-master = true"),
            "error: `failover-needs-dead-master` is about `failover`, which this mode has not\n"
            "  --> x.toml:7:30");
  EXPECT_EQ(problem("[redis]\nmode = \"sentinel\"\n[faults]\nfixed = [\"isolate S0 at 1s\"]"),
            "no error");
}

TEST(Deployments, HaveAtMostSixteenNodes) {
  EXPECT_EQ(problem("[redis]\nmode = \"cluster\"\nnodes = 9"),
            "error: these are 18 nodes, and there may be 16\n  --> x.toml:6:9");
}

TEST(Deployments, OfAClusterGiveEachSlotToOneMaster) {
  const std::string cluster = "[redis]\nmode = \"cluster\"\nnodes = 2\n[redis.slots]\n";
  EXPECT_EQ(problem(cluster + "R0 = \"0-8191\"\nR1 = \"8192-16383\""), "no error");
  EXPECT_EQ(problem(cluster + "R0 = \"0-8191\"\nR1 = \"8193-16383\""),
            "error: no master has slot 8192: a cluster serves nothing then\n  --> x.toml:7:1");
  EXPECT_EQ(problem(cluster + "R0 = \"0-8191\"\nR1 = \"8191-16383\""),
            "error: slot 8191 is of `R0` and of `R1`\n  --> x.toml:9:6");
  EXPECT_EQ(problem(cluster + "R0 = \"0-16384\""),
            "error: `R0` wants slots of 0-16383, such as `0-5460 9000`\n  --> x.toml:8:6");
}

TEST(Deployments, OfAClusterMoveSlotsToASpareMaster) {
  EXPECT_EQ(problem("[redis]\nmode = \"cluster\"\n[faults]\nmove-slots = 1"),
            "error: `move-slots` wants where to: `mode = \"cluster\"` and `spares = 1` in [redis]\n"
            "  --> x.toml:7:1");
  EXPECT_EQ(problem("[redis]\nmode = \"cluster\"\nspares = 4"),
            "error: `spares` wants a whole number from 0 to 3, not 4\n  --> x.toml:6:10");
}

TEST(Deployments, OfAClusterPlaceLocksBySlot) {
  const std::string cluster = "[redis]\nmode = \"cluster\"\n";
  EXPECT_EQ(problem(cluster, "lock a on=R1"),
            "error: in a cluster the slot of its name says where a lock lies, not `on`\n  --> x.toml:3:14");
  EXPECT_EQ(problem(cluster, "lock a#fresh"),
            "error: in a cluster each new key of `a#fresh` has a slot of its own: `{a}#fresh`\n"
            "  --> x.toml:3:14");
}

}  // namespace
}  // namespace lockstep::scenarios
