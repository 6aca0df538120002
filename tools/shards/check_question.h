// check_question.h: the properties that words of a command line ask for.
#pragma once

#include <string>
#include <vector>

#include "model/setup/setup.h"
#include "sim/base/result.h"
#include "sim/system.h"

namespace lockstep::tools {

/// No words: all that are usual in the scenario, which may have properties of its own.
sim::Result<sim::PropertyMask> watched_properties(const std::vector<std::string>& names,
                                                  const model::Setup& setup);

}  // namespace lockstep::tools
