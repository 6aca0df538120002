// coming_round.h: whether who goes round for ever always can come round again.
//
// Programs without an end (`repeat forever`) have no state in which all have ended, from which `calls-return`
// is judged otherwise (sim/search/dead_end.h). In each of their rounds time passes, so a thread whose call
// returns is at work again some time. Asked here of each thread for itself, with all actors told apart: from
// every state, without the adversary, can a state be reached in which the thread has ended, or works? If not,
// a call of it never returns, whoever else goes on.
#pragma once

#include <optional>
#include <string>

#include "properties/check/broken_run.h"
#include "properties/check/check.h"
#include "properties/check/checked.h"
#include "sim/search/outcome.h"

namespace lockstep::properties {

struct ComingRound {
  std::string why_open;            // not every state was met, and why; else empty
  std::optional<Decisions> stuck;  // a shortest way to a state from which some thread cannot
};

/// `with_now`: steps read what time it is. Open also where there are more than 32 threads.
ComingRound look_for_stuck_rounds(const Setup& setup, bool with_now, const MadeMoves& made,
                                  const sim::SearchLimits& limits);

/// Of one situation, by `calls-return`: whether every program can end from here on, or, where one goes round
/// for ever, each thread can come round. Nothing if that needs more than `states_max` states to say.
std::optional<bool> calls_can_return(const Setup& setup, const Checked::State& from, std::size_t states_max);

}  // namespace lockstep::properties
