// A script that runs for long, here and on a real server: what others are told meanwhile, and how it ends.
#include <gtest/gtest.h>
#include <signal.h>

#include <vector>

#include "tools/serve/test_server.h"

namespace lockstep::tools::serve {
namespace {

using testing::RawClient;
using testing::TestServer;

const std::string endless = "EVAL \"while true do end\" 0\r\n";

/// After this many milliseconds a script is a long one.
void set_threshold(const TestServer& server) {
  RawClient(server.path()).ask("CONFIG SET busy-reply-threshold 30\r\n", 5);
}

void wait_until_busy(RawClient& client) {
  std::string answer;
  do answer = (client.send("PING\r\n"), client.receive_up_to("\r\n"));
  while (answer == "+PONG\r\n");
  EXPECT_TRUE(answer.starts_with("-BUSY ")) << answer;
}

/// What a client is answered to the lines while another's request runs, and what that one is answered once
/// the last line has ended it.
std::string meanwhile(const TestServer& server, const std::string& request,
                      const std::vector<std::string>& lines) {
  set_threshold(server);
  RawClient running(server.path()), other(server.path());
  running.send(request + "ECHO the-end\r\n");
  wait_until_busy(other);
  std::string heard;
  for (const std::string& line : lines) other.send(line + "\r\n");
  other.send("RESET\r\n");
  heard = other.receive_up_to("+RESET\r\n");
  return heard + running.receive_up_to("the-end\r\n");
}

class Busy : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!real) GTEST_SKIP() << "there is no redis-server on this machine to compare with";
  }
  void compare(const std::string& request, const std::vector<std::string>& lines) {
    EXPECT_EQ(meanwhile(ours, request, lines), meanwhile(*real, request, lines)) << request;
  }
  std::optional<TestServer> real = TestServer::real();
  TestServer ours = TestServer::ours();
};

TEST_F(Busy, OthersAreAnsweredAsByARealServerUntilTheScriptIsKilled) {
  compare(endless, {"PING",
                    "GET k",
                    "NOSUCH",
                    "GET",
                    "AUTH x",
                    "CLIENT LIST",
                    "CLIENT REPLY OFF",
                    "MULTI",
                    "GET k",
                    "EXEC",
                    "DISCARD",
                    "WATCH k",
                    "UNWATCH",
                    "SCRIPT EXISTS a",
                    "FUNCTION KILL",
                    "FUNCTION STATS",
                    "INFO server",
                    "SHUTDOWN",
                    "SUBSCRIBE a",
                    "MONITOR",
                    "EVAL 'return 1' 0",
                    "SCRIPT KILL"});
}

TEST_F(Busy, AScriptThatCatchesErrorsIsKilledAllTheSame) {
  compare("EVAL \"while true do pcall(redis.call, 'ping') end\" 0\r\n", {"SCRIPT KILL"});
}

TEST_F(Busy, AFunctionIsKilledByItsOwnCommand) {
  const std::string load =
      "FUNCTION LOAD \"#!lua name=l\\nredis.register_function('f', function() while true do end end)\"\r\n";
  compare(load + "FCALL f 0\r\n", {"PING", "SCRIPT KILL", "FUNCTION KILL", "FUNCTION DELETE l"});
}

TEST_F(Busy, WhatHasWrittenIsUnkillableWhicheverCommandAsks) {
  for (const char* const line : {"FUNCTION KILL", "SCRIPT KILL"}) {
    const auto asked = [&](const TestServer& server) {
      set_threshold(server);
      RawClient running(server.path()), other(server.path());
      running.send("EVAL \"redis.call('set', 'a', 1) for i = 1, 50000000 do end\" 0\r\n");
      wait_until_busy(other);
      other.send(std::string(line) + "\r\n");
      const std::string answer = other.receive_up_to("\r\n");
      running.receive(5);
      return answer;
    };
    EXPECT_EQ(asked(ours), asked(*real)) << line;
  }
}

TEST_F(Busy, ATransactionGoesOnBehindTheKilledScript) {
  compare("MULTI\r\nSET a b\r\nEVAL \"while true do end\" 0\r\nGET a\r\nEXEC\r\n", {"SCRIPT KILL"});
}

TEST_F(Busy, ALongScriptThatEndsIsAnswered) {
  const std::string script = "EVAL \"local n = 0 for i = 1, 30000000 do n = n + 1 end return n\" 0\r\n";
  const auto ask = [&](const TestServer& server) {
    RawClient running(server.path());
    running.send(script);
    return running.receive_up_to("\r\n");
  };
  EXPECT_EQ(ask(ours), ask(*real));
}

TEST(BusyServer, WhatHasWrittenIsNotKilledButTheServerEnds) {
  TestServer server = TestServer::ours();
  set_threshold(server);
  RawClient running(server.path()), other(server.path());
  running.send("EVAL \"redis.call('set', 'a', 1) while true do end\" 0\r\n");
  wait_until_busy(other);
  other.send("SCRIPT KILL\r\n");
  EXPECT_TRUE(other.receive_up_to("\r\n").starts_with("-UNKILLABLE Sorry the script already executed write"));
  EXPECT_EQ(other.ask("SHUTDOWN NOSAVE\r\n", std::string::npos), "");
  EXPECT_EQ(running.receive_all(), "");
}

TEST(BusyServer, ASignalEndsItWhileAScriptRuns) {
  for (const int signal : {SIGINT, SIGTERM}) {
    TestServer server = TestServer::ours();
    set_threshold(server);
    RawClient running(server.path()), other(server.path());
    running.send(endless);
    wait_until_busy(other);
    EXPECT_EQ(server.end_with(signal), 0);
  }
}

TEST(BusyServer, TheClientOfTheScriptMayLeaveAndOthersMayCome) {
  const TestServer server = TestServer::ours();
  set_threshold(server);
  RawClient other(server.path());
  {
    RawClient leaving(server.path());
    leaving.send("SELECT 5\r\n" + endless);
    wait_until_busy(other);
  }
  std::vector<RawClient> newcomers;
  for (int i = 0; i < 20; ++i) {
    newcomers.emplace_back(server.path());
    newcomers.back().send("GET k\r\n");
    EXPECT_TRUE(newcomers.back().receive_up_to("\r\n").starts_with("-BUSY "));
  }
  EXPECT_EQ(other.ask("SCRIPT KILL\r\n", 5), "+OK\r\n");
  std::string answer;
  do answer = (other.send("PING\r\n"), other.receive_up_to("\r\n"));
  while (answer.starts_with("-BUSY "));
  EXPECT_EQ(answer, "+PONG\r\n");
  for (RawClient& each : newcomers) EXPECT_EQ(each.ask("GET k\r\n", 5), "$-1\r\n");
}

TEST(BusyServer, InVirtualTimeAScriptIsStoppedAfterSoManySteps) {
  const TestServer server = TestServer::ours({.time = ServedNode::Time::by_debug});
  RawClient client(server.path());
  client.send(endless);
  EXPECT_EQ(client.receive_up_to("\r\n"),
            "-ERR Lockstep stopped the script after 10000000 steps (it may loop for ever)\r\n");
}

}  // namespace
}  // namespace lockstep::tools::serve
