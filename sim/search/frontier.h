// frontier.h: the states that are still to be expanded, level by level.
//
// Only two levels are kept as states: the one being expanded, and the one that it leads to. States of a level
// have consecutive numbers.
#pragma once

#include <cstdint>
#include <utility>

#include "sim/base/verify.h"
#include "sim/search/pieces.h"

namespace lockstep::sim {

template <class State>
class Frontier {
 public:
  /// The next level begins with this number.
  void begin_at(std::uint32_t number) { first_ = number; }

  /// States are given in the order of their numbers.
  void add(std::uint32_t number, State state) {
    VERIFY(number == first_ + level_.size() + next_.size());
    next_.push_back(std::move(state));
  }

  /// Goes to the next level; false if there is none.
  bool advance() {
    first_ += static_cast<std::uint32_t>(level_.size());
    level_.clear();
    level_.swap(next_);
    return !level_.empty();
  }

  std::size_t size() const { return level_.size(); }
  std::uint32_t number(std::size_t i) const { return first_ + static_cast<std::uint32_t>(i); }
  /// What is expanded may be taken apart.
  State& operator[](std::size_t i) { return level_[i]; }

  /// Told of each in turn: those before it are expanded.
  void drop_before(std::size_t i) { level_.drop_before(i); }

  /// What the states take besides what they point to.
  std::uint64_t bytes() const { return level_.bytes() + next_.bytes(); }
  bool has_next() const { return !next_.empty(); }
  std::uint64_t states_held() const { return level_.size() + next_.size(); }

 private:
  Pieces<State> level_, next_;
  std::uint32_t first_ = 0;  // the number of the first state of the level
};

}  // namespace lockstep::sim
