// lint.h: what a scenario says that is legal, and probably not meant.
#pragma once

#include <string>
#include <vector>

#include "model/setup/setup.h"

namespace lockstep::scenarios {

/// Sentences: locks, and lock objects of a process (`via`), that are released and never taken, or taken
/// without a lease and never released; locks that are always released after their lease; a trylock whose
/// refusal skips nothing, and whose unlock follows; schemes that wait for events which no server publishes;
/// resources and signals that are named only once; fixed faults that can do nothing; limits of faults that
/// never happen.
std::vector<std::string> warnings(const model::Setup& setup);
std::vector<std::string> fixed_fault_warnings(const model::Setup& setup);
std::vector<std::string> limit_warnings(const model::Setup& setup);

}  // namespace lockstep::scenarios
