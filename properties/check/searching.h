// searching.h: every state that a checked scenario can reach.
#pragma once

#include <string>

#include "properties/check/checked.h"
#include "properties/check/memories.h"
#include "sim/search/outcome.h"
#include "sim/search/ranks.h"

namespace lockstep::properties {

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
                             Memories memories = Memories::usual, sim::Digest* graph = nullptr,
                             MetSoFar* so_far = nullptr);

/// The same by several processes, each of which calls this with a system that is alike (sim/search/ranked.h);
/// the outcome is that of the first. All systems hear what made one of them stop.
sim::Outcome<Checked> search_by(sim::Ranks& ranks, Checked& system, sim::SearchOptions<Checked> options);

/// Why a search has not met every state, as what follows "because".
std::string why_not_whole(sim::SearchEnd ended, const sim::SearchLimits& limits);

}  // namespace lockstep::properties
