// RESP3, to the byte, beside a real redis-server that is asked the same.
#include <gtest/gtest.h>

#include <regex>
#include <vector>

#include "tools/serve/test_server.h"

namespace lockstep::tools::serve {
namespace {

using testing::RawClient;
using testing::TestServer;

/// All that comes until the server has answered the mark, too.
std::string asked(RawClient& client, const std::string& line) {
  client.send(line + "\r\nECHO the-mark\r\n");
  std::string bytes = client.receive_up_to("the-mark\r\n");
  // What differs from moment to moment and from server to server.
  static const std::regex passing("=\\d+\r\ntxt:(id=|# )[^$]*|\\$2\r\nid\r\n:\\d+");
  return std::regex_replace(bytes, passing, "(text)");
}

class Resp3 : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!real) GTEST_SKIP() << "there is no redis-server on this machine to compare with";
  }
  void compare(const std::vector<std::string>& lines) {
    RawClient here(ours.path()), there(real->path());
    std::string together;  // a transaction is asked in one piece
    for (const std::string& line : lines) {
      const bool goes_on = line == "MULTI" || (!together.empty() && line != "EXEC");
      together += (together.empty() ? "" : "\r\n") + line;
      if (goes_on) continue;
      EXPECT_EQ(asked(here, together), asked(there, together)) << together;
      together.clear();
    }
  }
  std::optional<TestServer> real = TestServer::real();
  TestServer ours = TestServer::ours();
};

TEST_F(Resp3, HashesAndSetsAreMapsPairsAndSets) {
  compare({"HELLO 3",
           "HSET h a 1 b 2",
           "HGETALL h",
           "HGETALL none",
           "HKEYS h",
           "HGET h none",
           "HMGET h a none",
           "HSET one f v",
           "HRANDFIELD one 1 WITHVALUES",
           "HRANDFIELD one -2 WITHVALUES",
           "HRANDFIELD one 2",
           "HRANDFIELD none",
           "HRANDFIELD none 2 WITHVALUES",
           "HSCAN h 0",
           "HINCRBYFLOAT h b 1.5",
           "SADD s 1 2 3",
           "SADD t 2 3 4",
           "SMEMBERS s",
           "SMEMBERS none",
           "SINTER s t",
           "SUNION s t",
           "SDIFF s t",
           "SINTERCARD 2 s t",
           "SRANDMEMBER s 5",
           "SRANDMEMBER none 2",
           "SPOP none",
           "SPOP none 2",
           "SPOP s 0",
           "SPOP s 9",
           "SSCAN t 0",
           "SMISMEMBER t 1 2",
           "HGETALL t"});
}

TEST_F(Resp3, ScoresAreDoubles) {
  compare({"HELLO 3",
           "ZADD z 1 a 2.5 b inf c -inf d",
           "ZADD z INCR 1 a",
           "ZADD z NX INCR 1 a",
           "ZADD z XX CH 3 a",
           "ZINCRBY z 0.1 a",
           "ZSCORE z a",
           "ZSCORE z c",
           "ZSCORE z d",
           "ZSCORE z none",
           "ZMSCORE z a none c",
           "ZRANGE z 0 -1",
           "ZRANGE z 0 -1 WITHSCORES",
           "ZRANGE z (1 5 BYSCORE WITHSCORES",
           "ZREVRANGE z 0 -1 WITHSCORES",
           "ZRANGEBYSCORE z -inf +inf WITHSCORES",
           "ZREVRANGEBYSCORE z +inf -inf WITHSCORES LIMIT 0 1",
           "ZADD y 1 a 7 q",
           "ZUNION 2 z y",
           "ZUNION 2 z y WITHSCORES",
           "ZINTER 2 z y WITHSCORES",
           "ZDIFF 2 z y WITHSCORES",
           "ZDIFF 2 z y",
           "ZADD one 1.5 m",
           "ZRANDMEMBER one 1 WITHSCORES",
           "ZRANDMEMBER one -3 WITHSCORES",
           "ZRANDMEMBER none 2 WITHSCORES",
           "ZRANDMEMBER none",
           "ZRANK z none",
           "ZSCAN z 0",
           "ZMPOP 1 z MIN COUNT 2",
           "ZMPOP 1 none MIN",
           "ZPOPMIN y",
           "ZPOPMAX y 5",
           "ZPOPMIN none",
           "ZPOPMIN none 2"});
}

TEST_F(Resp3, ThereIsOneNull) {
  compare({"HELLO 3",
           "LPUSH l a",
           "LPOP none",
           "LPOP none 2",
           "LPOS l x",
           "LPOS none a COUNT 0",
           "LMPOP 1 none LEFT",
           "LMPOP 1 l LEFT",
           "LINDEX none 0",
           "LMOVE none other LEFT RIGHT",
           "GET none",
           "MGET none none",
           "SET k v GET",
           "SET k v NX",
           "GETDEL none",
           "BITFIELD bf SET u8 0 255 OVERFLOW FAIL "
           "INCRBY u8 0 10",
           "OBJECT ENCODING none",
           "SADD s 2",
           "SORT s GET # GET nox_*",
           "WATCH k",
           "SET k 1",
           "MULTI",
           "EXEC",
           "INCRBYFLOAT k 1.1",
           "LCS k none IDX",
           "MSET a1 ohmytext b1 mynewtext",
           "LCS a1 b1 IDX WITHMATCHLEN",
           "RANDOMKEY x"});
}

TEST_F(Resp3, ATransactionHoldsEachReplyInItsOwnForm) {
  compare({"HELLO 3", "HSET h a 1", "SADD t 1", "ZADD z inf c", "MULTI", "GET none", "HGETALL h",
           "SMEMBERS t", "SUBSCRIBE x1 x2", "ZSCORE z c", "INCR h", "PUBLISH x1 m", "UNSUBSCRIBE x1",
           "HELLO 2", "HGETALL h", "GET none", "HELLO 3", "EXEC", "UNSUBSCRIBE"});
}

TEST_F(Resp3, WhatTellsOfTheServer) {
  compare({"HELLO 3",
           "CONFIG GET maxmemory",
           "CONFIG GET nosuch",
           "COMMAND INFO get nosuch hset eval sort client|id",
           "COMMAND GETKEYSANDFLAGS SET k v",
           "COMMAND LIST FILTERBY PATTERN getr*",
           "CLIENT TRACKINGINFO",
           "CLIENT TRACKING ON BCAST",
           "CLIENT TRACKINGINFO",
           "CLIENT TRACKING OFF",
           "CLIENT LIST",
           "CLIENT INFO",
           "CLIENT GETNAME",
           "CLIENT GETREDIR",
           "ACL WHOAMI",
           "ACL LIST",
           "ACL USERS",
           "ACL GETUSER default",
           "ACL GETUSER none",
           "ACL LOG",
           "LATENCY LATEST",
           "LATENCY HISTOGRAM nosuch",
           "LATENCY DOCTOR",
           "LOLWUT",
           "MEMORY USAGE none",
           "MODULE LIST",
           "SLOWLOG GET",
           "INFO server",
           "ROLE",
           "CLUSTER INFO",
           "SCRIPT EXISTS f",
           "FUNCTION STATS",
           "FUNCTION LIST",
           "CLIENT NO-EVICT ON",
           "CLIENT UNBLOCK 9"});
}

TEST_F(Resp3, DebugProtocolShowsEachKind) {
  std::vector<std::string> lines{"HELLO 3"};
  for (const char* const kind : {"string", "integer", "double", "null", "array", "set", "map", "attrib",
                                 "push", "verbatim", "true", "false", "bignum", "nosuch"})
    lines.push_back("DEBUG PROTOCOL " + std::string(kind));
  compare(lines);
}

TEST_F(Resp3, ScriptsAnswerInTheProtocolOfTheirClient) {
  const auto eval = [](const std::string& text) { return "EVAL \"" + text + "\" 0"; };
  std::vector<std::string> lines{"HSET h a 1", "SADD t 2", "ZADD z inf c"};
  for (const char* const protocol : {"HELLO 3", "HELLO 2"}) {
    lines.emplace_back(protocol);
    for (const char* const text : {"return nil",
                                   "return true",
                                   "return false",
                                   "return {1,'a',false,true,3.7,{ok='fine'}}",
                                   "return {double=3.5}",
                                   "return {double=1/0}",
                                   "return {double=-1/0}",
                                   "return {map={a=1}}",
                                   "return {map={a={double=2}}}",
                                   "return {set={a=true}}",
                                   "return {big_number='123'}",
                                   "return {verbatim_string={format='txt',string='hello'}}",
                                   "return {verbatim_string={format='m',string='hello'}}",
                                   "return {verbatim_string={format='mark',string='hello'}}",
                                   "redis.setresp(3) return {true,false,nil}",
                                   "redis.setresp(3) return true",
                                   "redis.setresp(3) return false",
                                   "redis.setresp(3) return nil",
                                   "redis.setresp(3) return redis.call('hgetall','h')",
                                   "redis.setresp(3) return redis.call('smembers','t')",
                                   "redis.setresp(3) return redis.call('zscore','z','c')",
                                   "redis.setresp(3) return redis.call('get','none')",
                                   "redis.setresp(3) return redis.call('zrange','z',0,-1,'withscores')",
                                   "return redis.call('hgetall','h')",
                                   "return redis.call('zscore','z','c')",
                                   "return redis.call('lpop','none', 1)",
                                   "return redis.error_reply('MY x')"})
      lines.push_back(eval(text));
  }
  compare(lines);
}

TEST_F(Resp3, AFunctionIsListedAsAMapWithASetOfFlags) {
  compare(
      {"HELLO 3",
       "FUNCTION LOAD \"#!lua name=l\\nredis.register_function{function_name='f',callback=function() return "
       "{double=1} end,flags={'no-writes'},description='d'}\"",
       "FUNCTION LIST", "FUNCTION LIST WITHCODE", "FCALL f 0", "FUNCTION STATS", "FUNCTION FLUSH"});
}

TEST_F(Resp3, MessagesArePushedAndASubscriberMayDoEverything) {
  compare({"HELLO 3",
           "SUBSCRIBE c d",
           "GET k",
           "PING",
           "PING x",
           "PSUBSCRIBE p*",
           "SSUBSCRIBE sc",
           "PUBLISH c m",
           "PUBLISH pp m",
           "SPUBLISH sc m",
           "PUBSUB NUMSUB c d",
           "MULTI",
           "PUBLISH c m",
           "EXEC",
           "UNSUBSCRIBE c",
           "UNSUBSCRIBE",
           "PUNSUBSCRIBE",
           "PUNSUBSCRIBE",
           "SUNSUBSCRIBE",
           "UNSUBSCRIBE",
           "CLIENT REPLY SKIP",
           "SUBSCRIBE e",
           "CONFIG SET notify-keyspace-events KEA",
           "SUBSCRIBE __keyevent@0__:set",
           "SET k v",
           "RESET",
           "CLIENT REPLY ON"});
}

TEST_F(Resp3, HelloChoosesAndResetForgets) {
  compare({"HELLO 3",
           "HELLO 2",
           "HSET h f v",
           "HGETALL h",
           "HELLO 3",
           "HELLO",
           "HELLO 4",
           "HELLO 1",
           "HELLO x",
           "HELLO 3 AUTH default x",
           "HELLO 2 AUTH nobody x",
           "HGETALL h",
           "HELLO 3 SETNAME me",
           "HELLO 2 FOO",
           "HGETALL h",
           "CLIENT GETNAME",
           "RESET",
           "HGETALL h",
           "MULTI",
           "HELLO 3",
           "GET none",
           "EXEC",
           "GET none"});
}

TEST_F(Resp3, AMonitorIsShownLinesAsBefore) {
  const auto shown = [](const TestServer& server) {
    RawClient monitor(server.path()), other(server.path());
    asked(monitor, "HELLO 3");
    monitor.ask("MONITOR\r\n", 5);
    asked(other, "HELLO 3");
    monitor.receive_up_to("\"the-mark\"\r\n");
    asked(other, "SET k v");
    const std::string line = monitor.receive_up_to("\r\n");
    return line.substr(0, 1) + line.substr(line.find(']'));
  };
  EXPECT_EQ(shown(ours), shown(*real));
}

TEST(Resp3Server, EachClientIsSentMessagesInItsOwnProtocol) {
  const TestServer server = TestServer::ours();
  RawClient older(server.path()), newer(server.path()), publisher(server.path());
  asked(newer, "HELLO 3");
  const std::string head = "3\r\n$9\r\nsubscribe\r\n$1\r\nc\r\n:1\r\n";
  EXPECT_EQ(older.ask("SUBSCRIBE c\r\n", head.size() + 1), "*" + head);
  EXPECT_EQ(newer.ask("SUBSCRIBE c\r\n", head.size() + 1), ">" + head);
  EXPECT_EQ(testing::ask(publisher, "PUBLISH c m"), ":2");
  const std::string message = "3\r\n$7\r\nmessage\r\n$1\r\nc\r\n$1\r\nm\r\n";
  EXPECT_EQ(older.receive(message.size() + 1), "*" + message);
  EXPECT_EQ(newer.receive(message.size() + 1), ">" + message);
}

}  // namespace
}  // namespace lockstep::tools::serve
