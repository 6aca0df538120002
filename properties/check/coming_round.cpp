#include "properties/check/coming_round.h"

#include <algorithm>
#include <utility>

#include "properties/check/check_behind.h"
#include "properties/check/searching.h"
#include "sim/search/dead_end.h"

namespace lockstep::properties {

ComingRound look_for_stuck_rounds(const Setup& setup, bool with_now, const MadeMoves& made,
                                  const std::function<bool()>& stop) {
  ComingRound found;
  if (setup.threads.size() > Checked::rounds_threads_max) return found;
  Checked system(setup, {.watched = bit(Property::calls_return), .with_now = with_now, .rounds = true});
  begin_behind(system, made);
  sim::SearchOptions<Checked> how;
  how.limits = {.states_max = rounds_states_max, .stop = stop};
  how.symmetry = how.zeno = false;
  sim::Outcome<Checked> outcome = search(system, std::move(how));
  found.complete = outcome.complete();
  found.stuck = std::move(outcome.dead_end);
  return found;
}

std::optional<bool> calls_can_return(const Setup& setup, const Checked::State& from, std::size_t states_max) {
  const bool rounds = goes_round_for_ever(setup);
  if (rounds && setup.threads.size() > Checked::rounds_threads_max) return std::nullopt;
  Checked system(setup, {.watch_instants = false, .rounds = rounds});
  return sim::can_end(system, from,
                      rounds ? std::min<std::size_t>(states_max, rounds_states_max) : states_max);
}

}  // namespace lockstep::properties
