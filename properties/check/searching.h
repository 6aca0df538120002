// searching.h: every state that a checked scenario can reach.
#pragma once

#include "properties/check/checked.h"
#include "sim/search/outcome.h"

namespace lockstep::properties {

enum class Memory {
  used,    // steps are remembered (remembered.h) where the question allows it; the outcome is the same
  unused,  // only to compare
};

/// From where runs of the system begin. A question that rests on no digests (StateKey::exact), or that looks
/// at each state (on_edge), goes over whole states in any case.
sim::Outcome<Checked> search(Checked& system, sim::SearchOptions<Checked> options,
                             Memory memory = Memory::used);

}  // namespace lockstep::properties
