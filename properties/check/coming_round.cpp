#include "properties/check/coming_round.h"

#include <algorithm>
#include <utility>

#include "properties/check/check_behind.h"
#include "properties/check/searching.h"
#include "sim/base/amount.h"
#include "sim/search/dead_end.h"

namespace lockstep::properties {

ComingRound look_for_stuck_rounds(const Setup& setup, bool with_now, const MadeMoves& made,
                                  const sim::SearchLimits& limits) {
  if (setup.threads.size() > Checked::rounds_threads_max)
    return {.why_open = "there are more than " + sim::amount(Checked::rounds_threads_max, "thread")};
  Checked system(setup, {.watched = bit(Property::calls_return), .with_now = with_now, .rounds = true});
  begin_behind(system, made);
  sim::SearchOptions<Checked> how;
  how.limits = limits;
  how.symmetry = how.zeno = false;
  sim::Outcome<Checked> outcome = search(system, std::move(how));
  return {.why_open = why_not_whole(outcome.ended, limits), .stuck = std::move(outcome.dead_end)};
}

/// Each thread for itself, so there are more of them, and what is asked is a single situation.
constexpr std::size_t rounds_states_max = 200'000;

std::optional<bool> calls_can_return(const Setup& setup, const Checked::State& from, std::size_t states_max) {
  const bool rounds = goes_round_for_ever(setup);
  if (rounds && setup.threads.size() > Checked::rounds_threads_max) return std::nullopt;
  if (rounds) states_max = std::min(states_max, rounds_states_max);
  Checked system(setup, {.rounds = rounds});
  const std::optional<bool> can = sim::can_end(system, from, states_max);
  if (!system.needs_now()) return can;
  Checked with_now(setup, {.with_now = true, .rounds = rounds});
  return sim::can_end(with_now, from, states_max);
}

}  // namespace lockstep::properties
