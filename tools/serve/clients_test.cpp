// The clients that people use, unchanged, against the server: redis-cli, hiredis, redis-py, ioredis,
// node-redis.
#include <gtest/gtest.h>
#include <hiredis/hiredis.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "tools/serve/test_server.h"
#include "tools/testing/test_process.h"

namespace lockstep::tools::serve {
namespace {

using testing::TestServer;

Finished shell(const std::string& line) { return run_program("/bin/sh", {"-c", line}); }

bool has(const std::string& program) { return shell("command -v " + program).status == 0; }

class RedisCli : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!has("redis-cli")) GTEST_SKIP() << "redis-cli is not installed (Debian package redis-tools)";
  }
  std::string cli(const std::string& words) const {
    const Finished it = shell("redis-cli -s " + server.path() + " " + words);
    return it.out + it.err;
  }
  TestServer server = TestServer::ours();
};

TEST_F(RedisCli, RunsCommandsAndShowsTheirReplies) {
  EXPECT_EQ(cli("PING"), "PONG\n");
  EXPECT_EQ(cli("SET greeting 'hello world'"), "OK\n");
  EXPECT_EQ(cli("--no-raw GET greeting"), "\"hello world\"\n");
  EXPECT_EQ(cli("--no-raw LPUSH greeting x"),
            "(error) WRONGTYPE Operation against a key holding the wrong kind of value\n");
  EXPECT_EQ(cli("-r 3 INCR n"), "1\n2\n3\n");
  EXPECT_EQ(shell("redis-cli -p " + std::to_string(server.port()) + " GET n").out, "3\n");
}

TEST_F(RedisCli, RunsScriptsFromFiles) {
  std::ofstream(server.directory() + "/script.lua")
      << "return {KEYS[1], ARGV[1], redis.call('incr', KEYS[1])}";
  EXPECT_EQ(cli("--eval " + server.directory() + "/script.lua counter , arg"), "counter\narg\n1\n");
}

TEST_F(RedisCli, InsertsManyCommandsThroughAPipe) {
  std::ofstream file(server.directory() + "/commands");
  for (int i = 0; i < 20'000; ++i) file << "SET key:" << i << " " << i << "\r\n";
  file.close();
  const std::string said = cli("--pipe < " + server.directory() + "/commands");
  EXPECT_NE(said.find("errors: 0, replies: 20000"), std::string::npos) << said;
  EXPECT_EQ(cli("DBSIZE"), "20000\n");
}

TEST_F(RedisCli, MonitorsUntilItIsEnded) {
  const std::string heard = server.directory() + "/heard";
  const auto wait_for = [&](const std::string& text) {
    return "until grep -q " + text + " " + heard + "; do sleep 0.05; done; ";
  };
  const std::string cli = "redis-cli -s " + server.path();
  const Finished it =
      shell("timeout 60 " + cli + " monitor > " + heard + " & monitor=$!; " + wait_for("OK") + cli +
            " set k 'a b' > /dev/null; " + wait_for("set") + "kill $monitor; cut -d ' ' -f 2- " + heard);
  EXPECT_EQ(it.out, "OK\n[0 unix:" + server.path() + "] \"set\" \"k\" \"a b\"\n") << it.err;
}

/// One connection of hiredis.
class Hiredis {
 public:
  explicit Hiredis(const TestServer& server) : context_(redisConnect("127.0.0.1", server.port())) {}
  ~Hiredis() { redisFree(context_); }
  Hiredis(const Hiredis&) = delete;
  Hiredis& operator=(const Hiredis&) = delete;

  redisContext* get() { return context_; }
  /// The next reply: its kind, its number or length, and its text.
  std::string next() {
    void* raw = nullptr;
    if (redisGetReply(context_, &raw) != REDIS_OK) return context_->errstr;
    std::string text = shown(*static_cast<redisReply*>(raw));
    freeReplyObject(raw);
    return text;
  }

 private:
  static std::string shown(const redisReply& reply) {
    if (reply.type == REDIS_REPLY_INTEGER) return std::to_string(reply.integer);
    if (reply.type == REDIS_REPLY_NIL) return "nil";
    if (reply.type != REDIS_REPLY_ARRAY) return std::string(reply.str, reply.len);
    std::string text = "[";
    for (std::size_t i = 0; i < reply.elements; ++i) text += (i > 0 ? " " : "") + shown(*reply.element[i]);
    return text + "]";
  }

  redisContext* context_;
};

TEST(HiredisClient, PipelinesArgumentsOfAnyBytes) {
  const TestServer server = TestServer::ours();
  Hiredis client(server);
  const std::string bytes("a\0\r\n\xff", 5);
  redisAppendCommand(client.get(), "SET %b %b", "k\0", std::size_t{2}, bytes.data(), bytes.size());
  redisAppendCommand(client.get(), "GET %b", "k\0", std::size_t{2});
  redisAppendCommand(client.get(), "GET missing");
  redisAppendCommand(client.get(), "MGET %b missing", "k\0", std::size_t{2});
  redisAppendCommand(client.get(), "NOSUCH x");
  EXPECT_EQ(client.next(), "OK");
  EXPECT_EQ(client.next(), bytes);
  EXPECT_EQ(client.next(), "nil");
  EXPECT_EQ(client.next(), "[" + bytes + " nil]");
  EXPECT_EQ(client.next(), "ERR unknown command 'NOSUCH', with args beginning with: 'x' ");
}

TEST(HiredisClient, HearsMessages) {
  const TestServer server = TestServer::ours();
  Hiredis subscriber(server), publisher(server);
  redisAppendCommand(subscriber.get(), "SUBSCRIBE a b");
  EXPECT_EQ(subscriber.next(), "[subscribe a 1]");
  EXPECT_EQ(subscriber.next(), "[subscribe b 2]");
  redisAppendCommand(publisher.get(), "PUBLISH b hello");
  EXPECT_EQ(publisher.next(), "1");
  EXPECT_EQ(subscriber.next(), "[message b hello]");
}

/// Debian's Python, which sees the package python3-redis.
constexpr const char* python = "/usr/bin/python3";

class RedisPy : public ::testing::TestWithParam<const char*> {};

TEST_P(RedisPy, FindsWhatItExpects) {
  if (shell(std::string(python) + " -c 'import redis'").status != 0)
    GTEST_SKIP() << "redis-py is not installed (Debian package python3-redis)";
  const TestServer server = TestServer::ours();
  const Finished it = run_program(
      "/usr/bin/timeout", {"60", python, "tools/serve/clients/redis_py.py", server.path(), GetParam()});
  EXPECT_EQ(it.status, 0) << it.err;
  EXPECT_EQ(it.out, "ok\n");
}

INSTANTIATE_TEST_SUITE_P(Parts, RedisPy,
                         ::testing::Values("commands", "pipelines", "locks", "lock_class", "scripts",
                                           "messages", "threads_that_listen", "monitors", "transactions",
                                           "scans"),
                         [](const auto& part) { return std::string(part.param); });

/// Installs what the package-lock.json of a client names into the build directory, unless it is there. What
/// went wrong, or "".
std::string install(const std::string& client, const std::string& package,
                    const std::filesystem::path& into) {
  if (!has("npm") || !has("node")) return "there is no node and npm on this machine";
  if (std::filesystem::exists(into / "node_modules" / package / "package.json")) return "";
  std::filesystem::create_directories(into);
  for (const char* name : {"package.json", "package-lock.json"}) {
    std::filesystem::copy_file(std::filesystem::path("tools/serve/clients") / client / name, into / name,
                               std::filesystem::copy_options::overwrite_existing);
  }
  const Finished it = shell("cd '" + into.string() +
                            "' && timeout 120 npm ci --no-audit --no-fund --ignore-scripts --fetch-retries=1 "
                            "--fetch-timeout=20000");
  return it.status == 0 ? "" : "npm could not install " + package + ":\n" + it.err;
}

/// A client on node: its folder, and the package that it is.
struct NodeClient {
  const char* folder;
  const char* package;
};

class OnNode : public ::testing::TestWithParam<NodeClient> {};

TEST_P(OnNode, FindsWhatItExpects) {
  const auto [folder, package] = GetParam();
  const std::filesystem::path modules = std::filesystem::path(LOCKSTEP_NODE_DIRECTORY) / folder;
  const std::string missing = install(folder, package, modules);
  if (!missing.empty()) GTEST_SKIP() << missing;
  const TestServer server = TestServer::ours();
  const Finished it = run_program(
      "/usr/bin/env",
      {"NODE_PATH=" + (modules / "node_modules").string(), "timeout", "60", "node",
       "tools/serve/clients/" + std::string(folder) + "/client.js", std::to_string(server.port())});
  EXPECT_EQ(it.status, 0) << it.err;
  EXPECT_EQ(it.out, "ok\n");
}

INSTANTIATE_TEST_SUITE_P(Clients, OnNode,
                         ::testing::Values(NodeClient{"ioredis", "ioredis"},
                                           NodeClient{"node-redis", "redis"}),
                         [](const auto& client) { return std::string(client.param.package); });

}  // namespace
}  // namespace lockstep::tools::serve
