// machine_graph.h: the machines of a scenario's locks as they are: the stages that they declare, and how calls
// went from one to another in a search of all schedules.
//
// Nothing is drawn by hand: the stages come from the machine's own state (model/client/stages.h), and an arrow
// is there because some schedule took it, with the moves that did. A stage that no schedule came to is grey.
#pragma once

#include <cstdint>
#include <string>

#include "model/setup/setup.h"
#include "reports/diagrams/state_graph.h"
#include "sim/base/result.h"

namespace lockstep::tools {

struct MachineGraph {
  reports::StateGraph graph;
  std::uint64_t states = 0, transitions = 0;
  bool complete = false;
  std::string title;
};

/// Of calls of locks of that kind ("fair"); of all kinds if it is empty. A sentence if no call is.
sim::Result<MachineGraph> machine_graph(const model::Setup& setup, const std::string& kind,
                                        std::uint64_t states_max);

}  // namespace lockstep::tools
