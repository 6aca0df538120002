#include <gtest/gtest.h>

#include "model/redis/testing/test_client.h"

namespace lockstep::redis {
namespace {

using testing::render;
using testing::TestClient;

constexpr ConnectionId b{1};  // somebody else

TEST(Transactions, QueuedCommandsRunTogetherAtExec) {
  TestClient client;
  EXPECT_EQ(client("MULTI"), "OK");
  EXPECT_EQ(client("INCR k"), "QUEUED");
  EXPECT_EQ(client("GET k"), "QUEUED");
  EXPECT_EQ(client("GET k", b), "(nil)");
  EXPECT_EQ(client("EXEC"), R"([(integer) 1, "1"])");
  EXPECT_EQ(client("GET k"), R"("1")");
}

TEST(Transactions, WhatATransactionWroteIsReplicatedInOnePiece) {
  TestClient client;
  client("MULTI"), client("SET k v"), client("GET k"), client("INCR n");
  EXPECT_EQ(client.effects_of("EXEC"), "SET k v; INCR n");
}

TEST(Transactions, ACommandThatFailsDoesNotStopTheOthers) {
  TestClient client;
  client("SET k text"), client("MULTI"), client("INCR k"), client("SET k 2");
  EXPECT_EQ(client("EXEC"), "[(error) ERR value is not an integer or out of range, OK]");
}

TEST(Transactions, ACommandThatIsRefusedSpoilsTheTransaction) {
  TestClient client;
  client("MULTI"), client("SET k v");
  EXPECT_EQ(client("NOSUCH"), "(error) ERR unknown command 'NOSUCH', with args beginning with: ");
  EXPECT_EQ(client("EXEC"), "(error) EXECABORT Transaction discarded because of previous errors.");
  EXPECT_EQ(client("GET k"), "(nil)");
  EXPECT_EQ(client("EXEC"), "(error) ERR EXEC without MULTI");
}

TEST(Transactions, MisplacedCommandsAreNamed) {
  TestClient client;
  EXPECT_EQ(client("DISCARD"), "(error) ERR DISCARD without MULTI");
  client("MULTI");
  EXPECT_EQ(client("MULTI"), "(error) ERR MULTI calls can not be nested");
  EXPECT_EQ(client("WATCH k"), "(error) ERR WATCH inside MULTI is not allowed");
  EXPECT_EQ(client("DISCARD"), "OK");
}

TEST(Transactions, AWatchedKeyThatAnybodyModifiedMakesExecAnswerNothing) {
  TestClient client;
  client("SET k v"), client("WATCH k"), client("HSET other f v", b), client("SET k v", b), client("MULTI"),
      client("INCR n");
  EXPECT_EQ(client("EXEC"), "(nil array)");
  EXPECT_EQ(client("GET n"), "(nil)");
}

TEST(Transactions, AWatchedKeyThatNobodyModifiedDoesNotDisturb) {
  TestClient client;
  client("SET k v"), client("WATCH k"), client("SETNX k w", b), client("DEL other", b), client("MULTI");
  EXPECT_EQ(client("EXEC"), "[]");
}

TEST(Transactions, KeysThatACommandLeavesAsTheyWereAreNotModified) {
  TestClient client;
  client("SADD s a b"), client("SADD t a"), client("SET k v");
  client("WATCH nosuch t"), client("DEL k nosuch", b), client("SMOVE s t a", b), client("MULTI");
  EXPECT_EQ(client("EXEC"), "[]");
  client("WATCH t"), client("SMOVE s t b", b), client("MULTI");
  EXPECT_EQ(client("EXEC"), "(nil array)");
}

TEST(Transactions, ATrimThatTakesNothingAwayStillModifiesTheList) {
  TestClient client;
  client("RPUSH l 1 2"), client("WATCH l");
  EXPECT_EQ(client.effects_of("LTRIM l 0 -1"), "");
  client("MULTI");
  EXPECT_EQ(client("EXEC"), "(nil array)");
}

TEST(Transactions, WhereACommandStoresSomethingOnlyThatKeyIsModified) {
  TestClient client;
  client("SADD s 1 2"), client("RPUSH l 1 2"), client("ZADD z 1 a"), client("SET k v");
  for (const char* line : {"SINTERSTORE d s s", "ZUNIONSTORE d 1 z", "BITOP AND d k k", "COPY k d REPLACE",
                           "SORT l STORE d", "ZRANGESTORE d z 0 -1"}) {
    client("WATCH s l z k"), client(line, b), client("MULTI");
    EXPECT_EQ(client("EXEC"), "[]") << line;
    client("WATCH d"), client(line, b), client("MULTI");
    EXPECT_EQ(client("EXEC"), "(nil array)") << line;
  }
}

TEST(Transactions, MoveModifiesTheKeyInBothDatabases) {
  TestClient client;
  client("SET k v"), client("WATCH k"), client("MOVE k 1", b), client("MULTI");
  EXPECT_EQ(client("EXEC"), "(nil array)");
  client("SET k v"), client("SELECT 2"), client("WATCH k"), client("MOVE k 2", b), client("MULTI");
  EXPECT_EQ(client("EXEC"), "(nil array)");
}

TEST(Transactions, UnwatchAndTheEndOfATransactionForgetWhatWasWatched) {
  TestClient client;
  client("WATCH k"), client("SET k v", b), client("UNWATCH"), client("MULTI");
  EXPECT_EQ(client("EXEC"), "[]");
  client("WATCH k"), client("MULTI"), client("DISCARD"), client("SET k w", b), client("MULTI");
  EXPECT_EQ(client("EXEC"), "[]");
}

TEST(Transactions, AWatchedKeyThatExpiresDisturbsUnlessItWasDeadBefore) {
  TestClient client(Role::master, Expiry::lazy);
  client("SET k v PX 10"), client("WATCH k"), client.pass(11), client("MULTI");
  EXPECT_EQ(client("EXEC"), "(nil array)");
  client("SET k v PX 10"), client.pass(11), client("WATCH k"), client("GET k", b), client("MULTI");
  EXPECT_EQ(client("EXEC"), "[]");
}

// db.c, deleteExpiredKeyAndPropagate.
TEST(Transactions, AWatchedKeyThatActiveExpiryRemovesDisturbsUnlessItWasDeadBefore) {
  TestClient client;
  client("SET k v PX 10"), client("WATCH k"), client.pass(11), client("MULTI");
  EXPECT_EQ(client("DBSIZE", b), "(integer) 0") << "it is gone before EXEC looks";
  EXPECT_EQ(client("EXEC"), "(nil array)");
  client("SELECT 3"), client("SET k v PX 10"), client("WATCH k"), client.pass(11), client("MULTI");
  EXPECT_EQ(client("EXEC"), "(nil array)") << "in another database too";
  client.node.expiry = Expiry::lazy;
  client("SET k v PX 10"), client.pass(11), client("WATCH k");
  client.node.expiry = Expiry::eager;
  client.pass(1), client("MULTI");
  EXPECT_EQ(client("DBSIZE", b), "(integer) 0");
  EXPECT_EQ(client("EXEC"), "[]");
}

TEST(Transactions, FlushingTouchesWatchedKeysThatExistOnly) {
  TestClient client;
  client("SET k v"), client("WATCH k"), client("FLUSHALL", b), client("MULTI");
  EXPECT_EQ(client("EXEC"), "(nil array)");
  client("WATCH k"), client("FLUSHALL", b), client("MULTI");
  EXPECT_EQ(client("EXEC"), "[]");
}

TEST(Transactions, AReplicaRefusesExecIfItWouldWrite) {
  TestClient client;
  client("MULTI"), client("SET k v");
  client.node.role = Role::replica;
  EXPECT_EQ(
      client("EXEC"),
      "(error) EXECABORT Transaction discarded because of: READONLY You can't write against a read only "
      "replica.");
  EXPECT_EQ(client("EXEC"), "(error) ERR EXEC without MULTI");
}

TEST(Transactions, SelectInsideATransactionHoldsAfterIt) {
  TestClient client;
  client("MULTI"), client("SELECT 3"), client("SET k v"), client("EXEC");
  EXPECT_EQ(client("GET k"), R"("v")");
  EXPECT_EQ(client("GET k", b), "(nil)");
}

TEST(Transactions, AnExpiredKeyThatWasFlushedIsWatchedLikeAnyOther) {
  TestClient client(Role::master, Expiry::lazy);
  client("SET k v PX 1"), client.pass(2), client("WATCH k");
  client("FLUSHDB", b);
  client("MULTI");
  EXPECT_EQ(client("EXEC"), "[]") << "what was expired is gone, and that is no change";
  client("SET k v PX 1"), client.pass(2), client("WATCH k");
  client("FLUSHDB", b), client("SET k again", b);
  client("MULTI");
  EXPECT_EQ(client("EXEC"), "(nil array)");
}

TEST(Transactions, AnExecThatIsRefusedSaysSoEvenWithoutMulti) {
  TestClient client;
  EXPECT_EQ(
      client("EXEC now"),
      "(error) EXECABORT Transaction discarded because of: wrong number of arguments for 'exec' command");
  client("SUBSCRIBE c");
  EXPECT_EQ(client("EXEC"),
            "(error) EXECABORT Transaction discarded because of: Can't execute 'exec': only "
            "(P|S)SUBSCRIBE / (P|S)UNSUBSCRIBE / PING / QUIT / RESET are allowed in this "
            "context");
}

// Redis announces an array of as many replies as there are commands, and a SUBSCRIBE writes more than one.
TEST(Transactions, RepliesBeyondTheNumberOfCommandsFollowTheArray) {
  TestClient client;
  client("MULTI"), client("SUBSCRIBE c d"), client("GET k");
  const Outcome outcome = client.execute({"EXEC"});
  EXPECT_EQ(render(outcome.reply), R"([["subscribe", "c", (integer) 1], ["subscribe", "d", (integer) 2]])");
  ASSERT_EQ(outcome.more_replies.size(), 1u);
  EXPECT_EQ(render(outcome.more_replies[0]), "(nil)");
}

TEST(Transactions, AMessageToOneselfIsWrittenAmongTheReplies) {
  TestClient client;
  client("MULTI"), client("SUBSCRIBE c"), client("PUBLISH c m");
  const Outcome outcome = client.execute({"EXEC"});
  EXPECT_EQ(render(outcome.reply), R"([["subscribe", "c", (integer) 1], ["message", "c", "m"]])");
  ASSERT_EQ(outcome.more_replies.size(), 1u);
  EXPECT_EQ(render(outcome.more_replies[0]), "(integer) 1");
  EXPECT_TRUE(outcome.pushes.empty());
}

// SUBSCRIBE and PSUBSCRIBE may for the sake of old clients (pubsub.c, ssubscribeCommand).
TEST(Transactions, ShardChannelsCannotBeSubscribedToInATransaction) {
  TestClient client;
  client("MULTI"), client("SSUBSCRIBE c");
  EXPECT_EQ(client("EXEC"), "[(error) ERR SSUBSCRIBE isn't allowed for a DENY BLOCKING client]");
}

TEST(Transactions, AnEndedTransactionLeavesNoTraceInTheNode) {
  TestClient client;
  client("WATCH k"), client("MULTI"), client("GET k"), client("EXEC"), client("SELECT 1"), client("SELECT 0");
  EXPECT_EQ(client.node, TestClient().node);
}

}  // namespace
}  // namespace lockstep::redis
