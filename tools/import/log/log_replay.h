// log_replay.h: the commands of a log, run again by the model of a server, and whether that explains the log.
//
//   1. A log has neither replies nor deaths of keys. Both follow if the same commands are run at the same
//      times from the same beginning, and a log shows whether that is so: what a script calls depends on what
//      it reads.
//   2. If the model's script calls what the log shows, the script is explained.
//   3. If not, what a log does not say is varied: the millisecond in which a key died; what a key held before
//      the log begins; that a hold of which only that is known has ended.
//   4. What even that does not explain is told with both lists of calls and the least change of the key that
//      would explain it, and the replay goes on from there; so one gap does not make all that follows
//      unexplained.
//   5. If nothing does, the calls of the log are run themselves, and the reply stays unknown.
//
// Commands are run one by one; a transaction is its commands.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "model/redis/node.h"

namespace lockstep::tools {

/// The name of who held a lock before the log begins, and is not known.
inline constexpr const char* earlier_holder = "unknown:0";

/// What the model made of one command of the log.
struct LoggedRun {
  enum class How : std::uint8_t { as_logged, assumed, unexplained };

  How how = How::as_logged;
  std::optional<model::Reply> reply;  // absent: unknown
  std::vector<model::ScriptCall> calls;
  std::vector<model::Push> pushes;
  redis::Node before;
  std::string note;  // of assumed and unexplained: a clause
};

/// A script of a log: how it is run, and what is known of it.
struct LoggedScript {
  model::Command words;               // EVAL with the text; empty: the text is not known
  std::string key;                    // of the lock
  std::string holder;                 // who asks; may be empty
  std::vector<model::Command> calls;  // as logged
  bool compare = true;                // the log has the calls of scripts
  bool may_be_cut = false;            // it is the last of the log
};

/// One database of the server.
class LogReplay {
 public:
  explicit LogReplay(lua::Engine& engine) : engine_(engine) {}

  const redis::Node& node() const { return node_; }
  /// Keys die; the log is at this time now.
  void pass_to(std::int64_t wall_ms);
  /// The node before time passed last.
  const redis::Node& before_passing() const { return before_passing_; }

  LoggedRun run_command(model::ConnectionId from, const model::Command& words);
  LoggedRun run_script(model::ConnectionId from, const LoggedScript& script);
  /// Only the log knows since when, and for how long, this key is what it is.
  bool is_assumed(const std::string& key) const { return assumed_.contains(key); }

 private:
  struct Guess {
    std::string note;
    std::function<void(redis::Node&)> change;
    LoggedRun::How how = LoggedRun::How::assumed;
    std::optional<sim::Duration> slack;  // time that passed more than the log says, or less
  };

  LoggedRun attempt(redis::Node& node, model::ConnectionId from, const model::Command& words);
  LoggedRun explained(model::ConnectionId from, const LoggedScript& script);
  void forget_assumed();
  std::vector<Guess> guesses(const LoggedScript& script);
  void hold(redis::Node& node, const std::string& key, const std::string& holder, int count);
  void remove(redis::Node& node, const std::string& key);
  bool has(const redis::Node& node, const std::string& key) const;

  lua::Engine& engine_;
  redis::Node node_, before_passing_;
  std::optional<std::int64_t> wall_ms_;
  sim::Duration passed_{};         // last
  std::set<std::string> seen_;     // keys of scripts that ran
  std::set<std::string> assumed_;  // keys with a time to live that is not known
};

}  // namespace lockstep::tools
