// cmd_eval.h: `lockstep eval SCRIPT.lua KEY… , ARG…` runs one script on the model of a Redis server.
#pragma once

#include <string>
#include <vector>

#include "tools/session.h"

namespace lockstep::tools {

struct EvalOptions {
  std::string script;             // a file; empty if only --all is given
  std::vector<std::string> keys;  // what stands before the lone comma
  std::vector<std::string> args;  // what stands behind it, taken as it is
  std::string load;               // a file of commands that fill the server first
  std::string all;                // a file of commands to run, one a line
  bool monitor = false;           // print the commands that the script called, as MONITOR shows them
};

ExitCode run_eval(const EvalOptions& options, Session& session);

}  // namespace lockstep::tools
