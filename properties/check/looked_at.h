// looked_at.h: what monitors look at in a remembered step.
#pragma once

#include <vector>

#include "properties/check/recollection.h"

namespace lockstep::properties::looked_at {

/// What a move showed, and the function by which monitors see it.
struct Observed {
  std::vector<model::Observation> seen;
  std::uint64_t looked = 0;  // at steps of servers (names_watch.h)
  Recollection::Function watching = 0;
};

/// What checks ask of one process, and of all together.
struct Situation {
  std::vector<model::Facts::Wait> waits;
  bool silent = false, ended = false;
  bool operator==(const Situation&) const = default;
};
struct Whole {
  sim::Row situations;  // by slot
  bool waited = false, silent = true, ended = true;
};

}  // namespace lockstep::properties::looked_at
