// The server and many clients: order, pushes, limits and ends.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <vector>

#include "model/redis/resp/resp.h"
#include "tools/serve/test_server.h"

namespace lockstep::tools::serve {
namespace {

using testing::ask;
using testing::RawClient;
using testing::TestServer;

std::string command(const model::Command& words) {
  std::string bytes;
  redis::encode(words, bytes);
  return bytes;
}

std::string bulk(const std::string& text) {
  return "$" + std::to_string(text.size()) + "\r\n" + text + "\r\n";
}

const std::string subscribed = "*3\r\n$9\r\nsubscribe\r\n$4\r\nnews\r\n:1\r\n";

TEST(Server, APipelineIsAnsweredInItsOrder) {
  const TestServer server = TestServer::ours();
  RawClient client(server.path());
  std::string requests, replies;
  for (int i = 1; i <= 10'000; ++i) {
    requests += command({"INCR", "n"}) + command({"ECHO", "after " + std::to_string(i)});
    replies += ":" + std::to_string(i) + "\r\n" + bulk("after " + std::to_string(i));
  }
  EXPECT_EQ(client.ask(requests, replies.size()), replies);
}

TEST(Server, ACommandMayArriveByteByByte) {
  const TestServer server = TestServer::ours();
  RawClient client(server.port());
  const std::string bytes = command({"ECHO", "a\r\nb"});
  for (const char byte : bytes) client.send({&byte, 1});
  EXPECT_EQ(client.receive(10), "$4\r\na\r\nb\r\n");
}

TEST(Server, AWordOfManyMegabytesComesBackWhole) {
  const TestServer server = TestServer::ours();
  RawClient client(server.port());
  const std::string word(20'000'000, 'w');
  EXPECT_EQ(client.ask(command({"SET", "k", word}), 5), "+OK\r\n");
  EXPECT_TRUE(client.ask(command({"GET", "k"}), word.size() + 13) == bulk(word));
}

TEST(Server, MessagesReachSubscribersOfOtherConnectionsInTheirOrder) {
  const TestServer server = TestServer::ours();
  RawClient by_name(server.path()), by_pattern(server.port()), publisher(server.path());
  EXPECT_EQ(by_name.ask("SUBSCRIBE news\r\n", subscribed.size()), subscribed);
  by_pattern.ask("PSUBSCRIBE n*\r\n", 33);
  EXPECT_EQ(publisher.ask("PUBLISH news one\r\nPUBLISH news two\r\n", 8), ":2\r\n:2\r\n");
  std::string expected, expected_by_pattern;
  for (const char* text : {"one", "two"}) {
    expected += command({"message", "news", text});
    expected_by_pattern += command({"pmessage", "n*", "news", text});
  }
  EXPECT_EQ(by_name.receive(expected.size()), expected);
  EXPECT_EQ(by_pattern.receive(expected_by_pattern.size()), expected_by_pattern);
}

TEST(Server, ASubscriptionEndsWithItsConnection) {
  const TestServer server = TestServer::ours();
  RawClient publisher(server.path());
  {
    RawClient leaver(server.path());
    leaver.ask("SUBSCRIBE news\r\n", subscribed.size());
    EXPECT_EQ(ask(publisher, "PUBLISH news one"), ":1");
    EXPECT_EQ(leaver.ask("QUIT\r\n", std::string::npos), command({"message", "news", "one"}) + "+OK\r\n");
  }
  RawClient newcomer(server.path());  // it gets the number of the one that left
  EXPECT_EQ(ask(newcomer, "PUBLISH news two"), ":0");
}

TEST(Server, TheFirstClientIsTheThirdBecauseScriptsAndFunctionsAreClientsToo) {
  const TestServer server = TestServer::ours();
  RawClient first(server.path()), second(server.path());
  EXPECT_EQ(ask(first, "CLIENT ID"), ":3");
  EXPECT_EQ(ask(second, "CLIENT ID"), ":4");
}

TEST(Server, TheConfigurationKnowsWhereItListens) {
  const TestServer server = TestServer::ours({.clients_max = 7});
  RawClient client(server.path());
  const auto value_of = [&](const std::string& name, std::size_t size) {
    const std::string expected = "*2\r\n" + bulk(name);
    return client.ask("CONFIG GET " + name + "\r\n", expected.size() + size).substr(expected.size());
  };
  const std::string port = bulk(std::to_string(server.port()));
  EXPECT_EQ(value_of("port", port.size()), port);
  EXPECT_EQ(value_of("unixsocket", bulk(server.path()).size()), bulk(server.path()));
  EXPECT_EQ(value_of("maxclients", 7), bulk("7"));
}

TEST(Server, MaxclientsHoldsFromTheNextClientOn) {
  const TestServer server = TestServer::ours();
  RawClient first(server.path()), second(server.path());
  EXPECT_EQ(ask(first, "CONFIG SET maxclients 2"), "+OK");
  EXPECT_EQ(RawClient(server.path()).receive_all(), "-ERR max number of clients reached\r\n");
  EXPECT_EQ(ask(second, "CONFIG SET maxclients 3"), "+OK");
  RawClient third(server.path());
  EXPECT_EQ(ask(third, "PING"), "+PONG");
}

TEST(Server, WhoIsIdleForLongerThanTimeoutIsDisconnectedUnlessItListens) {
  const TestServer server = TestServer::ours({.time = ServedNode::Time::by_debug});
  RawClient idle(server.path()), subscriber(server.path()), monitor(server.path()), busy(server.path());
  EXPECT_EQ(ask(idle, "PING"), "+PONG");
  subscriber.ask("SUBSCRIBE news\r\n", subscribed.size());
  monitor.ask("MONITOR\r\n", 5);
  EXPECT_EQ(ask(busy, "CONFIG SET timeout 10"), "+OK");
  EXPECT_EQ(ask(busy, "DEBUG CLOCK ADVANCE 11000"), "+OK");
  EXPECT_EQ(idle.receive_all(), "");
  EXPECT_EQ(ask(busy, "PUBLISH news x"), ":1");
  EXPECT_NE(ask(monitor, "PING"), "(closed)");
}

TEST(Server, AThousandClientsAreServedAtATime) {
  const TestServer server = TestServer::ours();
  rlimit files{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &files), 0);
  files.rlim_cur = files.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &files);
  if (files.rlim_cur < 1'100) GTEST_SKIP() << "a process may open only " << files.rlim_cur << " files here";
  std::vector<RawClient> clients;
  for (int i = 0; i < 500; ++i) {
    clients.emplace_back(server.path());
    clients.emplace_back(server.port());
  }
  for (RawClient& each : clients) each.send("INCR n\r\n");
  std::vector<bool> seen(1'001);
  for (RawClient& each : clients) {
    const std::string reply = ask(each, "");
    ASSERT_EQ(reply.front(), ':');
    seen[std::stoul(reply.substr(1))] = true;
  }
  EXPECT_EQ(std::count(seen.begin(), seen.end(), true), 1'000);
}

TEST(Server, OneClientTooManyIsToldSoAndTheNextGetsItsPlace) {
  const TestServer server = TestServer::ours({.clients_max = 2});
  std::optional<RawClient> first(server.path());
  RawClient second(server.path());
  EXPECT_EQ(ask(*first, "PING"), "+PONG");
  EXPECT_EQ(ask(second, "PING"), "+PONG");
  EXPECT_EQ(RawClient(server.port()).receive_all(), "-ERR max number of clients reached\r\n");
  EXPECT_EQ(ask(*first, "QUIT"), "+OK");
  EXPECT_EQ(first->receive_all(), "");
  RawClient third(server.path());
  EXPECT_EQ(ask(third, "PING"), "+PONG");
}

TEST(Server, ASubscriberThatDoesNotReadIsDisconnectedAndHoldsNobodyUp) {
  const TestServer server = TestServer::ours();
  RawClient lazy(server.path()), publisher(server.path());
  lazy.ask("SUBSCRIBE news\r\n", subscribed.size());
  const std::string message = command({"PUBLISH", "news", std::string(1'000'000, 'm')});
  int received = 0;
  for (int i = 0; i < 40; ++i) received += publisher.ask(message, 4) == ":1\r\n" ? 1 : 0;
  EXPECT_GE(received, 32) << "as much as may wait";
  EXPECT_LT(received, 36) << "and what the socket took, and then it is gone";
  EXPECT_LT(lazy.receive_all().size(), 4'000'000u);
}

TEST(Server, ASlowReaderGetsAllRepliesInTheEnd) {
  const TestServer server = TestServer::ours();
  RawClient slow(server.path()), other(server.path());
  const std::string word(1'000'000, 'w');
  EXPECT_EQ(slow.ask(command({"SET", "k", word}), 5), "+OK\r\n");
  for (int i = 0; i < 50; ++i) slow.send("GET k\r\n");
  EXPECT_EQ(ask(other, "PING"), "+PONG") << "others go on";
  const std::string reply = bulk(word);
  for (int i = 0; i < 50; ++i) ASSERT_TRUE(slow.receive(reply.size()) == reply) << i;
}

TEST(Server, RepliesAreWrittenBeforeAProtocolErrorEndsTheConnection) {
  const TestServer server = TestServer::ours();
  RawClient client(server.port());
  const std::string word(1'000'000, 'w');
  client.ask(command({"SET", "k", word}), 5);
  client.send("GET k\r\nGET k\r\n*x\r\n");
  EXPECT_TRUE(client.receive_all() ==
              bulk(word) + bulk(word) + "-ERR Protocol error: invalid multibulk length\r\n");
}

TEST(Server, ASignalEndsItAndItsSocketIsRemoved) {
  for (const int signal : {SIGINT, SIGTERM}) {
    TestServer server = TestServer::ours();
    RawClient client(server.path());
    EXPECT_EQ(ask(client, "PING"), "+PONG");
    EXPECT_EQ(server.end_with(signal), 0);
    struct stat there {};
    EXPECT_NE(::lstat(server.path().c_str(), &there), 0);
  }
}

TEST(Server, ASignalEndsItAmidWork) {
  TestServer server = TestServer::ours();
  std::vector<RawClient> clients;
  std::string many;
  for (int i = 0; i < 5'000; ++i) many += "SET key:" + std::to_string(i) + " value\r\nLRANGE l 0 -1\r\n";
  for (int i = 0; i < 20; ++i) clients.emplace_back(server.path());
  for (RawClient& each : clients) each.send(many);  // and reads nothing
  EXPECT_EQ(server.end_with(SIGTERM), 0);
}

TEST(Server, ABrokenPipeDoesNotEndIt) {
  const TestServer server = TestServer::ours();
  RawClient client(server.path());
  EXPECT_EQ(ask(client, "PING"), "+PONG");
  server.signal(SIGPIPE);
  EXPECT_EQ(ask(client, "PING"), "+PONG");
}

TEST(Server, WhatWasAskedBeforeTheClientStoppedSendingIsAnswered) {
  const TestServer server = TestServer::ours();
  RawClient client(server.port());
  client.send("PING\r\nECHO a\r\nSET unfinished");
  client.end();
  EXPECT_EQ(client.receive_all(), "+PONG\r\n$1\r\na\r\n");
}

TEST(Server, ClientsThatBreakOffAmidTheirRepliesDoNoHarm) {
  const TestServer server = TestServer::ours();
  RawClient other(server.port());
  EXPECT_EQ(other.ask(command({"SET", "k", std::string(1'000'000, 'v')}), 5), "+OK\r\n");
  for (int i = 0; i < 50; ++i) {
    RawClient client(server.port());
    client.send("SUBSCRIBE news\r\nQUIT\r\n");
    RawClient greedy(server.port());
    greedy.send("GET k\r\nGET k\r\nGET k\r\n");
  }
  std::string receivers;
  for (int tries = 0; tries < 500 && receivers != ":0"; ++tries) {
    ::usleep(10'000);  // the last of them are perhaps not read yet
    receivers = ask(other, "PUBLISH news m");
  }
  EXPECT_EQ(receivers, ":0");
}

TEST(Server, AWordThatIsOnlyAnnouncedTakesNoMemory) {
  const TestServer server = TestServer::ours();
  std::vector<RawClient> clients;
  for (int i = 0; i < 200; ++i) {
    clients.emplace_back(server.path());
    clients.back().send("*1000000\r\n$4\r\nECHO\r\n$536870912\r\nabc");
  }
  RawClient other(server.path());
  EXPECT_EQ(ask(other, "PING"), "+PONG");
  std::ifstream status("/proc/" + std::to_string(server.process()) + "/status");
  std::string line;
  while (std::getline(status, line) && !line.starts_with("VmHWM:")) {}
  ASSERT_TRUE(line.starts_with("VmHWM:")) << "the most memory that it had, in KiB";
  EXPECT_LT(std::stol(line.substr(6)), 2'000'000);
}

TEST(Server, AnAddressInUseIsAProblemThatNamesIt) {
  const TestServer server = TestServer::ours();
  Server second({.port = server.port(), .bind = {"127.0.0.1"}});
  const auto addresses = second.listen();
  ASSERT_FALSE(addresses.ok());
  EXPECT_EQ(addresses.problem().text,
            "127.0.0.1:" + std::to_string(server.port()) + ": Address already in use");
}

TEST(Server, AFileThatIsNoSocketIsNotReplacedByOne) {
  const TestServer server = TestServer::ours();
  const std::string path = server.directory() + "/file";
  std::ofstream(path) << "precious";
  Server second({.unix_path = path});
  EXPECT_EQ(second.listen().problem().text, path + ": exists and is no socket");
}

TEST(Server, ASocketThatIsServedIsNotTakenAway) {
  const TestServer server = TestServer::ours();
  Server second({.unix_path = server.path()});
  EXPECT_EQ(second.listen().problem().text, server.path() + ": Address already in use");
  RawClient client(server.path());
  EXPECT_EQ(ask(client, "PING"), "+PONG");
}

TEST(Server, ASocketThatWasLeftBehindIsReplaced) {
  TestServer killed = TestServer::ours();
  EXPECT_EQ(killed.end_with(SIGKILL), 128 + SIGKILL);
  struct stat there {};
  EXPECT_EQ(::lstat(killed.path().c_str(), &there), 0);
  Server second({.unix_path = killed.path()});
  EXPECT_TRUE(second.listen().ok());
}

TEST(ClientCommands, ReplyOffAndSkipAreObeyed) {
  const TestServer server = TestServer::ours();
  RawClient client(server.path());
  EXPECT_EQ(client.ask("CLIENT REPLY OFF\r\nPING\r\nSET k v\r\nCLIENT REPLY ON\r\nGET k\r\n", 12),
            "+OK\r\n$1\r\nv\r\n");
  EXPECT_EQ(client.ask("CLIENT REPLY SKIP\r\nPING\r\nECHO a\r\nECHO b\r\n", 14), "$1\r\na\r\n$1\r\nb\r\n");
}

TEST(ClientCommands, AWaitForReplicasThatDoNotExistEndsWithNoneOfThem) {
  const TestServer server = TestServer::ours();
  RawClient client(server.path());
  EXPECT_EQ(client.ask("SET k v\r\nWAIT 1 50\r\nECHO a\r\n", 16), "+OK\r\n:0\r\n$1\r\na\r\n");
}

TEST(ClientCommands, ListNamesBothEndsOfEveryConnectionAndKillEndsOne) {
  const TestServer server = TestServer::ours();
  RawClient client(server.port()), other(server.port());
  EXPECT_EQ(ask(other, "CLIENT SETNAME other"), "+OK");
  EXPECT_EQ(ask(client, "CLIENT ID"), ":3");
  const std::string size = ask(client, "CLIENT LIST").substr(1);
  const std::string list = client.receive(std::stoul(size) + 2);
  EXPECT_NE(list.find("id=4 addr=127.0.0.1:"), std::string::npos) << list;
  EXPECT_NE(list.find(" laddr=127.0.0.1:" + std::to_string(server.port()) + " "), std::string::npos) << list;
  EXPECT_NE(list.find(" name=other "), std::string::npos) << list;
  EXPECT_EQ(ask(client, "CLIENT KILL ID 4"), ":1");
  EXPECT_EQ(other.receive_all(), "");
}

}  // namespace
}  // namespace lockstep::tools::serve
