// prefix.h: `--from TRAIL[:N]`: the moves that a run begins with, taken from a trail.
//
// The trail, or the trail that a trace carries, is replayed; of its moves the first N count, or all. It
// must be one of the scenario that is asked; whatever is wrong with it is a sentence with its place.
#pragma once

#include <string>
#include <vector>

#include "model/setup/setup.h"
#include "model/world/move.h"
#include "sim/base/result.h"
#include "sim/run/run.h"
#include "sim/system.h"

namespace lockstep::tools {

struct Prefix {
  model::Setup setup;
  std::vector<sim::Decision<model::Move>> decisions;
};

/// `scenario` is the word of the command line; `scripts` those of --scripts.
sim::Result<Prefix> load_prefix(const std::string& word, const std::string& scenario,
                                const std::vector<std::string>& scripts);

/// What runs are to begin with; at most one of the two.
struct BeginsWith {
  std::string from;     // TRAIL[:N]
  std::string choices;  // numbers of moves with dots between: "0.0.3.2"

  bool nothing() const { return from.empty() && choices.empty(); }
  /// A sentence if both are named.
  std::string complaint() const;
  /// The options again, for a line to copy.
  std::string words() const;
};

sim::Result<Prefix> load_beginning(const BeginsWith& begins, const std::string& scenario,
                                   const std::vector<std::string>& scripts);

}  // namespace lockstep::tools
