// cmd_new.h: `lockstep new FILE` writes a scenario to begin with, from options or from answers.
#pragma once

#include "tools/cli/verb.h"
#include "tools/manual/first_scenario.h"

namespace lockstep::tools {

struct NewOptions {
  std::string file;  // "-": standard output
  std::string from;  // a scenario to begin with instead
  ScenarioWishes wishes;
  bool ask = false;
  bool force = false;
};

Verb new_verb();

}  // namespace lockstep::tools
