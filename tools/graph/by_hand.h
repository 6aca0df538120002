// by_hand.h: the states around a run that a page lets its reader go through by hand.
//
// The page has no model in it, so what it knows is worked out beforehand: the states of the run, and from all
// of them outwards, nearest first. A default move is nearer than another one, since that is what follows by
// itself. Only states that are equal in every part, the time included, are one: so the numbers of moves, the
// times and the trails that the page writes are exactly those of `lockstep step`.
#pragma once

#include "model/setup/setup.h"
#include "reports/page/page.h"
#include "sim/base/result.h"
#include "sim/trail/trail.h"
#include "tools/graph/decided_run.h"

namespace lockstep::tools {

struct ByHandLimits {
  std::size_t states_max = 1'500;
  std::size_t run_max = 400;         // decisions of the run: the last ones
  std::size_t events_max = 300'000;  // that may be kept and gone over, half of them for the run
};

/// `run`: the decisions of `trail`; `command` begins a line that goes on by hand: "lockstep step plain/x".
reports::PageByHand by_hand(const model::Setup& setup, const sim::Trail& trail,
                            const std::vector<Decided>& run, const std::string& command,
                            const ByHandLimits& limits = {});

}  // namespace lockstep::tools
