// The model of a node of a cluster beside a real one: which keys it serves, where it sends those that it does
// not, what its scripts may do.
#include <gtest/gtest.h>

#include <algorithm>

#include "model/redis/cluster/slots.h"
#include "scenarios/format/script_reader.h"
#include "tools/differential/campaign.h"
#include "tools/differential/client_steps.h"
#include "tools/differential/cluster_probes.h"
#include "tools/differential/monitor.h"
#include "tools/differential/real_cluster.h"

namespace lockstep::differential {
namespace {

using model::Command;
using redis::testing::render;
using redis::testing::TestClient;

TEST(ClusterDifferential, CommandsAreServedOrSentAwayAsByARealNode) {
  if (!redis_is_installed()) GTEST_SKIP() << "there is no redis-server on this machine";
  RealClusterNode real;
  ASSERT_EQ(real.problem(), "");
  Watch watch;
  watch.clients = clients_count;
  watch.clock_in_pipeline = false;
  watch.cluster = real.map();
  const Plan plan = cluster_plan(30'000);
  BothSides sides(real.server(), watch);
  const Tally tally = run(plan, sides);
  for (const std::string& difference : tally.differences) ADD_FAILURE() << difference;
  EXPECT_EQ(tally.counted, plan.count);
}

void replace_all(std::string& text, const std::string& what, const std::string& with) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size()))
    text.replace(at, what.size(), with);
}

/// The line's words, with the names of nodes and the numbers of slots.
Command command_of(std::string line, const redis::cluster::Map& map) {
  for (const auto& [name, member] : map.members)
    replace_all(line, name == map.myself ? "$me" : "$other", name);
  Command words = redis::testing::words_of(line);
  for (std::string& word : words) {
    replace_all(word, "\\n", "\n");
    const bool braced = word.starts_with('{') && word.ends_with('}');
    if (braced && line.find("KEYSLOT") == std::string::npos)
      word = std::to_string(redis::cluster::slot_of(word));
  }
  return words;
}

TEST(ClusterDifferential, EveryLineAboutSlotsIsAnsweredAsARealNodeAnswersIt) {
  if (!redis_is_installed()) GTEST_SKIP() << "there is no redis-server on this machine";
  RealClusterNode real;
  ASSERT_EQ(real.problem(), "");
  TestClient model(redis::Role::master, redis::Expiry::lazy);
  const redis::cluster::Map map = real.map();
  model.node.cluster = std::optional(map);
  std::string before;
  for (const std::string& line : lines_of(std::string(cluster_probes))) {
    if (line.empty()) continue;
    const Command command = command_of(line, map);
    EXPECT_EQ(render(model.execute(command).reply), render(real.server().ask(command)))
        << line << "\n  after: " << before;
    before = line;
  }
}

/// The unlock of 3.24.0, as a client in a cluster sends it.
Command unlock_in_shard(const std::string& lock, const std::string& channel) {
  auto library = scenarios::built_in_scripts({});
  EXPECT_TRUE(library.ok());
  const std::string latch = "redisson_unlock_latch:" + lock + ":0f";
  for (const lua::Script& script : library->scripts)
    if (script.file.ends_with("/unlock-with-latch.lua"))
      return {"EVAL", script.text, "3", lock, channel, latch, "0", "30000", "b1a3:1", "SPUBLISH", "13500"};
  ADD_FAILURE() << "no such script";
  return {};
}

// A lock of a cluster: who waits is subscribed in the slot's shard, the unlock tells it there, and when the
// slot goes to another node the subscription ends with a message that nobody asked for.
TEST(ClusterDifferential, AShardedChannelIsToldByTheUnlockAndGoesWithItsSlot) {
  if (!redis_is_installed()) GTEST_SKIP() << "there is no redis-server on this machine";
  RealClusterNode real;
  ASSERT_EQ(real.problem(), "");
  const redis::cluster::Map map = real.map();
  const std::string lock = "{own}:orders", channel = "redisson_lock__channel:" + lock;
  TestClient model(redis::Role::master, redis::Expiry::lazy);
  model.node.cluster = std::optional(map);
  const model::ConnectionId listener{7};
  const auto subscriber = real.server().another_connection();
  Monitor monitor(real.server().another_connection());

  const Command subscribe{"SSUBSCRIBE", channel};
  EXPECT_EQ(render(subscriber->ask(subscribe)), render(model.execute(subscribe, listener).reply));
  for (const Command& command : {Command{"HSET", lock, "b1a3:1", "1"}, unlock_in_shard(lock, channel)}) {
    const redis::Outcome outcome = model.execute(command);
    EXPECT_EQ(render(real.server().ask(command)), render(outcome.reply)) << command.front();
    for (const model::Push& push : outcome.pushes) {
      EXPECT_EQ(push.to, listener);
      EXPECT_EQ(render(subscriber->receive().value()), render(push.message));
    }
    EXPECT_EQ(outcome.pushes.size(), command.front() == "EVAL" ? 1U : 0U);
  }
  real.server().ask({"ECHO", "done"});
  const std::vector<Command> ran = monitor.script_calls_until({"ECHO", "done"});
  EXPECT_EQ(ran, model.calls);
  EXPECT_NE(std::find(ran.begin(), ran.end(), Command{"SPUBLISH", channel, "0"}), ran.end());

  const std::string slot = std::to_string(redis::cluster::slot_of(channel));
  std::string other;
  for (const auto& [name, member] : map.members)
    if (name != map.myself) other = name;
  real.server().ask({"DEL", lock, "redisson_unlock_latch:" + lock + ":0f"});
  model.execute({"DEL", lock, "redisson_unlock_latch:" + lock + ":0f"});
  const Command gives{"CLUSTER", "SETSLOT", slot, "NODE", other};
  const redis::Outcome given = model.execute(gives);
  EXPECT_EQ(render(real.server().ask(gives)), render(given.reply));
  ASSERT_EQ(given.pushes.size(), 1U);
  EXPECT_EQ(render(subscriber->receive().value()), render(given.pushes.front().message));
  const std::string refused = render(subscriber->ask(subscribe));
  EXPECT_EQ(refused.substr(0, 13), "(error) MOVED") << refused;
  EXPECT_EQ(render(model.execute(subscribe, listener).reply), refused);
}

}  // namespace
}  // namespace lockstep::differential
