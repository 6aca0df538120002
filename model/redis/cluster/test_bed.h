// test_bed.h: nodes of a Redis Cluster that exchange messages under virtual time, for tests.
//
// Masters come first, with equal shares of the slots; the replicas follow, one for each master, and then the
// second one for each. All know each other from the start. Between two nodes messages keep their order.
// Delays and what Redis draws come from one seed. What nodes decide is noted with its time.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "model/redis/cluster/bus.h"
#include "sim/base/random.h"

namespace lockstep::redis::cluster::testing {

/// A node timeout of two seconds, as the tests beside a real cluster have it.
Settings two_seconds();

struct Event {
  Duration at{};
  std::size_t node = 0;
  Output what;
};

struct Limits {
  Duration delay_min{1}, delay_max{1};
  unsigned lost_percent = 0;
};

class Bed {
 public:
  Bed(std::size_t masters, std::size_t replicas_each, const Settings& settings, Limits limits = {},
      std::uint64_t seed = 1);
  Bed(const Bed&) = delete;  // what is under way refers to it
  Bed& operator=(const Bed&) = delete;

  void run_for(Duration time);
  void kill(std::size_t node);
  void restart(std::size_t node);
  void cut(std::size_t a, std::size_t b) { cuts_.insert(std::minmax(a, b)); }
  void isolate(std::size_t node);
  void heal() { cuts_.clear(); }
  /// How much data a replica has; masters have 1000.
  void set_offset(std::size_t node, std::uint64_t offset) { offsets_[node] = offset; }

  bool alive(std::size_t node) const { return alive_.at(node); }
  /// Whether a write to this slot would be taken there.
  bool takes_writes(std::size_t node, Slot slot) const;
  static NodeName name(std::size_t node);
  Duration now() const { return now_; }

  std::vector<Bus> nodes;
  std::vector<Event> events;

  template <class T>
  const Event* first(Duration since = {}) const {
    for (const Event& event : events)
      if (event.at >= since && std::holds_alternative<T>(event.what)) return &event;
    return nullptr;
  }
  template <class T>
  std::size_t count() const {
    std::size_t times = 0;
    for (const Event& event : events) times += std::holds_alternative<T>(event.what) ? 1 : 0;
    return times;
  }

 private:
  using Action = std::function<void()>;

  void at(Duration time, Action action) { queue_.emplace(std::pair(time, sequence_++), std::move(action)); }
  Duration delay();
  static std::size_t number(const NodeName& name);
  bool reaches(std::size_t a, std::size_t b) const { return !cuts_.contains(std::minmax(a, b)); }
  void tick(std::size_t node, unsigned round);
  std::optional<NodeName> drawn_ping(std::size_t node);
  void replicate(std::size_t node);
  void give(std::size_t node, const Input& input);
  void carry_out(std::size_t node, const Output& output);
  void open(std::size_t from, std::size_t to);
  void deliver(std::size_t from, std::size_t to, const Message& message);

  Settings settings_;
  Limits limits_;
  sim::Random random_;
  Duration now_{};
  std::uint64_t sequence_ = 0;
  std::map<std::pair<Duration, std::uint64_t>, Action> queue_;
  std::vector<Duration> seen_;
  std::vector<bool> alive_;
  std::vector<unsigned> lives_;
  std::vector<std::uint64_t> offsets_;
  std::set<std::pair<std::size_t, std::size_t>> cuts_;
  std::map<std::pair<std::size_t, std::size_t>, Duration> last_;  // when the last message arrives
};

}  // namespace lockstep::redis::cluster::testing
