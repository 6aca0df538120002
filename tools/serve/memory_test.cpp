// Memory: no client can end the server by asking for more than there is.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <fstream>

#include "model/redis/resp/resp.h"
#include "sim/testing/sanitizers.h"
#include "tools/serve/test_server.h"

namespace lockstep::tools::serve {
namespace {

using testing::ask;
using testing::RawClient;
using testing::TestServer;

class ServedMemory : public ::testing::Test {
 protected:
  void SetUp() override {
    if (sim::testing::address_sanitizer) GTEST_SKIP() << "a sanitizer keeps memory of its own";
  }
};

/// The server may have this much more than it has.
void limit_memory(const TestServer& server, rlim_t bytes) {
  const rlimit limit{bytes, bytes};
  ASSERT_EQ(::prlimit(server.process(), RLIMIT_AS, &limit, nullptr), 0);
}

TEST_F(ServedMemory, WhoAsksForMoreThanThereIsIsToldSoOrDisconnectedAndOthersAreServed) {
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

TEST_F(ServedMemory, ARequestForWhichThereIsNoMemoryEndsItsConnectionOnly) {
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

TEST_F(ServedMemory, AValueThatIsGoneGivesItsMemoryBack) {
  const TestServer server = TestServer::ours();
  RawClient client(server.path());
  client.send("*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$400000000\r\n" + std::string(400'000'000, 'v') + "\r\n");
  EXPECT_EQ(client.receive(5), "+OK\r\n");
  EXPECT_GT(resident(server), 380);
  EXPECT_LT(resident(server), 600) << "the request does not keep a copy";
  EXPECT_EQ(ask(client, "DEL k"), ":1");
  EXPECT_LT(resident(server), 60);
}

TEST_F(ServedMemory, ManySmallValuesThatAreGoneGiveTheirMemoryBack) {
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
