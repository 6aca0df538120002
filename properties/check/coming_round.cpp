#include "properties/check/coming_round.h"

#include <deque>

#include "properties/check/check_behind.h"
#include "sim/search/dead_end.h"
#include "sim/search/edges.h"
#include "sim/search/parents.h"
#include "sim/search/seen_states.h"
#include "sim/search/taking.h"

namespace lockstep::properties {

namespace {

constexpr std::uint64_t rounds_states_max = 200'000;

bool has_ended_or_works(const Checked::State& state, const model::ThreadSetup& thread) {
  const model::Activity& activity =
      state.world.processes[thread.process.index()]->threads[thread.place].cursor.activity;
  return std::holds_alternative<model::Ended>(activity) || std::holds_alternative<model::Busy>(activity);
}

class RoundsSearch {
 public:
  RoundsSearch(const Setup& setup, bool with_now, const MadeMoves& made)
      : setup_(setup),
        system_(setup, {.watched = bit(Property::calls_return), .with_now = with_now}),
        seen_(system_, sim::StateKey::digest, false),
        free_(setup.threads.size()) {
    begin_behind(system_, made);
  }

  ComingRound run(const std::function<bool()>& stop) && {
    ComingRound found{.states_max = rounds_states_max};
    Checked::State initial = system_.initial();
    sim::freeze_written(system_, initial);
    seen_.insert(initial);
    meet(std::move(initial), 0, 0);
    for (std::uint32_t next = 0; !open_.empty(); ++next) {
      if (stop && stop()) return found;
      if (!expand(next)) return found;
    }
    found.complete = true;
    std::optional<std::uint32_t> first;
    for (const std::vector<bool>& free : free_)
      if (const auto stuck = sim::first_dead_end(edges_, free); stuck && (!first || *stuck < *first))
        first = stuck;
    if (first) found.stuck = parents_.trail_to(system_, *first);
    return found;
  }

 private:
  void meet(Checked::State state, std::uint32_t from, std::size_t move) {
    parents_.add(from, move);
    for (std::size_t t = 0; t < free_.size(); ++t)
      free_[t].push_back(has_ended_or_works(state, setup_.threads[t]));
    open_.push_back(std::move(state));
  }

  /// False: there are too many.
  bool expand(std::uint32_t number) {
    const Checked::State state = std::move(open_.front());
    open_.pop_front();
    system_.enabled(state, moves_);
    for (std::size_t i = 0; i < moves_.size(); ++i) {
      Checked::State child = state;
      sim::take_listed(system_, child, moves_, i);
      const sim::Seen seen = seen_.insert(child);
      if (!moves_[i].is_fault()) edges_.add(number, seen.id, false);
      if (!seen.fresh) continue;
      if (parents_.size() == rounds_states_max) return false;
      meet(std::move(child), number, i);
    }
    return true;
  }

  const Setup& setup_;
  Checked system_;
  sim::SeenStates<Checked> seen_;
  sim::Edges edges_;
  sim::Parents parents_;
  std::vector<std::vector<bool>> free_;  // by thread, by state
  std::deque<Checked::State> open_;
  std::vector<Checked::Move> moves_;
};

}  // namespace

ComingRound look_for_stuck_rounds(const Setup& setup, bool with_now, const MadeMoves& made,
                                  const std::function<bool()>& stop) {
  return RoundsSearch(setup, with_now, made).run(stop);
}

}  // namespace lockstep::properties
