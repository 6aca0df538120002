// few_preemptions.h: a scenario in which only few preemptions may happen, as a System of its own.
//
// A process could go on if anything can be done for it at this instant: one of its threads or timers can
// run, a message to it or from it can be delivered. A preemption is a move of one process while another, for
// which the last such move was, could go on. Nothing else counts: letting time pass, what servers do by
// themselves, what an adversary does. So without preemptions each process goes as far as it gets before the
// next one may, in every order; threads of one process are not told apart.
//
// How many are left, and whose turn it is, belongs to a state of this system, and to no other: all processes
// are told apart. Whether calls return cannot be asked here, since an end may lie behind one preemption more.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "properties/check/checked.h"
#include "sim/search/outcome.h"
#include "sim/search/search.h"

namespace lockstep::properties {

/// "no preemption", "at most 2 preemptions"; and the same behind other bounds.
std::string preemptions_bound(std::uint64_t most);
std::string preemptions_text(std::uint64_t most);

/// The process for which a move is, if it counts.
std::optional<model::ProcessId> process_of(const model::Move& move, const Setup& setup);

/// A search through the runs with at most so many. Its trails are runs of `system` itself.
sim::Outcome<Checked> search_with_few_preemptions(Checked& system, sim::SearchOptions<Checked> options,
                                                  std::uint64_t preemptions_max);

}  // namespace lockstep::properties
