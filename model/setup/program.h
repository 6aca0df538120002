// program.h: what the threads of a scenario do, step by step, and to which locks.
//
// A program is data: the interpreter is model/program. All durations are milliseconds of true time. Ids are
// indices into the vectors of the Setup.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/id.h"
#include "sim/base/time.h"

namespace lockstep::model {

using sim::Duration;
using sim::NodeId;
using sim::ProcessId;
using sim::ThreadId;
using GroupId = sim::Id<struct GroupTag>;  // nodes that replicate one master

/// One lock object as programs name it. Two names with the same `name` and different `via` are two objects of
/// one lock. What a program writes to, and the servers that an operator's commands go to, are objects of
/// kinds that are no locks (model/client/outside.h).
struct LockObject {
  std::uint16_t kind = 0;  // a row of Setup::kinds
  std::string name;    // the Redis key
  std::string via;     // which object of this process; empty: the default one
  bool fresh = false;  // `name#fresh`: each acquire takes a key of its own, `name#1`, `name#2` …
  GroupId group;       // on which nodes the lock lives: `on=R1`
  /// Of a lock that is made of others, whose name is how programs write it: the others, as they were named
  /// (one: that on every group), and as complete() found them among Setup::objects.
  std::vector<LockObject> made_of{};
  std::vector<std::uint16_t> members{};
  bool part = false;  // only one lock that is made of others names it
  /// Where several locks lie under one key (LockKind::shares_key): that key, and which of them this object
  /// takes, all at once. These themselves, as complete() found them, if they are more than one.
  std::string key{};
  std::vector<std::string> values{};
  std::vector<std::uint16_t> locks{};
  bool fenced = false;  // a resource that checks tokens
  bool operator==(const LockObject&) const = default;
};

/// A length of time, or any of lo..hi.
struct Interval {
  Duration lo{}, hi{};
  bool fixed() const { return lo == hi; }
  bool operator==(const Interval&) const = default;
};

enum class Answer : std::uint8_t { yes, no, exception };

enum class StepKind : std::uint8_t {
  start,
  think,
  work,  // let time pass: `span`
  lock,
  lock_interruptibly,
  try_lock,
  unlock,
  force_unlock,  // `object`, `wait`, `lease`
  signal,
  await,   // `signal`
  expect,  // `answer`
  crash,   // the thread's process dies here
  is_held,
  is_locked,  // `object`: questions about a lock
  hold_count,   // `count`
  remain_time,  // `span`
  get_token,
  get,  // the future of the call before
  cancel,
  shutdown,   // of the clients of the thread's process
  command,    // `words`: what an operator sends; `object` says where to
  write,      // `object`: a resource outside of Redis
  repeat,
  try_block,
  again,  // the brace that ends a repeat
  finally_block,
  end_block  // the brace that ends a finally
};

struct Step {
  StepKind kind = StepKind::work;
  Interval span;
  std::uint16_t object = 0;             // index into Setup::objects
  std::optional<Duration> wait, lease;  // as written; absent: the call without that argument
  std::uint16_t signal = 0;             // index into Setup::signals
  Answer answer = Answer::yes;
  bool async = false;  // of calls: what it returns is a future, and the thread goes on
  std::optional<std::int64_t> by;  // is-held: the thread that it asks about, by its number
  std::uint32_t count = 0;  // of repeat; of hold-count: how often at least
  std::uint32_t jump = 0;   // repeat: first step behind the loop · again: first step of the body ·
                            // try_lock, get of its future: where a refusal goes on (behind the matching
                            // unlock), else the next step · try_block: its finally · finally_block: its end
  std::vector<std::string> words{};  // of command
  std::string text;         // as the scenario writes it
  bool operator==(const Step&) const = default;
};

struct ThreadSetup {
  std::string name;  // "A1"
  ProcessId process;
  std::int64_t java_id = 1;  // the number in its holder name `uuid:1`
  std::vector<Step> program;
  // Derived by complete():
  sim::PlaceId place;  // in its process
  bool draws_numbers = false;  // for its calls (model/client/new_words.h)
  bool operator==(const ThreadSetup&) const = default;
};

}  // namespace lockstep::model
