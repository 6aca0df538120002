// trace.h: what happened in a run, for people and tools.
//
// A trace is derived from a trail by running it again; it is never read back by the simulation. It is plain
// data: names instead of ids, so that reports need to know nothing of the model. The file format (JSON Lines)
// is in reports/files/trace_file.h, the meaning of each kind of event in the table below.
//
//   kind     who          meaning
//   inv      thread       a call begins            act = "lock orders"
//   ret      thread       a call returns           ret = "true" …, outcome = ok | fail | info (exception)
//   send     sender       a message leaves         to, msg = its number, act
//   recv     receiver     a reply or push arrives  from, msg, act
//   drop     sender       a message is lost        to, msg, why
//   eval     node         a script ran             from, msg, script (role), keys, argv, ret, changes
//   cmd      node         a plain command ran      from, msg, act; a line of a script has of = its eval
//   timer    thread       a wait ended             act
//   renew    process      the watchdog sent        lock
//   expire   node         a key died               changes
//   repl     replica      effects were applied     from, changes
//   crash restart promote demote pause resume cut heal lag clock evict flush learn
//                         faults and their ends    who = what it befell
//   enter leave  thread   belief begins, ends      lock
//   park     thread       waits on the latch       lock, act
//   prop     -            a property was broken    name, why, steps
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace lockstep::sim {

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

struct TraceEvent {
  std::int64_t index = 0;
  std::int64_t time_us = 0;  // since the start of the run
  std::string kind;
  std::string who, from, to;                 // empty: does not apply
  std::optional<std::int64_t> msg;           // number of the message
  std::optional<std::int64_t> cause;         // index of the event that made this one possible
  std::optional<std::int64_t> of;            // index of the event that this one is a detail of
  std::string act;
  std::string lock;                          // the lock concerned
  std::string script;                        // role of the script
  std::vector<std::string> keys, argv;
  std::optional<std::string> ret;            // rendered: nil, (integer) 1, "text", (error) …
  std::string outcome;                       // of ret events
  std::string name, why;                     // of prop and drop events
  std::vector<std::int64_t> steps;           // events a violation refers to
  std::optional<std::pair<int, int>> choice;  // first event of a decision: which of how many moves was taken
  std::vector<KeyChange> changes;
  std::string state;                         // first 16 digits of the digest of the state after the decision
  bool operator==(const TraceEvent&) const = default;
};

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
  std::string scripts, scripts_digest;
  std::string trail;  // the whole text of the trail that this trace was made from
  std::vector<TraceActor> actors;
  std::vector<TraceEvent> events;
  std::string result;  // "violated", "passed"
  bool operator==(const Trace&) const = default;
};

}  // namespace lockstep::sim
