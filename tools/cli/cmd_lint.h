// cmd_lint.h: `lockstep lint SCENARIO…` says what is wrong with scenario files without running them, and
// mends misspelt words.
#pragma once

#include <string>
#include <vector>

#include "tools/cli/verb.h"

namespace lockstep::tools {

struct LintOptions {
  std::vector<std::string> scenarios;
  bool print_normalised = false;  // print the form that the scenario's digest is taken of
  bool fix = false;               // put words right of which the meant one is known
};

Verb lint_verb();

}  // namespace lockstep::tools
