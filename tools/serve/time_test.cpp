// The two kinds of time of a server: the machine's, and the one that only DEBUG moves.
#include <gtest/gtest.h>
#include <unistd.h>

#include <limits>
#include <vector>

#include "tools/serve/pause.h"
#include "tools/serve/test_server.h"
#include "tools/serve/waiting_clients.h"

namespace lockstep::tools::serve {
namespace {

using testing::ask;
using testing::RawClient;
using testing::TestServer;

TEST(RealTime, AKeyDiesByTheMachinesClock) {
  const TestServer server = TestServer::ours();
  RawClient client(server.path());
  EXPECT_EQ(ask(client, "SET k v PX 300"), "+OK");
  EXPECT_EQ(ask(client, "EXISTS k"), ":1");
  for (int i = 0; i < 500 && ask(client, "EXISTS k") == ":1"; ++i) ::usleep(10'000);
  EXPECT_EQ(ask(client, "EXISTS k"), ":0");
}

TEST(RealTime, ADeadKeyGoesWithoutBeingAskedForUnlessThatIsSwitchedOff) {
  const TestServer server = TestServer::ours();
  RawClient client(server.path());
  EXPECT_EQ(ask(client, "DEBUG SET-ACTIVE-EXPIRE 0"), "+OK");
  EXPECT_EQ(ask(client, "SET k v PX 1"), "+OK");
  ::usleep(400'000);
  EXPECT_EQ(ask(client, "DBSIZE"), ":1") << "nobody looked it up";
  EXPECT_EQ(ask(client, "DEBUG SET-ACTIVE-EXPIRE 1"), "+OK");
  for (int i = 0; i < 500 && ask(client, "DBSIZE") == ":1"; ++i) ::usleep(10'000);
  EXPECT_EQ(ask(client, "DBSIZE"), ":0");
}

Settings virtual_time() { return {.time = ServedNode::Time::by_debug, .epoch_ms = 1'000'000}; }

TEST(VirtualTime, TheClockStandsUntilItIsMoved) {
  const TestServer server = TestServer::ours(virtual_time());
  RawClient client(server.path());
  EXPECT_EQ(ask(client, "DEBUG CLOCK"), ":1000000");
  EXPECT_EQ(ask(client, "SET k v PX 100"), "+OK");
  ::usleep(150'000);
  EXPECT_EQ(ask(client, "PTTL k"), ":100");
  EXPECT_EQ(ask(client, "DEBUG CLOCK ADVANCE 100"), "+OK");
  EXPECT_EQ(ask(client, "EXISTS k"), ":1") << "alive at its deadline";
  EXPECT_EQ(ask(client, "DEBUG CLOCK SET 1000101"), "+OK");
  EXPECT_EQ(ask(client, "DBSIZE"), ":0") << "dead one millisecond later, and gone";
  EXPECT_EQ(client.ask("TIME\r\n", 26), "*2\r\n$4\r\n1000\r\n$6\r\n101000\r\n");
}

TEST(VirtualTime, WithoutActiveExpiryADeadKeyStaysUntilItIsLookedUp) {
  const TestServer server = TestServer::ours(virtual_time());
  RawClient client(server.path());
  EXPECT_EQ(ask(client, "DEBUG SET-ACTIVE-EXPIRE 0"), "+OK");
  EXPECT_EQ(ask(client, "SET k v PX 100"), "+OK");
  EXPECT_EQ(ask(client, "DEBUG CLOCK ADVANCE 101"), "+OK");
  EXPECT_EQ(ask(client, "DBSIZE"), ":1");
  EXPECT_EQ(ask(client, "EXISTS k"), ":0");
  EXPECT_EQ(ask(client, "DBSIZE"), ":0");
}

TEST(VirtualTime, APauseHoldsWritesBackUntilTheClockHasPassedIt) {
  const TestServer server = TestServer::ours(virtual_time());
  RawClient writer(server.path()), reader(server.path());
  EXPECT_EQ(ask(reader, "CLIENT PAUSE 100 WRITE"), "+OK");
  writer.send("SET k v\r\nGET k\r\n");
  ::usleep(300'000);
  EXPECT_EQ(ask(reader, "GET k"), "$-1") << "reads are served, and the write waits";
  EXPECT_EQ(ask(reader, "DEBUG CLOCK ADVANCE 100"), "+OK");
  EXPECT_EQ(writer.receive(12), "+OK\r\n$1\r\nv\r\n");
}

TEST(VirtualTime, APauseOfAllCommandsLeavesTheClockAlone) {
  const TestServer server = TestServer::ours(virtual_time());
  RawClient client(server.path()), other(server.path());
  EXPECT_EQ(ask(client, "CLIENT PAUSE 100"), "+OK");
  other.send("PING\r\n");
  EXPECT_EQ(ask(client, "DEBUG CLOCK ADVANCE 100"), "+OK") << "or nobody could end the pause";
  EXPECT_EQ(other.receive(7), "+PONG\r\n");
}

TEST(VirtualTime, ASecondPauseMakesTheFirstNeitherShorterNorMilder) {
  const auto asked = [](std::int64_t ms, bool writes_only) {
    return redis::Orders::Pause{sim::Duration(ms), writes_only};
  };
  using enum redis::Paused;
  Pause pause;
  pause.begin(asked(100, false), 0);
  pause.begin(asked(10, true), 50);
  EXPECT_EQ(pause.at(99), all);
  EXPECT_EQ(pause.at(100), nothing);
  pause.begin(asked(100, true), 200);
  EXPECT_EQ(pause.at(250), writes);
  pause.begin(asked(0, false), 260);
  EXPECT_EQ(pause.at(299), all) << "no time at all, but for all commands";
  redis::Orders::Pause end;
  end.ends = true;
  pause.begin(end, 260);
  EXPECT_EQ(pause.at(261), nothing);
}

TEST(VirtualTime, APauseBeyondTheEndOfTimeIsOverAtOnceAsInRedis) {
  Pause pause;
  pause.begin({sim::Duration(std::numeric_limits<std::int64_t>::max())}, 100);
  EXPECT_EQ(pause.at(101), redis::Paused::nothing);
}

TEST(VirtualTime, SleepMovesTheClock) {
  const TestServer server = TestServer::ours(virtual_time());
  RawClient client(server.path());
  EXPECT_EQ(ask(client, "DEBUG SLEEP 3600.5"), "+OK");
  EXPECT_EQ(ask(client, "DEBUG CLOCK"), ":4600500");
  EXPECT_EQ(ask(client, "DEBUG SLEEP 1e300"), "+OK");
  EXPECT_EQ(ask(client, "DEBUG SLEEP nonsense"), "+OK");
}

TEST(VirtualTime, TheClockRefusesWhatItCannotShow) {
  const TestServer server = TestServer::ours(virtual_time());
  RawClient client(server.path());
  EXPECT_EQ(ask(client, "DEBUG CLOCK SET x"), "-ERR value is not an integer or out of range");
  EXPECT_EQ(ask(client, "DEBUG CLOCK SET -1"), "-ERR value is out of range");
  EXPECT_EQ(ask(client, "DEBUG CLOCK ADVANCE -1000001"), "-ERR value is out of range");
  EXPECT_EQ(ask(client, "DEBUG CLOCK ADVANCE 9223372036854775807"), "-ERR value is out of range");
  EXPECT_EQ(ask(client, "DEBUG CLOCK BACK 1"),
            "-ERR unknown subcommand or wrong number of arguments for 'CLOCK'. Try DEBUG HELP.");
  EXPECT_EQ(ask(client, "DEBUG CLOCK"), ":1000000");
  EXPECT_EQ(ask(client, "DEBUG CLOCK ADVANCE -1000000"), "+OK");
  EXPECT_EQ(ask(client, "DEBUG CLOCK"), ":0");
}

TEST(WaitingClients, TheyAreDueInTheirOrderWhenTheirTimeIsOver) {
  const auto client = [](std::size_t number) { return sim::make_id<model::ConnectionId>(number); };
  WaitingClients waiting;
  waiting.add(client(1), 200);
  waiting.add(client(2), 100);
  waiting.add(client(3), 100);
  waiting.add(client(4), std::nullopt);
  waiting.forget(client(3));
  EXPECT_EQ(waiting.take_due(99), std::vector<model::ConnectionId>{});
  EXPECT_EQ(waiting.take_due(200), (std::vector{client(1), client(2)}));
  EXPECT_EQ(waiting.take_due(1'000'000), std::vector<model::ConnectionId>{}) << "the last waits for ever";
}

}  // namespace
}  // namespace lockstep::tools::serve
