// The model's cluster beside a real one of three masters and three replicas: slots of keys, the texts of the
// CLUSTER commands, and the order in which each node tells a failover.
#include <unistd.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <set>

#include <gtest/gtest.h>
#include "model/redis/cluster/test_bed.h"
#include "model/redis/cluster/texts.h"
#include "sim/base/overloaded.h"
#include "sim/base/random.h"
#include "tools/differential/real_map.h"
#include "tools/differential/real_process.h"

namespace lockstep::differential {
namespace {

using namespace redis::cluster;
using redis::cluster::testing::Bed;
using redis::cluster::testing::Event;
using sim::Duration;

constexpr std::size_t nodes_total = 6;

bool wait(int seconds_max, const std::function<bool()>& holds) {
  for (int tries = 0; tries < seconds_max * 20; ++tries) {
    if (holds()) return true;
    ::usleep(50'000);
  }
  return holds();
}

/// Three masters with a replica each, on the loopback, with a node timeout of two seconds.
class RealCluster {
 public:
  RealCluster() : ports(free_ports(nodes_total)), servers_(nodes_total) {
    std::string create = "redis-cli --cluster create";
    for (std::size_t i = 0; i < nodes_total; ++i) {
      start(i);
      create += " 127.0.0.1:" + port(i);
    }
    ::usleep(500'000);
    create += " --cluster-replicas 1 --cluster-yes > " + (folder_ / "create.log") + " 2>&1";
    if (std::system(create.c_str()) != 0) return;
    works = wait(20, [this] {
      for (std::size_t i = 0; i < nodes_total; ++i) {
        if (asked(i, "CLUSTER INFO").find("cluster_state:ok") == std::string::npos) return false;
        if (count(asked(i, "CLUSTER SLOTS"), "127.0.0.1") < nodes_total) return false;
        if (count(asked(i, "CLUSTER SHARDS"), "online") < nodes_total) return false;
      }
      return true;
    });
  }

  void start(std::size_t i) {
    const std::string conf = "node" + std::to_string(i) + ".conf";
    servers_[i] = std::make_unique<RealProcess>(std::vector<std::string>{
        "redis-server", "--port", port(i), "--bind", "127.0.0.1", "--save", "", "--dir", folder_.path(),
        "--logfile", log(i), "--cluster-enabled", "yes", "--cluster-config-file", conf,
        "--cluster-node-timeout", "2000", "--repl-diskless-sync-delay", "0"});
  }
  void kill(std::size_t i) { servers_[i]->stop(); }
  std::string asked(std::size_t i, const std::string& commands) const {
    return ask(folder_, ports[i], commands);
  }
  std::string log(std::size_t i) const { return folder_ / ("node" + std::to_string(i) + ".log"); }

  static std::size_t count(const std::string& text, const std::string& what) {
    std::size_t times = 0;
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++times;
    return times;
  }

  std::vector<std::uint16_t> ports;
  bool works = false;

 private:
  std::string port(std::size_t i) const { return std::to_string(ports[i]); }

  Folder folder_;
  std::vector<std::unique_ptr<RealProcess>> servers_;
};

/// A reply as redis-cli prints it without adornment: its leaves, one a line.
void flatten(const lua::Reply& reply, std::vector<std::string>& lines) {
  if (const auto* const items = reply.array()) {
    for (const lua::Reply& item : *items) flatten(item, lines);
    if (items->empty()) lines.emplace_back();
  } else if (const auto* const number = reply.integer()) {
    lines.push_back(std::to_string(*number));
  } else {
    lines.push_back(*reply.bulk());
  }
}
std::vector<std::string> flat(const lua::Reply& reply) {
  std::vector<std::string> lines;
  flatten(reply, lines);
  return lines;
}
std::vector<std::string> sorted(std::vector<std::string> lines) {
  std::sort(lines.begin(), lines.end());
  return lines;
}

/// CLUSTER INFO without its counts of messages.
std::vector<std::string> without_counts(const std::string& text) {
  std::vector<std::string> lines;
  for (const std::string& line : lines_of(text))
    if (line.find("_messages_") == std::string::npos && !line.empty()) lines.push_back(line);
  return lines;
}

std::string escaped(const std::string& bytes) {
  std::string text = "\"";
  for (const char c : bytes) {
    constexpr char digits[] = "0123456789abcdef";
    const auto byte = static_cast<unsigned char>(c);
    text += {'\\', 'x', digits[byte >> 4], digits[byte & 15]};
  }
  return text + "\"";
}

void compare_slots_of_keys(const RealCluster& real) {
  sim::Random random(1);
  std::string commands;
  std::vector<std::string> keys;
  for (int i = 0; i < 1'000; ++i) {
    std::string key;
    for (std::size_t length = random.below(20); length > 0; --length)
      key += random.below(3) == 0 ? "{}"[random.below(2)] : static_cast<char>(random.below(256));
    keys.push_back(key);
    commands += "CLUSTER KEYSLOT " + escaped(key) + "\n";
  }
  const std::vector<std::string> slots = lines_of(real.asked(0, commands));
  ASSERT_GE(slots.size(), keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i)
    EXPECT_EQ(std::to_string(slot_of(keys[i])), slots[i]) << escaped(keys[i]);
}

void compare_texts(const RealCluster& real, std::size_t node) {
  const std::string nodes = real.asked(node, "CLUSTER NODES"), shards = real.asked(node, "CLUSTER SHARDS");
  const std::string slots = real.asked(node, "CLUSTER SLOTS"), counts = real.asked(node, "CLUSTER INFO");
  Map map = map_of(nodes, shards);
  map.ok = true;
  std::vector<std::string> lines = lines_of(nodes);
  std::erase(lines, "");
  EXPECT_EQ(sorted(lines_of(nodes_text(map, 0))), sorted(lines));
  EXPECT_EQ(flat(slots_reply(map)), lines_of(slots));
  EXPECT_EQ(sorted(flat(shards_reply(map))), sorted(lines_of(shards)));
  for (const std::string& line : lines_of(counts)) {
    if (line.substr(0, 22) == "cluster_current_epoch:") map.current_epoch = std::stoull(line.substr(22));
  }
  EXPECT_EQ(lines_of(cluster_info_text(map)), without_counts(counts));
}

// The order of events.

std::string word_for(const std::string& line) {
  const std::vector<std::pair<std::string, std::string>> words{
      {"Marking node", "failing"},
      {"FAIL message received", "failing"},
      {"Cluster state changed: fail", "state fail"},
      {"Cluster state changed: ok", "state ok"},
      {"Starting a failover election", "asking"},
      {"Failover auth granted", "voted"},
      {"Failover election won", "promoted"},
      {"Reconfiguring myself as a replica", "demoted"},
      {"Clear FAIL state", "cleared"}};
  for (const auto& [text, word] : words)
    if (line.find(text) != std::string::npos) return word + " ";
  return {};
}

std::string word_for(const Output& output) {
  return std::visit(sim::overloaded{
                        [](const MarkedFailing&) { return "failing "; },
                        [](const ClearedFailing&) { return "cleared "; },
                        [](const Asking&) { return "asking "; },
                        [](const Voted&) { return "voted "; },
                        [](const Promoted&) { return "promoted "; },
                        [](const Demoted&) { return "demoted "; },
                        [](const StateChanged& change) { return change.ok ? "state ok " : "state fail "; },
                        [](const auto&) { return ""; },
                    },
                    output);
}

/// What the survivors of one run of the model tell, and what the old master tells when it is back.
void add_stories(std::set<std::string>& stories, std::set<std::string>& returns, std::uint64_t seed) {
  Settings settings;
  settings.node_timeout = Duration(2'000);
  Bed bed(3, 1, settings, {Duration(0), Duration(2)}, seed);
  bed.run_for(Duration(10'000));
  const Duration killed = bed.now();
  bed.kill(0);
  bed.run_for(Duration(9'000));
  bed.restart(0);
  bed.run_for(Duration(6'000));
  std::map<std::size_t, std::string> told;
  for (const Event& event : bed.events)
    if (event.at >= killed) told[event.node] += word_for(event.what);
  for (const auto& [node, story] : told) (node == 0 ? returns : stories).insert(story);
}

std::string story_in(const std::string& log) {
  std::string story;
  for (const std::string& line : lines_of(log)) story += word_for(line);
  return story;
}

void compare_failover(RealCluster& real) {
  std::set<std::string> stories, returns;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) add_stories(stories, returns, seed);

  std::vector<std::size_t> before;
  for (std::size_t i = 0; i < nodes_total; ++i) before.push_back(text_of_file(real.log(i)).size());
  const auto told = [&](std::size_t i) { return story_in(text_of_file(real.log(i)).substr(before[i])); };
  real.kill(0);
  const auto all_end_with = [&](const std::string& end) {
    for (std::size_t i = 1; i < nodes_total; ++i)
      if (!told(i).ends_with(end)) return false;
    return true;
  };
  ASSERT_TRUE(wait(20, [&] { return all_end_with("state ok "); }));
  before[0] = text_of_file(real.log(0)).size();
  real.start(0);
  ASSERT_TRUE(wait(20, [&] { return all_end_with("cleared ") && told(0).ends_with("state ok "); }));
  for (std::size_t i = 0; i < nodes_total; ++i) {
    const std::string story = told(i);
    EXPECT_TRUE((i == 0 ? returns : stories).contains(story)) << "node " << i << " tells: " << story;
  }
}

TEST(ClusterReal, ARealClusterSpeaksAndFailsOverAsTheModelDoes) {
  if (!redis_is_installed()) GTEST_SKIP() << "there is no redis-server on this machine";
  RealCluster real;
  ASSERT_TRUE(real.works);
  compare_slots_of_keys(real);
  for (std::size_t node = 0; node < nodes_total; ++node) compare_texts(real, node);
  compare_failover(real);
  EXPECT_NE(real.asked(1, "CLUSTER NODES").find("myself,master"), std::string::npos);
}

}  // namespace
}  // namespace lockstep::differential
