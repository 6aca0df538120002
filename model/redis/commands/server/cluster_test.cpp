#include <gtest/gtest.h>

#include "model/redis/testing/test_client.h"

namespace lockstep::redis {
namespace {

using cluster::Kind;
using cluster::Map;
using testing::TestClient;

const std::string mine(40, 'a'), other(40, 'b'), replica(40, 'c');

cluster::Member member(std::uint16_t port, const cluster::SlotSet& slots) {
  cluster::Member one;
  one.address = {"127.0.0.1", port, static_cast<std::uint16_t>(port + 10'000)};
  one.slots = slots;
  return one;
}

/// Slots 0 … 8191 are served here and the rest at 127.0.0.1:7001; this node has a replica.
Map two_masters() {
  Map map;
  map.myself = mine;
  map.ok = true;
  map.members[mine] = member(7000, cluster::slots_between(0, 8191));
  map.members[other] = member(7001, cluster::slots_between(8192, 16383));
  map.members[replica] = member(7002, {});
  map.members[replica].kind = Kind::replica;
  map.members[replica].master = mine;
  return map;
}

TEST(NoCluster, NobodyIsEvenHelped) {
  TestClient client;
  for (const char* line :
       {"CLUSTER HELP", "CLUSTER MEET a 1", "CLUSTER INFO", "CLUSTER RESET", "CLUSTER LINKS"})
    EXPECT_EQ(client(line), "(error) ERR This instance has cluster support disabled") << line;
  EXPECT_EQ(client("CLUSTER MEET a"), "(error) ERR wrong number of arguments for 'cluster|meet' command");
  EXPECT_EQ(client("CLUSTER nosuch"), "(error) ERR unknown subcommand 'nosuch'. Try CLUSTER HELP.");
}

class Clustered : public ::testing::Test {
 protected:
  Clustered() { client.node.cluster = std::optional<Map>(two_masters()); }
  Map& map() { return *client.node.cluster.write(); }
  TestClient client;
};

// bar has slot 5061 (here), foo 12182 (there); {bar}x shares the slot of bar.

TEST_F(Clustered, AKeyThatIsServedElsewhereIsAnsweredWithMoved) {
  EXPECT_EQ(client("SET bar 1"), "OK");
  EXPECT_EQ(client("SET foo 1"), "(error) MOVED 12182 127.0.0.1:7001");
  EXPECT_EQ(client("EVALSHA 0123456789012345678901234567890123456789 1 foo"),
            "(error) MOVED 12182 127.0.0.1:7001");
}

TEST_F(Clustered, KeysOfSeveralSlotsAreRefused) {
  EXPECT_EQ(client("MSET bar 1 foo 2"), "(error) CROSSSLOT Keys in request don't hash to the same slot");
  EXPECT_EQ(client("MSET bar 1 {bar}x 2"), "OK");
  EXPECT_EQ(client("EVAL 'return 1' 2 bar foo"),
            "(error) CROSSSLOT Keys in request don't hash to the same slot");
}

TEST_F(Clustered, SubcommandsThatAreNotModelledAreUnknown) {
  EXPECT_EQ(client("CLUSTER MEET a 1"), "(error) ERR unknown subcommand 'MEET'. Try CLUSTER HELP.");
  EXPECT_EQ(client("CLUSTER SAVECONFIG"), "OK");
  EXPECT_TRUE(client("CLUSTER HELP").starts_with("[CLUSTER <subcommand> [<arg> [value] [opt] ...]."));
}

TEST_F(Clustered, WhatHasNoKeyIsServedEverywhere) {
  EXPECT_EQ(client("PING"), "PONG");
  EXPECT_EQ(client("EVAL 'return 1' 0"), "(integer) 1");
  EXPECT_EQ(client("CLUSTER KEYSLOT foo"), "(integer) 12182");
}

TEST_F(Clustered, ASlotThatMovesAwayIsAskedForWhereItGoes) {
  client("SET bar 1");
  EXPECT_EQ(client("CLUSTER SETSLOT 5061 MIGRATING " + other), "OK");
  EXPECT_EQ(client("GET bar"), R"("1")");
  EXPECT_EQ(client("GET {bar}x"), "(error) ASK 5061 127.0.0.1:7001");
  EXPECT_EQ(client("MGET bar {bar}x"), "(error) TRYAGAIN Multiple keys request during rehashing of slot");
  EXPECT_EQ(client("CLUSTER SETSLOT 5061 STABLE"), "OK");
  EXPECT_EQ(client("GET {bar}x"), "(nil)");
}

TEST_F(Clustered, ASlotThatComesIsServedToWhoAsksOnce) {
  EXPECT_EQ(client("CLUSTER SETSLOT 12182 IMPORTING " + other), "OK");
  EXPECT_EQ(client("GET foo"), "(error) MOVED 12182 127.0.0.1:7001");
  EXPECT_EQ(client("ASKING"), "OK");
  EXPECT_EQ(client("SET foo 1"), "OK");
  EXPECT_EQ(client("GET foo"), "(error) MOVED 12182 127.0.0.1:7001");
  client("ASKING");
  EXPECT_EQ(client("MGET foo {foo}x"), "(error) TRYAGAIN Multiple keys request during rehashing of slot");
}

TEST_F(Clustered, AskingHoldsForAWholeTransaction) {
  client("CLUSTER SETSLOT 12182 IMPORTING " + other);
  client("ASKING"), client("MULTI"), client("SET foo 1");
  EXPECT_EQ(client("EXEC"), "[OK]");
}

TEST_F(Clustered, KeysBehindANumberOfKeysAreKeysAndTheNumberIsReadAsByAtoi) {
  const std::string crossed = "(error) CROSSSLOT Keys in request don't hash to the same slot";
  for (const char* line : {"ZMPOP 2 bar foo MIN", "LMPOP 2 bar foo LEFT", "SINTERCARD 2 bar foo",
                           "ZUNION 2 bar foo", "ZUNIONSTORE foo 1 bar", "ZMPOP 2x bar foo MIN"})
    EXPECT_EQ(client(line), crossed) << line;
  EXPECT_EQ(client("ZUNION -9223372036854775807 foo bar"), "(error) MOVED 12182 127.0.0.1:7001");
  EXPECT_EQ(client("ZUNION 3 foo bar"), "(error) ERR syntax error") << "there are not so many";
}

TEST_F(Clustered, SortIsRoutedByItsTargetTooAndHasNoPatterns) {
  EXPECT_EQ(client("SORT bar STORE foo"), "(error) CROSSSLOT Keys in request don't hash to the same slot");
  EXPECT_EQ(client("SORT bar BY w_*"), "(error) ERR BY option of SORT denied in Cluster mode.");
  EXPECT_EQ(client("SORT_RO bar GET #"), "(error) ERR GET option of SORT denied in Cluster mode.");
  EXPECT_EQ(client("SORT bar BY constant"), "[]");
}

TEST_F(Clustered, ADeadKeyIsMissingFromAMovingSlot) {
  client.node.expiry = Expiry::lazy;
  client("SET bar 1 PX 5");
  client("CLUSTER SETSLOT 5061 MIGRATING " + other);
  EXPECT_EQ(client("GET bar"), "\"1\"");
  client.pass(6);
  EXPECT_EQ(client("GET bar"), "(error) ASK 5061 127.0.0.1:7001");
}

TEST_F(Clustered, ASpoiledTransactionQueuesNothingThatCouldBeSentAway) {
  client("CLUSTER SETSLOT 12182 IMPORTING " + other);
  client("ASKING"), client("MULTI"), client("MULTI x"), client("GET foo"), client("GET {foo}2");
  EXPECT_EQ(client("EXEC"), "(error) EXECABORT Transaction discarded because of previous errors.");
}

TEST_F(Clustered, ShardChannelsInATransactionAreTakenForKeys) {
  client("CLUSTER SETSLOT 5061 MIGRATING " + other);
  EXPECT_EQ(client("SPUBLISH bar m"), "(integer) 0");
  client("MULTI"), client("SPUBLISH bar m");
  EXPECT_EQ(client("EXEC"), "(error) ASK 5061 127.0.0.1:7001");
}

TEST_F(Clustered, TheNewOwnerOfAnImportedSlotTakesANewEpoch) {
  client("CLUSTER SETSLOT 12182 IMPORTING " + other);
  EXPECT_EQ(client("CLUSTER SETSLOT 12182 NODE " + mine), "OK");
  EXPECT_EQ(client("SET foo 1"), "OK");
  EXPECT_EQ(map().me().config_epoch, 1U);
  EXPECT_EQ(
      client("CLUSTER SETSLOT 12182 NODE " + other),
      "(error) ERR Can't assign hashslot 12182 to a different node while I still hold keys for this hash "
      "slot.");
}

TEST_F(Clustered, WithoutAnOwnerOrWhileTheClusterIsDownNothingWithKeysIsServed) {
  client("CLUSTER DELSLOTS 12182");
  EXPECT_EQ(client("GET foo"), "(error) CLUSTERDOWN Hash slot not served");
  map().ok = false;
  EXPECT_EQ(client("GET bar"), "(error) CLUSTERDOWN The cluster is down");
  EXPECT_EQ(client("PING"), "PONG");
  EXPECT_EQ(client.eval("return redis.call('GET', 'bar')", {}, {}).error()->text.substr(0, 67),
            "ERR Script attempted to execute a command while the cluster is down");
}

TEST_F(Clustered, AScriptMayCrossSlotsOfItsNodeButNotReachAnotherNode) {
  EXPECT_EQ(testing::render(
                client.eval("redis.call('SET', '{bar}1', 1) return redis.call('SET', 'b', 2)", {"bar"}, {})),
            "OK");
  EXPECT_EQ(client.eval("return redis.call('GET', 'foo')", {"bar"}, {}).error()->text.substr(0, 65),
            "ERR Script attempted to access a non local key in a cluster node ");
}

TEST_F(Clustered, AReplicaServesReadsOfItsMastersSlotsToWhoSaysReadonly) {
  map().myself = replica;
  client.node.role = Role::replica;
  EXPECT_EQ(client("GET bar"), "(error) MOVED 5061 127.0.0.1:7000");
  EXPECT_EQ(client("READONLY"), "OK");
  EXPECT_EQ(client("GET bar"), "(nil)");
  EXPECT_EQ(client("SET bar 1"), "(error) MOVED 5061 127.0.0.1:7000");
  EXPECT_EQ(client("READWRITE"), "OK");
  EXPECT_EQ(client("GET bar"), "(error) MOVED 5061 127.0.0.1:7000");
}

TEST_F(Clustered, ATransactionThatBelongsElsewhereIsOver) {
  client("MULTI"), client("SET bar 1");
  map().members[mine].slots = {};
  cluster::assign(map(), other, cluster::slots_between(0, 16383));
  EXPECT_EQ(client("EXEC"), "(error) MOVED 5061 127.0.0.1:7001");
  EXPECT_EQ(client("EXEC"), "(error) ERR EXEC without MULTI");
  client("MULTI");
  EXPECT_EQ(client("GET bar"), "(error) MOVED 5061 127.0.0.1:7001");
  EXPECT_EQ(client("EXEC"), "(error) EXECABORT Transaction discarded because of previous errors.");
}

TEST_F(Clustered, ShardChannelsBelongToSlots) {
  EXPECT_EQ(client("SPUBLISH foo m"), "(error) MOVED 12182 127.0.0.1:7001");
  EXPECT_EQ(client("SPUBLISH bar m"), "(integer) 0");
  EXPECT_EQ(client("SSUBSCRIBE foo"), "(error) MOVED 12182 127.0.0.1:7001");
  EXPECT_EQ(client("PUBLISH foo m"), "(integer) 0");
}

TEST_F(Clustered, ThereIsOneDatabase) {
  EXPECT_EQ(client("SELECT 0"), "OK");
  EXPECT_EQ(client("SELECT 1"), "(error) ERR SELECT is not allowed in cluster mode");
  EXPECT_EQ(client("SWAPDB 0 1"), "(error) ERR SWAPDB is not allowed in cluster mode");
}

TEST_F(Clustered, KeysInASlotAreCountedAndListed) {
  client("MSET bar 1 {bar}x 2");
  EXPECT_EQ(client("CLUSTER COUNTKEYSINSLOT 5061"), "(integer) 2");
  EXPECT_EQ(client("CLUSTER GETKEYSINSLOT 5061 1"), R"(["bar"])");
  EXPECT_EQ(client("CLUSTER COUNTKEYSINSLOT 16384"), "(error) ERR Invalid slot");
}

TEST_F(Clustered, SlotsAreAddedAllOrNone) {
  client("CLUSTER DELSLOTSRANGE 10000 10010");
  EXPECT_EQ(client("CLUSTER ADDSLOTS 10000 10000"), "(error) ERR Slot 10000 specified multiple times");
  EXPECT_EQ(client("CLUSTER ADDSLOTS 10001 8192"), "(error) ERR Slot 8192 is already busy");
  EXPECT_EQ(client("CLUSTER ADDSLOTS 16384"), "(error) ERR Invalid or out of range slot");
  EXPECT_EQ(client("CLUSTER ADDSLOTSRANGE 10005 10000"),
            "(error) ERR start slot number 10005 is greater than end slot number 10000");
  EXPECT_EQ(client("CLUSTER ADDSLOTSRANGE 10000 10005"), "OK");
  EXPECT_EQ(client("CLUSTER DELSLOTS 10006"), "(error) ERR Slot 10006 is already unassigned");
}

TEST(Unclustered, HasNoClusterSupport) {
  TestClient client;
  for (const char* line : {"CLUSTER SLOTS", "CLUSTER KEYSLOT k", "ASKING", "READONLY", "READWRITE"})
    EXPECT_EQ(client(line), "(error) ERR This instance has cluster support disabled") << line;
}

}  // namespace
}  // namespace lockstep::redis
