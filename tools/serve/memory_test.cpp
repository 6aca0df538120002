// Memory: no client can end the server by asking for more than there is.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <fstream>

#include "model/redis/resp/resp.h"
#include "tools/serve/test_server.h"

// An address sanitizer maps and keeps memory of its own: what a process has then says nothing of the server.
// g++ tells of it by a macro, clang 14 by a feature.
#if defined(__SANITIZE_ADDRESS__)
#define LOCKSTEP_MEMORY_IS_MEASURED 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define LOCKSTEP_MEMORY_IS_MEASURED 0
#endif
#endif
#ifndef LOCKSTEP_MEMORY_IS_MEASURED
#define LOCKSTEP_MEMORY_IS_MEASURED 1
#endif

#if LOCKSTEP_MEMORY_IS_MEASURED
namespace lockstep::tools::serve {
namespace {

using testing::ask;
using testing::RawClient;
using testing::TestServer;

/// The server may have this much more than it has.
void limit_memory(const TestServer& server, rlim_t bytes) {
  const rlimit limit{bytes, bytes};
  ASSERT_EQ(::prlimit(server.process(), RLIMIT_AS, &limit, nullptr), 0);
}

TEST(ServedMemory, WhoAsksForMoreThanThereIsIsToldSoOrDisconnectedAndOthersAreServed) {
  const TestServer server = TestServer::ours();
  limit_memory(server, rlim_t{600} << 20);
  for (const char* const line :
       {"SETRANGE k 536870900 x", "SETBIT k 4294967295 1", "HRANDFIELD h -13000000", "SRANDMEMBER s -9000000",
        "DEBUG POPULATE 9000000 k", "EVAL \"return string.rep('x', 4000000000)\" 0",
        "EVAL \"local t = {} for i = 1, 90000000 do t[i] = i end return t\" 0",
        "BITFIELD k SET u8 4294967280 1"}) {
    RawClient client(server.path());
    ask(client, "HSET h f v");
    ask(client, "SADD s f");
    EXPECT_NE(ask(client, line), "") << line;
    RawClient other(server.path());
    ASSERT_EQ(ask(other, "PING"), "+PONG") << line;
    ask(other, "FLUSHALL");
  }
}

TEST(ServedMemory, ARequestForWhichThereIsNoMemoryEndsItsConnectionOnly) {
  const TestServer server = TestServer::ours();
  limit_memory(server, rlim_t{300} << 20);
  RawClient client(server.path()), other(server.path());
  client.send("*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$500000000\r\n" + std::string(500'000'000, 'v') + "\r\n");
  EXPECT_EQ(client.receive_all(), "");
  EXPECT_EQ(ask(other, "PING"), "+PONG");
}
/// Megabytes that the server has of the machine.
long resident(const TestServer& server) {
  long pages = 0, resident = 0;
  std::ifstream("/proc/" + std::to_string(server.process()) + "/statm") >> pages >> resident;
  return resident * ::sysconf(_SC_PAGESIZE) / 1'000'000;
}

TEST(ServedMemory, AValueThatIsGoneGivesItsMemoryBack) {
  const TestServer server = TestServer::ours();
  RawClient client(server.path());
  client.send("*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$400000000\r\n" + std::string(400'000'000, 'v') + "\r\n");
  EXPECT_EQ(client.receive(5), "+OK\r\n");
  EXPECT_GT(resident(server), 380);
  EXPECT_LT(resident(server), 600) << "the request does not keep a copy";
  EXPECT_EQ(ask(client, "DEL k"), ":1");
  EXPECT_LT(resident(server), 60);
}

TEST(ServedMemory, ManySmallValuesThatAreGoneGiveTheirMemoryBack) {
  const TestServer server = TestServer::ours();
  RawClient client(server.path());
  EXPECT_EQ(ask(client, "DEBUG POPULATE 100000 key 1000"), "+OK");
  EXPECT_EQ(ask(client, "SET last v"), "+OK");
  EXPECT_GT(resident(server), 100);
  EXPECT_EQ(ask(client, "FLUSHALL"), "+OK");
  for (int tries = 0; tries < 100 && resident(server) > 50; ++tries) ::usleep(50'000);
  EXPECT_LT(resident(server), 50);
}

}  // namespace
}  // namespace lockstep::tools::serve
#endif
