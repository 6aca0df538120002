// story.h: a counterexample as a table of steps, for a terminal or a log.
//
//     #   t         who     what                          changes
//     2   0 s       A1@R0   lock orders → nil (got it)    orders {A1: 1} 30 s
//    14   0.002 s   R0      R0 crashes
//  ▶ 24   30.001 s          mutual-exclusion: A1 and B1 are both inside orders
//
// Told are scripts and commands, deaths of keys, replication, losses, faults, belief and violations;
// requests, receipts and waits go without saying. Every cell is printable, and no line ends with a space.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "reports/text/window.h"
#include "sim/trace.h"

namespace lockstep::reports {

struct StoryOptions {
  Window window = {{}, {}, 10'000};
  bool everything = false;       // requests, receipts, calls, waits and lines of scripts too
  std::function<bool(const sim::TraceEvent&)> only{};  // of these; absent: of all
  std::size_t what_columns = 56;  // longer cells are cut
  std::string indent = "  ";
};

std::string story(const sim::Trace& trace, const StoryOptions& options = {});

}  // namespace lockstep::reports
