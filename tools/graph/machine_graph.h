// machine_graph.h: the protocol of a lock kind as a graph: the states of its machine (model/client/machine.h)
// that a thread's calls really go through, and what moves them from one to another.
//
// Nothing is drawn from a list: small worlds of two threads, in which calls are interrupted, are searched
// whole, and each step of the first thread's calls is an edge. So the picture is what the machine does. A
// call of a lock that is made of others is drawn, and not the calls that it makes of its members.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "reports/diagrams/state_graph.h"
#include "sim/base/result.h"

namespace lockstep::tools {

struct MachineGraph {
  reports::StateGraph graph;
  std::string title;
  std::vector<std::string> unmet;  // states of the machine that no call of this kind came to
};

/// The kinds that have one.
std::vector<std::string> kinds_with_machines();

/// `name`: of a kind, or of a scheme that comes with the program. `set`: of scripts; empty: the newest that
/// comes with the program. With `future` the machine of calls that return one, which no thread waits for. Of
/// each small world so many states are searched, and the title says if that was not all.
sim::Result<MachineGraph> machine_graph(const std::string& name, const std::string& set, bool future,
                                        std::uint64_t states_max = 10'000);

}  // namespace lockstep::tools
