// searched_graph.h: the states that an exhaustive search met, as a graph to draw.
//
// The search goes breadth first and without symmetry, so that nodes bear the names of the scenario. A search
// that reached its limit has drawn the part that is nearest to the start, and says so.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/setup/setup.h"
#include "reports/diagrams/state_graph.h"
#include "tools/cli/cmd_graph.h"
#include "tools/graph/decided_run.h"

namespace lockstep::tools {

struct SearchedGraph {
  reports::StateGraph graph;  // folded by the view
  std::uint64_t states = 0, transitions = 0;
  bool complete = false, memory_was_up = false;
  std::string path;                       // what is marked, in words; empty: nothing
  std::vector<std::size_t> nodes_of_run;  // before the first decision of `run`, and after each
};

struct GraphLimits {
  std::uint64_t states_max = 0;
  std::optional<std::uint64_t> memory_max{};  // bytes
};

/// Marked is the way of `run`; without one, the shortest way to the first violation that was met.
SearchedGraph search_graph(const model::Setup& setup, GraphView view, const GraphLimits& limits,
                           const std::vector<Decided>* run = nullptr);

}  // namespace lockstep::tools
