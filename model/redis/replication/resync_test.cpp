// Who may go on and who is sent everything.
#include "model/redis/replication/resync.h"

#include <gtest/gtest.h>
#include "model/redis/testing/replica_bed.h"

namespace lockstep::redis {
namespace {

using testing::ReplicaBed;

/// Three nodes; the second and third follow the first.
struct Trio : ReplicaBed {
  Trio() : ReplicaBed(3) {
    replicate(1, 0);
    replicate(2, 0);
    settle();
    (*this)[0]("SET before v");
    settle();
  }
};

TEST(Resync, ANewNodeAsksForItsOwnStreamAndIsSentEverything) {
  Trio trio;
  EXPECT_EQ(trio.replication(0).syncs, (SyncCounts{2, 0, 2}));
  EXPECT_EQ(trio[1]("GET before"), "\"v\"");
}

TEST(Resync, AReplicaThatLostItsLinkGoesOnWhereItWas) {
  Trio trio;
  trio.cut_replicas_of(0);
  trio[0]("SET missed v");
  trio.settle();
  EXPECT_EQ(trio.replication(0).syncs, (SyncCounts{2, 2, 2}));
  EXPECT_EQ(trio[1]("GET missed"), "\"v\"");
}

TEST(Resync, APromotedNodeLetsOthersGoOnThatAreNotBeyondIt) {
  Trio trio;
  const std::string old_id = trio.replication(0).id;
  trio[1]("REPLICAOF NO ONE");
  EXPECT_EQ(trio.replication(1).second_id, old_id);
  EXPECT_EQ(trio.replication(1).second_offset, trio.replication(1).offset + 1);
  trio[1]("SET after v");
  trio.replicate(0, 1);
  trio.replicate(2, 1);
  trio.settle();
  EXPECT_EQ(trio.replication(1).syncs, (SyncCounts{0, 2, 0}));
  EXPECT_EQ(trio[0]("GET after"), "\"v\"");
  EXPECT_EQ(trio.replication(0).id, trio.replication(1).id);
  EXPECT_EQ(trio.replication(0).second_id, old_id);
}

TEST(Resync, AnOldMasterThatWroteBeyondLosesWhatItWrote) {
  Trio trio;
  trio[1]("REPLICAOF NO ONE");
  trio[0]("SET divergent v");
  trio.replicate(0, 1);
  trio.settle();
  EXPECT_EQ(trio.replication(1).syncs, (SyncCounts{1, 0, 1}));
  EXPECT_EQ(trio[0]("GET divergent"), "(nil)");
  EXPECT_EQ(trio[0]("GET before"), "\"v\"");
}

TEST(Resync, WhoIsBehindTheBacklogIsSentEverything) {
  Trio trio;
  trio.cut_replicas_of(0);
  for (int i = 0; i < 60; ++i) trio[0].execute({"SET", "big", std::string(20'000, 'x')});
  trio.settle();
  EXPECT_EQ(trio.replication(0).syncs, (SyncCounts{4, 0, 4}));
}

TEST(Resync, AChainLearnsTheNewIdOfItsHead) {
  Trio trio;
  trio.replicate(2, 1);
  trio.settle();
  trio[0]("SET k v");
  trio.settle();
  EXPECT_EQ(trio[2]("GET k"), "\"v\"");
  trio[1]("REPLICAOF NO ONE");
  trio.settle();
  EXPECT_EQ(trio.replication(2).id, trio.replication(1).id);
  EXPECT_EQ(trio.replication(1).syncs.full, 0) << "the last of the chain went on";
}

TEST(Resync, AReplicaWithoutItsMasterAnswersNobody) {
  Trio trio;
  trio[1]("REPLICAOF nowhere 1");
  EXPECT_FALSE(psync(trio[1].node, ConnectionId{5}, {}, {}).has_value());
  EXPECT_EQ(trio[1]("PSYNC ? -1"), "(error) NOMASTERLINK Can't SYNC while not connected with my master");
}

TEST(Resync, APromotedNodeTellsItsReplicasWhenItsDeadGo) {
  ReplicaBed bed(3, Expiry::lazy);
  bed.replicate(1, 0);
  bed.replicate(2, 0);
  bed.settle();
  bed[0]("SET k v PX 5");
  bed.settle();
  bed.pass(10);
  bed[1]("REPLICAOF NO ONE");
  bed.replicate(2, 1);
  bed.settle();
  EXPECT_EQ(bed[2]("DBSIZE"), "(integer) 1");
  EXPECT_EQ(bed[1]("GET k"), "(nil)");
  bed.settle();
  EXPECT_EQ(bed[2]("DBSIZE"), "(integer) 0");
}

TEST(Resync, AFullResynchronisationBringsAllDatabases) {
  Trio trio;
  trio[0]("SELECT 3");
  trio[0]("SET third v");
  trio.cut_replicas_of(0);
  trio[1].node.replication.write().id = "of another stream";
  trio.settle();
  trio[1]("SELECT 3");
  EXPECT_EQ(trio[1]("GET third"), "\"v\"");
}

TEST(Resync, AFullResynchronisationBringsTheLibraries) {
  Trio trio;
  trio[1].node.replication.write().id = "of another stream";
  trio.cut_replicas_of(0);
  trio[0](
      "FUNCTION LOAD \"#!lua name=l\nredis.register_function{function_name='f', "
      "callback=function() return 1 end, flags={'no-writes'}}\"");
  EXPECT_EQ(trio[1]("FCALL_RO f 0"), "(error) ERR Function not found");
  trio.settle();
  EXPECT_EQ(trio[1]("FCALL_RO f 0"), "(integer) 1");
}

}  // namespace
}  // namespace lockstep::redis
