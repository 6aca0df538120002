// ownership.h: who owned a lock in truth and who believed to, read off a trace.
//
// Truth is what the current master stores: a lock is held by a thread whose holder name stands in a hash
// field (or is the value of a string) under the lock's key on a current master. The master changes with
// promote and demote events; a master that is down stays the current one until another is promoted. Belief
// runs from a thread's enter event to its leave event or the crash of its process. Positions are indices into
// Trace::events, and a span covers [begin, end): what an event changes holds from that event on; an end equal
// to events.size() means that the trace ended first.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sim/trace.h"

namespace lockstep::reports {

enum class Standing {
  waiting,   // inside a lock call that was refused or parked
  holds,     // believes and holds
  mistaken,  // believes, and the current master says otherwise
};

struct Band {
  std::string thread;
  std::string lock;
  Standing standing = Standing::holds;
  bool shared = false;  // another thread believes the same lock to be its own, and not both are readers
  std::size_t begin = 0, end = 0;
  bool operator==(const Band&) const = default;
};

/// What the current master says of one key.
struct Tenure {
  std::string key;
  std::string thread;  // the actor's id, or the holder name where no actor has it
  std::size_t begin = 0, end = 0;
  std::vector<std::pair<std::size_t, std::int64_t>> deadlines_us;  // position, deadline that was set there
  bool by_failover = false;  // it ended because another node became master
  bool operator==(const Tenure&) const = default;
};

struct Ownership {
  std::vector<Band> bands;  // per thread in the order of events, never two at once for one thread and lock
  std::vector<Tenure> tenures;  // in the order in which they begin
};

Ownership ownership(const sim::Trace& trace);

/// The bands without regard to `shared`: neighbours of one standing are one.
std::vector<Band> whole_bands(const Ownership& ownership);

/// "fair:orders" → "orders"; "red:a+b" → "a", "b"; "orders#fresh" → "orders".
std::vector<std::string> keys_of_lock(const std::string& lock);

const sim::TraceActor* find_actor(const sim::Trace& trace, const std::string& id);
/// The holder name as people say it: the id of the thread whose lock_id it is; otherwise itself.
std::string holder_name(const sim::Trace& trace, const std::string& holder);

}  // namespace lockstep::reports
