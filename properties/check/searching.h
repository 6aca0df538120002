// searching.h: every state that a checked scenario can reach.
#pragma once

#include "properties/check/checked.h"
#include "sim/search/outcome.h"
#include "sim/search/ranks.h"

namespace lockstep::properties {

/// What a search keeps of the steps that it took; the outcome does not depend on it.
enum class Memory {
  used,             // steps are remembered (remembered.h) where the question allows it
  but_for_scripts,  // those in which a script answers a client are taken each time all the same; to measure
  short_lived,      // they are forgotten again and again; only to compare
  unused,           // only to compare
};

/// What was met besides states, at the last point from which a search could go on (sim/search/learned.h).
struct MetSoFar {
  bool goes_on = false;  // it is what an earlier search met, with which this one begins
  Checked::Met met;
};

/// From where runs of the system begin. A question that rests on no digests (StateKey::exact), or that looks
/// at each state (on_edge, predicates), goes over whole states in any case, and by one worker. There are as
/// many workers else as the system's options say; what made one of them stop is said by `system`. `graph` is
/// given the digest of all that was gone through (graph_digest.h), by one worker, and does not go together
/// with `so_far`.
sim::Outcome<Checked> search(Checked& system, sim::SearchOptions<Checked> options,
                             Memory memory = Memory::used, sim::Digest* graph = nullptr,
                             MetSoFar* so_far = nullptr);

/// The same by several processes, each of which calls this with a system that is alike (sim/search/ranked.h);
/// the outcome is that of the first. All systems hear what made one of them stop.
sim::Outcome<Checked> search_by(sim::Ranks& ranks, Checked& system, sim::SearchOptions<Checked> options);

}  // namespace lockstep::properties
