// decided_run.h: the decisions of a trail, each with everything that was possible there.
#pragma once

#include <vector>

#include "model/setup/setup.h"
#include "model/world/move.h"
#include "sim/base/result.h"
#include "sim/trail/trail.h"

namespace lockstep::tools {

struct Decided {
  std::vector<model::Move> moves;  // that were enabled
  model::Move taken;
  std::size_t index = 0;  // of `taken` among them
};

/// A sentence if the run leaves the trail.
sim::Result<std::vector<Decided>> decided_run(const model::Setup& setup, const sim::Trail& trail);

}  // namespace lockstep::tools
