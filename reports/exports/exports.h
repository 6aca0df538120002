// exports.h: a trace in the formats of other tools.
//
// All are whole: a window of a vector clock, or half of a pair, would be wrong in the tools that read them.
// Every name passes printable(), so the text is valid whatever a lock is called. Times are those of virtual
// time.
#pragma once

#include <string>

#include "sim/trace.h"

namespace lockstep::reports {

/// Chrome's JSON, for ui.perfetto.dev: a track for each thread, process and node; calls are slices, what a
/// thread believes to hold and messages under way are asynchronous ones, all else marks. Microseconds.
std::string perfetto(const sim::Trace& trace);

/// A log with vector clocks for ShiViz and its usual expression,
/// `(?<host>\S*) (?<clock>{.*})\n(?<event>.*)`: two lines an event. An event follows those of its host and
/// the one that made it possible; a broken property follows the events that it names.
std::string shiviz(const sim::Trace& trace);

/// Informal Trace Format (Apalache's ADR 015): one state for the start and for each decision, with what nodes
/// store, who believes to hold what, and which properties are broken.
std::string itf(const sim::Trace& trace);

/// A history as Jepsen keeps it (EDN), one operation a line: calls of threads, and faults as the nemesis's.
/// Whoever is never answered ends in :info; so does a call that threw, whose thread goes on as another
/// process. Each says its thread, `:mode :read` for a reader, the token of a grant; that a thread waits on
/// its latch is told among the faults. Nanoseconds.
std::string jepsen_history(const sim::Trace& trace);

}  // namespace lockstep::reports
