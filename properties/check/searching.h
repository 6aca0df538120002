// searching.h: every state that a checked scenario can reach.
#pragma once

#include "properties/check/checked.h"
#include "sim/search/outcome.h"

namespace lockstep::properties {

/// How a search is carried out; the outcome does not depend on it.
enum class Memory {
  used,    // steps are remembered (remembered.h) where the question allows it; the outcome is the same
  unused,  // only to compare
};

/// From where runs of the system begin. A question that rests on no digests (StateKey::exact), or that looks
/// at each state (on_edge, predicates), goes over whole states in any case, and by one worker. There are as
/// many workers else as the system's options say; what made one of them stop is said by `system`.
sim::Outcome<Checked> search(Checked& system, sim::SearchOptions<Checked> options,
                             Memory memory = Memory::used);

}  // namespace lockstep::properties
