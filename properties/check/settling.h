// settling.h: a sampled run that is not at its end when enough was drawn.
//
// Faults stop then, and what is under way goes on as the default schedule has it, which keeps nobody waiting
// who can act before time passes: whatever still can return does, so that a run that was cut short is one
// that got stuck, goes round, or takes very long.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "properties/check/check.h"
#include "sim/run/policy.h"

namespace lockstep::properties {

/// Lets another policy, which must outlive it, decide as long as is drawn.
template <sim::System S>
class Settling final : public sim::Policy<S> {
 public:
  Settling(sim::Policy<S>& drawing, std::uint64_t drawn) : drawing_(drawing), left_(drawn) {}

  std::optional<std::size_t> pick(const S& system, const typename S::State& state,
                                  std::span<const typename S::Move> moves) override {
    settles_ = left_ == 0;
    if (settles_) {
      const auto picked = sim::default_pick(moves);
      rests_ = !picked;
      return picked;
    }
    --left_;
    return drawing_.pick(system, state, moves);
  }
  typename S::Move taken(const typename S::Move& listed) override {
    return settles_ ? listed : drawing_.taken(listed);
  }

  /// Some of it was not drawn.
  bool settles() const { return settles_; }
  /// Nothing was left to it but faults.
  bool rests() const { return rests_; }

 private:
  sim::Policy<S>& drawing_;
  std::uint64_t left_;
  bool settles_ = false, rests_ = false;
};

}  // namespace lockstep::properties
