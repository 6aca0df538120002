// step_names.h: names in the texts of steps, and mistakes at words.
#pragma once

#include "scenarios/format/step_parser.h"
#include "scenarios/format/step_text.h"

namespace lockstep::scenarios {

/// Whether it may be a name of a lock, an object or a signal.
bool is_name(std::string_view text);

StepProblem problem(const Word& word, std::string what, std::string hint = {});

}  // namespace lockstep::scenarios
