// zeno.h: a cycle in which no time passes, found in the graph of a finished search.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/search/edges.h"
#include "sim/search/parents.h"

namespace lockstep::sim {

/// The states of a cycle of timeless edges in order; empty if there is none. An edge to the same state is a
/// cycle. It is one of those that are closed by the fewest moves, counted from the initial state, and of them
/// the one that begins with the least state; where that would take longer than to look a few times at all
/// edges, the best that was found so far. That there is none is known in time linear in states and edges.
std::vector<std::uint32_t> find_cycle(const Edges& edges, const Parents& parents);

}  // namespace lockstep::sim
