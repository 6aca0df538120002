// boxes.h: the same question with few faults first, then with more.
//
// A box is the question with at most so many faults of each kind, and perhaps with few preemptions
// (few_preemptions.h) or up to some leases. Boxes grow: no faults, at most one of each kind, two, … up to
// what the scenario allows, which is the question itself. If one is too large for the limits, it and the
// larger ones are asked with no preemption, at most one, …, and up to one lease, two, …; the lease is the
// longest of the scenario. What breaks in a box is told as a run of the whole question, with the
// fewest faults that break it. All other verdicts are those of the question: proved only if that was
// exhausted, else unknown, and the largest boxes that were exhausted are named.
#pragma once

#include "properties/check/begun.h"
#include "properties/check/check.h"

namespace lockstep::properties {

CheckReport check_in_boxes(const Setup& setup, const CheckOptions& options, const MadeMoves& made);

}  // namespace lockstep::properties
