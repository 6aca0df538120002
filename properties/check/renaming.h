// renaming.h: the same situation with interchangeable processes and threads called by each other's names.
//
// Where names stand in a state, and how they are put, follows from `fields` (sim/base/rename.h). What is said
// here is who is called what, and how their names are found in texts: a holder is called by the id of its
// client and the number of its thread, and scripts may put that anywhere.
#pragma once

#include <string>

#include "model/world/world.h"
#include "properties/monitors/monitors.h"
#include "sim/base/rename.h"
#include "sim/search/symmetry.h"

namespace lockstep::properties {

/// Who may be exchanged: processes with equal programs, and threads with equal programs inside a process.
/// Fresh keys are named after the thread that takes them, so processes that do are left out; a predicate of
/// the scenario sees names, so that nobody is left. At most so many are in one class; what is more is in
/// another.
inline constexpr std::size_t all_alike = ~std::size_t{0};
sim::ActorClasses interchangeable(const Setup& setup, std::size_t alike_max = all_alike);

sim::Names names_of(const Setup& setup, sim::Permutation permutation);

/// What the situation of a process, or of a thread, looks like without anybody's name in it.
sim::Digest signature_of(const model::World& world, model::ProcessId process);
sim::Digest signature_of(const model::World& world, const Monitors& monitors, const Setup& setup,
                         ThreadId thread);

}  // namespace lockstep::properties
