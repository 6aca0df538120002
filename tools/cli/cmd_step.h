// cmd_step.h: `lockstep step SCENARIO|TRAIL` goes through a schedule by hand, move by move.
#pragma once

#include <string>
#include <vector>

#include "tools/cli/verb.h"

namespace lockstep::tools {

struct StepOptions {
  std::string what;                  // a scenario, a trail or a trace
  std::string scenario;              // the file of the trail's scenario
  std::vector<std::string> scripts;  // SET, DIR or ROLE=FILE, in the order given
  std::string from;                  // TRAIL[:N] that it begins with; empty: nothing
  std::string choose;                // words of the dialogue, with commas between; empty: they are typed
  std::string save;                  // where the trail goes at the end; empty: nowhere
};

Verb step_verb();

}  // namespace lockstep::tools
