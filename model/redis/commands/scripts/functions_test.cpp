#include <gtest/gtest.h>
#include "model/redis/testing/test_client.h"

namespace lockstep::redis {
namespace {

using testing::render;
using testing::TestClient;

const std::string library =
    "#!lua name=locks\n"
    "redis.register_function('take', function(keys, args) return redis.call('SET', keys[1], args[1]) end)\n"
    "redis.register_function{function_name='look', flags={'no-writes'},\n"
    "  callback=function(keys) return redis.call('GET', keys[1]) end}";

TEST(Functions, ALibraryIsReplicatedAsTheCommandThatBroughtIt) {
  TestClient master, replica(Role::replica);
  const Outcome loaded = master.execute({"FUNCTION", "LOAD", library});
  EXPECT_EQ(loaded.reply, Reply(std::string("locks")));
  ASSERT_EQ(loaded.effects.size(), 1U);
  replica.apply(loaded.effects);
  EXPECT_EQ(*replica.node.functions, *master.node.functions);
  EXPECT_EQ(replica("FCALL look 1 k"), "(nil)");
  EXPECT_EQ(replica("FCALL take 1 k v"), "(error) READONLY You can't write against a read only replica.");
}

TEST(Functions, ATakenNameIsRefusedBeforeTheBodyRuns) {
  TestClient client;
  client.execute({"FUNCTION", "LOAD", library});
  const Command faulty{"FUNCTION", "LOAD", "#!lua name=locks\nredis.register_function('no name', 1)"};
  EXPECT_EQ(render(client.execute(faulty).reply), "(error) ERR Library 'locks' already exists");
}

TEST(Functions, WhatAFunctionWritesIsReplicatedAsEffects) {
  TestClient client;
  client.execute({"FUNCTION", "LOAD", library});
  EXPECT_EQ(client.effects_of("FCALL take 1 k v"), "SET k v");
  EXPECT_EQ(client("FCALL look 1 k"), "\"v\"");
}

TEST(Functions, AnotherEngineLearnsALibraryFromTheNode) {
  TestClient client, fresh;
  client.execute({"FUNCTION", "LOAD", library});
  fresh.node = client.node;
  EXPECT_EQ(fresh("FCALL take 1 k v"), "OK");
}

TEST(Functions, LibrariesOutliveARestartOnlyAsTheDataDo) {
  TestClient client;
  client.execute({"FUNCTION", "LOAD", library});
  Node appended = client.node, saved = client.node, lost = client.node;
  restart(appended, Persistence::append_only);
  EXPECT_EQ(appended.functions->size(), 1U);
  restart(saved, Persistence::snapshot);
  EXPECT_EQ(saved.functions->size(), 0U) << "nothing was saved";
  client("SAVE");
  saved = client.node;
  restart(saved, Persistence::snapshot);
  EXPECT_EQ(saved.functions->size(), 1U);
  restart(lost, Persistence::none);
  EXPECT_EQ(lost.functions->size(), 0U);
}

TEST(Functions, AFullResynchronisationBringsTheMastersLibraries) {
  TestClient master, replica;
  master.execute({"FUNCTION", "LOAD", library});
  resynchronise(replica.node, master.node, Duration::zero());
  EXPECT_EQ(*replica.node.functions, *master.node.functions);
}

TEST(Functions, AScriptThatDeclaresWritesIsRefusedByAReplicaBeforeItRuns) {
  TestClient replica(Role::replica);
  const std::string refused = "(error) READONLY You can't write against a read only replica.";
  EXPECT_EQ(render(replica.eval("#!lua\nreturn 1", {}, {})), refused);
  EXPECT_EQ(render(replica.eval("#!lua flags=no-writes\nreturn 1", {}, {})), "(integer) 1");
  EXPECT_EQ(render(replica.eval("return 1", {}, {})), "(integer) 1");
}

TEST(Functions, MissingReplicasStopWritesOfClientsAndOfScripts) {
  TestClient client;
  client("CONFIG SET min-replicas-to-write 1");
  EXPECT_EQ(client("SET k v"), "(error) NOREPLICAS Not enough good replicas to write.");
  EXPECT_TRUE(client.eval("return redis.call('SET', KEYS[1], 'v')", {"k"}, {}).error());
  client("CONFIG SET min-replicas-to-write 0");
  EXPECT_EQ(client("SET k v"), "OK");
}

TEST(Functions, SetReplKeepsWhatFollowsFromTheReplicas) {
  TestClient client;
  const Outcome outcome = client.execute(
      {"EVAL",
       "redis.set_repl(redis.REPL_NONE) redis.call('SET', 'a', 1) redis.set_repl(redis.REPL_ALL) "
       "redis.call('SET', 'b', 2)",
       "0"});
  EXPECT_EQ(render(outcome.effects), "SET b 2");
}

}  // namespace
}  // namespace lockstep::redis
