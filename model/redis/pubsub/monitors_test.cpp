// What a connection is shown after MONITOR, and what it may still ask.
#include "model/redis/pubsub/monitors.h"

#include <gtest/gtest.h>

#include "model/redis/testing/test_client.h"

namespace lockstep::redis {
namespace {

using testing::render;
using testing::TestClient;

constexpr ConnectionId asking{0}, watching{1};

/// A node with one connection that asks and one that monitors.
class Monitors : public ::testing::Test {
 protected:
  void SetUp() override {
    connect(client.node, asking, {.id = 1, .address = "127.0.0.1:50000"});
    EXPECT_EQ(client("MONITOR", watching), "OK");
  }

  /// What the monitor is shown of a command, without its time.
  std::string shown(std::string_view line) { return shown(testing::words_of(line)); }
  std::string shown(const Command& command) {
    std::string lines;
    for (const Push& push : client.execute(command, asking).pushes) {
      EXPECT_EQ(push.to, watching);
      const std::string line = render(push.message);
      lines += (lines.empty() ? "" : "; ") + line.substr(line.find(' ') + 1);
    }
    return lines;
  }

  TestClient client;
};

TEST_F(Monitors, ALineSaysWhenWhereAndWhoAskedWhat) {
  client.wall_ms = 1'700'000'000'012;
  const Outcome outcome =
      execute(client.node, asking, {"GET", "k"},
              {.engine = client.engine, .wall_ms = client.wall_ms, .chance = nullptr, .wall_us = 34});
  ASSERT_EQ(outcome.pushes.size(), 1U);
  EXPECT_EQ(outcome.pushes[0],
            (Push{watching, lua::Status{"1700000000.012034 [0 127.0.0.1:50000] \"GET\" \"k\""}}));
  EXPECT_TRUE(outcome.read_now) << "the time is in it";
}

TEST_F(Monitors, TheDatabaseIsTheOneThatIsSelectedAfterTheCommand) {
  EXPECT_EQ(shown("SELECT 3"), R"([3 127.0.0.1:50000] "SELECT" "3")");
  EXPECT_EQ(shown("SELECT 99"), R"([3 127.0.0.1:50000] "SELECT" "99")");
  EXPECT_EQ(shown("RESET"), R"([0 127.0.0.1:50000] "RESET")");
}

TEST_F(Monitors, AClientOfAUnixSocketIsShownByThePath) {
  connect(client.node, asking, {.id = 2, .address = "/tmp/socket:0"});
  EXPECT_EQ(shown("PING"), R"([0 unix:/tmp/socket] "PING")");
}

TEST_F(Monitors, WhatAScriptCallsFollowsTheScriptAndComesFromLua) {
  const std::string script = "redis.call('set', KEYS[1], 'v') return redis.pcall('nosuch')";
  EXPECT_EQ(shown({"EVAL", script, "1", "k"}),
            R"([0 127.0.0.1:50000] "EVAL" ")" + script + R"(" "1" "k"; [0 lua] "set" "k" "v")");
  EXPECT_EQ(shown({"EVALSHA", "abc", "0"}), R"([0 127.0.0.1:50000] "EVALSHA" "abc" "0")") << "which fails";
}

TEST_F(Monitors, ATransactionIsShownWhenItRunsAndExecAfterIt) {
  EXPECT_EQ(shown("MULTI"), R"([0 127.0.0.1:50000] "MULTI")");
  EXPECT_EQ(shown("SET a 1"), "") << "it is queued only";
  EXPECT_EQ(shown("SELECT 2"), "");
  EXPECT_EQ(
      shown("EXEC"),
      R"([0 127.0.0.1:50000] "SET" "a" "1"; [2 127.0.0.1:50000] "SELECT" "2"; [2 127.0.0.1:50000] "EXEC")");
}

TEST_F(Monitors, WhatIsRefusedOrForAdministratorsIsNotShown) {
  for (const char* line : {"NOSUCH", "GET", "CONFIG GET save", "CLIENT LIST", "SLOWLOG GET", "DEBUG SLEEP 0"})
    EXPECT_EQ(shown(line), "") << line;
  EXPECT_EQ(shown("LPOP k x"), R"([0 127.0.0.1:50000] "LPOP" "k" "x")") << "an error of the command itself";
}

TEST_F(Monitors, PasswordsAreNotShownAsFarAsTheyWereRead) {
  const std::string asked = "[0 127.0.0.1:50000] ";
  EXPECT_EQ(shown("AUTH x"), asked + R"~("AUTH" "(redacted)")~");
  EXPECT_EQ(shown("AUTH default x"), asked + R"~("AUTH" "(redacted)" "(redacted)")~");
  EXPECT_EQ(shown("AUTH a b c"), asked + R"~("AUTH" "a" "b" "c")~");
  EXPECT_EQ(shown("HELLO 2 AUTH default x SETNAME n"),
            asked + R"~("HELLO" "2" "AUTH" "(redacted)" "(redacted)" "SETNAME" "n")~");
  EXPECT_EQ(shown("HELLO 2 AUTH a b AUTH c d"),
            asked + R"~("HELLO" "2" "AUTH" "(redacted)" "(redacted)" "AUTH" "c" "d")~");
  EXPECT_EQ(shown("HELLO 9 AUTH default x"), asked + R"~("HELLO" "9" "AUTH" "default" "x")~");
  EXPECT_EQ(shown("PING x"), asked + R"~("PING" "x")~");
}

TEST_F(Monitors, AMonitorIsShownItsOwnCommandAfterTheReply) {
  const Outcome outcome = client.execute({"ECHO", "a"}, watching);
  EXPECT_EQ(render(outcome.reply), "\"a\"");
  EXPECT_TRUE(outcome.pushes.empty());
  ASSERT_EQ(outcome.more_replies.size(), 1U);
  EXPECT_TRUE(render(outcome.more_replies[0]).ends_with(R"("ECHO" "a")"));
}

TEST_F(Monitors, ItMayNotTouchKeysWhichRedisSaysAsToAReplica) {
  for (const char* line : {"GET k", "SET k v", "PUBLISH c m", "EVAL 'return 1' 0", "EVAL_RO 'return 1' 0"})
    EXPECT_EQ(client(line, watching), "(error) ERR Replica can't interact with the keyspace") << line;
  EXPECT_EQ(client("PING", watching), "PONG");
}

TEST_F(Monitors, MonitorIsAnsweredOnceAndRefusedWhereOneReplyIsExpected) {
  EXPECT_TRUE(client.execute({"MONITOR"}, watching).silent);
  EXPECT_EQ(client.node.monitors->size(), 1U);
  client("MULTI", asking);
  EXPECT_EQ(client("MONITOR", asking), "QUEUED");
  EXPECT_EQ(client("EXEC", asking), "[(error) ERR MONITOR isn't allowed for DENY BLOCKING client]");
  EXPECT_EQ(client.node.monitors->size(), 1U);
}

TEST_F(Monitors, ResetAndTheEndOfTheConnectionEndIt) {
  EXPECT_EQ(client("RESET", watching), "RESET");
  EXPECT_EQ(shown("PING"), "");
  EXPECT_EQ(client("GET k", watching), "(nil)");
  client("MONITOR", watching);
  disconnect(client.node, watching);
  EXPECT_TRUE(client.node.monitors->empty());
}

TEST_F(Monitors, TheListOfClientsMarksIt) {
  connect(client.node, watching, {.id = 2, .address = "/tmp/socket:0"});
  const std::string list = client("CLIENT LIST", asking);
  EXPECT_NE(list.find("flags=OU "), std::string::npos) << list;
}

TEST(Quoted, BytesAreWrittenAsRedisWritesThem) {
  EXPECT_EQ(redis::quoted(std::string("a\0\x01\xff\\\"\n\r\t\a\b\x7f~", 13)),
            R"("a\x00\x01\xff\\\"\n\r\t\a\b\x7f~")");
  EXPECT_EQ(redis::quoted(""), "\"\"");
}

}  // namespace
}  // namespace lockstep::redis
