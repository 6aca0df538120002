#include <gtest/gtest.h>
#include "model/redis/testing/test_client.h"

namespace lockstep::redis {
namespace {

using testing::TestClient;

constexpr ConnectionId one{1}, two{2};

Peer peer(std::int64_t id, std::string address, const TestClient& client) {
  return {id, std::move(address), "127.0.0.1:6379", 8, client.wall_ms, client.wall_ms};
}

TEST(Clients, AnUnannouncedConnectionHasItsNumberPlusOne) {
  TestClient client;
  EXPECT_EQ(client("CLIENT ID", two), "(integer) 3");
  EXPECT_TRUE(client.node.sessions->empty()) << "asking leaves nothing behind";
}

TEST(Clients, AnAnnouncedConnectionIsListedWithItsAgeAndIdleTime) {
  TestClient client;
  connect(client.node, one, peer(7, "127.0.0.1:50000", client));
  connect(client.node, two, peer(8, "127.0.0.1:50001", client));
  client.pass(5'000);
  client("CLIENT SETNAME worker", two);
  client.pass(2'500);
  const std::string listed = client("CLIENT LIST", one);
  EXPECT_NE(
      listed.find("id=7 addr=127.0.0.1:50000 laddr=127.0.0.1:6379 fd=8 name= age=7 idle=0 flags=N db=0"),
      std::string::npos)
      << listed;
  EXPECT_NE(
      listed.find("id=8 addr=127.0.0.1:50001 laddr=127.0.0.1:6379 fd=8 name=worker age=7 idle=2 flags=N"),
      std::string::npos);
  EXPECT_NE(listed.find("cmd=client|setname"), std::string::npos);
}

TEST(Clients, ADisconnectedConnectionIsNotListed) {
  TestClient client;
  connect(client.node, one, peer(7, "a:1", client));
  disconnect(client.node, one);
  EXPECT_EQ(client("CLIENT LIST ID 7", two), "\"\"");
}

TEST(Clients, WhoIsKilledByAddressIsNamedInTheOutcomeAndForgotten) {
  TestClient client;
  connect(client.node, one, peer(7, "127.0.0.1:50000", client));
  connect(client.node, two, peer(8, "127.0.0.1:50001", client));
  const Outcome outcome = client.execute({"CLIENT", "KILL", "127.0.0.1:50000"}, two);
  EXPECT_EQ(outcome.reply, lua::ok());
  EXPECT_EQ(outcome.closed, std::vector{one});
  EXPECT_EQ(client("CLIENT KILL 127.0.0.1:50000", two), "(error) ERR No such client");
}

TEST(Clients, KillByFiltersSparesTheCallerUnlessTold) {
  TestClient client;
  connect(client.node, one, peer(7, "a:1", client));
  connect(client.node, two, peer(8, "a:2", client));
  client("SUBSCRIBE news", one);
  EXPECT_EQ(client("CLIENT KILL TYPE pubsub ADDR a:2", two), "(integer) 0");
  EXPECT_EQ(client("CLIENT KILL TYPE pubsub", two), "(integer) 1");
  EXPECT_TRUE(client.node.pubsub.channels.empty()) << "its subscriptions went with it";
  EXPECT_EQ(client("CLIENT KILL TYPE normal", two), "(integer) 0");
  const Outcome own = client.execute({"CLIENT", "KILL", "TYPE", "normal", "SKIPME", "no"}, two);
  EXPECT_EQ(own.closed, std::vector{two});
}

TEST(Clients, ResetEndsEverythingButTheConnection) {
  TestClient client;
  connect(client.node, one, peer(7, "a:1", client));
  for (const char* const line : {"SELECT 3", "CLIENT SETNAME x", "CLIENT TRACKING on", "WATCH k", "MULTI"})
    client(line, one);
  EXPECT_EQ(client("RESET", one), "RESET");
  EXPECT_EQ(client("CLIENT GETNAME", one), "(nil)");
  EXPECT_EQ(client("CLIENT ID", one), "(integer) 7");
  EXPECT_EQ(client("EXEC", one), "(error) ERR EXEC without MULTI");
  EXPECT_EQ(client.node.sessions->at(one).database, 0);
}

TEST(Clients, APasswordIsAskedOfThoseWhoComeAfterIt) {
  TestClient client;
  connect(client.node, one, peer(7, "a:1", client));
  client("CONFIG SET requirepass secret", one);
  connect(client.node, two, peer(8, "a:2", client));
  EXPECT_EQ(client("GET k", one), "(nil)");
  EXPECT_EQ(client("GET k", two), "(error) NOAUTH Authentication required.");
  EXPECT_EQ(client("AUTH wrong", two),
            "(error) WRONGPASS invalid username-password pair or user is disabled.");
  EXPECT_EQ(client("AUTH secret", two), "OK");
  EXPECT_EQ(client("GET k", two), "(nil)");
}

TEST(Clients, AStrangerIsLetInWhenThePasswordIsGivenUp) {
  TestClient client;
  client("CONFIG SET requirepass secret", one);
  connect(client.node, two, peer(8, "a:2", client));
  EXPECT_EQ(client("GET k", two), "(error) NOAUTH Authentication required.");
  client("CONFIG SET requirepass ''", one);
  EXPECT_EQ(client("GET k", two), "(nil)");
  client("CONFIG SET requirepass again", one);
  EXPECT_EQ(client("GET k", two), "(error) NOAUTH Authentication required.") << "it never gave one";
}

TEST(Clients, OptionsOfHelloTakeEffectOneAfterTheOtherUntilOneIsWrong) {
  TestClient client;
  EXPECT_EQ(client("HELLO 2 SETNAME a AUTH default x SETNAME b FOO"),
            "(error) ERR Syntax error in HELLO option 'FOO'");
  EXPECT_EQ(client("CLIENT GETNAME"), R"("b")");
  EXPECT_EQ(client("HELLO 2 SETNAME c AUTH nosuch x SETNAME d"),
            "(error) WRONGPASS invalid username-password pair or user is disabled.");
  EXPECT_EQ(client("CLIENT GETNAME"), R"("c")");
}

TEST(Clients, WhatOnlyTheRunnerOfTheNodeCanDoIsOrdered) {
  TestClient client;
  EXPECT_EQ(client.execute({"CLIENT", "REPLY", "OFF"}).orders->replies, Orders::Replies::off);
  EXPECT_EQ(client.execute({"RESET"}).orders->replies, Orders::Replies::as_new);
  EXPECT_EQ(client.execute({"CLIENT", "PAUSE", "100", "WRITE"}).orders->pause->at_most, Duration(100));
  EXPECT_FALSE(client.execute({"CLIENT", "PAUSE", "0"}).orders->pause->ends) << "no time, and no end either";
  EXPECT_TRUE(client.execute({"CLIENT", "UNPAUSE"}).orders->pause->ends);
  EXPECT_EQ(client.execute({"DEBUG", "SLEEP", "0.5"}).orders->sleep, Duration(500));
  EXPECT_TRUE(client.execute({"SHUTDOWN", "NOSAVE", "NOW"}).orders->shutdown->now);
  EXPECT_EQ(client.execute({"QUIT"}, two).closed, std::vector{two});
  EXPECT_FALSE(client.execute({"GET", "k"}).orders);
}

TEST(Clients, DebugIsRefusedByAServerThatWasNotStartedToAllowIt) {
  TestClient client;
  client.node.settings.write().debug_allowed = false;
  EXPECT_TRUE(client("DEBUG SLEEP 0")
                  .starts_with("(error) ERR DEBUG command not allowed. If the enable-debug-command"));
  EXPECT_EQ(client("CONFIG GET enable-debug-command"), R"(["enable-debug-command", "no"])");
}

TEST(Clients, DebugClockSaysHowFarTheClockIsToBeMoved) {
  TestClient client;
  client.wall_ms = 5'000;
  EXPECT_EQ(client("DEBUG CLOCK"), "(integer) 5000");
  EXPECT_EQ(client.execute({"DEBUG", "CLOCK", "SET", "2000"}).clock_step, Duration(-3'000));
  EXPECT_EQ(client.execute({"DEBUG", "CLOCK", "ADVANCE", "70"}).clock_step, Duration(70));
  EXPECT_EQ(client("DEBUG CLOCK ADVANCE -6000"), "(error) ERR value is out of range");
}

}  // namespace
}  // namespace lockstep::redis
