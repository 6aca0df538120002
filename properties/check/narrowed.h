// narrowed.h: the same question with fewer faults, and runs of it as runs of the whole question.
#pragma once

#include <optional>

#include "properties/check/broken_run.h"

namespace lockstep::properties {

/// With at most so many faults of each kind. What is promised stays what the whole question promises.
Setup narrowed(const Setup& setup, const model::FaultBudget& most);

/// The moves of a trail as decisions of this scenario. None if they are not a run of it, because it offers
/// faults elsewhere.
std::optional<Decisions> as_run_of(const Setup& setup, sim::PropertyMask watched, const sim::Trail& trail);

}  // namespace lockstep::properties
