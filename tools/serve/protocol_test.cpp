// Hostile bytes, sent to this server and to a real one: what comes back is compared to the byte, and
// whether the server closes the connection.
#include <gtest/gtest.h>

#include <vector>

#include "model/redis/resp/resp.h"
#include "tools/serve/test_server.h"

namespace lockstep::tools::serve {
namespace {

using testing::RawClient;
using testing::TestServer;

struct Heard {
  std::string bytes;
  bool closed = false;
  bool operator==(const Heard&) const = default;
};

std::ostream& operator<<(std::ostream& out, const Heard& heard) {
  return out << ::testing::PrintToString(heard.bytes) << (heard.closed ? ", closed" : ", open");
}

/// A server that has not closed after `wait_max` is taken to wait for more.
Heard hear(const TestServer& server, const std::string& bytes, std::chrono::milliseconds wait_max) {
  RawClient client(server.path());
  client.send(bytes);
  Heard heard;
  heard.closed = client.receive_until_closed(heard.bytes, wait_max);
  return heard;
}

std::string zeros(std::size_t size, char c = '0') { return std::string(size, c); }

using namespace std::string_literals;

const std::vector<std::string> lengths{"*\r\n",
                                       "*x\r\n",
                                       "*+1\r\n",
                                       "*-0\r\n",
                                       "*01\r\n",
                                       "* 1\r\n",
                                       "*1 \r\n",
                                       "*-1\r\nPING\r\n",
                                       "*0\r\nPING\r\n",
                                       "*2147483647\r\n",
                                       "*2147483648\r\n",
                                       "*9223372036854775807\r\n",
                                       "*9223372036854775808\r\n",
                                       "*-9223372036854775808\r\nPING\r\n",
                                       "*1048577\r\n$4\r\nPING\r\n",
                                       "*1\n$4\nPING\n",
                                       "*1\r\n$\r\n",
                                       "*1\r\n$-1\r\n",
                                       "*1\r\n$+4\r\n",
                                       "*1\r\n$04\r\nPING\r\n",
                                       "*1\r\n$536870912\r\n",
                                       "*1\r\n$536870913\r\n",
                                       "*1\r\n$9223372036854775808\r\n",
                                       "*1\r\n$0\r\n\r\n",
                                       "*1\r\n$4\r\nPINGxx*1\r\n$4\r\nPING\r\n",
                                       "*1\rX$4\rXPINGxx",
                                       "*1\r\n$4\rXPINGxxPING\r\n",
                                       "*2\r\n$4\r\nECHO\r\n$3\r\na\r\nXXPING\r\n"};

const std::vector<std::string> wrong_kinds{"*1\r\n:4\r\n",
                                           "*1\r\n*1\r\n$4\r\nPING\r\n",
                                           "*1\r\n\r\n",
                                           "*1\r\n\n\r\n",
                                           "*1\r\nPING\r\n",
                                           "*1\r\n\xff\r\n",
                                           "*1\r\n'\r\n",
                                           "*2\r\n$4\r\nPING\r\nx\r\n",
                                           "PING\r\n*1\r\n$x\r\nPING\r\n",
                                           "*1\r\n\0$4\r\nPING\r\n"s,
                                           "*\0"
                                           "1\r\n$4\r\nPING\r\n"s,
                                           "*1\r\n$\0"
                                           "4\r\nPING\r\n"s,
                                           "$4\r\nPING\r\n",
                                           "+PING\r\n",
                                           ":1\r\n",
                                           "-ERR x\r\n"};

const std::vector<std::string> lines{"\r\n",
                                     "\n",
                                     "\r\n\r\n \t\r\nPING\r\n",
                                     "PING\n",
                                     "PING\r\n",
                                     "PING\rPING\r\n",
                                     "\"PING\"\r\n",
                                     "PI\"NG\"\r\n",
                                     "\"PING\"x\r\n",
                                     "'PING'\"\"\r\n",
                                     "\"\"\r\n",
                                     "''\r\n",
                                     "\"\r\n",
                                     "'\r\n",
                                     "ECHO \"a\r\nPING\r\n",
                                     "ECHO 'a\\'b'\r\n",
                                     "ECHO 'a\\nb'\r\n",
                                     "ECHO \"\\x41\\xzz\\x4\\n\\r\\t\\b\\a\\q\\\\\\\"\"\r\n",
                                     "ECHO \"\\\r\n",
                                     "ECHO a\x0b"
                                     "b\r\n",
                                     "ECHO \x0b\x0c"
                                     "b\r\n",
                                     "\x0b\r\n",
                                     "PING\0\r\nPING\r\n"s,
                                     "ECHO \"a\0b\"\r\n"s,
                                     "ECHO \xff\xfe\r\n",
                                     "echo a b\r\n",
                                     "ECHO\r\n",
                                     "NOSUCH a b\r\n",
                                     "NOSUCH \"a\\r\\nb\"\r\n",
                                     "\x1b[A\r\n"};

const std::vector<std::string> ends{"QUIT\r\nPING\r\n",
                                    "PING\r\nquit now please\r\nPING\r\n",
                                    "*1\r\n$4\r\nQUIT\r\n*x\r\n",
                                    "SUBSCRIBE a b\r\nPING\r\nPING x\r\nGET k\r\nQUIT\r\n",
                                    "POST / HTTP/1.1\r\nHost: x\r\n\r\nPING\r\n",
                                    "Host: x\r\nPING\r\n",
                                    "PING\r\npost\r\nPING\r\n",
                                    "GET / HTTP/1.1\r\nHost: x\r\nSET k v\r\n",
                                    "SUBSCRIBE a\r\nPOST\r\n"};

const std::vector<std::string> debugs{"DEBUG\r\n",
                                      "DEBUG FOO\r\n",
                                      "debug foo bar\r\n",
                                      "DEBUG SLEEP\r\n",
                                      "DEBUG SLEEP x\r\n",
                                      "DEBUG SLEEP -1\r\n",
                                      "DEBUG SLEEP 0 1\r\n",
                                      "debug sleep 0.001\r\n",
                                      "DEBUG SET-ACTIVE-EXPIRE\r\n",
                                      "DEBUG CLOCK\r\n",
                                      "DEBUG CLOCK SET 1\r\n",
                                      "DEBUG SET-ACTIVE-EXPIRE x\r\nDEBUG SET-ACTIVE-EXPIRE 1\r\n",
                                      "SUBSCRIBE a\r\nDEBUG SLEEP 0\r\n"};

// A longer line that does end is left out: in Redis it depends on how its bytes arrive.
const std::vector<std::string> long_ones{
    zeros(65'536),
    zeros(65'500) + "\r\nPING\r\n",
    zeros(90'000),
    "*" + zeros(65'600),
    "*1\r\n" + zeros(65'600),
    "*1\r\n$" + zeros(65'600),
    "*2\r\n$4\r\nECHO\r\n$100000\r\n" + zeros(100'000, 'e') + "\r\nPING\r\n",
    "*2\r\n$4\r\nECHO\r\n$16384\r\n" + zeros(16'384, 'e') + "\r\n*x\r\n"};

const std::vector<std::string> transactions{
    "MULTI\r\nSET a 1\r\nINCR a\r\nLPUSH a x\r\nEXEC\r\n",
    "MULTI\r\nNOSUCH\r\nPING\r\nEXEC\r\nPING\r\n",
    "MULTI\r\nPING\r\nQUIT\r\nEXEC\r\n",
    "MULTI\r\nPING\r\nHost: x\r\n",
    "MULTI\r\nPING\r\n*x\r\n",
    "MULTI\r\nSUBSCRIBE a\r\nEXEC\r\nPING\r\n",
    "WATCH k\r\nSET k v\r\nMULTI\r\nPING\r\nEXEC\r\n",
    "SELECT 3\r\nSET k v\r\nSELECT 0\r\nEXISTS k\r\nSELECT 3\r\nDEL k\r\n"};

const std::vector<std::string> silences{
    "CLIENT REPLY OFF\r\nPING\r\nNOSUCH\r\nCLIENT REPLY ON\r\nPING\r\n",
    "CLIENT REPLY SKIP\r\nPING\r\nECHO a\r\n",
    "CLIENT REPLY SKIP\r\nCLIENT REPLY SKIP\r\nPING\r\nECHO a\r\n",
    "CLIENT REPLY OFF\r\nCLIENT REPLY SKIP\r\nPING\r\nPING\r\nCLIENT REPLY ON\r\n",
    "CLIENT REPLY SKIP\r\nCLIENT REPLY OFF\r\nPING\r\nCLIENT REPLY ON\r\nECHO a\r\n",
    "CLIENT REPLY SKIP\r\nCLIENT REPLY ON\r\nECHO a\r\n",
    "CLIENT REPLY SKIP\r\nNOSUCH\r\nECHO a\r\n",
    "CLIENT REPLY SKIP\r\nRESET\r\nECHO a\r\n",
    "CLIENT REPLY OFF\r\nRESET\r\nECHO a\r\n",
    "CLIENT REPLY SKIP\r\nMULTI\r\nPING\r\nEXEC\r\n",
    "CLIENT REPLY OFF\r\nSUBSCRIBE a b\r\nUNSUBSCRIBE a b\r\nPING\r\nCLIENT REPLY ON\r\n",
    "CLIENT REPLY SKIP\r\nPSUBSCRIBE a b\r\nPING x\r\n",
    "CLIENT REPLY\r\nCLIENT REPLY maybe\r\nCLIENT REPLY on off\r\nPING\r\n"};

const std::vector<std::string> strangers{
    "*11\r\n",
    "*10\r\n$4\r\nPING\r\n",
    "*2\r\n$4\r\nECHO\r\n$16385\r\n",
    "*2\r\n$4\r\nECHO\r\n$16384\r\n" + zeros(16'384) + "\r\n",
    "*2147483648\r\n",
    "*2\r\n$4\r\nAUTH\r\n$6\r\nsecret\r\n*11\r\n$4\r\nPING\r\n",
    "AUTH secret\r\nECHO a\r\n",
    "AUTH default secret\r\nRESET\r\nECHO a\r\n",
    "AUTH secret\r\nAUTH wrong\r\nECHO a\r\n",
    "AUTH\r\nAUTH a b c\r\nAUTH x secret\r\n",
    "PING\r\nnosuch\r\nget\r\nCLIENT FOO\r\nCOMMAND COUNT\r\nMULTI\r\nEXEC\r\nQUIT\r\n",
    "HELLO\r\nHELLO 2\r\nHELLO 9\r\nHELLO 2 FOO\r\nHELLO 2 SETNAME x\r\nHELLO 2 AUTH default wrong\r\n",
    "SUBSCRIBE a\r\nWATCH a\r\nSHUTDOWN\r\nDEBUG SLEEP 0\r\nPING\r\n",
    "CLIENT REPLY OFF\r\nPING\r\n",
    "POST\r\n"};

class Protocol : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!real) GTEST_SKIP() << "there is no redis-server on this machine to compare with";
  }
  void compare(const std::vector<std::string>& table) {
    for (const std::string& bytes : table) {
      Heard expected = hear(*real, bytes, quick);
      Heard heard = hear(ours, bytes, quick);
      if (heard != expected) {  // one of them may have been slow
        expected = hear(*real, bytes, slow);
        heard = hear(ours, bytes, slow);
      }
      EXPECT_EQ(heard, expected) << ::testing::PrintToString(bytes.substr(0, 100)) << " of " << bytes.size()
                                 << " bytes";
    }
  }

  static constexpr std::chrono::milliseconds quick{40};
  static constexpr std::chrono::milliseconds slow{3000};

  std::optional<TestServer> real = TestServer::real();
  TestServer ours = TestServer::ours();
};

TEST_F(Protocol, LengthsAreReadAsRedisReadsThem) { compare(lengths); }
TEST_F(Protocol, WhatIsNoRequestIsNamedAsRedisNamesIt) { compare(wrong_kinds); }
TEST_F(Protocol, LinesAreSplitAsRedisSplitsThem) { compare(lines); }
TEST_F(Protocol, ConnectionsEndAsThoseOfRedisDo) { compare(ends); }
TEST_F(Protocol, DebugAnswersAsRedisDoesWhileTimeIsReal) { compare(debugs); }
TEST_F(Protocol, TransactionsRunOnTheConnectionThatQueuedThem) { compare(transactions); }
TEST_F(Protocol, ClientReplySilencesWhatItSilencesInRedis) { compare(silences); }
TEST_F(Protocol, StrangersMaySendLittleAndDoLess) {
  for (const TestServer* const server : {&*real, &ours})
    EXPECT_EQ(hear(*server, "CONFIG SET requirepass secret\r\n", quick).bytes, "+OK\r\n");
  compare(strangers);
}
TEST_F(Protocol, LinesThatAreTooLongAreRefusedWhereRedisRefusesThem) { compare(long_ones); }

}  // namespace
}  // namespace lockstep::tools::serve
