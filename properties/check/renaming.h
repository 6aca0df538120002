// renaming.h: the same situation with interchangeable processes, threads and nodes called by each other's
// names.
//
// Where names stand in a state, and how they are put, follows from `fields` (sim/base/rename.h). What is said
// here is who is called what, and how their names are found in texts: a holder is called by the id of its
// client and the number of its thread, and scripts may put that anywhere. No text holds the name of a node.
//
// Processes and nodes are outer actors (sim/search/symmetry.h): nodes are numbered behind all processes.
#pragma once

#include <string>

#include "model/world/world.h"
#include "properties/monitors/monitors.h"
#include "sim/base/rename.h"
#include "sim/search/symmetry.h"

namespace lockstep::properties {

/// Who may be exchanged: processes with equal programs, threads with equal programs inside a process, and
/// equal nodes of one group, with their master if it may be replaced by another. Fresh keys are named
/// after the thread that takes them, so processes that do are left out; a predicate of the scenario sees
/// names, so that nobody is left. At most so many are in one class; what is more is in another.
inline constexpr std::size_t all_alike = ~std::size_t{0};
sim::ActorClasses interchangeable(const Setup& setup, std::size_t alike_max = all_alike);

sim::Names names_of(const Setup& setup, sim::Permutation permutation);

/// By node: the number of the class that it is in, or one that it has alone.
std::vector<std::uint16_t> kinds_of_nodes(const Setup& setup, const sim::ActorClasses& classes);
/// Without the classes of nodes.
std::vector<sim::ActorClass> classes_of_processes(const Setup& setup, const sim::ActorClasses& classes);

/// What the situation of a process, a thread or a node looks like without the name of anybody who may be
/// exchanged. That of a node is told by itself, and by what is of no process.
sim::Digest signature_of(const model::World& world, model::ProcessId process,
                         const std::vector<std::uint16_t>& kinds_of_nodes);
sim::Digest signature_of(const model::World& world, const Setup& setup, model::NodeId node);
sim::Digest signature_of(const model::World& world, const Monitors& monitors, const Setup& setup,
                         ThreadId thread);

}  // namespace lockstep::properties
