// shrink_steps.h: fewer steps that still show a difference, and their words as a test to paste.
#pragma once

#include "tools/differential/both_sides.h"

namespace lockstep::differential {

struct Shrunk {
  Steps steps;
  Difference difference;
};

/// Leaves out, in ever smaller pieces, what is not needed for a difference, by running what is left again.
Shrunk shrink(BothSides& sides, Steps steps, Difference difference);

/// A gtest that fails until the model answers as the real server did, and both answers.
std::string as_test(const Shrunk& shrunk);

}  // namespace lockstep::differential
