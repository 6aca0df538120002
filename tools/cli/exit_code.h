// exit_code.h: what the program's exit status tells a script. Documented in help/exit-codes.md; part of the
// stable API.
#pragma once

namespace lockstep::tools {

enum class ExitCode : int {
  as_expected = 0,    // every verdict is the one expected; a replay reproduced its trail's own verdict
  different = 1,      // a verdict differs from what was expected, a regression, a difference found by diff
  usage = 2,          // the command line, or a file that the user brought
  unknown = 3,        // a limit was reached, or this search cannot decide the question
  vacuous = 4,        // nothing was selected, or a premise never occurred
  diverged = 5,       // a replay left the recorded run
  internal = 70,      // Lockstep itself is wrong (VERIFY)
  interrupted = 130,  // SIGINT
  terminated = 143    // SIGTERM
};

constexpr int status(ExitCode code) { return static_cast<int>(code); }

}  // namespace lockstep::tools
