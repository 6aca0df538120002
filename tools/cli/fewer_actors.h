// fewer_actors.h: a counterexample with fewer processes and threads, as a smaller scenario and a trail of it.
//
// Time waits for a thread that can move, so a process whose moves are left out of a run would hold up all
// others. It is left out of the scenario instead: the scenario is written out in full, without it, and the
// other moves of the run are followed loosely there. What is left out stays so if the same property breaks.
// Whoever a fault, a prefix or a property of the scenario names cannot be left out. The scenario expects
// nothing but what is broken, and asks for no witnesses. Files of scripts are named from where it will lie.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sim/base/result.h"
#include "sim/trail/trail.h"
#include "tools/cli/followed.h"

namespace lockstep::tools {

struct FewerActors {
  std::string scenario;  // its text
  sim::Trail trail;      // the deviations
  std::size_t moves_before = 0, moves = 0;
  std::size_t threads_before = 0, threads = 0;
  std::vector<std::string> left_out;  // "C", "thread 2 of B"
  std::size_t runs_used = 0;
  bool minimal = false;  // the budget was not used up
};

/// `file`: where the scenario will lie.
sim::Result<FewerActors> fewer_actors(const Following& what, const std::string& file, std::size_t runs_max);

}  // namespace lockstep::tools
