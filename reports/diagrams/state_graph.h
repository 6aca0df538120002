// state_graph.h: a graph of states, or of classes of states, as DOT for Graphviz's `dot`.
//
// The caller names what a state looks like (its view); folding.h makes one node of all states that look the
// same. Initial nodes have a double border, violating ones are red, those at rest are rounded boxes in grey;
// the path of a counterexample is bold red. `dot` does not blow up on many nodes but on long edges, so only
// tree edges constrain the layout, and the searches inside `dot` are limited. A graph beyond `nodes_max`
// keeps what is nearest to the counterexample, or to the initial nodes where there is none, and says in the
// picture how much was left out.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace lockstep::reports {

/// Of two graphs that are drawn as one (differing_graph.h): which of them has it.
enum class HadBy { both, first, second };

struct StateNode {
  std::string label;  // what the view shows; lines parted by '\n'
  std::string css;    // class in the SVG
  std::int64_t count = 1;
  bool initial = false, violating = false, at_rest = false;
  bool on_path = false;  // of the counterexample
  HadBy had_by = HadBy::both;
  bool operator==(const StateNode&) const = default;
};

struct StateEdge {
  std::size_t from = 0, to = 0;  // indices of nodes
  std::string label;
  std::int64_t count = 1;
  bool tree = false;  // first way to its node in a breadth-first search
  bool on_path = false;
  HadBy had_by = HadBy::both;
  bool operator==(const StateEdge&) const = default;
};

struct StateGraph {
  std::vector<StateNode> nodes;
  std::vector<StateEdge> edges;
  bool operator==(const StateGraph&) const = default;
};

struct StateGraphOptions {
  std::string title;  // lines parted by '\n'
  std::size_t nodes_max = 300;
  std::size_t label_characters_max = 60;  // of one line of a label
};

/// What of a graph beyond `nodes_max` is kept: what is nearest to the path, or to the initial nodes.
struct KeptNodes {
  std::vector<bool> nodes;
  std::size_t left_out = 0;
};
KeptNodes kept_nodes(const StateGraph& graph, std::size_t nodes_max);

std::string state_graph_dot(const StateGraph& graph, const StateGraphOptions& options = {});

}  // namespace lockstep::reports
