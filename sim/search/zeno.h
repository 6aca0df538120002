// zeno.h: a cycle in which no time passes, found in the graph of a finished search.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/search/edges.h"

namespace lockstep::sim {

/// The states of one cycle of timeless edges in order, beginning with the least; empty if there is none. An
/// edge from a state to itself is a cycle. Linear in states and edges.
std::vector<std::uint32_t> find_cycle(const Edges& edges, std::size_t states);

}  // namespace lockstep::sim
