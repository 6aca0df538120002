// MONITOR behind a socket and on a real server: the same requests must show a monitor the same lines, times
// and paths apart.
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <vector>

#include "tools/serve/test_server.h"

namespace lockstep::tools::serve {
namespace {

using testing::RawClient;
using testing::TestServer;

using Lines = std::vector<std::string>;

/// Without what differs from one server and run to another.
std::string without_times(const TestServer& server, std::string bytes) {
  for (std::size_t at = 0; (at = bytes.find(server.path())) != std::string::npos;)
    bytes.replace(at, server.path().size(), "PATH");
  return std::regex_replace(bytes, std::regex("\\+[0-9]+\\.[0-9]{6} \\["), "+TIME [");
}

/// What a monitor hears while another connection asks the lines, and what that one is answered.
std::string watch(const TestServer& server, const Lines& lines) {
  RawClient watching(server.path()), asking(server.path());
  std::string heard = watching.ask("MONITOR\r\n", 5);
  for (const std::string& line : lines) asking.send(line + "\r\n");
  asking.send("RESET\r\nECHO the-end\r\n");
  heard += asking.receive_up_to("the-end\r\n") + watching.receive_up_to("\"the-end\"\r\n");
  return without_times(server, heard);
}

/// What a monitor hears of its own requests.
std::string watch_itself(const TestServer& server, const Lines& lines) {
  RawClient watching(server.path());
  watching.send("MONITOR\r\n");
  for (const std::string& line : lines) watching.send(line + "\r\n");
  watching.send("ECHO the-end\r\n");
  return without_times(server, watching.receive_up_to("the-end\r\n"));
}

class Monitored : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!real) GTEST_SKIP() << "there is no redis-server on this machine to compare with";
  }
  std::optional<TestServer> real = TestServer::real();
  TestServer ours = TestServer::ours();
};

const std::vector<Lines> requests{
    {"PING", "SET k v EX 100", "get k", "GET", "NOSUCH", "LPUSH k v", "INCRBYFLOAT f 1.5", "SPOP s"},
    {"SELECT 3", "SET k v", "SELECT 99", "FLUSHALL", "SELECT 0", "SWAPDB 0 1", "MOVE k 1"},
    {"ECHO \"\\x00\\x01\\xff\\\\\\\"\\n\\r\\t\\a\\b\\x7f~\"", "ECHO ''", "ECHO 'a b'"},
    {"AUTH", "AUTH x", "AUTH default x", "AUTH u p", "AUTH a b c"},
    {"HELLO 9 AUTH default x", "HELLO x AUTH default x", "HELLO 2 FOO AUTH default x",
     "HELLO 2 SETNAME AUTH a b", "HELLO 2 AUTH a b AUTH c d", "HELLO 2 AUTH a b"},
    {"CONFIG GET maxmemory", "CLIENT KILL ID 12345", "CLIENT GETNAME", "CLIENT SETNAME me", "SLOWLOG RESET",
     "DEBUG SLEEP 0", "ACL WHOAMI", "LATENCY RESET", "REPLICAOF NO ONE", "SHUTDOWN foo", "SAVE"},
    {"EVAL \"return redis.call('set', KEYS[1], ARGV[1])\" 1 k v", "EVAL \"syntax(\" 0", "EVALSHA abc 0",
     "EVAL \"redis.pcall('nosuch') redis.pcall('get') return redis.pcall('lpush', 'k', 1)\" 0",
     "EVAL_RO \"redis.call('select', '7') return redis.call('get', 'k')\" 0", "EVAL \"return 1\" x",
     "SCRIPT LOAD \"return 1\"", "EVALSHA e0e1f9fabfc9d4800c877a703b823ac0578ff8db 0",
     "EVAL \"return redis.call('eval', 'return 1', '0')\" 0"},
    {"FUNCTION LOAD \"#!lua name=l\\nredis.register_function('f', function(k) return redis.call('get', k[1]) "
     "end)\"",
     "FCALL f 1 k", "FCALL nosuch 0", "FCALL f x", "FUNCTION DELETE l"},
    {"MULTI", "SET a 1", "LPUSH a 1", "SELECT 2", "EVAL \"return redis.call('get', 'a')\" 0", "MONITOR",
     "CONFIG GET maxmemory", "EXEC"},
    {"MULTI", "DISCARD", "MULTI", "NOSUCH", "EXEC", "EXEC", "WATCH a", "UNWATCH", "WATCH b", "SET b 1",
     "MULTI", "GET b", "EXEC"},
    {"SUBSCRIBE c d", "PING", "GET k", "PSUBSCRIBE p*", "UNSUBSCRIBE d c", "RESET", "PUBLISH c m"},
    {"WAIT 0 0", "WAIT 1 10", "EXPIRE k 1", "GETEX k PX 100", "OBJECT ENCODING k", "DBSIZE",
     "COMMAND INFO nosuch"},
};

const std::vector<Lines> requests_of_monitors{
    {"MONITOR", "PING", "MONITOR", "SELECT 4", "PING"},
    {"GET k", "SET k v", "PUBLISH c m", "EVAL \"return 1\" 0", "EVAL_RO \"return 1\" 0", "FCALL f 0", "DEL k",
     "TIME x", "ROLE x", "NOSUCH", "SUBSCRIBE"},
    {"MULTI", "PING", "GET k", "EXEC", "MULTI", "PING", "ECHO a", "EXEC", "MULTI", "MONITOR", "EXEC"},
    {"SUBSCRIBE c d", "UNSUBSCRIBE c d", "SUBSCRIBE c", "PING a", "MONITOR", "RESET"},
    {"RESET", "PING", "GET k", "MONITOR", "PING"},
    {"WAIT 1 10", "CLIENT GETNAME", "CLIENT SETNAME me", "CLIENT GETNAME"},
    {"CLIENT REPLY SKIP", "PING", "PING", "CLIENT REPLY OFF", "PING", "CLIENT REPLY ON", "PING"},
    {"CLIENT PAUSE 300", "PING", "CLIENT UNPAUSE"},
};

TEST_F(Monitored, LinesAreThoseOfARealServer) {
  for (const Lines& lines : requests) EXPECT_EQ(watch(ours, lines), watch(*real, lines));
}

TEST_F(Monitored, AMonitorThatAsksIsAnsweredAsByARealServer) {
  for (const Lines& lines : requests_of_monitors)
    EXPECT_EQ(watch_itself(ours, lines), watch_itself(*real, lines));
}

TEST_F(Monitored, ClientReplyChoosesWhatIsSentAsOnARealServer) {
  const std::vector<Lines> table{
      {"CLIENT REPLY SKIP", "CLIENT REPLY SKIP", "ECHO a", "ECHO b"},
      {"CLIENT REPLY OFF", "CLIENT REPLY SKIP", "ECHO a", "ECHO b", "CLIENT REPLY ON"},
      {"CLIENT REPLY OFF", "RESET", "ECHO b"},
      {"CLIENT REPLY SKIP", "CLIENT REPLY ON", "ECHO b"},
      {"CLIENT REPLY SKIP", "SUBSCRIBE a b", "PING", "PING"},
      {"CLIENT REPLY OFF", "SUBSCRIBE a", "PING", "UNSUBSCRIBE", "PING"},
      {"CLIENT REPLY SKIP", "NOSUCH", "ECHO b"},
      {"CLIENT REPLY SKIP", "WAIT 1 20", "ECHO b"},
      {"CLIENT REPLY SKIP", "CLIENT REPLY FOO", "ECHO b"},
  };
  for (const Lines& lines : table) EXPECT_EQ(watch(ours, lines), watch(*real, lines));
}

TEST(ServedMonitor, AClientOnTcpIsNamedByItsAddress) {
  const TestServer server = TestServer::ours();
  RawClient watching(server.path()), asking(server.port());
  EXPECT_EQ(watching.ask("MONITOR\r\n", 5), "+OK\r\n");
  asking.ask("PING\r\n", 7);
  const std::string line = watching.receive_up_to("\"PING\"\r\n");
  EXPECT_TRUE(std::regex_match(
      line, std::regex("\\+[0-9]{10}\\.[0-9]{6} \\[0 127\\.0\\.0\\.1:[0-9]+\\] \"PING\"\r\n")))
      << line;
}

TEST(ServedMonitor, TimeIsTheClockOfTheServer) {
  const TestServer server = TestServer::ours({.time = ServedNode::Time::by_debug, .epoch_ms = 1'000'042});
  RawClient watching(server.path()), asking(server.path());
  EXPECT_EQ(watching.ask("MONITOR\r\n", 5), "+OK\r\n");
  asking.ask("PING\r\n", 7);
  EXPECT_EQ(watching.receive_up_to("\r\n"), "+1000.042000 [0 unix:" + server.path() + "] \"PING\"\r\n");
}

TEST(ServedMonitor, ManyMonitorsHearEveryCommandOfManyClientsInOneOrder) {
  const TestServer server = TestServer::ours();
  std::vector<RawClient> watching, asking;
  for (int i = 0; i < 20; ++i) {
    watching.emplace_back(server.path());
    watching.back().ask("MONITOR\r\n", 5);
    asking.emplace_back(server.path());
  }
  for (int round = 0; round < 50; ++round)
    for (RawClient& each : asking) each.send("INCR n\r\n");
  for (RawClient& each : asking) each.receive_up_to("\r\n");
  RawClient last(server.path());
  last.ask("ECHO the-end\r\n", 13);
  const std::string first = watching.front().receive_up_to("\"the-end\"\r\n");
  EXPECT_GE(std::count(first.begin(), first.end(), '\n'), 21);
  for (std::size_t i = 1; i < watching.size(); ++i)
    EXPECT_EQ(watching[i].receive_up_to("\"the-end\"\r\n"), first) << i;
}

/// So much output must wait that no socket takes it.
const std::string large_word(1'000'000, 'w');

TEST(ServedMonitor, OneThatDoesNotReadIsDisconnectedIfALimitForNormalClientsIsSet) {
  const TestServer server = TestServer::ours();
  RawClient lazy(server.path()), asking(server.path());
  EXPECT_EQ(asking.ask("CONFIG SET client-output-buffer-limit 'normal 4mb 0 0'\r\n", 5), "+OK\r\n");
  lazy.ask("MONITOR\r\n", 5);
  for (int i = 0; i < 10; ++i) {
    asking.send("*2\r\n$4\r\nECHO\r\n$1000000\r\n" + large_word + "\r\n");
    EXPECT_EQ(asking.receive(large_word.size() + 12).size(), large_word.size() + 12);
  }
  const std::string heard = lazy.receive_all();
  EXPECT_LT(heard.size(), 5'000'000U);
  EXPECT_EQ(asking.ask("PING\r\n", 7), "+PONG\r\n") << "nobody else is held up";
}

TEST(ServedMonitor, OneThatDoesNotReadWaitsForAllOfItIfNoLimitIsSet) {
  const TestServer server = TestServer::ours();
  RawClient slow(server.path()), asking(server.path());
  slow.ask("MONITOR\r\n", 5);
  for (int i = 0; i < 40; ++i) {
    asking.send("*2\r\n$4\r\nECHO\r\n$1000000\r\n" + large_word + "\r\n");
    asking.receive(large_word.size() + 12);
  }
  const std::string heard = slow.receive(40'000'000);
  EXPECT_EQ(heard.size(), 40'000'000U);
}

}  // namespace
}  // namespace lockstep::tools::serve
