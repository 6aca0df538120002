// test_bed.h: Sentinels and servers that exchange messages under virtual time, for tests.
//
// Servers are facts only: alive or not, whose replica, how much data. Delays of messages, the lengths of ticks
// and the numbers that Redis draws come from one seed, between limits that a test sets. Everything that a
// Sentinel tells and every change of a server's role is noted with its time.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "model/redis/sentinel/messages.h"
#include "sim/base/random.h"

namespace lockstep::redis::sentinel::testing {

struct Server {
  Facts facts;  // replicas are found out when INFO is asked for
  bool alive = true;
  Duration link_changes{};  // since when link_up holds what it does
};

struct Note {
  Duration at{};
  std::size_t who = 0;  // which Sentinel, or which server
  std::string what, rest;
  Epoch epoch = 0;         // of the Sentinel's failover, at that time
  Epoch config_epoch = 0;  // and of its configuration
};

struct Limits {
  Duration delay_min{1}, delay_max{1};
  Duration tick_min{100}, tick_max{100};
  Duration sync{200};         // from REPLICAOF until the link is up
  unsigned lost_percent = 0;  // of what is sent between Sentinels
};

class Bed {
 public:
  Bed(std::size_t sentinels, std::size_t replicas, const Watch& watch, Limits limits = {},
      std::uint64_t seed = 1);
  Bed(const Bed&) = delete;  // what is under way refers to it
  Bed& operator=(const Bed&) = delete;

  void run_for(Duration time);
  /// Runs until some Sentinel has told this, or the time is over. Returns whether it has.
  bool run_until(const std::string& channel, Duration time_max);

  void kill_server(std::size_t server);
  void start_server(std::size_t server);
  void kill_sentinel(std::size_t sentinel) { dead_sentinels_.insert(sentinel); }
  void restart_sentinel(std::size_t sentinel);
  /// Nothing passes between these two from now on; connections stay open and silent.
  void cut(const Address& a, const Address& b) { cuts_.insert(std::minmax(a, b)); }
  void heal() { cuts_.clear(); }
  /// The Sentinel's wall clock is set forward or, if negative, back.
  void set_clock(std::size_t sentinel, Duration by) { give(sentinel, Passed{by}); }

  Duration now() const { return now_; }
  static Address server_address(std::size_t server);
  static Address sentinel_address(std::size_t sentinel);
  static constexpr const char* name = "mymaster";

  std::vector<Sentinel> sentinels;
  std::vector<Server> servers;
  std::vector<Note> told;   // by Sentinels: channel and message
  std::vector<Note> roles;  // of servers: "master", or "replica" and of whom

  /// What one Sentinel told, channels only, in order.
  std::vector<std::string> channels(std::size_t sentinel, Duration since = {}) const;
  const Note* first(const std::string& channel, Duration since = {}) const;
  std::size_t count(const std::string& channel) const;

 private:
  using Action = std::function<void()>;

  void at(Duration time, Action action) { queue_.emplace(std::pair(time, sequence_++), std::move(action)); }
  Duration delay();
  Duration drawn(Duration min, Duration max);
  bool reaches(const Address& a, const Address& b) const { return !cuts_.contains(std::minmax(a, b)); }
  bool lost() { return limits_.lost_percent > 0 && random_.below(100) < limits_.lost_percent; }

  void tick(std::size_t sentinel);
  Outputs give(std::size_t sentinel, const Input& input);
  void carry_out(std::size_t sentinel, const Output& output);
  void connect(std::size_t sentinel, const Target& to);
  void to_server(std::size_t sentinel, const Target& to, std::function<void(std::size_t)> then);
  void back(std::size_t sentinel, const Target& to, const Input& input);
  void deliver_hello(std::size_t sentinel, const SendHello& send);
  void ask(std::size_t sentinel, const SendQuestion& send);
  void become(std::size_t server, const std::optional<Address>& master);
  Facts facts_of_server(std::size_t server) const;
  bool is_alive(const Address& address) const;

  Settings settings_;
  Limits limits_;
  sim::Random random_;
  Duration now_{};
  std::uint64_t sequence_ = 0;
  std::map<std::pair<Duration, std::uint64_t>, Action> queue_;
  std::vector<Duration> seen_;  // until when each Sentinel's time has passed
  std::set<std::size_t> dead_sentinels_;
  std::set<std::pair<Address, Address>> cuts_;
  std::map<std::pair<std::size_t, Target>, unsigned> connections_;  // which one; what belongs to another is lost
};

}  // namespace lockstep::redis::sentinel::testing
