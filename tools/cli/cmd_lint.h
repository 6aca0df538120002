// cmd_lint.h: `lockstep lint SCENARIO…` says what is wrong with scenario files without running them, and
// mends misspelt words.
#pragma once

#include <string>
#include <vector>

#include "tools/cli/verb.h"

namespace lockstep::tools {

/// What is printed of a scenario instead of `ok`: the form that its digest is taken of, or the same as JSON.
enum class LintPrint { nothing, normalised, json };

struct LintOptions {
  std::vector<std::string> scenarios;
  LintPrint print = LintPrint::nothing;
  bool fix = false;               // put words right of which the meant one is known
};

Verb lint_verb();

}  // namespace lockstep::tools
