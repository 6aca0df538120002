// What a server counts, whom it waits for, and what it says of its replication.
#include "model/redis/replication/replication.h"

#include <gtest/gtest.h>
#include "model/redis/testing/contents.h"
#include "model/redis/testing/replica_bed.h"

namespace lockstep::redis {
namespace {

using testing::render;
using testing::replica_connection;
using testing::ReplicaBed;
using testing::TestClient;

constexpr ConnectionId another{7};

/// A master that has a replica, and has sent it nothing yet.
struct Pair : ReplicaBed {
  Pair() : ReplicaBed(2) {
    replicate(1, 0);
    settle();
  }
  std::int64_t offset() { return replication(0).offset; }
};

TEST(Replication, AServerThatIsNotToldToCountHasNothingToCompare) {
  TestClient one, two;
  one("SET k v");
  one("DEL k");
  EXPECT_EQ(one.node, two.node);
}

TEST(Replication, NothingIsCountedBeforeTheFirstReplica) {
  ReplicaBed bed(1);
  bed[0]("SET k v");
  EXPECT_EQ(bed.replication(0).offset, 0);
  EXPECT_FALSE(bed.replication(0).backlog.active);
}

// The numbers are those of a real server.
TEST(Replication, BytesAreCountedAsRedisWritesThem) {
  Pair pair;
  pair[0]("SET a 1");
  EXPECT_EQ(pair.offset(), 50) << "SELECT 0 comes first";
  pair[0]("SET b 2");
  EXPECT_EQ(pair.offset(), 77);
  pair[0]("SELECT 3", another);
  EXPECT_EQ(pair.offset(), 77);
  pair[0]("SET a b", another);
  EXPECT_EQ(pair.offset(), 127);
  const std::int64_t before = pair.offset();
  pair[0]("MULTI");
  pair[0]("SET q 1");
  pair[0]("PUBLISH a b");
  pair[0]("EXEC");
  EXPECT_EQ(pair.offset() - before, 15 + 23 + 27 + 31 + 14) << "MULTI, SELECT, SET, PUBLISH, EXEC";
}

TEST(Replication, TheDatabaseIsSelectedAgainForAReplicaThatIsSentEverything) {
  Pair pair;
  pair[0]("SET a 1");
  pair.replicate(1, 0);
  pair[1].node.replication.write().id = "of another stream";
  pair.cut_replicas_of(0);
  pair.settle();
  const std::int64_t before = pair.offset();
  pair[0]("SET a 1");
  EXPECT_EQ(pair.offset() - before, 50);
}

TEST(Replication, ReplicasArePingedEveryTenSecondsAndNobodyElse) {
  Pair pair;
  const std::int64_t before = pair.offset();
  pair.pass(9'999);
  EXPECT_EQ(pair.offset(), before);
  pair.pass(1);
  EXPECT_EQ(pair.offset() - before, 14);
  EXPECT_EQ(pair.replication(1).offset, before) << "a replica pings nobody";
}

TEST(Replication, AnHourWithoutReplicasFreesTheBacklogAndTakesANewId) {
  Pair pair;
  pair[1]("REPLICAOF NO ONE");
  pair.settle();
  const std::string id = pair.replication(0).id;
  pair.pass(3'600'000);
  EXPECT_TRUE(pair.replication(0).backlog.active);
  pair.pass(1'000);
  EXPECT_FALSE(pair.replication(0).backlog.active);
  EXPECT_NE(pair.replication(0).id, id);
}

TEST(Replication, AKeyThatDiesIsCountedWithoutAnyCommand) {
  Pair pair;
  pair[0]("SET k v PX 5");
  const std::int64_t before = pair.offset();
  pair.pass(10);
  EXPECT_EQ(pair.offset() - before, 20) << "DEL k";
}

// ---- WAIT ---------------------------------------------------------------------------------------

/// Seen on a real server: with 1970-01-01 as its time to die, the key is one that is dead, here and there.
TEST(Replication, AKeyThatIsToHaveDiedLongAgoIsWrittenByReplicasToo) {
  ReplicaBed bed(2, Expiry::lazy);
  bed.replicate(1, 0);
  bed[0]("SET k alive PX 1000000");
  bed.settle();
  bed[0]("SET k dead PXAT 2");
  bed.settle();
  const auto here = testing::contents(*find_database(bed[0].node, 0));
  ASSERT_TRUE(here.contains("k"));
  EXPECT_TRUE(here.at("k").dead());
  EXPECT_EQ(testing::contents(*find_database(bed[1].node, 0)), here);
  EXPECT_EQ(bed[1]("PTTL k"), "(integer) -2");
}

TEST(Wait, CountsWhoHasTheLastOffsetOfThisClientAndAFreshClientWaitsForNothing) {
  Pair pair;
  pair[0]("SET k v");
  EXPECT_EQ(pair[0]("WAIT 1 0", another), "(integer) 1");
  const Outcome waits = pair[0].execute({"WAIT", "1", "100"});
  ASSERT_TRUE(waits.waiting.has_value());
  EXPECT_EQ(waits.waiting->offset, 50);
  EXPECT_EQ(waits.waiting->at_most, Duration(100));
  EXPECT_EQ(acknowledged(pair[0].node, 50), 0);
  EXPECT_EQ(pair.offset(), 50 + 37) << "replicas were asked: REPLCONF GETACK *";
  pair.settle();
  EXPECT_EQ(acknowledged(pair[0].node, 50), 1);
}

TEST(Wait, ACommandOfAnyKindMovesTheOffsetButAQueuedOneDoesNot) {
  Pair pair;
  pair[0]("SET k v", another);
  pair[0]("MULTI");
  EXPECT_EQ(pair[0].node.sessions->at(ConnectionId{}).last_offset, 50);
  pair[0]("SET k w", another);
  pair[0]("GET k");
  EXPECT_EQ(pair[0].node.sessions->at(ConnectionId{}).last_offset, 50);
  pair[0]("EXEC");
  EXPECT_EQ(pair[0].node.sessions->at(ConnectionId{}).last_offset, 77);
}

TEST(Wait, NobodyWaitsInATransactionOrForLessThanNobody) {
  Pair pair;
  pair[0]("SET k v");
  EXPECT_EQ(pair[0]("WAIT -1 0"), "(integer) 0");
  pair[0]("MULTI");
  pair[0]("WAIT 1 0");
  const Outcome ran = pair[0].execute({"EXEC"});
  EXPECT_EQ(render(ran.reply), "[(integer) 0]");
  EXPECT_FALSE(ran.waiting.has_value());
}

TEST(Wait, RefusesWhatARealServerRefuses) {
  Pair pair;
  EXPECT_EQ(pair[0]("WAIT 1 -1"), "(error) ERR timeout is negative");
  EXPECT_EQ(pair[0]("WAIT 1 x"), "(error) ERR timeout is not an integer or out of range");
  EXPECT_EQ(pair[0]("WAIT x x"), "(error) ERR value is not an integer or out of range");
  EXPECT_TRUE(pair[1]("WAIT x x").starts_with("(error) ERR WAIT cannot be used with replica instances."));
  const std::string in_script = render(pair[0].eval("return redis.call('WAIT', 0, 0)", {}, {}));
  EXPECT_TRUE(in_script.starts_with("(error) ERR This Redis command is not allowed from script"));
}

// ---- min-replicas-to-write ----------------------------------------------------------------------

TEST(GoodReplicas, AreCountedInWholeSecondsOnceASecond) {
  Pair pair;
  Settings& settings = pair[0].node.settings.write();
  settings.min_replicas_to_write = 1;
  settings.min_replicas_max_lag = 2;
  EXPECT_EQ(pair[0]("SET k v"), "OK");
  pair.pass(2'999);
  EXPECT_EQ(pair[0]("SET k v"), "OK");
  pair.pass(1);
  EXPECT_EQ(pair[0]("SET k v"), "(error) NOREPLICAS Not enough good replicas to write.");
  EXPECT_EQ(pair[0]("GET k"), "\"v\"");
  EXPECT_EQ(pair[0]("PUBLISH c m"), "(integer) 0");
  pair.settle();
  EXPECT_TRUE(pair[0]("SET k v").starts_with("(error) NOREPLICAS")) << "it acknowledged; counted next second";
  pair.pass(1'000);
  EXPECT_EQ(pair[0]("SET k v"), "OK");
}

TEST(GoodReplicas, AreAskedForAtTheFirstWriteOfAScript) {
  Pair pair;
  pair[0].node.settings.write().min_replicas_to_write = 2;
  EXPECT_EQ(render(pair[0].eval("return redis.pcall('SET', 'k', 'v').err", {}, {})),
            "\"NOREPLICAS Not enough good replicas to write.\"");
  EXPECT_EQ(render(pair[0].eval("return redis.pcall('GET', 'k')", {}, {})), "(nil)");
}

TEST(GoodReplicas, RefuseExecIfItWouldWriteAndTheWriteBeforeIt) {
  Pair pair;
  pair[0]("MULTI");
  pair[0]("SET k v");
  pair[0].node.settings.write().min_replicas_to_write = 2;
  EXPECT_EQ(pair[0]("EXEC"),
            "(error) EXECABORT Transaction discarded because of: NOREPLICAS Not enough good replicas to "
            "write.");
}

// ---- what a replica refuses ---------------------------------------------------------------------

TEST(StaleReplica, ShowsWhatItHasUnlessItIsToldNotTo) {
  Pair pair;
  pair[0]("SET k v");
  pair.settle();
  lose_master(pair[1].node);
  EXPECT_EQ(pair[1]("GET k"), "\"v\"");
  pair[1].node.settings.write().serves_stale = false;
  const std::string down =
      "(error) MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.";
  EXPECT_EQ(pair[1]("GET k"), down);
  EXPECT_EQ(pair[1]("PING"), down);
  EXPECT_EQ(render(pair[1].eval("return 1", {}, {})), down);
  EXPECT_TRUE(pair[1]("SET k v").starts_with("(error) READONLY")) << "asked first";
  EXPECT_EQ(pair[1]("ECHO x"), "\"x\"");
  EXPECT_EQ(pair[1]("PUBLISH c m"), "(integer) 0");
}

// ---- what is told -------------------------------------------------------------------------------

TEST(Role, NamesTheReplicasAndTheMaster) {
  Pair pair;
  pair[0]("SET a 1");
  EXPECT_EQ(pair[0]("ROLE"), "[\"master\", (integer) 50, [[\"127.0.0.1\", \"7001\", \"0\"]]]");
  pair.settle();
  EXPECT_EQ(pair[0]("ROLE"), "[\"master\", (integer) 50, [[\"127.0.0.1\", \"7001\", \"50\"]]]");
  EXPECT_EQ(pair[1]("ROLE"), "[\"slave\", \"127.0.0.1\", (integer) 7000, \"connected\", (integer) 50]");
  lose_master(pair[1].node);
  EXPECT_EQ(pair[1]("ROLE"), "[\"slave\", \"127.0.0.1\", (integer) 7000, \"connect\", (integer) -1]");
}

TEST(Role, ReplicaofSaysWhenNothingChanges) {
  Pair pair;
  EXPECT_EQ(pair.replicate(1, 0), "OK Already connected to specified master");
  EXPECT_EQ(pair[0]("REPLICAOF NO ONE"), "OK");
  EXPECT_EQ(pair[0]("REPLICAOF host 65536"), "(error) ERR Invalid master port");
  EXPECT_EQ(pair[0]("SLAVEOF no two"), "(error) ERR Invalid master port");
}

TEST(Role, ReplconfAnswersAClientAsFarAsItMayAsk) {
  Pair pair;
  EXPECT_EQ(pair[0]("REPLCONF"), "OK");
  EXPECT_EQ(pair[0]("REPLCONF a b"), "(error) ERR Unrecognized REPLCONF option: a");
  EXPECT_EQ(pair[0]("REPLCONF capa"), "(error) ERR syntax error");
  EXPECT_EQ(pair[0]("REPLCONF listening-port x"), "(error) ERR value is not an integer or out of range");
  EXPECT_EQ(pair[0]("REPLCONF rdb-only 2"),
            "(error) ERR value is out of range, value must between 0 and 1");
  EXPECT_TRUE(pair[0].execute({"REPLCONF", "ACK", "3"}).silent);
}

TEST(Role, AClientThatSendsPsyncBecomesAReplica) {
  Pair pair;
  pair[0]("REPLCONF listening-port 99", another);
  EXPECT_TRUE(pair[0]("PSYNC ? -1", another).starts_with("FULLRESYNC "));
  EXPECT_EQ(pair.replication(0).replicas.size(), 2u);
  EXPECT_EQ(pair.replication(0).replicas.back().port, 99);
  disconnect(pair[0].node, another);
  EXPECT_EQ(pair.replication(0).replicas.size(), 1u);
}

TEST(InfoReplication, OfANewMasterIsThatOfARealOne) {
  ReplicaBed bed(1);
  EXPECT_EQ(replication_section(bed[0].node),
            "# Replication\r\nrole:master\r\nconnected_slaves:0\r\nmaster_failover_state:no-failover\r\n"
            "master_replid:" + bed.replication(0).id + "\r\n"
            "master_replid2:0000000000000000000000000000000000000000\r\nmaster_repl_offset:0\r\n"
            "second_repl_offset:-1\r\nrepl_backlog_active:0\r\nrepl_backlog_size:1048576\r\n"
            "repl_backlog_first_byte_offset:0\r\nrepl_backlog_histlen:0\r\n");
}

}  // namespace
}  // namespace lockstep::redis
