// Memory: no client can end the server by asking for more than there is.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include "model/redis/resp/resp.h"
#include "tools/serve/test_server.h"

namespace lockstep::tools::serve {
namespace {

using testing::ask;
using testing::RawClient;
using testing::TestServer;

#ifndef __SANITIZE_ADDRESS__
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
#endif

}  // namespace
}  // namespace lockstep::tools::serve
