#include "tools/graph/by_hand.h"

#include <algorithm>
#include <deque>
#include <map>
#include <memory>

#include <fmt/format.h>

#include "model/world/tracer.h"
#include "properties/check/check.h"
#include "properties/check/checked.h"
#include "properties/check/told_move.h"
#include "properties/monitors/all_properties.h"
#include "reports/text/text.h"
#include "reports/text/wording.h"
#include "sim/run/policy.h"
#include "tools/cli/lock_view.h"

namespace lockstep::tools {

namespace {

using properties::Checked;

/// A state, with those who tell what happens next.
struct HandPlace {
  Checked::State state;
  model::Tracer tracer;
  properties::TruthLog truths;
};

sim::PropertyMask watched_for(const model::Setup& setup, const std::string& property) {
  const auto its = properties::find_property(property, setup);
  return properties::watched_in(setup, properties::all_usual) | (its ? properties::bit(*its) : 0);
}

class Surveyor {
 public:
  Surveyor(const model::Setup& setup, const sim::Trail& trail, const ByHandLimits& limits)
      : setup_(setup),
        limits_(limits),
        system_(setup, {.watched = watched_for(setup, trail.property), .with_now = true}) {
    names_.actors = model::trace_actors(setup);
  }

  /// Goes the way of the run, whose last states are those to start from.
  void follow(const std::vector<Decided>& run) {
    auto here = std::make_unique<HandPlace>(HandPlace{system_.initial(), model::Tracer(setup_), {}});
    const std::size_t begin = first_known(run);
    for (std::size_t i = 0; i < begin; ++i) {
      hand.before.push_back(take(*here, {run[i].index, run[i].taken, run[i].moves.size()}));
      hand.before.back().part = is_part(run[i]);
      hand.before_possible.push_back(run[i].moves.size());
    }
    for (std::size_t i = begin; i < run.size(); ++i) {
      auto next = std::make_unique<HandPlace>(*here);
      reports::PageMove move = take(*next, {run[i].index, run[i].taken, run[i].moves.size()});
      move.part = is_part(run[i]);
      const std::size_t from = known(*here).first, to = known(*next).first;
      hand.run.push_back(from);
      hand.taken.push_back(move.part ? hand.states[from].moves.size() : move.index);
      move.to = to;
      if (move.part) hand.states[from].moves.push_back(std::move(move));
      here = std::move(next);
    }
    hand.run.push_back(known(*here).first);
    for (std::size_t i = hand.run.size(); i-- > 0;) near_[0].push_back(hand.run[i]);
  }

  /// Outwards, as far as the limits go.
  void spread() {
    while (!near_.empty()) {
      const auto nearest = near_.begin();
      const std::size_t cost = nearest->first;
      if (nearest->second.empty()) {
        near_.erase(nearest);
        continue;
      }
      const std::size_t state = nearest->second.front();
      nearest->second.pop_front();
      expand(state, cost);
    }
    hand.whole = std::all_of(hand.states.begin(), hand.states.end(), [](const reports::PageState& state) {
      return std::all_of(state.moves.begin(), state.moves.end(),
                         [](const reports::PageMove& move) { return move.to.has_value(); });
    });
  }

  reports::PageByHand hand;

 private:
  bool is_part(const Decided& one) const {
    return system_.show(one.moves[one.index]) != system_.show(one.taken);
  }

  /// The first decision of which the state is known: half of what may be gone over is for those of the run.
  std::size_t first_known(const std::vector<Decided>& run) {
    HandPlace place{system_.initial(), model::Tracer(setup_), {}};
    std::vector<std::size_t> events;  // that were told by then
    for (const Decided& one : run) {
      take(place, {one.index, one.taken, one.moves.size()});
      events.push_back(place.tracer.events().size());
    }
    std::size_t begin = run.size(), sum = 0;
    while (begin > 0 && run.size() - begin < limits_.run_max &&
           sum + events[begin - 1] <= limits_.events_max / 2) {
      --begin;
      sum += events[begin];
    }
    return begin;
  }

  reports::PageMove take(HandPlace& place, const properties::TakenMove& what) {
    const std::size_t first = place.tracer.events().size();
    properties::tell_move(system_, place.state, what, place.tracer, place.truths,
                          properties::StateDigest::absent);
    Checked::freeze(place.state);
    reports::PageMove move{
        .index = what.index, .move = system_.show(what.move), .fault = what.move.is_fault()};
    for (std::size_t at = first; at < place.tracer.events().size(); ++at) {
      const sim::TraceEvent& event = place.tracer.events()[at];
      if (event.of) continue;
      const std::string changes = reports::changes_text(names_, event);
      move.told.push_back(fmt::format("{}{}{}{}{}", reports::printable(event.who),
                                      event.who.empty() ? "" : "  ", reports::event_text(names_, event),
                                      changes.empty() ? "" : "   ", changes));
    }
    return move;
  }

  /// The number of a state, and whether it is new.
  std::pair<std::size_t, bool> known(const HandPlace& place) {
    const auto [found, fresh] = numbers_.emplace(system_.digest(place.state), hand.states.size());
    if (!fresh) return {found->second, false};
    const auto now =
        std::chrono::duration_cast<std::chrono::microseconds>(place.state.world.now.since_start);
    reports::PageState shown{.time = reports::time_text(now.count()),
                             .shown = lock_view(place.state, setup_)};
    std::vector<model::Move> moves;
    system_.enabled(place.state, moves);
    shown.possible = moves.size();
    for (std::size_t i = 0; i < moves.size(); ++i)
      shown.moves.push_back({.index = i, .move = system_.show(moves[i]), .fault = moves[i].is_fault()});
    hand.states.push_back(std::move(shown));
    places_.push_back(std::make_unique<HandPlace>(place));
    gone_over_ += place.tracer.events().size();
    return {found->second, true};
  }

  void expand(std::size_t state, std::size_t cost) {
    if (!places_[state] || gone_over_ > limits_.events_max) return;
    const std::unique_ptr<HandPlace> place = std::move(places_[state]);
    std::vector<model::Move> moves;
    system_.enabled(place->state, moves);
    for (std::size_t i = 0; i < moves.size(); ++i) {
      HandPlace next = *place;
      gone_over_ += place->tracer.events().size();
      reports::PageMove move = take(next, {i, moves[i], moves.size()});
      const bool room = hand.states.size() < limits_.states_max;
      if (!room && !numbers_.contains(system_.digest(next.state))) continue;
      const auto [to, fresh] = known(next);
      move.to = to;
      hand.states[state].moves[i] = std::move(move);
      const bool by_default = i == 0 && !moves[i].is_fault();
      if (fresh) near_[cost + (by_default ? 1 : 3)].push_back(to);
    }
  }

  const model::Setup& setup_;
  const ByHandLimits& limits_;
  Checked system_;
  sim::Trace names_;  // of actors only
  std::map<sim::Digest, std::size_t> numbers_;
  std::vector<std::unique_ptr<HandPlace>> places_;  // of states that are not expanded yet
  std::map<std::size_t, std::deque<std::size_t>> near_;
  std::size_t gone_over_ = 0;
};

}  // namespace

reports::PageByHand by_hand(const model::Setup& setup, const sim::Trail& trail,
                            const std::vector<Decided>& run, const std::string& command,
                            const ByHandLimits& limits) {
  Surveyor surveyor(setup, trail, limits);
  surveyor.follow(run);
  surveyor.spread();
  surveyor.hand.command = command;
  surveyor.hand.trail_head = sim::text_of(properties::trail_header(setup, "", ""));
  return std::move(surveyor.hand);
}

}  // namespace lockstep::tools
