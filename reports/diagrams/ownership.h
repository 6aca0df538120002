// ownership.h: who owned a lock in truth and who believed to, read off a trace.
//
// Truth is what the trace says that the kind of lock read off the current master (sim::LockTruth); while
// nobody is in charge, the last word stands. What a server stores is not looked at: nothing here knows how
// any lock lies there. Belief runs from a thread's enter event to its leave event or the crash of its
// process. Positions are indices into Trace::events, and a span covers [begin, end): what an event changes
// holds from that event on; an end equal to events.size() means that the trace ended first.
#pragma once

#include <string>
#include <utility>
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
  bool shared = false;  // another thread believes the same lock to be its own
  std::size_t begin = 0, end = 0;
  bool operator==(const Band&) const = default;
};

/// One thread holds one lock, in truth.
struct Tenure {
  std::string lock;
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

const sim::TraceActor* find_actor(const sim::Trace& trace, const std::string& id);
/// The first thread of the scenario is drawn green, the next blue, and so on in turn.
bool is_second(const sim::Trace& trace, const std::string& thread);
/// Times of a trace file may be anything; a deadline that does not fit is the latest there is.
std::int64_t deadline_us(std::int64_t time_us, std::int64_t pttl_ms);
/// The holder name as people say it: the id of the thread whose lock_id it is; otherwise itself.
std::string holder_name(const sim::Trace& trace, const std::string& holder);

}  // namespace lockstep::reports
