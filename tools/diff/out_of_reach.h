// out_of_reach.h: numbers in a script that a comparison does not come to.
//
// Calls are driven with leases of a few milliseconds and a few holds (driven_pair.h), so a script that goes
// by 60000, or by the fourth hold, never shows what it does there: nothing found is no equivalence then, if
// some line of it did not run or some `if` went one way only, or if a function is given the number
// (`math.min(lease, 60000)`). Not gone by are indices (`KEYS[4]`), bounds of loops (`for i = 4, #ARGV`),
// replies (`return 7`), and what turns the seconds and microseconds of TIME into milliseconds.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "lua/scripts/script_set.h"

namespace lockstep::tools {

struct OutOfReach {
  std::string number;  // as the script has it
  std::size_t line = 0;
  bool is_argument = false;  // a function is given it
};

/// The first number that is larger than `reach`, or less than -reach, those that functions are given before
/// others; written as a text, it counts too.
std::optional<OutOfReach> out_of_reach(const lua::Script& script, long reach);

}  // namespace lockstep::tools
