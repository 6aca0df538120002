#include "model/redis/node.h"

#include <gtest/gtest.h>
#include "model/redis/testing/test_client.h"

namespace lockstep::redis {
namespace {

using testing::render;
using testing::TestClient;

constexpr ConnectionId other{7};

// ---- expiry -------------------------------------------------------------------------------------

TEST(Node, AKeyIsAliveAtItsDeadlineAndDeadOneMillisecondLater) {
  TestClient client;
  client("SET k v PX 100");
  EXPECT_TRUE(client.pass(100).empty());
  EXPECT_EQ(client("PTTL k"), "(integer) 0");
  EXPECT_EQ(client("EXISTS k"), "(integer) 1");
  const auto removals = client.pass(1);
  ASSERT_EQ(removals.size(), 1u);
  EXPECT_EQ(render(removals[0]), "DEL k");
  EXPECT_EQ(client("PTTL k"), "(integer) -2");
}

TEST(Node, EagerExpiryTellsReplicasInKeyOrderOneKeyAtATime) {
  TestClient client;
  client("SET b v PX 5");
  client("SET a v PX 9");
  const auto removals = client.pass(10);
  ASSERT_EQ(removals.size(), 2u);
  EXPECT_EQ(render(removals[0]), "DEL a");
  EXPECT_EQ(render(removals[1]), "DEL b");
  EXPECT_EQ(client("DBSIZE"), "(integer) 0");
}

TEST(Node, ALazyMasterKeepsADeadKeyUntilItIsLookedUpAndThenSendsItsDelFirst) {
  TestClient client(Role::master, Expiry::lazy);
  client("HSET k f v");
  client("PEXPIRE k 5");
  EXPECT_TRUE(client.pass(6).empty());
  EXPECT_EQ(client("DBSIZE"), "(integer) 1");
  EXPECT_EQ(client("KEYS *"), "[]");
  EXPECT_EQ(client.effects_of("HSET k g w"), "DEL k; HSET k g w");
  EXPECT_EQ(client("HGETALL k"), "[\"g\", \"w\"]");
  EXPECT_EQ(client("PTTL k"), "(integer) -1");
}

TEST(Node, ALazyMasterRemovesADeadKeyEvenForAReader) {
  TestClient client(Role::master, Expiry::lazy);
  client("SET k v PX 5");
  client.pass(6);
  EXPECT_EQ(client.effects_of("GET k"), "DEL k");
  EXPECT_EQ(client("DBSIZE"), "(integer) 0");
}

TEST(Node, AReplicaHidesADeadKeyAndKeepsIt) {
  TestClient replica(Role::replica);
  replica.apply({{{"SET", "k", "v", "PXAT", ""}, 4, Duration(5)}});
  EXPECT_TRUE(replica.pass(6).empty());
  EXPECT_EQ(replica("GET k"), "(nil)");
  EXPECT_EQ(replica("EXISTS k"), "(integer) 0");
  EXPECT_EQ(replica("PTTL k"), "(integer) -2");
  EXPECT_EQ(replica("TYPE k"), "none");
  EXPECT_EQ(replica("KEYS *"), "[]");
  EXPECT_EQ(replica("DBSIZE"), "(integer) 1");
}

TEST(Node, AReplicaAppliesItsMastersWritesToADeadKeyAsIfItWereAlive) {
  TestClient replica(Role::replica);
  replica.apply({{{"HSET", "k", "f", "v"}, {}, {}}, {{"PEXPIREAT", "k", ""}, 2, Duration(5)}});
  replica.pass(6);
  replica.apply({{{"HSET", "k", "g", "w"}, {}, {}}, {{"PERSIST", "k"}, {}, {}}});
  EXPECT_EQ(replica("HGETALL k"), "[\"f\", \"v\", \"g\", \"w\"]");
}

TEST(Node, AKeyLongDeadOnAReplicaIsTheSameStateAsOneJustDead) {
  TestClient one(Role::replica), two(Role::replica);
  for (TestClient* replica : {&one, &two}) replica->apply({{{"SET", "k", "v", "PXAT", ""}, 4, Duration(5)}});
  one.pass(6);
  two.pass(60'000);
  EXPECT_EQ(one.node, two.node);
}

TEST(Node, TheNextChangeIsOneMillisecondAfterTheShortestRemainingTime) {
  TestClient client;
  EXPECT_EQ(next_change(client.node), sim::never);
  client("SET k v");
  EXPECT_EQ(next_change(client.node), sim::never);
  client("PEXPIRE k 100");
  client("SET l v PX 50");
  EXPECT_EQ(next_change(client.node), Duration(51));
  client.node.role = Role::replica;
  client.pass(51);
  EXPECT_EQ(next_change(client.node), Duration(50)) << "the dead key changes no more";
}

TEST(Node, AWallClockSetBackGivesKeysMoreTime) {
  TestClient client;
  client("SET k v PX 100");
  client.pass(-30'000);
  EXPECT_EQ(client("PTTL k"), "(integer) 30100");
}

// ---- what a client may do -----------------------------------------------------------------------

TEST(Node, AReplicaRefusesWritesOfClientsAndAnswersReads) {
  TestClient replica(Role::replica);
  EXPECT_EQ(replica("SET k v"), "(error) READONLY You can't write against a read only replica.");
  EXPECT_EQ(replica("GET k"), "(nil)");
  EXPECT_EQ(replica("PUBLISH c m"), "(integer) 0");
}

TEST(Node, AnUnknownCommandIsQuotedWithTheBeginningOfItsArguments) {
  TestClient client;
  EXPECT_EQ(client("FOO a b"), "(error) ERR unknown command 'FOO', with args beginning with: 'a' 'b' ");
  EXPECT_EQ(client("WAITAOF 0 0 0"),
            "(error) ERR unknown command 'WAITAOF', with args beginning with: '0' '0' '0' ");
  EXPECT_EQ(client("FOO"), "(error) ERR unknown command 'FOO', with args beginning with: ");
  const std::string text = render(client.execute({"FOO", std::string(120, 'x'), "0123456789"}).reply);
  EXPECT_EQ(text, "(error) ERR unknown command 'FOO', with args beginning with: '" + std::string(120, 'x') +
                      "' '01234' ")
      << "arguments are cut where 128 bytes are full, the quotes of earlier ones counted";
  EXPECT_EQ(render(client.execute({"A\r\nB"}).reply),
            "(error) ERR unknown command 'A  B', with args beginning with: ");
}

TEST(Node, AWrongNumberOfWordsIsNamedAfterTheCommandInLowerCase) {
  TestClient client;
  EXPECT_EQ(client("GET"), "(error) ERR wrong number of arguments for 'get' command");
  EXPECT_EQ(client("HSET k f"), "(error) ERR wrong number of arguments for 'hset' command");
  EXPECT_EQ(client("HSET k f v g"), "(error) ERR wrong number of arguments for 'hset' command");
  EXPECT_EQ(client("SCRIPT LOAD"), "(error) ERR wrong number of arguments for 'script|load' command");
  EXPECT_EQ(client("SCRIPT"), "(error) ERR wrong number of arguments for 'script' command");
}

TEST(Node, ASubcommandIsCalledByTwoWordsOnly) {
  TestClient client;
  EXPECT_EQ(client("config|get x"),
            "(error) ERR unknown command 'config|get', with args beginning with: 'x' ");
}

TEST(Node, AnErrorShowsAWordUpToItsFirstNul) {
  using namespace std::string_literals;
  TestClient client;
  EXPECT_EQ(client.execute({"no\0such"s, "a\0b"s, "c"}).reply.error()->text,
            "ERR unknown command 'no', with args beginning with: 'a' 'c' ");
  EXPECT_EQ(client.execute({"EXPIRE", "k", "1", "x\0y"s}).reply.error()->text, "ERR Unsupported option x");
}

TEST(Node, AnUnknownSubcommandPointsToHelp) {
  TestClient client;
  EXPECT_EQ(client("SCRIPT foo"), "(error) ERR unknown subcommand 'foo'. Try SCRIPT HELP.");
  EXPECT_EQ(client("pubsub Bar"), "(error) ERR unknown subcommand 'Bar'. Try PUBSUB HELP.");
}

// ---- promotion, resynchronisation, restart ------------------------------------------------------

TEST(Node, APromotedReplicaGoesByItsOwnClockAndBuriesItsDead) {
  TestClient master, replica(Role::replica);
  replica.apply(master.execute({"SET", "k", "v", "PX", "1000"}).effects, 400);
  replica.apply(master.execute({"SET", "short", "v", "PX", "300"}).effects, 400);
  EXPECT_EQ(replica("PTTL k"), "(integer) 600") << "its clock is 400 ms ahead";
  promote(replica.node);
  EXPECT_EQ(replica("DBSIZE"), "(integer) 1");
  EXPECT_EQ(replica("SET k2 v"), "OK");
  replica.pass(601);
  EXPECT_EQ(replica("EXISTS k"), "(integer) 0");
  master.pass(601);
  EXPECT_EQ(master("PTTL k"), "(integer) 399");
}

TEST(Node, AResynchronisedNodeLosesWhatItAloneHad) {
  TestClient old_master, new_master;
  old_master("SET divergent v");
  new_master("SET k v PX 1000");
  resynchronise(old_master.node, new_master.node, Duration(100));
  EXPECT_EQ(old_master.node.role, Role::replica);
  EXPECT_EQ(old_master("EXISTS divergent"), "(integer) 0");
  EXPECT_EQ(old_master("PTTL k"), "(integer) 900");
}

TEST(Node, ARestartKeepsWhatPersistenceKept) {
  TestClient client;
  client("SET saved v PX 1000");
  client("SET soon v PX 10");
  EXPECT_EQ(client("SAVE"), "OK");
  client("SET unsaved v");
  client.node.scripts.insert("sha");
  client("SUBSCRIBE c", other);
  client.pass(100);

  Node kept = client.node;
  restart(kept, Persistence::append_only);
  EXPECT_EQ(kept.db, client.node.db);
  EXPECT_TRUE(kept.scripts.empty());
  EXPECT_TRUE(kept.pubsub.empty());

  Node empty = client.node;
  restart(empty, Persistence::none);
  EXPECT_EQ(empty.db.size(), 0u);

  restart(client.node, Persistence::snapshot);
  EXPECT_EQ(client("KEYS *"), "[\"saved\"]") << "a snapshot's keys age, and the dead are skipped";
  EXPECT_EQ(client("PTTL saved"), "(integer) 900");
}

TEST(Node, ARestartedReplicaKeepsTheDeadKeysOfItsSnapshot) {
  TestClient replica(Role::replica);
  replica.apply({{{"SET", "k", "v", "PXAT", ""}, 4, Duration(5)}});
  replica("SAVE");
  replica.pass(10);
  restart(replica.node, Persistence::snapshot);
  EXPECT_EQ(replica("DBSIZE"), "(integer) 1");
}

TEST(Node, ADisconnectedSubscriberIsForgotten) {
  TestClient client;
  client("SUBSCRIBE c", other);
  client("PSUBSCRIBE *", other);
  client("SSUBSCRIBE s", other);
  disconnect(client.node, other);
  EXPECT_TRUE(client.node.pubsub.empty());
  EXPECT_EQ(client("PUBLISH c m"), "(integer) 0");
}

TEST(Node, AReplicatedPublishReachesTheReplicasOwnSubscribers) {
  TestClient master, replica(Role::replica);
  replica("SUBSCRIBE c", other);
  const auto pushes = replica.apply(master.execute({"PUBLISH", "c", "m"}).effects);
  ASSERT_EQ(pushes.size(), 1u);
  EXPECT_EQ(pushes[0].to, other);
  EXPECT_EQ(render(pushes[0].message), "[\"message\", \"c\", \"m\"]");
}

}  // namespace
}  // namespace lockstep::redis
