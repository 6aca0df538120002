// cmd_eval.h: `lockstep eval SCRIPT.lua KEY… , ARG…` runs one script on the model of a Redis server.
//
// It prints the reply as redis-cli does, then what the server stores, then, with --monitor, the commands that
// ran. An error reply is an answer of the script, and the exit code is 1; what Lockstep cannot even begin
// with (a missing file, a line that is no command, a --load that fails) is a mistake, and it is 2.
#pragma once

#include <string>
#include <vector>

#include "tools/cli/verb.h"

namespace lockstep::tools {

struct EvalOptions {
  std::string script;             // a file, or a built-in script; empty if only --all is given
  std::vector<std::string> keys;  // what stands before the lone comma
  std::vector<std::string> args;  // what stands behind it, taken as it is
  std::string load;               // a file of commands that fill the server first
  std::string all;                // a file of commands to run, one a line
  bool monitor = false;           // print the commands that the script called, as MONITOR shows them
};

Verb eval_verb();

}  // namespace lockstep::tools
