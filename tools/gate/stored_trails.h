// stored_trails.h: a trail that was kept, replayed with the scripts of both sides of a gate.
//
// A counterexample of a fault that was mended is a test, so it is followed with the scripts of each side, and
// not with those that it was made with: strictly, and where that leads nowhere, as far as it goes.
#pragma once

#include <string>
#include <vector>

#include "model/setup/setup.h"
#include "properties/check/check.h"
#include "sim/base/result.h"

namespace lockstep::tools {

struct StoredTrail {
  std::string file, word;                              // of the trail, and of its scenario
  std::string no_base;                                 // why the base cannot be asked
  sim::PropertyMask base_breaks = 0, head_breaks = 0;  // if the trail names a property, of that alone
  model::Setup head;
  properties::Told told;  // with the head
};

/// `word` names the scenario on the command line; empty: the trail's own name for it.
sim::Result<StoredTrail> replay_stored(const std::string& file, const std::string& word,
                                       const std::vector<std::string>& base,
                                       const std::vector<std::string>& head);

}  // namespace lockstep::tools
