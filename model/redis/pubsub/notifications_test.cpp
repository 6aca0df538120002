#include "model/redis/pubsub/notifications.h"

#include <gtest/gtest.h>
#include "model/redis/testing/test_client.h"

namespace lockstep::redis {
namespace {

using testing::render;
using testing::TestClient;

constexpr ConnectionId listener{1};

class Notifications : public ::testing::Test {
 protected:
  Notifications() { client("PSUBSCRIBE __key*", listener); }

  /// What the listener is sent, without what all messages have in common.
  std::string told_by(const Command& command) {
    std::string told;
    for (const Push& push : client.execute(command).pushes) {
      EXPECT_EQ(push.to, listener);
      const Reply::Array& message = *push.message.array();
      told += (told.empty() ? "" : " ") + message[2].bulk()->substr(5) + "=" + *message[3].bulk();
    }
    return told;
  }

  TestClient client;
};

TEST_F(Notifications, NobodyIsToldUnlessTheSettingSaysSo) {
  EXPECT_EQ(told_by({"SET", "k", "v"}), "");
  client("CONFIG SET notify-keyspace-events g$");
  EXPECT_EQ(told_by({"SET", "k", "v"}), "") << "neither K nor E";
  client("CONFIG SET notify-keyspace-events Kg$");
  EXPECT_EQ(told_by({"SET", "k", "v"}), "space@0__:k=set");
  client("CONFIG SET notify-keyspace-events Eg$");
  EXPECT_EQ(told_by({"SET", "k", "v"}), "event@0__:set=k");
  EXPECT_EQ(told_by({"RPUSH", "l", "v"}), "") << "lists were not asked for";
  client("CONFIG SET notify-keyspace-events ''");
  EXPECT_EQ(told_by({"SET", "k", "v"}), "");
}

TEST_F(Notifications, AWriteWithATimeTellsOfBothAndADeathOfItself) {
  client.node.expiry = Expiry::lazy;
  client("CONFIG SET notify-keyspace-events EA");
  EXPECT_EQ(told_by({"SET", "k", "v", "PX", "5"}), "event@0__:set=k event@0__:expire=k");
  client.pass(6);
  EXPECT_EQ(told_by({"GET", "k"}), "event@0__:expired=k");
  EXPECT_EQ(told_by({"GET", "k"}), "");
}

TEST_F(Notifications, ADeathByEagerExpiryIsToldOfToo) {
  client("CONFIG SET notify-keyspace-events Ex");
  client("SELECT 3"), client("SET k v PX 5");
  const std::vector<Effects> removals = client.pass(6);
  const std::vector<Push> pushes = publish_deaths(client.node, removals);
  ASSERT_EQ(pushes.size(), 1u);
  EXPECT_EQ(render(pushes[0].message), R"(["pmessage", "__key*", "__keyevent@3__:expired", "k"])");
}

TEST_F(Notifications, ACommandThatIsReplicatedInOtherWordsTellsOfItself) {
  client("CONFIG SET notify-keyspace-events EA");
  EXPECT_EQ(told_by({"INCRBYFLOAT", "n", "1"}), "event@0__:incrbyfloat=n");
  EXPECT_EQ(told_by({"HINCRBYFLOAT", "h", "f", "1"}), "event@0__:hincrbyfloat=h");
  EXPECT_EQ(told_by({"ZADD", "z", "INCR", "1", "a"}), "event@0__:zincr=z");
  EXPECT_EQ(told_by({"ZADD", "z", "1", "incr", "2", "b"}), "event@0__:zadd=z");
  client("SADD s 1 2 3 4");
  EXPECT_EQ(told_by({"SPOP", "s", "2"}), "event@0__:spop=s");
  EXPECT_EQ(told_by({"SPOP", "s", "2"}), "event@0__:spop=s event@0__:del=s");
  EXPECT_EQ(told_by({"GETDEL", "n"}), "event@0__:del=n");
}

TEST_F(Notifications, EachKeyTellsOfItsOwnBeforeTheNext) {
  client.node.expiry = Expiry::lazy;
  client("CONFIG SET notify-keyspace-events EA"), client("SET b v PX 5");
  client.pass(6);
  EXPECT_EQ(told_by({"MSET", "a", "1", "b", "2"}), "event@0__:set=a event@0__:expired=b event@0__:set=b");
}

TEST_F(Notifications, ARangeThatTakesTheLastMemberTellsThatTheKeyIsGone) {
  client("CONFIG SET notify-keyspace-events EA"), client("ZADD z 0 a 0 b");
  EXPECT_EQ(told_by({"ZREMRANGEBYSCORE", "z", "0", "0"}), "event@0__:zremrangebyscore=z event@0__:del=z");
}

TEST_F(Notifications, WhatGoesFromKeyToKeyTellsOfBoth) {
  client("CONFIG SET notify-keyspace-events EA");
  client("RPUSH l v"), client("SADD s a"), client("SADD t a"), client("SET k v");
  EXPECT_EQ(told_by({"LMOVE", "l", "m", "LEFT", "RIGHT"}),
            "event@0__:rpush=m event@0__:lpop=l event@0__:del=l");
  EXPECT_EQ(told_by({"SMOVE", "s", "t", "a"}), "event@0__:srem=s event@0__:del=s") << "it was there already";
  EXPECT_EQ(told_by({"RENAME", "k", "j"}), "event@0__:rename_from=k event@0__:rename_to=j");
  EXPECT_EQ(told_by({"COPY", "j", "c", "DB", "2"}), "event@2__:copy_to=c");
  EXPECT_EQ(told_by({"MOVE", "j", "1"}), "event@0__:move_from=j event@1__:move_to=j");
  EXPECT_EQ(told_by({"DEL", "t", "nosuch"}), "event@0__:del=t");
}

TEST_F(Notifications, WhoAsksForItHearsOfNewKeysAndOfMissedOnes) {
  client("CONFIG SET notify-keyspace-events EAmn");
  EXPECT_EQ(told_by({"SET", "k", "v"}), "event@0__:new=k event@0__:set=k");
  EXPECT_EQ(told_by({"SET", "k", "w"}), "event@0__:set=k");
  EXPECT_EQ(told_by({"GET", "nosuch"}), "event@0__:keymiss=nosuch");
  EXPECT_EQ(told_by({"DEL", "nosuch"}), "") << "it did not look in order to read";
  EXPECT_EQ(told_by({"GETDEL", "nosuch"}), "event@0__:keymiss=nosuch");
  EXPECT_EQ(told_by({"OBJECT", "ENCODING", "nosuch"}), "");
  EXPECT_EQ(told_by({"RENAME", "k", "j"}), "event@0__:new=j event@0__:rename_from=k event@0__:rename_to=j");
  client.node.expiry = Expiry::lazy;
  client("PEXPIRE j 5");
  client.pass(6);
  EXPECT_EQ(told_by({"GET", "j"}), "event@0__:expired=j event@0__:keymiss=j");
}

}  // namespace
}  // namespace lockstep::redis
