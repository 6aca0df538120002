// differing_graph.h: two graphs of states as one, with what only one of them has.
//
// Nodes are the same if their labels are, and edges if their ends are; both graphs were folded by one view,
// so that labels are names. What only the first has is red and dashed, what only the second has is green, and
// both say so in their labels (− and +). Counts are those of the second, where it has any.
#pragma once

#include "reports/diagrams/state_graph.h"

namespace lockstep::reports {

struct DifferingGraph {
  StateGraph graph;
  std::size_t only_first = 0, only_second = 0;  // edges
};

DifferingGraph differing_graph(const StateGraph& first, const StateGraph& second);

}  // namespace lockstep::reports
