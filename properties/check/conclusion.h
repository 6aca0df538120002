// conclusion.h: where a check begins, and what it may say at its end.
#pragma once

#include "properties/check/check.h"

namespace lockstep::properties {

/// A report in which nothing has been done yet: the properties that are asked for, each unknown, and the
/// bounds. `made`: how many moves all runs begin with.
CheckReport asked_report(const Setup& setup, const CheckOptions& options, std::size_t made);
sim::PropertyMask asked_in(const CheckReport& report);

/// The verdicts that follow from what was done; a limit makes no success.
void conclude(const Setup& setup, const CheckOptions& options, CheckReport& report);

}  // namespace lockstep::properties
