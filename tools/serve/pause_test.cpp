// CLIENT PAUSE beside a real redis-server: what is answered, what waits, and what does not die.
#include <gtest/gtest.h>
#include <unistd.h>

#include <vector>

#include "tools/serve/test_server.h"

namespace lockstep::tools::serve {
namespace {

using testing::ask;
using testing::RawClient;
using testing::TestServer;

/// What each line is answered, by a client of its own, during a pause of this kind; "waits" if it is not.
std::vector<std::string> during_pause(const TestServer& server, const std::string& kind,
                                      const std::vector<std::string>& lines) {
  RawClient one(server.path());
  ask(one, "FLUSHALL");
  ask(one, "SET k v");
  std::vector<RawClient> others;
  for (std::size_t i = 0; i < lines.size(); ++i) others.emplace_back(server.path());
  ask(one, "CLIENT PAUSE 700 " + kind);
  for (std::size_t i = 0; i < lines.size(); ++i) others[i].send(lines[i] + "\r\n");
  ::usleep(200'000);
  std::vector<std::string> heard;
  for (RawClient& other : others) {
    std::string bytes;
    other.receive_until_closed(bytes, std::chrono::milliseconds(1));
    heard.push_back(bytes.empty() ? "waits" : bytes);
  }
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (heard[i] == "waits") heard[i] += " " + others[i].receive_up_to("\r\n");
  }
  return heard;
}

class Paused : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!real) GTEST_SKIP() << "there is no redis-server on this machine to compare with";
  }
  std::optional<TestServer> real = TestServer::real();
  TestServer ours = TestServer::ours();
};

TEST_F(Paused, WritesWaitAndWhatReadsOrIsWrongDoesNot) {
  const std::vector<std::string> lines{"GET k",
                                       "SET k 1",
                                       "PUBLISH c m",
                                       "NOSUCH",
                                       "SET k",
                                       "EVAL \"return 1\" 0",
                                       "EVAL_RO \"return 1\" 0",
                                       "EVAL \"#!lua flags=no-writes\\nreturn 2\" 0",
                                       "EVAL \"#!lua\\nreturn 3\" 0",
                                       "EVALSHA ffffffffffffffffffffffffffffffffffffffff 0",
                                       "FCALL nosuch 0",
                                       "HSET",
                                       "MULTI\r\nGET k\r\nEXEC",
                                       "MULTI\r\nSET k 2\r\nPING\r\nEXEC",
                                       "EXEC",
                                       "WATCH k",
                                       "SUBSCRIBE c",
                                       "CLIENT ID x",
                                       "INFO nothing"};
  EXPECT_EQ(during_pause(ours, "WRITE", lines), during_pause(*real, "WRITE", lines));
}

TEST_F(Paused, OfAllCommandsOnlyThoseThatAreWrongAreAnswered) {
  const std::vector<std::string> lines{"GET k", "SET k 1",       "NOSUCH",        "SET k",
                                       "PING",  "CONFIG NOSUCH", "MULTI\r\nGET k"};
  EXPECT_EQ(during_pause(ours, "ALL", lines), during_pause(*real, "ALL", lines));
}

TEST_F(Paused, NothingDies) {
  const auto counted = [](const TestServer& server) {
    RawClient client(server.path());
    std::vector<std::string> counts{ask(client, "FLUSHALL"), ask(client, "CONFIG RESETSTAT"),
                                    ask(client, "SET dying v PX 50"), ask(client, "SET read v PX 50"),
                                    ask(client, "CLIENT PAUSE 600 WRITE")};
    ::usleep(350'000);
    for (const char* const line : {"EXISTS read", "GET read", "DBSIZE"}) counts.push_back(ask(client, line));
    ::usleep(600'000);
    counts.push_back(ask(client, "DBSIZE"));
    return counts;
  };
  EXPECT_EQ(counted(ours), counted(*real));
}

TEST_F(Paused, ASecondPauseHoldsWhatTheFirstHeld) {
  const auto heard = [](const TestServer& server) {
    RawClient first(server.path()), second(server.path()), third(server.path());
    ask(first, "CLIENT PAUSE 200 ALL");
    second.send("CLIENT PAUSE 400 WRITE\r\n");
    ::usleep(50'000);
    third.send("SET k v\r\n");
    ::usleep(300'000);
    std::string bytes;
    third.receive_until_closed(bytes, std::chrono::milliseconds(1));
    return second.receive_up_to("\r\n") + bytes + "|" + third.receive_up_to("\r\n");
  };
  EXPECT_EQ(heard(ours), heard(*real));
}

}  // namespace
}  // namespace lockstep::tools::serve
