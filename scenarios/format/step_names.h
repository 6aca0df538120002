// step_names.h: mistakes at words of the texts of steps.
#pragma once

#include "scenarios/format/step_parser.h"
#include "scenarios/format/step_text.h"

namespace lockstep::scenarios {

StepProblem problem(const Word& word, std::string what, std::string hint = {});

}  // namespace lockstep::scenarios
