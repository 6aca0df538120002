// counterexample.h: what a broken property leaves behind for people: a trail, a trace, and the story.
//
// The files lie in OUT/SCENARIO/: PROPERTY.trail holds where the run deviates from the dull one (it replays
// to exactly the same run), PROPERTY.jsonl the trace. Each is written whole or not at all.
#pragma once

#include <string>

#include "properties/check/check.h"
#include "sim/base/result.h"

namespace lockstep::tools {

struct Counterexample {
  std::string property;
  std::string trail_file, trace_file;
  std::string story;  // a table, one line for each thing that happened
  std::size_t steps = 0;
};

/// `result` must have a trail.
sim::Result<Counterexample> keep_counterexample(const model::Setup& setup,
                                                const properties::PropertyResult& result,
                                                const std::string& out_dir);

/// The deviations of a trail, one a line.
std::string show_deviations(const sim::Trail& trail);

}  // namespace lockstep::tools
