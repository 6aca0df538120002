// The model of a node of a cluster beside a real one: which keys it serves, where it sends those that it does
// not, what its scripts may do.
#include <gtest/gtest.h>

#include "model/redis/cluster/slots.h"
#include "tools/differential/campaign.h"
#include "tools/differential/client_steps.h"
#include "tools/differential/cluster_probes.h"
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

}  // namespace
}  // namespace lockstep::differential
