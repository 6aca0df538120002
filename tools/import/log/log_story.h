// log_story.h: the events of a trace that a log becomes.
//
// What a log does not show is told as the simplest that fits: a call begins with the first request of a
// thread for a lock, its answer is heard at once, and who was granted a lock believes in it until it gives
// it back.
#pragma once

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "sim/trace.h"
#include "tools/import/log/known_scripts.h"
#include "tools/import/log/log_cast.h"
#include "tools/import/log/log_judge.h"
#include "tools/import/log/log_replay.h"

namespace lockstep::tools {

/// A script of the log: EVAL or EVALSHA with its KEYS and ARGV.
struct SentScript {
  std::string sha1, text;  // the text is empty if it was never seen
  std::vector<std::string> keys, args;
};

/// Everything that is known of a script of the log before it is run.
struct AskedScript {
  SentScript sent;
  const KnownScript* known = nullptr;
  std::string lock, holder;  // empty: not known

  bool is_to(model::Intent intent) const { return known != nullptr && known->role->intent == intent; }
  std::string role() const { return known == nullptr ? "" : std::string(known->role->name); }
};

class LogStory {
 public:
  explicit LogStory(LogCast& cast) : cast_(cast) {}

  /// Events do not go back in time, though databases are looked at one after another.
  void time_is(std::int64_t time_us) { time_us_ = std::max(time_us_, time_us); }
  sim::TraceEvent& add(sim::TraceKind kind, std::string who);
  /// The thread, the client of a renewal, or the connection.
  std::string sender_of(const AskedScript& asked, const std::string& address);

  /// A script arrives, and is run: the event is to be completed with what it changed, before the next.
  sim::TraceEvent& runs(const AskedScript& asked, const std::string& who, const std::string& server,
                        const LoggedRun& run, const model::Items& meaning, bool time_is_guessed);
  /// What it called and published, and that its sender heard the answer.
  void ran(const AskedScript& asked, const std::string& who, const LoggedRun& run,
           const model::Items& meaning);
  /// A plain command; to be completed as well.
  sim::TraceEvent& runs_command(const std::string& who, const std::string& server,
                                const model::Command& words, const LoggedRun& run);
  void pushes(const LoggedRun& run, const std::string& server);
  void broke(const std::vector<LogBreach>& breaches);

  std::vector<sim::TraceEvent> take_events() { return std::move(events_); }

 private:
  void before(const AskedScript& asked, const std::string& who);
  void after(const AskedScript& asked, const std::string& who, const model::Items& meaning);
  void calls(const LoggedRun& run, std::int64_t of, const std::string& who);

  using Claim = std::pair<std::string, std::string>;  // thread, lock

  LogCast& cast_;
  std::vector<sim::TraceEvent> events_;
  std::set<Claim> asking_, believing_;
  std::int64_t time_us_ = 0, messages_ = 0;
};

}  // namespace lockstep::tools
