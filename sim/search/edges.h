// edges.h: the moves of a search that are no faults, between states called by their numbers.
//
// What happens for ever, and what can never happen, are questions about this graph: a cycle without time
// (zeno.h), and states from which nothing leads to an end (dead_end.h). The adversary may do a thing or not,
// so its moves are no part of it. 4 bytes and 1 bit a move, 8 bytes for each state.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/base/verify.h"
#include "sim/search/pieces.h"

namespace lockstep::sim {

class Edges {
 public:
  /// `from` ascends: states are expanded in the order of their numbers.
  void add(std::uint32_t from, std::uint32_t to, bool timeless) {
    VERIFY(from + std::size_t{1} >= begins_.size());
    while (begins_.size() <= from) begins_.push_back(to_.size());
    const std::size_t bit = to_.size() % word_bits;
    if (bit == 0) timeless_.push_back(0);
    timeless_.back() |= std::uint64_t{timeless} << bit;
    to_.push_back(to);
  }

  /// Where the edges of a state begin; those of the last state that has any end at size().
  std::size_t begin_of(std::uint32_t state) const {
    return state < begins_.size() ? begins_[state] : to_.size();
  }
  std::size_t end_of(std::uint32_t state) const { return begin_of(state + 1); }
  std::size_t size() const { return to_.size(); }
  std::uint32_t to(std::size_t edge) const { return to_[edge]; }
  bool is_timeless(std::size_t edge) const {
    return (timeless_[edge / word_bits] >> edge % word_bits & 1) != 0;
  }

  std::uint64_t bytes() const { return to_.bytes() + begins_.bytes() + timeless_.bytes(); }

 private:
  static constexpr std::size_t word_bits = 64;

  Pieces<std::uint32_t> to_;
  Pieces<std::size_t> begins_;      // by state
  Pieces<std::uint64_t> timeless_;  // a bit for each edge
};

/// The same where states are expanded in any order; at the end it is put in order.
class LooseEdges {
 public:
  /// All edges of one state are given one after the other.
  void add(std::uint32_t from, std::uint32_t to, bool timeless) {
    if (states_.empty() || states_.back().state != from) states_.push_back({from, to_.size()});
    to_.push_back(to);
    timeless_.push_back(timeless);
  }

  Edges in_order(std::size_t states) const {
    std::vector<std::size_t> place(states, states_.size());
    for (std::size_t i = 0; i < states_.size(); ++i) place[states_[i].state] = i;
    Edges edges;
    for (std::uint32_t from = 0; from < states; ++from) {
      if (place[from] == states_.size()) continue;
      const std::size_t next = place[from] + 1;
      const std::size_t end = next == states_.size() ? to_.size() : states_[next].begin;
      for (std::size_t edge = states_[place[from]].begin; edge < end; ++edge)
        edges.add(from, to_[edge], timeless_[edge]);
    }
    return edges;
  }

  std::uint64_t bytes() const { return to_.bytes() + states_.bytes() + timeless_.capacity() / 8; }

 private:
  struct Begin {
    std::uint32_t state = 0;
    std::size_t begin = 0;
  };
  Pieces<std::uint32_t> to_;
  Pieces<Begin> states_;
  std::vector<bool> timeless_;
};

}  // namespace lockstep::sim
