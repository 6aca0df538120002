// going_round.h: what may never come in a run that goes on for ever, though nobody is kept from acting.
//
// no-starvation asks it of each thread's call, and a [[property]] of kind `eventually` of its predicate: is
// there a run in which the call never returns, or the predicate is never true, while time passes, the
// adversary does nothing any more, and whoever could act all the time does act? That is a fair cycle in the
// graph of states (sim/search/fair_cycle.h). All actors are told apart, since it is asked who acts: each
// thread, each way of a link, timers and what servers do by themselves.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "properties/check/begun.h"
#include "properties/check/broken_run.h"
#include "sim/search/fair_cycle.h"
#include "sim/search/outcome.h"

namespace lockstep::properties {

/// Whether whole graphs must be asked for cycles to decide this property.
bool asks_for_cycles(Property property, const Setup& setup);

class GoingRound {
 public:
  /// Searches, for properties that asks_for_cycles is true of. `with_now`: steps read what time it is.
  GoingRound(const Setup& setup, sim::PropertyMask properties, bool with_now, const MadeMoves& made,
             const sim::SearchLimits& limits);
  ~GoingRound();
  GoingRound(const GoingRound&) = delete;
  GoingRound& operator=(const GoingRound&) = delete;

  /// Every state was met; else there is no answer, and this says why.
  bool complete() const { return why_open_.empty(); }
  const std::string& why_open() const { return why_open_; }
  /// A run that breaks the property: the way to a cycle, and once around it.
  std::optional<Decisions> broken(Property property) const;
  /// The same of what was met, complete or not: nothing says nothing then.
  std::optional<Decisions> broken_so_far(Property property) const;

 private:
  struct Graph;

  sim::Decision<model::Move> step_to(Checked::State& at, const sim::Digest& next, std::size_t likely) const;
  Decisions run_of(const std::vector<sim::FairGraph::Taken>& lap) const;

  const Setup& setup_;
  std::unique_ptr<Checked> system_;
  std::unique_ptr<Graph> graph_;
  std::string why_open_;
};

/// Follows one run, to say at its end that it has gone round once.
/// What other properties remember of it does not matter, so it takes the moves again, watching this one.
class LapWatch {
 public:
  /// `made`: moves that were made before the first that is taken.
  LapWatch(const Setup& setup, Property property, const MadeMoves& made = {});
  ~LapWatch();

  void take(const model::Move& move);
  const Checked& system() const { return *system_; }
  const Checked::State& state() const { return at_; }
  /// Where the lap that ends here began, counted in moves; nothing if the property is not broken.
  std::optional<std::size_t> lap_begins() const;
  /// Why the property is broken by a run that ends here, in a sentence; nothing if it is not.
  std::optional<std::string> why_broken() const;

 private:
  struct Stop {
    sim::Digest state;
    sim::QuestionMask open = 0;
    std::vector<std::uint64_t> able;  // ascending
    std::uint64_t acts = 0;
    bool fault = false, passes_time = false;
  };
  struct Lap {
    std::size_t first = 0;
    sim::QuestionMask open = 0;
  };
  std::optional<Lap> lap() const;
  sim::QuestionMask open_all_along(std::size_t first) const;

  const Setup& setup_;
  Property property_;
  std::unique_ptr<Checked> system_;
  Checked::State at_;
  std::vector<Stop> stops_;
  std::vector<model::Move> moves_;
};

}  // namespace lockstep::properties
