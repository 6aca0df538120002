// served_node.h: a model of a Redis server in real or in virtual time, without its connections.
//
// In real time the node's wall clock follows the machine's: it catches up before every command. Catching up
// costs time with every key that the node stores; it takes at most a tenth of the machine, so with very
// many keys the clock moves in steps of more than a millisecond. In virtual time the clock stands until
// DEBUG CLOCK moves it; DEBUG SLEEP does so too.
//
// Dead keys go when they are looked up, and ten times a second all of them do (Redis expire.c,
// activeExpireCycle, which takes a sample each time). In virtual time they go as soon as the clock has
// passed them. DEBUG SET-ACTIVE-EXPIRE 0 ends both. In virtual time, whatever Redis draws by chance is the
// same in every run, and a script that does not end is stopped after so many steps (lua/engine/engine.h).
#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

#include "lua/engine/engine.h"
#include "model/redis/node.h"
#include "tools/serve/output_limits.h"
#include "tools/serve/script_watch.h"

namespace lockstep::tools::serve {

/// What a command causes outside the node.
struct Answer {
  redis::Outcome outcome;
  bool dropped = false;     // the asking connection is closed at once, and nothing is written
  bool subscribes = false;  // (UN)SUBSCRIBE: answered as a message is, whatever CLIENT REPLY says
};

class ServedNode {
 public:
  enum class Time : std::uint8_t { real, by_debug };

  /// `epoch_ms`: what the clock shows first if time is virtual. `runs_within_commands`: if it is real, it
  /// does not stand while a command or script runs (7.0 manner).
  /// `meanwhile`: what is to be done while a script runs for long in real time; false: it is ended.
  ServedNode(Time time, std::int64_t epoch_ms, bool runs_within_commands, ScriptWatch::Meanwhile meanwhile);

  /// May be called from `meanwhile`; then few commands are not refused.
  Answer execute(model::ConnectionId from, const model::Command& command, redis::Paused paused);
  /// A script runs, and this is called from `meanwhile`.
  bool is_busy() { return scripts_.running() != nullptr; }

  /// DEBUG CLOCK: without it a pause in virtual time would never end.
  static bool moves_clock(const model::Command& command);

  /// To be called ten times a second. Returns what subscribers are told of keys that died; in a pause none
  /// does.
  std::vector<redis::Push> tick(redis::Paused paused);

  /// What CONFIG GET and INFO tell of the process.
  void configure(const char* name, std::string value) {
    node_.settings.write().others.insert_or_assign(name, std::move(value));
  }

  /// A number of the configuration.
  std::int64_t setting(std::string_view name) const;
  /// More clients CONFIG SET maxclients does not get.
  void set_clients_max(std::int64_t clients_max) { clients_max_ = clients_max; }

  std::int64_t wall_ms() const { return wall_ms_; }

  /// A client connected, from the address to the server's, through the socket of this number.
  void connect(model::ConnectionId connection, std::string address, std::string local_address, int file);
  void disconnect(model::ConnectionId connection) { redis::disconnect(node_, connection); }
  const OutputLimit& output_limit(model::ConnectionId connection) const {
    return redis::is_subscriber(node_.pubsub, connection) ? output_limits_.pubsub : output_limits_.normal;
  }
  std::size_t least_output_limit() const { return least_output_limit_; }
  bool listens(model::ConnectionId connection) const {
    return redis::is_subscriber(node_.pubsub, connection);
  }
  /// It is shown what others ask. Redis counts it among the replicas, which no pause holds back.
  bool monitors(model::ConnectionId connection) const { return node_.monitors->contains(connection); }
  /// Whether a password is wanted that this connection has not given.
  bool is_stranger(model::ConnectionId connection) const {
    const auto at = node_.sessions->find(connection);
    return at != node_.sessions->end() && redis::is_stranger(node_, at->second);
  }

 private:
  void catch_up();
  void set_clock(std::int64_t wall_ms);
  std::vector<redis::Push> bury_dead_keys();
  void carry_out(redis::Outcome& outcome);
  void read_settings();
  void forget_scripts();

  /// The machine's clock, for one command, never before the time at which it began.
  class MachineClock final : public redis::RunningClock {
   public:
    std::int64_t wall_ms() override;
    std::int64_t begun_ms = 0;
  };

  Time time_;
  bool runs_within_commands_;
  MachineClock machine_clock_;
  std::int64_t wall_ms_;
  std::int64_t wall_us_ = 0;  // within the millisecond
  std::chrono::steady_clock::time_point next_catch_up_{};
  bool active_expire_ = true;
  std::int64_t clients_max_ = 0;
  redis::Paused paused_ = redis::Paused::nothing;
  std::int64_t last_client_ = 2;  // CLIENT ID of the last client; scripts and functions are Redis's first two
  redis::Node node_;
  OutputLimits output_limits_;
  std::size_t least_output_limit_ = 0;
  ScriptWatch scripts_;
  const model::Command* outer_ = nullptr;  // the command that runs; not one that `meanwhile` brought
  lua::Engine engine_;
  sim::Random chance_;
};

}  // namespace lockstep::tools::serve
