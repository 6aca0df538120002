// tell.cpp: runs a trail again, with a tracer listening.
#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "properties/check/check.h"
#include "properties/check/coming_round.h"
#include "properties/check/going_round.h"
#include "properties/check/told_move.h"
#include "properties/monitors/all_properties.h"
#include "sim/base/amount.h"
#include "sim/run/lenient.h"
#include "sim/run/replay.h"
#include "sim/run/shifted.h"

namespace lockstep::properties {

namespace {

constexpr std::size_t told_steps_max = 1'000'000;
constexpr std::size_t tail_max = 10'000;  // where programs have no end

/// What is watched as usual, and the property that the trail is about.
sim::PropertyMask watched_for(const Setup& setup, const sim::Trail& trail) {
  const auto its = find_property(trail.property, setup);
  return watched_in(setup, all_usual) | (its ? bit(*its) : 0);
}

/// What follows the last decision of a trail that goes on by default, and does not say until when.
struct Tail {
  std::size_t begins = 0;
  bool by_state_alone = true;  // then a state that comes again comes for ever
};

std::optional<Tail> tail_of(const sim::Plan<model::Move>& plan, bool by_state_alone) {
  if (!plan.then.by_default || plan.then.until) return std::nullopt;
  return Tail{plan.moves.empty() ? 0 : plan.moves.back().step, by_state_alone};
}

/// One telling: the system, who listens, and what has come out so far.
class Telling {
 public:
  Telling(const Setup& setup, const sim::Trail& trail, lua::Overseer* overseer)
      : setup_(setup),
        system_(setup, {.watched = watched_for(setup, trail), .overseer = overseer}),
        tracer_(setup),
        state_(system_.initial()) {
    const auto its = find_property(trail.property, setup);
    if (its && asks_for_cycles(*its, setup)) laps_.emplace(setup, *its);
    timeless_.insert(system_.digest(system_.normal(state_)));
    for (const PropertyInfo& one : all_properties(setup))
      if ((system_.violated(state_) & bit(one.property)) != 0)
        tracer_.violated(std::string(one.name), fmt::format("`{}`, at the start already", one.says));
  }

  Checked& system() { return system_; }

  void follow(sim::Policy<Checked>& policy, std::optional<std::uint64_t> to,
              std::optional<Tail> tail = std::nullopt) {
    while (told_.steps < to.value_or(told_steps_max)) {
      if (!to && tail && goes_on_without_end(*tail)) return;
      system_.enabled(state_, moves_);
      told_.at_rest = moves_.empty();
      if (moves_.empty()) return;
      const auto picked = policy.pick(system_, state_, moves_);
      if (!picked) return;
      take(*picked, policy.taken(moves_[*picked]));
    }
  }

  Told finish(const sim::Trail& trail) {
    judge_ending(trail);
    judge_lap(trail);
    told_.violated |= system_.violated(state_);
    told_.monitor_lines = tracer_.monitor_lines();
    sim::Trace& trace = told_.trace;
    trace.scenario = setup_.name;
    trace.scenario_digest = setup_.digest;
    trace.about = setup_.about;
    trace.scripts = setup_.scripts_told();
    trace.trail = sim::text_of(trail);
    trace.actors = model::trace_actors(setup_);
    trace.events = tracer_.events();
    trace.result = told_.violated != 0 ? "violated" : "passed";
    return std::move(told_);
  }

  void diverged(std::string how) { told_.divergence = std::move(how); }

 private:
  /// One that goes round for ever ends where it began to.
  void judge_lap(const sim::Trail& trail) {
    const auto its = find_property(trail.property, setup_);
    if (!laps_ || setup_.horizon || (system_.violated(state_) & bit(*its)) != 0) return;
    const auto why = laps_->why_broken();
    if (!why) return;
    told_.violated |= bit(*its);
    tracer_.violated(trail.property, *why);
  }

  /// A counterexample to calls-return ends in a state from which some program cannot end any more. Of a trail
  /// that is about no property only what has come to rest, or round, is asked.
  void judge_ending(const sim::Trail& trail) {
    constexpr std::size_t looked_at_max = 1'000'000;
    const bool has_come_to_stay = told_.at_rest || told_.goes_on;
    const bool is_about_it = trail.property == info(Property::calls_return).name;
    if (setup_.horizon || (!is_about_it && (!trail.property.empty() || !has_come_to_stay))) return;
    if (calls_can_return(setup_, state_, looked_at_max) != false) return;
    told_.violated |= bit(Property::calls_return);
    const model::Facts facts{state_.world, setup_};
    tracer_.violated(std::string(info(Property::calls_return).name),
                     "from here on, without a further fault: " + facts.unended());
  }

  void take(std::size_t index, const model::Move& move) {
    if (laps_) laps_->take(move);
    told_.witnesses |=
        tell_move(system_, state_, {index, move, moves_.size()}, tracer_, truths_, StateDigest::written);
    ++told_.steps;
    watch_for_zeno(move);
  }

  bool goes_on_without_end(const Tail& tail) {
    if (told_.steps < tail.begins) return false;
    if (tail.by_state_alone) {
      const auto [before, is_new] = by_default_.emplace(system_.digest(system_.normal(state_)), told_.steps);
      if (!is_new)
        told_.goes_on = fmt::format("it goes round for ever: after {} it is where it was after {}",
                                    sim::amount(told_.steps, "move"), before->second);
    }
    if (!told_.goes_on && told_.steps - tail.begins >= tail_max && goes_round_for_ever(setup_))
      told_.goes_on = fmt::format("its programs have no end, and it was ended {} behind the last decision",
                                  sim::amount(tail_max, "move"));
    return told_.goes_on.has_value();
  }

  void watch_for_zeno(const model::Move& move) {
    if (move.passes_time()) timeless_.clear();
    const bool is_new = timeless_.insert(system_.digest(system_.normal(state_))).second;
    if (is_new || (told_.violated & bit(Property::no_zeno)) != 0) return;
    told_.violated |= bit(Property::no_zeno);
    tracer_.violated(std::string(info(Property::no_zeno).name),
                     "this state was met before, and no time has passed");
  }

  const Setup& setup_;
  Checked system_;
  model::Tracer tracer_;
  TruthLog truths_;
  Checked::State state_;
  std::vector<model::Move> moves_;
  std::optional<LapWatch> laps_;                   // of a property that is broken by going round
  std::map<sim::Digest, std::size_t> by_default_;  // the states of the tail, and when they were met
  std::set<sim::Digest> timeless_;                 // the states since time passed last
  Told told_;
};

/// Where a move is gone, a trail of every step goes on with the next, and one of deviations with the default.
void follow_loosely(Telling& telling, const sim::Plan<model::Move>& plan, std::optional<std::uint64_t> to) {
  const bool has_every_step = !plan.moves.empty() && plan.moves.size() == plan.moves.back().step;
  if (!has_every_step) {
    sim::Shifted<Checked> policy(plan);
    return telling.follow(policy, to, tail_of(plan, false));
  }
  std::vector<model::Move> moves;
  for (const auto& planned : plan.moves) moves.push_back(planned.move);
  sim::Lenient<Checked> policy(std::move(moves));
  if (!to && plan.then.by_default) to = plan.then.until;
  else if (!to) to = plan.moves.size();
  telling.follow(policy, to, tail_of(plan, false));
}

}  // namespace

Told tell(const Setup& setup, const sim::Trail& trail, TellOptions options) {
  Telling telling(setup, trail, options.overseer);
  const auto plan = sim::plan_of(telling.system(), trail);
  if (!plan) {
    telling.diverged(plan.problem().text);
    return telling.finish(trail);
  }
  if (options.lenient) {
    follow_loosely(telling, *plan, options.to);
    return telling.finish(trail);
  }
  sim::Replay<Checked> policy(*plan);
  telling.follow(policy, options.to, tail_of(*plan, true));
  if (policy.divergence()) telling.diverged(sim::text_of(*policy.divergence()));
  return telling.finish(trail);
}

}  // namespace lockstep::properties
