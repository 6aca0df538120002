// lint.h: what a scenario says that is legal, and probably not meant.
#pragma once

#include <string>
#include <vector>

#include "model/setup/setup.h"

namespace lockstep::scenarios {

/// Sentences: locks that are released and never taken, or taken without a lease and never released; a trylock
/// whose refusal skips nothing, and whose unlock follows; resources and signals that are named only once.
std::vector<std::string> warnings(const model::Setup& setup);

}  // namespace lockstep::scenarios
