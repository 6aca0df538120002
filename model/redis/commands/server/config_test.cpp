#include "model/redis/commands/server/config.h"

#include <algorithm>

#include <gtest/gtest.h>
#include "model/redis/testing/test_client.h"

namespace lockstep::redis {
namespace {

using testing::TestClient;

TEST(Config, NamesAreSortedSoThatTheyAreFound) {
  const auto all = commands::config_options();
  EXPECT_TRUE(
      std::is_sorted(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.name < b.name; }));
}

TEST(Config, AnOlderNameIsKeptAsTheNewerOneWithTheSameInitialValue) {
  for (const commands::Option& option : commands::config_options()) {
    if (option.kept_as.empty()) continue;
    const commands::Option* const newer = commands::find_option(option.kept_as);
    ASSERT_NE(newer, nullptr) << option.name;
    EXPECT_EQ(newer->initial, option.initial) << option.name;
    EXPECT_EQ(newer->kind, option.kind) << option.name;
  }
}

TEST(Config, WhatCommandsLookAtTakesEffect) {
  TestClient client;
  EXPECT_EQ(client("CONFIG SET min-slaves-to-write 2 min-replicas-max-lag 3 replica-serve-stale-data no"),
            "OK");
  EXPECT_EQ(client.node.settings->min_replicas_to_write, 2);
  EXPECT_EQ(client.node.settings->min_replicas_max_lag, 3);
  EXPECT_FALSE(client.node.settings->serves_stale);
}

TEST(Config, AnInitialValueThatIsSetAgainLeavesNothingBehind) {
  TestClient client;
  client("CONFIG SET timeout 5");
  EXPECT_EQ(client("CONFIG GET timeout"), "[\"timeout\", \"5\"]");
  client("CONFIG SET timeout 0");
  EXPECT_EQ(client.node, TestClient().node);
}

TEST(Config, OneWrongValueSetsNone) {
  TestClient client;
  EXPECT_EQ(client("CONFIG SET timeout 5 maxmemory x"),
            "(error) ERR CONFIG SET failed (possibly related to argument 'maxmemory') - argument must be a "
            "memory value");
  EXPECT_EQ(client("CONFIG GET timeout"), "[\"timeout\", \"0\"]");
}

TEST(Config, ANameIsAnsweredAsItWasAskedForFirst) {
  TestClient client;
  EXPECT_EQ(client("CONFIG GET TimeOut timeout time*"), R"(["TimeOut", "0"])");
  EXPECT_EQ(client("CONFIG SET TIMEOUT x"),
            "(error) ERR CONFIG SET failed (possibly related to argument 'timeout') - argument couldn't be "
            "parsed into an integer");
}

TEST(Config, DefragmentationIsNotForServersOfDebian) {
  TestClient client;
  EXPECT_TRUE(
      client("CONFIG SET activedefrag yes")
          .starts_with("(error) ERR CONFIG SET failed (possibly related to argument 'activedefrag') - "
                       "Active defragmentation cannot be enabled"));
  EXPECT_EQ(client("CONFIG SET activedefrag no"), "OK");
}

const std::string out_of_memory = "(error) OOM command not allowed when used memory > 'maxmemory'.";

TEST(OutOfMemory, CommandsThatNeedMoreAreRefusedBelowWhatAServerUses) {
  TestClient client;
  client("SET k v");
  client("CONFIG SET maxmemory 1");
  EXPECT_EQ(client("SET k w"), out_of_memory);
  EXPECT_EQ(client("GET k"), R"("v")");
  EXPECT_EQ(client("DEL k"), "(integer) 1");
  client("CONFIG SET maxmemory 1mb");
  EXPECT_EQ(client("SET k w"), "OK");
  client("CONFIG SET maxmemory 1");
  client.node.role = Role::replica;
  EXPECT_TRUE(client("SET k x").starts_with("(error) READONLY")) << "a replica leaves it to its master";
}

TEST(OutOfMemory, ATransactionGrowsNoMoreButEnds) {
  TestClient client;
  client("MULTI"), client("SET k v");
  client("CONFIG SET maxmemory 1", ConnectionId{1});
  EXPECT_EQ(client("EXEC"),
            "(error) EXECABORT Transaction discarded because of: OOM command not allowed when "
            "used memory > 'maxmemory'.");
  client("MULTI");
  EXPECT_EQ(client("GET k"), out_of_memory);
  EXPECT_EQ(client("DISCARD"), "OK");
}

TEST(OutOfMemory, AScriptFailsAtItsFirstWriteOrBeforeUnlessItSaysThatItMay) {
  TestClient client;
  client("CONFIG SET maxmemory 1");
  const auto eval = [&](const std::string& script) { return client.execute({"EVAL", script, "0"}).reply; };
  EXPECT_EQ(eval("return redis.pcall('set', 'k', 'v')").error()->text.substr(0, 4), "OOM ");
  EXPECT_EQ(eval("redis.call('del', 'k') return redis.call('set', 'k', 'v')"), lua::ok())
      << "it had written already";
  EXPECT_EQ(eval("#!lua\nreturn 1").error()->text.substr(0, 4), "OOM ");
  EXPECT_EQ(eval("#!lua flags=no-writes\nreturn 'r'"), Reply(std::string("r"))) << "it wants none";
  EXPECT_EQ(eval("#!lua flags=allow-oom\nreturn redis.call('set', 'k', 'v')"), lua::ok());
}

TEST(Info, NoCommandIsSlow) {
  TestClient client;
  client("CONFIG SET slowlog-log-slower-than 0 latency-monitor-threshold 1");
  client("SET k v");
  EXPECT_EQ(client("SLOWLOG LEN"), "(integer) 0");
  EXPECT_EQ(client("LATENCY LATEST"), "[]");
}

TEST(Debug, WhatIsNotModelledIsUnknown) {
  TestClient client;
  for (const char* const word : {"OBJECT", "DIGEST", "RELOAD", "JMAP"}) {
    EXPECT_EQ(client("DEBUG " + std::string(word) + " x"),
              "(error) ERR unknown subcommand or wrong number of arguments for '" + std::string(word) +
                  "'. Try DEBUG HELP.");
  }
  EXPECT_EQ(client("DEBUG POPULATE 2 k 9"), "OK");
  EXPECT_EQ(client.execute({"GET", "k:1"}).reply, Reply(std::string("value:1\0\0", 9)));
}

TEST(Config, MemoryIsReadWithItsUnit) {
  EXPECT_EQ(commands::parse_memory("1kb"), 1024U);
  EXPECT_EQ(commands::parse_memory("2K"), 2000U);
  EXPECT_EQ(commands::parse_memory("3gb"), 3'221'225'472U);
  EXPECT_FALSE(commands::parse_memory("1x"));
  EXPECT_FALSE(commands::parse_memory("-1"));
}

TEST(Info, KeyspaceTellsKeysExpiriesAndTheirMean) {
  TestClient client;
  for (const char* const line : {"SET a 1 PX 1000", "SET b 1 PX 3000", "SET c 1", "SELECT 3", "SET d 1"})
    client(line);
  EXPECT_EQ(client("INFO keyspace"),
            "\"# Keyspace\r\ndb0:keys=3,expires=2,avg_ttl=2000\r\ndb3:keys=1,expires=0,avg_ttl=0\r\n\"");
}

TEST(Config, TheLimitsOfCompactFormsHoldFromTheNextWriteOn) {
  TestClient client;
  client("HSET h a 1 b 2 c 3"), client("SADD s 1 2 3"), client("ZADD z 1 a 2 b 3 c");
  client("CONFIG SET hash-max-listpack-entries 2 set-max-intset-entries 2 zset-max-listpack-entries 2");
  EXPECT_EQ(client("OBJECT ENCODING h"), "\"listpack\"") << "as it was";
  client("HSET h a 2"), client("SADD s 4"), client("ZADD z 4 d");
  EXPECT_EQ(client("OBJECT ENCODING h"), "\"hashtable\"");
  EXPECT_EQ(client("OBJECT ENCODING s"), "\"hashtable\"");
  EXPECT_EQ(client("OBJECT ENCODING z"), "\"skiplist\"");
  client("CONFIG SET hash-max-listpack-value 3 zset-max-ziplist-value 3");
  client("HSET short f abc"), client("HSET long f abcd"), client("HINCRBY number f 1000");
  client("ZADD small 1 abc"), client("ZADD large 1 abcd"), client("ZUNIONSTORE joined 1 large");
  EXPECT_EQ(client("OBJECT ENCODING short"), "\"listpack\"");
  EXPECT_EQ(client("OBJECT ENCODING long"), "\"hashtable\"");
  EXPECT_EQ(client("OBJECT ENCODING number"), "\"hashtable\"");
  EXPECT_EQ(client("OBJECT ENCODING small"), "\"listpack\"");
  EXPECT_EQ(client("OBJECT ENCODING large"), "\"skiplist\"");
  EXPECT_EQ(client("OBJECT ENCODING joined"), "\"skiplist\"");
  client("CONFIG SET set-max-intset-entries 600"), client("DEL s");
  for (int i = 0; i < 600; ++i) client("SADD s " + std::to_string(i));
  EXPECT_EQ(client("OBJECT ENCODING s"), "\"intset\"");
  client("SADD s 600");
  EXPECT_EQ(client("OBJECT ENCODING s"), "\"hashtable\"");
}

TEST(Config, WhereItListensIsNotChangedAndTooManyClientsAreRefused) {
  TestClient client;
  EXPECT_EQ(
      client("CONFIG SET port 7000"),
      "(error) ERR CONFIG SET failed (possibly related to argument 'port') - Unable to listen on this port. "
      "Check server logs.");
  EXPECT_EQ(client("CONFIG SET timeout 5 port 6379"), "OK") << "it listens there";
  EXPECT_EQ(
      client("CONFIG SET bind 10.0.0.1"),
      "(error) ERR CONFIG SET failed (possibly related to argument 'bind') - Failed to bind to specified "
      "addresses.");
  EXPECT_EQ(client("CONFIG SET maxclients 70000"),
            "(error) ERR CONFIG SET failed (possibly related to argument 'maxclients') - The operating "
            "system is not "
            "able to handle the specified number of clients, try with 65535");
}

TEST(Info, OnlyAServerThatWasStartedReadsTheClockForIt) {
  TestClient client;
  EXPECT_FALSE(client.execute({"INFO"}).read_now);
  start(client.node, client.wall_ms);
  client.pass(90'000);
  EXPECT_NE(client("INFO server").find("uptime_in_seconds:90\r\n"), std::string::npos);
}

TEST(Info, CallsFailuresAndErrorsAreCounted) {
  TestClient client;
  start(client.node, client.wall_ms);
  for (const char* const line : {"SET a x", "GET a", "INCR a", "GET", "LPUSH a b"}) client(line);
  const std::string commands = client("INFO commandstats"), errors = client("INFO errorstats");
  EXPECT_NE(commands.find("cmdstat_get:calls=1,usec=0,usec_per_call=0.00,rejected_calls=1,failed_calls=0"),
            std::string::npos);
  EXPECT_NE(commands.find("cmdstat_incr:calls=1,usec=0,usec_per_call=0.00,rejected_calls=0,failed_calls=1"),
            std::string::npos);
  EXPECT_NE(errors.find("errorstat_ERR:count=2\r\nerrorstat_WRONGTYPE:count=1\r\n"), std::string::npos)
      << errors;
  client("CONFIG RESETSTAT");
  EXPECT_EQ(client("INFO errorstats"), "\"# Errorstats\r\n\"");
}

TEST(Databases, SwappingDisturbsWhoWatchesAKeyOfEitherSide) {
  TestClient client;
  constexpr ConnectionId watcher{1}, bystander{2};
  client("SET k 1");
  client("WATCH k", watcher);
  client("SELECT 1", bystander);
  client("WATCH other", bystander);
  client("SWAPDB 0 1");
  client("MULTI", watcher);
  client("MULTI", bystander);
  EXPECT_EQ(client("EXEC", watcher), "(nil array)");
  EXPECT_EQ(client("EXEC", bystander), "[]");
}

TEST(Databases, MoveTakesTheTimeToLiveAlongAndTellsWatchersOnBothSides) {
  TestClient client;
  constexpr ConnectionId watcher{1};
  client("SET k v PX 5000");
  client("SELECT 2", watcher);
  client("WATCH k", watcher);
  EXPECT_EQ(client.effects_of("MOVE k 2"), "MOVE k 2");
  EXPECT_EQ(client("GET k"), "(nil)");
  client("MULTI", watcher);
  EXPECT_EQ(client("EXEC", watcher), "(nil array)");
  EXPECT_EQ(client("PTTL k", watcher), "(integer) 5000");
}

}  // namespace
}  // namespace lockstep::redis
