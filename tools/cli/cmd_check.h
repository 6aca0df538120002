// cmd_check.h: `lockstep check SCENARIO…` searches for schedules that break a property, and compares with
// what is expected.
//
// Breadth first until a limit, then samples with what is left of the budget, unless a strategy is named.
// Reaching a limit makes a verdict unknown. Ctrl-C ends the work with what is known by then, and exit code
// 130.
#pragma once

#include "tools/cli/verb.h"

namespace lockstep::tools {

Verb check_verb();

}  // namespace lockstep::tools
