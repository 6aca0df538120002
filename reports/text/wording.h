// wording.h: events of a trace as people say them; one wording for every diagram and table.
//
// Everything returned is printable (text.h). Holder names are replaced by the ids of their threads, a lock
// reply says what it means ("nil → got it", "29998 ms left"), and times are seconds with as many decimals as
// they need.
#pragma once

#include <string>

#include "sim/trace.h"

namespace lockstep::reports {

using sim::TraceKind;

enum class Answer { granted, refused, error, plain };

/// What a reply means to the one who asked, as the event says.
Answer answer(const sim::TraceEvent& ran);
/// "nil → got it", "29998 ms left", "nil → not the holder".
std::string reply_text(const sim::TraceEvent& ran);

/// "0 s", "29.998 s", "1.000250 s".
std::string time_text(std::int64_t time_us);
/// "30 s", "500 ms": a length of time, from milliseconds.
std::string length_text(std::int64_t milliseconds);

/// "orders {A1: 1} 30 s", "orders gone"; with the node before it if `with_node`.
std::string change_text(const sim::Trace& trace, const sim::KeyChange& change, bool with_node = false);
std::string changes_text(const sim::Trace& trace, const sim::TraceEvent& event, bool with_node = false);

/// A fault or its end in words: "R0 crashes", "R1 becomes master".
std::string fault_text(const sim::TraceEvent& event);
bool is_fault(sim::TraceKind kind);

/// What a message carries: "message 0 (unlocked)" for the unlock message, otherwise its act.
std::string message_text(const sim::TraceEvent& event);
/// What happened, in a few words, without who did it.
std::string event_text(const sim::Trace& trace, const sim::TraceEvent& event);
/// The label of an actor, or its id where there is none.
std::string actor_text(const sim::Trace& trace, const std::string& id);
/// One line with everything that the event holds, for tooltips.
std::string tooltip_text(const sim::Trace& trace, const sim::TraceEvent& event);

}  // namespace lockstep::reports
