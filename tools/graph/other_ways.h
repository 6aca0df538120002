// other_ways.h: what else could have happened at each decision of a run, and what came of it by default.
//
// For each decision of a trail: all moves that were possible, and for those that were not taken the events
// that follow when one is taken and the default schedule goes on, with what breaks on that way. What was not
// tried because there are too many of them, or too much lies before, is listed without.
#pragma once

#include "model/setup/setup.h"
#include "reports/page/page.h"
#include "sim/base/result.h"
#include "sim/trail/trail.h"

namespace lockstep::tools {

struct OtherWaysLimits {
  std::size_t tried_max = 400;      // moves that are tried, in all: those of the last decisions
  std::size_t events_max = 1'000'000;  // gone over for that, in all
  std::size_t steps_max = 40;       // of the default schedule behind each
  std::size_t lines_max = 14;       // told of each
  std::size_t decisions_max = 400;  // of the run: the last ones
};

/// In the order of the decisions; `command` begins a line that goes on by hand: "lockstep step plain/x". A
/// sentence if the run leaves the trail.
sim::Result<std::vector<reports::PageChoice>> other_ways(const model::Setup& setup, const sim::Trail& trail,
                                                         const std::string& command,
                                                         const OtherWaysLimits& limits = {});

}  // namespace lockstep::tools
