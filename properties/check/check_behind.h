// check_behind.h: the same question, of what may follow moves that were made already.
//
// Verdicts are of the schedules that begin so, and of no others; `within` says it. Counterexamples are
// whole runs, which begin with those moves, and are not shrunk, because with less they might not.
#pragma once

#include <vector>

#include "properties/check/check.h"

namespace lockstep::properties {

using MadeMoves = std::vector<sim::Decision<model::Move>>;

/// The moves must be those of a run of this scenario.
CheckReport check_behind(const Setup& setup, const CheckOptions& options, const MadeMoves& made);

}  // namespace lockstep::properties
