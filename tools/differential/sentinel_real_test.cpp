// The model's Sentinels beside real ones: after the death of a master each real Sentinel must tell a story
// that some run of the model tells too, word for word, times aside.
#include <unistd.h>

#include <memory>
#include <set>

#include <gtest/gtest.h>
#include "model/redis/sentinel/test_bed.h"
#include "tools/differential/real_process.h"

namespace lockstep::differential {
namespace {

using redis::sentinel::Address;
using redis::sentinel::RunId;
using redis::sentinel::Watch;
using redis::sentinel::testing::Bed;
using redis::sentinel::testing::Limits;
using redis::sentinel::testing::Note;
using sim::Duration;
using namespace std::chrono_literals;

constexpr std::size_t sentinels_total = 3;
constexpr std::uint64_t quick_runs = 4'000;  // on a machine that answers at once; others are for a loaded one
constexpr std::uint64_t runs_max = 20'000;
constexpr Duration down_after{2'000}, failover_timeout{10'000};

/// One line for each event: its channel and its message.
using Story = std::vector<std::string>;

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
  return text;
}

/// Names instead of what differs between runs: ports and the ids of Sentinels.
class Names {
 public:
  void add(const std::string& what, const std::string& name) { names_.emplace_back(what, name); }
  std::string in(std::string text) const {
    for (const auto& [what, name] : names_) text = replaced(text, what, name);
    return text;
  }

 private:
  std::vector<std::pair<std::string, std::string>> names_;
};

/// Until the master is switched: what comes behind, new replicas, belongs to the new master.
bool ends_story(const std::string& line) { return line.substr(0, 14) == "+switch-master"; }

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  return text;
}

std::string joined(const Story& story) {
  std::string text;
  for (const std::string& line : story) text += line + "\n";
  return text;
}

/// What each Sentinel of one run of the model tells. Which Sentinel it is makes no difference.
void add_stories(std::set<std::string>& stories, std::uint64_t seed) {
  const Watch watch{2, down_after, failover_timeout, 1};
  const bool quick = seed <= quick_runs;
  const Limits limits = quick ? Limits{Duration(0), Duration(3), Duration(52), Duration(101)}
                              : Limits{Duration(0), Duration(50), Duration(52), Duration(450)};
  Bed bed(sentinels_total, 1, watch, limits, seed);
  bed.run_for(10s + Duration(static_cast<std::int64_t>(seed % 10'000)));
  const Duration killed = bed.now();
  bed.kill_server(0);
  bed.run_for(8s);
  Names names;
  names.add(" " + std::to_string(Bed::server_address(0).port), " MASTER");
  names.add(std::to_string(Bed::server_address(1).port), "REPLICA");
  for (std::size_t i = 0; i < sentinels_total; ++i) {
    names.add(bed.sentinels[i].id, "ID");
    names.add(" " + std::to_string(Bed::sentinel_address(i).port), " SENTINEL");
  }
  std::map<std::size_t, Story> told;
  std::set<std::size_t> ended;
  for (const Note& note : bed.told) {
    if (note.at < killed || ended.contains(note.who)) continue;
    const std::string line = names.in(note.what + " " + note.rest);
    told[note.who].push_back(line);
    if (ends_story(line)) ended.insert(note.who);
  }
  for (const auto& [who, story] : told) stories.insert(joined(story));
}

/// A master, a replica and three Sentinels on the loopback.
class RealSentinels {
 public:
  RealSentinels() : ports_(free_ports(2 + sentinels_total)) {
    start_master();
    replica_ = server(1, {"--replicaof", "127.0.0.1", port(0), "--repl-diskless-sync-delay", "0"});
    ::usleep(500'000);
    for (std::size_t i = 0; i < sentinels_total; ++i) {
      const std::string conf = folder_ / ("sentinel" + std::to_string(i) + ".conf");
      write_text(conf, "port " + port(2 + i) + "\nbind 127.0.0.1\ndir " + folder_.path() +
                           "\nloglevel verbose\nsentinel monitor mymaster 127.0.0.1 " + port(0) +
                           " 2\nsentinel down-after-milliseconds mymaster 2000\n"
                           "sentinel failover-timeout mymaster 10000\n");
      sentinels_.push_back(std::make_unique<RealProcess>(
          std::vector<std::string>{"redis-server", conf, "--sentinel", "--logfile", log(i)}));
    }
  }

  void start_master() { master_ = server(0, {}); }
  void kill_master() { master_->stop(); }
  std::string ask_replica(const std::string& command) const { return ask(folder_, ports_[1], command); }
  std::string port(std::size_t i) const { return std::to_string(ports_[i]); }
  std::string log(std::size_t i) const { return folder_ / ("sentinel" + std::to_string(i) + ".log"); }

  /// What one Sentinel told so far.
  Story told(std::size_t i) const {
    Story story;
    for (const std::string& line : lines_of(text_of_file(log(i)))) {
      for (const std::string_view mark : {" # ", " * ", " - "}) {
        const std::size_t at = line.find(mark);
        if (at == std::string::npos || at + 4 > line.size()) continue;
        const std::string event = line.substr(at + 3);
        const bool named = (event[0] == '+' || event[0] == '-') && event[1] >= 'a' && event[1] <= 'z';
        if (named) story.push_back(event);
        break;
      }
    }
    return story;
  }

  std::size_t count(std::size_t i, const std::string& channel) const {
    std::size_t times = 0;
    for (const std::string& line : told(i)) times += line.substr(0, channel.size()) == channel ? 1 : 0;
    return times;
  }

  template <class Condition>
  static bool wait(Duration time_max, Condition holds) {
    for (Duration waited{}; waited < time_max; waited += 50ms) {
      if (holds()) return true;
      ::usleep(50'000);
    }
    return holds();
  }

  bool all(const std::string& channel, std::size_t times) const {
    for (std::size_t i = 0; i < sentinels_total; ++i)
      if (count(i, channel) < times) return false;
    return true;
  }

  Names names() const {
    Names names;
    names.add(" " + port(0), " MASTER");
    names.add(port(1), "REPLICA");
    for (std::size_t i = 0; i < sentinels_total; ++i) {
      names.add(" " + port(2 + i), " SENTINEL");
      for (const std::string& line : lines_of(text_of_file(log(i)))) {
        const std::size_t at = line.find("Sentinel ID is ");
        if (at != std::string::npos) names.add(line.substr(at + 15), "ID");
      }
    }
    return names;
  }

 private:
  std::unique_ptr<RealProcess> server(std::size_t i, const std::vector<std::string>& more) const {
    std::vector<std::string> words{"redis-server", "--port", port(i), "--bind", "127.0.0.1", "--save", "",
                                   "--dir", folder_.path(), "--logfile", folder_ / "server.log"};
    words.insert(words.end(), more.begin(), more.end());
    return std::make_unique<RealProcess>(words);
  }

  Folder folder_;
  std::vector<std::uint16_t> ports_;
  std::unique_ptr<RealProcess> master_, replica_;
  std::vector<std::unique_ptr<RealProcess>> sentinels_;
};

TEST(SentinelReal, ThreeRealSentinelsTellAStoryThatTheModelTells) {
  if (!redis_is_installed()) GTEST_SKIP() << "there is no redis-server on this machine";
  std::set<std::string> stories;
  std::uint64_t runs = 0;
  while (runs < quick_runs) add_stories(stories, ++runs);

  RealSentinels real;
  ASSERT_TRUE(real.wait(15s, [&] { return real.all("+sentinel ", 2) && real.all("+slave ", 1); }));
  ::usleep(1'500'000);  // so that all have INFO of the replica, and answers from each other
  std::vector<std::size_t> before;
  for (std::size_t i = 0; i < sentinels_total; ++i) before.push_back(real.told(i).size());
  real.kill_master();
  ASSERT_TRUE(real.wait(40s, [&] { return real.all("+switch-master", 1); }));
  const Names names = real.names();
  for (std::size_t i = 0; i < sentinels_total; ++i) {
    Story story;
    const Story told = real.told(i);
    for (std::size_t j = before[i]; j < told.size(); ++j) {
      if (told[j].substr(0, 5) == "+tilt") GTEST_SKIP() << "this machine stalls for seconds";
      story.push_back(names.in(told[j]));
      if (ends_story(story.back())) break;
    }
    while (!stories.contains(joined(story)) && runs < runs_max) add_stories(stories, ++runs);
    EXPECT_TRUE(stories.contains(joined(story))) << "the model never tells this:\n" << joined(story);
  }

  // Promotion is the transaction that the model says.
  const std::string counts = real.ask_replica("INFO commandstats");
  std::map<std::string, int> expected;
  for (const model::Command& command : redis::sentinel::transaction({})) {
    const bool container = command[0] == "CONFIG" || command[0] == "CLIENT";
    ++expected[container ? lower(command[0] + "|" + command[1]) : lower(command[0])];
  }
  for (const auto& [command, times] : expected) {
    const std::string line = "cmdstat_" + command + ":calls=" + std::to_string(times) + ",";
    EXPECT_NE(counts.find(line), std::string::npos) << line << " is missing in:\n" << counts;
  }

  // The old master comes back as a master, and is demoted after four hello periods and the next INFO.
  real.start_master();
  Duration took{};
  const auto converted = [&] {
    took += 50ms;
    return real.count(0, "+convert-to-slave") + real.count(1, "+convert-to-slave") +
               real.count(2, "+convert-to-slave") > 0;
  };
  ASSERT_TRUE(real.wait(40s, converted));
  EXPECT_GE(took, 7s);
}

}  // namespace
}  // namespace lockstep::differential
