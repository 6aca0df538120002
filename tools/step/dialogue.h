// dialogue.h: what somebody types while stepping, and what is answered.
//
//   3        take move 3          u        take the last step back
//   n        go on by default to where who holds, believes or waits changes
//   s FILE   save the way as a trail        q        end        ?        these words
//
// An empty line takes move 0. A word that is none of these is answered, and nothing happens.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "sim/base/result.h"
#include "tools/step/stepper.h"

namespace lockstep::tools {

struct StepAnswer {
  std::string text;
  bool mistake = false;
  bool over = false;
};

using SaveTrail =
    std::function<std::optional<sim::Problem>(const std::string& file, const sim::Trail& trail)>;

/// Carries out one line.
StepAnswer answer_step(Stepper& stepper, const std::string& line, const SaveTrail& save);

}  // namespace lockstep::tools
