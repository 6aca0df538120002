// reductions.h: which of the reductions that leave out what cannot matter are on.
//
// They are always on but for one purpose: the suite searches without them, too, and compares the verdicts
// (scenarios/reductions_prop.cpp).
#pragma once

namespace lockstep::model {

struct Reductions {
  bool identity = true;  // states that differ in what nobody reads are one (model/world/identity.h)
  bool learning = true;  // who is master is learned where that makes a difference (model/world/lazy.h)
  bool faults = true;    // faults begin and end where that makes a difference (model/world/lazy.h)
  bool operator==(const Reductions&) const = default;

  static constexpr Reductions none() { return {.identity = false, .learning = false, .faults = false}; }
};

}  // namespace lockstep::model
