// trace_diff.h: where two traces part, as plain data with two readers: text and JSON.
//
// Two events are the same if the same actor does the same thing with the same outcome. Numbers of events and
// of messages, causes and digests of states are not compared, since one event more shifts them all; times are
// compared apart, so that runs which do the same at other times say so. The lines of scripts that calls stand
// on do not count.
//
// `in` says what is not the same, aspect by aspect: what callers did, requests and their replies, commands
// of scripts, published messages, what is stored, effects on replicas, faults, broken properties, times. An
// aspect whose events are the same in another order is "the order of …". If nobody sees another order of
// its own events, the two differ only in "the order of what different actors do".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/trace.h"

namespace lockstep::reports {

/// A row of both traces beside each other. Everything is printable.
struct EventPair {
  std::optional<std::int64_t> a, b;  // index of the event; both: it is the same on both sides
  std::string who, what, changes;
  std::int64_t time_a_us = 0, time_b_us = 0;
  bool differs() const { return !a || !b || time_a_us != time_b_us; }
};

struct TraceDiff {
  std::string a, b;                  // what the user called them
  std::vector<std::string> header;   // "scripts: x, y": what the traces say of themselves and differs
  std::vector<EventPair> rows;       // aligned
  std::optional<std::size_t> first;  // row of the first difference
  std::vector<std::string> in;       // empty: they tell the same
  std::uint64_t both = 0, only_a = 0, only_b = 0;
  bool aligned = true;  // false: too different to be aligned after the common beginning
};

/// Of one actor alone, if `actor` is not empty: what it does, and what is done to it.
TraceDiff compare_traces(const sim::Trace& a, const sim::Trace& b, const std::string& actor = "");

/// The actors of both, in the order of the first, then of the second.
std::vector<std::string> actors_of(const sim::Trace& a, const sim::Trace& b);

struct TraceDiffTextOptions {
  std::size_t lines_max = 40;  // of rows; 0: none
};

std::string trace_diff_text(const TraceDiff& diff, const TraceDiffTextOptions& options = {});
std::string trace_diff_json(const TraceDiff& diff);

}  // namespace lockstep::reports
