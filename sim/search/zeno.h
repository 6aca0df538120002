// zeno.h: a cycle in which no time passes, found in the graph of a finished search.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace lockstep::sim {

/// A move that lets no time pass, between two states named by their numbers.
struct TimelessEdge {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  bool operator==(const TimelessEdge&) const = default;
};

/// The states of one cycle in order, beginning with the least; empty if there is none. An edge from a state
/// to itself is a cycle. `edges` ascend by `from`, as a breadth-first search records them. Linear in states
/// and edges.
std::vector<std::uint32_t> find_cycle(std::span<const TimelessEdge> edges, std::size_t states);

}  // namespace lockstep::sim
