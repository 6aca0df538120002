// What is left after a crash.
#include "model/redis/replication/persistence.h"

#include <gtest/gtest.h>
#include "model/redis/testing/replica_bed.h"

namespace lockstep::redis {
namespace {

using testing::TestClient;

/// A server with an append-only file.
struct Logged : TestClient {
  explicit Logged(AppendFsync fsync) { file.fsync = fsync; }

  void write(std::string_view line) { append(file, execute(testing::words_of(line)).effects); }
  void wait(std::int64_t milliseconds) {
    pass(milliseconds);
    age(file, Duration(milliseconds));
  }
  /// The machine is gone for so long.
  void crash(std::size_t lost, std::int64_t milliseconds = 0) {
    wait(milliseconds);
    restart(node, file, lost, Environment{engine, wall_ms});
  }

  AppendOnlyFile file;
};

TEST(Persistence, AProcessThatWritesBeforeItAnswersLosesNothingWhenItIsKilled) {
  for (const AppendFsync fsync : {AppendFsync::always, AppendFsync::no}) {
    Logged server(fsync);
    server.write("SET k v");
    EXPECT_EQ(losable(server.file, Outage::process), 0u);
    server.crash(0);
    EXPECT_EQ(server("GET k"), "\"v\"");
  }
}

TEST(Persistence, AKilledProcessThatSyncsEverySecondMayLoseWhatItAnsweredInTwo) {
  Logged server(AppendFsync::everysec);
  server.write("SET old v");
  server.wait(1'001);
  server.write("SET new v");
  server.wait(1'000);
  ASSERT_EQ(losable(server.file, Outage::process), 1u);
  server.crash(1);
  EXPECT_EQ(server("KEYS *"), "[\"old\"]");
}

TEST(Persistence, APowerLossTakesWhatWasNotSynced) {
  Logged always(AppendFsync::always), everysec(AppendFsync::everysec), never(AppendFsync::no);
  for (Logged* const server : {&always, &everysec, &never}) {
    server->write("SET old v");
    server->wait(2'001);
    server->write("SET new v");
    server->write("SET newer v");
  }
  EXPECT_EQ(losable(always.file, Outage::power), 0u);
  EXPECT_EQ(losable(everysec.file, Outage::power), 2u);
  EXPECT_EQ(losable(never.file, Outage::power), 3u);
  everysec.crash(1);
  EXPECT_EQ(everysec("KEYS *"), "[\"new\", \"old\"]");
}

TEST(Persistence, ATransactionIsLostAsAWhole) {
  Logged server(AppendFsync::no);
  server("MULTI");
  server("SET a 1");
  server("SET b 1");
  append(server.file, server.execute({"EXEC"}).effects);
  EXPECT_EQ(losable(server.file, Outage::power), 1u);
  server.crash(1);
  EXPECT_EQ(server("DBSIZE"), "(integer) 0");
}

TEST(Persistence, AKeyThatDiedWhileTheServerWasDownIsRemovedAfterLoadingWithADel) {
  Logged server(AppendFsync::no);
  server.write("SET k v PX 100");
  server.write("HSET h f v");
  server.write("PEXPIRE h 100");
  server.crash(0, 500);
  EXPECT_EQ(server("DBSIZE"), "(integer) 2");
  const auto removals = server.pass(0);
  ASSERT_EQ(removals.size(), 2u);
  EXPECT_EQ(testing::render(removals[0]), "DEL h");
  EXPECT_EQ(server("DBSIZE"), "(integer) 0");
}

TEST(Persistence, ALibraryIsKeptAndLostLikeAnyOtherWrite) {
  const std::string load =
      "FUNCTION LOAD \"#!lua name=l\nredis.register_function('f', function() return 1 end)\"";
  Logged kept(AppendFsync::always);
  kept.write(load);
  kept.crash(0);
  EXPECT_EQ(kept("FCALL f 0"), "(integer) 1");
  Logged lost(AppendFsync::no);
  lost.write(load);
  lost.crash(1);
  EXPECT_EQ(lost("FCALL f 0"), "(error) ERR Function not found");
}

TEST(Persistence, WhatWasPublishedIsNotInTheFile) {
  Logged server(AppendFsync::no);
  server.write("PUBLISH c m");
  EXPECT_TRUE(server.file.log.empty());
}

TEST(Persistence, ARewrittenFileStartsFromTheDataAndCannotLoseThem) {
  Logged server(AppendFsync::no);
  server.write("SET k v PX 100");
  server.write("SET stays v");
  rewrite(server.file, server.node);
  EXPECT_EQ(losable(server.file, Outage::power), 0u);
  server.write("SET later v");
  server.crash(1, 200);
  EXPECT_EQ(server("KEYS *"), "[\"stays\"]");
}

TEST(Persistence, ASnapshotHoldsAllDatabases) {
  TestClient client;
  client("SELECT 5");
  client("SET five v PX 1000");
  client("SAVE");
  client("SET unsaved v");
  client.pass(400);
  restart(client.node, Persistence::snapshot);
  client("SELECT 5");
  EXPECT_EQ(client("KEYS *"), "[\"five\"]");
  EXPECT_EQ(client("PTTL five"), "(integer) 600");
  restart(client.node, Persistence::none);
  EXPECT_TRUE(client.node.other_dbs->empty());
}

TEST(Persistence, ASnapshotTakenInsideATransactionDoesNotHoldWhatTheTransactionWritesAfterIt) {
  for (const char* database : {"0", "1"}) {
    TestClient server;
    server(std::string("SELECT ") + database);
    server("MULTI");
    server("SET before 1");
    server("BGSAVE");
    server("SET after 1");
    server("EVAL \"return redis.call('set', 'from-script', 1)\" 0");
    server("EXEC");
    EXPECT_EQ(server("KEYS *"), "[\"after\", \"before\", \"from-script\"]");
    load(server.node, Snapshot(*server.node.snapshot));
    EXPECT_EQ(server("KEYS *"), "[\"before\"]") << "database " << database;
  }
}

TEST(Persistence, AReplicaThatWasSavedAsksToGoOnAfterARestart) {
  testing::ReplicaBed bed(2);
  bed.replicate(1, 0);
  bed.settle();
  bed[0]("SET k v");
  bed.settle();
  bed[1]("SAVE");
  bed.cut_replicas_of(0);
  bed[0]("SET missed v");
  restart(bed[1].node, Persistence::snapshot);
  bed.settle();
  EXPECT_EQ(bed.replication(0).syncs.partial_ok, 1);
  EXPECT_EQ(bed[1]("GET missed"), "\"v\"");
  restart(bed[1].node, Persistence::none);
  EXPECT_EQ(psync_request(bed[1].node), PsyncRequest{}) << "nothing is left to go on from";
}

TEST(Persistence, ARestartedMasterLetsReplicasGoOnThatAreNotBeyondItsSnapshot) {
  testing::ReplicaBed bed(2);
  bed.replicate(1, 0);
  bed.settle();
  bed[0]("SET k v");
  bed[0]("SAVE");
  bed.settle();
  restart(bed[0].node, Persistence::snapshot);
  bed.settle();
  EXPECT_EQ(bed.replication(0).syncs, (SyncCounts{0, 1, 0}));
}

}  // namespace
}  // namespace lockstep::redis
