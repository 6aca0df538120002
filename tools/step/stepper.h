// stepper.h: one run that somebody makes by hand: what may happen next, choosing it, and taking it back.
//
// Every state on the way is kept, so that taking back is exact. `shown` is what a person sees of the state:
// the locks, and the moves that are possible with their numbers, the default first.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "properties/check/checked.h"
#include "sim/base/result.h"
#include "sim/run/run.h"
#include "sim/trail/trail.h"

namespace lockstep::tools {

class Stepper {
 public:
  using System = properties::Checked;

  /// The setup must outlive it.
  explicit Stepper(const model::Setup& setup);

  /// Goes the way of a trail; a sentence if the run leaves it.
  std::optional<sim::Problem> follow(const sim::Trail& trail);

  const std::vector<model::Move>& moves() const { return moves_; }
  std::size_t steps() const { return decisions_.size(); }

  void choose(std::size_t index);  // of moves()
  /// A decision that was made elsewhere, in this state.
  void take(const sim::Decision<model::Move>& decision);
  bool undo();                     // false at the start
  /// Takes the default until who holds, believes or waits changes, or a property breaks; how many steps.
  std::size_t jump();

  std::string shown() const;
  /// What happened after so many steps, one line an event.
  std::string told_since(std::size_t steps) const;
  /// The way so far, to be replayed exactly.
  sim::Trail trail() const;

 private:
  std::optional<std::size_t> by_default() const;
  void list();

  const model::Setup& setup_;
  System system_;
  std::vector<System::State> states_;  // one more than decisions
  std::vector<sim::Decision<model::Move>> decisions_;
  std::vector<model::Move> moves_;
};

}  // namespace lockstep::tools
