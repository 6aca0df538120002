// parents.h: where each state was first reached from, and by which of the moves there: 6 bytes a state.
//
// From that a trail is rebuilt by running it again. State 0 is the initial one.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/base/verify.h"
#include "sim/run/run.h"
#include "sim/search/pieces.h"

namespace lockstep::sim {

class Parents {
 public:
  static constexpr std::size_t moves_max = 0xffff;

  /// The next state; returns its number.
  std::uint32_t add(std::uint32_t from, std::size_t move) {
    VERIFY(move < moves_max);
    from_.push_back(from);
    chosen_.push_back(static_cast<std::uint16_t>(move));
    return static_cast<std::uint32_t>(from_.size() - 1);
  }

  std::size_t size() const { return from_.size(); }
  std::uint32_t from(std::uint32_t state) const { return from_[state]; }
  std::uint16_t chosen(std::uint32_t state) const { return chosen_[state]; }
  std::uint64_t bytes() const {
    return from_.bytes() + chosen_.bytes();
  }

  /// The decisions by which a state was first reached.
  template <System S>
  std::vector<Decision<typename S::Move>> trail_to(S& system, std::uint32_t state) const {
    std::vector<std::uint16_t> choices;
    for (; state != 0; state = from_[state]) choices.push_back(chosen_[state]);
    std::vector<Decision<typename S::Move>> trail;
    std::vector<typename S::Move> moves;
    auto at = system.initial();
    for (auto choice = choices.rbegin(); choice != choices.rend(); ++choice) {
      system.enabled(at, moves);
      VERIFY(*choice < moves.size());
      trail.push_back(detail::decision(moves, *choice));
      system.apply(at, trail.back().move);
    }
    return trail;
  }

 private:
  Pieces<std::uint32_t> from_;
  Pieces<std::uint16_t> chosen_;
};

}  // namespace lockstep::sim
