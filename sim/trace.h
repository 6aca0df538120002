// trace.h: what happened in a run, for people and tools.
//
// A trace is derived from a trail by running it again; it is never read back by the simulation. It is plain
// data: names instead of ids, so that reports need to know nothing of the model. The file format (JSON Lines)
// is in reports/files/trace_file.h; each kind of event is a line of TraceKind.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lockstep::sim {

enum class TraceKind : std::uint8_t {
  // who acts, and what it means
  inv,     // thread: a call begins            act = "lock orders"
  ret,     // thread: a call returns           ret = "true" …, outcome = ok | fail | info (exception)
  send,    // sender: a message leaves         to, msg = its number, act
  recv,    // receiver: a reply or push came   from, msg, act
  drop,    // sender: a message is lost        to, msg, why
  eval,    // node: a script ran               from, msg, script (role), keys, argv, ret, changes
  cmd,     // node: a plain command ran        from, msg, act; a line of a script has of = its eval
  timer,   // thread: a wait ended             act
  renew,   // process: the watchdog sent       lock
  expire,  // node: a key died                 changes
  repl,    // replica: effects were applied    from, changes
  enter,   // thread: belief begins            lock
  leave,   // thread: belief ends              lock
  park,    // thread: it waits on its latch    lock, act
  note,    // thread: something worth telling  act
  prop,    // nobody: a property was broken    name, why, steps
  // Faults and their ends; who = what it befell.
  crash,          // process or node
  restart,        // process or node
  promote,        // node: it is the master now        act
  demote,         // node: it is a replica now
  resync,         // node: it has copied the master
  learn,          // process: it knows the new master
  reconnect,      // process: it listens again         to
  pause,          // process
  resume,         // process
  cut,            // process                           to
  heal,           // process                           to
  broken,         // process: its connections break    to
  hold,           // sender: a message is held back    to, msg, act
  release,        // sender: it goes on                to, msg, act
  lag,            // replica: effects wait
  unlag,          // replica: they wait no longer
  clock,          // node: its wall clock jumps        act = by how much
  interrupt,      // thread
  evict,          // node: a key is evicted            lock, changes
  flush_scripts,  // node: its script cache is empty
  save,           // node: its data are on the disk
  power_loss,     // node: its newest writes are not
  isolate,        // node: it is cut off from other nodes
  rejoin,         // node: it is no longer
  split_votes,    // node: whose successor was not elected
  close,          // node of a cluster: it serves no longer, as it hears no majority
  move_slots,     // node of a cluster: slots begin to move to it
  take,           // node of a cluster: one of their keys has, or they have     changes
  other,          // of a file: a kind that is not known here; TraceEvent::other_kind is its word
};

/// In the order of TraceKind: what files and people call each kind.
inline constexpr std::array<std::string_view, 44> trace_words = {
    "inv",     "ret",    "send",    "recv",   "drop",      "eval",  "cmd",           "timer",
    "renew",   "expire", "repl",    "enter",  "leave",     "park",  "note",          "prop",
    "crash",   "restart", "promote", "demote", "resync",   "learn", "reconnect",     "pause",
    "resume",  "cut",    "heal",    "broken", "hold",      "release", "lag",         "unlag",
    "clock",   "interrupt", "evict", "flush-scripts", "save", "power-loss",
    "isolate", "rejoin", "split-votes", "close",
    "move-slots", "take"};
static_assert(trace_words.size() == static_cast<std::size_t>(TraceKind::other));

/// The kind that a word stands for; `other` if none here does.
constexpr TraceKind trace_kind(std::string_view word) {
  std::size_t at = 0;
  while (at < trace_words.size() && trace_words[at] != word) ++at;
  return static_cast<TraceKind>(at);
}
static_assert(trace_kind("prop") == TraceKind::prop && trace_kind("evict") == TraceKind::evict);

/// A key of a node after an event; `present` is false when it is gone.
struct KeyChange {
  std::string node;
  std::string key;
  bool present = true;
  std::string type;  // "hash", "string", "list", "set", "zset"
  /// hash: field, value; zset: member, score; list and set: "", item; string: "" and the bytes.
  std::vector<std::pair<std::string, std::string>> fields;
  std::optional<std::int64_t> pttl_ms;  // absent: no TTL
  bool operator==(const KeyChange&) const = default;
};

/// Who holds a lock in truth, as the kind of lock reads it off what is stored.
struct LockTruth {
  struct Hold {
    std::string who;  // the thread, or the name that is stored if no thread's is
    std::int64_t count = 1;
    std::optional<std::int64_t> left_ms;  // absent: it does not end by itself
    bool operator==(const Hold&) const = default;
  };
  std::string lock;  // as `enter` and `leave` call it
  std::vector<Hold> holds;
  bool operator==(const LockTruth&) const = default;
};

struct TraceEvent {
  std::int64_t index = 0;
  std::int64_t time_us = 0;  // since the start of the run
  TraceKind kind = TraceKind::other;
  std::string other_kind;                    // the word of `other`, as a file had it; otherwise empty
  std::string who, from, to;                 // empty: does not apply
  std::optional<std::int64_t> msg;           // number of the message
  std::optional<std::int64_t> cause;         // index of the event that made this one possible
  std::optional<std::int64_t> of;            // index of the event that this one is a detail of
  std::string act;
  std::string lock;                          // the lock concerned
  std::string script;                        // role of the script
  std::optional<std::int64_t> line;          // of a script: of this call, or of eval of the last write
  std::vector<std::string> keys, argv;
  std::optional<std::string> ret;            // rendered: nil, (integer) 1, "text", (error) …
  std::string meaning;                       // of eval and recv: of the reply, "granted", "refused" …; of
                                             // timer: "wake-up", if a message's ended the wait
  std::optional<std::int64_t> wait_ms;       // of a refusal: how much longer, if the reply says so
  std::string outcome;                       // of ret events
  std::string name, why;                     // of prop and drop events
  std::vector<std::int64_t> steps;           // events a violation refers to
  std::optional<std::pair<int, int>> choice;  // first event of a decision: which of how many moves was taken
  std::vector<KeyChange> changes;
  std::vector<LockTruth> truths;             // of locks that are held otherwise from here on
  std::string state;                         // first 16 digits of the digest of the state after the decision
  bool operator==(const TraceEvent&) const = default;
};

inline std::string_view word_of(const TraceEvent& event) {
  const auto at = static_cast<std::size_t>(event.kind);
  return at < trace_words.size() ? trace_words[at] : event.other_kind;
}

struct TraceActor {
  std::string id;     // "A1", "A", "R0"
  std::string kind;   // "thread", "process", "redis"
  std::string of;     // of a thread: its process
  std::string label;  // "process A, thread 1"
  std::string lock_id;  // of a thread: the holder name it uses, "uuid:1"
  std::string role;     // of a node at the start: "master", "replica"
  bool operator==(const TraceActor&) const = default;
};

struct Trace {
  std::string scenario, scenario_digest;
  std::string about;  // the scenario's sentence
  std::string scripts, scripts_digest;
  std::string trail;  // the whole text of the trail that this trace was made from
  std::vector<TraceActor> actors;
  std::vector<TraceEvent> events;
  std::string result;  // "violated", "passed"
  bool operator==(const Trace&) const = default;
};

}  // namespace lockstep::sim
