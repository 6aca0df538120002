// check_behind.h: the same question, of what may follow moves that were made already.
//
// Verdicts are of the schedules that begin so, and of no others; `within` says it. Counterexamples are
// whole runs, which begin with those moves, and are not shrunk, because with less they might not.
#pragma once

#include "properties/check/begun.h"
#include "properties/check/check.h"

namespace lockstep::properties {

/// The moves must be those of a run of this scenario; they take the place of its own prefix.
CheckReport check_behind(const Setup& setup, const CheckOptions& options, const MadeMoves& made);

}  // namespace lockstep::properties
