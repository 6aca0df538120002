// state_text.h: a graph of states as lines of a text language. Which nodes are kept, and what is said of the
// others, is as in state_graph.h; so many edges are written that renderers take them, those of the path
// first.
#pragma once

#include <string>
#include <vector>

#include "reports/diagrams/state_graph.h"

namespace lockstep::reports {

class StateLanguage {
 public:
  virtual ~StateLanguage() = default;
  virtual std::string opening(const std::vector<std::string>& title) const = 0;
  virtual std::string closing() const = 0;
  virtual std::string node(const std::string& alias, const StateNode& node,
                           const std::string& text) const = 0;
  virtual std::string edge(const std::string& from, const std::string& to, const StateEdge& edge,
                           const std::string& text) const = 0;
  virtual std::string classes() const = 0;
  virtual std::string escaped(const std::string& printable_text) const = 0;
  virtual std::string line_break() const = 0;
};

std::string state_graph_text(const StateGraph& graph, const StateGraphOptions& options,
                             const StateLanguage& language);

}  // namespace lockstep::reports
