// whole_graph.h: what the first of several ranks (ranked.h) keeps of the whole graph: where each state came
// from, edges, ends, and what was found.
//
// It hears of every step, state by state in the order of their numbers, as one process takes them.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/verify.h"
#include "sim/search/dead_end.h"
#include "sim/search/edges.h"
#include "sim/search/message.h"
#include "sim/search/outcome.h"
#include "sim/search/parents.h"
#include "sim/search/timeless.h"
#include "sim/system.h"

namespace lockstep::sim {

// How a step is told: the state that it leads to, these, and of a new state the rest.
inline constexpr std::uint8_t step_is_fault = 1, step_is_timeless = 2, step_is_fresh = 4;

inline std::uint8_t flags_of(bool fault, bool timeless, bool fresh) {
  return static_cast<std::uint8_t>((fault ? step_is_fault : 0) | (timeless ? step_is_timeless : 0) |
                                   (fresh ? step_is_fresh : 0));
}

template <System S>
class WholeGraph {
 public:
  explicit WholeGraph(EndingMask asked)
      : asked_(asked), ended_in_(static_cast<std::size_t>(std::popcount(asked))) {}

  void admit(std::uint32_t number, std::uint32_t from, std::size_t move, PropertyMask violated,
             EndingMask ended) {
    VERIFY(number == parents_.add(from, move));
    PropertyMask fresh = violated & ~found.violated;
    found.violated |= fresh;
    for (; fresh != 0; fresh &= fresh - 1)
      broken_.emplace_back(static_cast<unsigned>(std::countr_zero(fresh)), number);
    EndingMask left = asked_;
    for (std::vector<bool>& one : ended_in_) {
      one.push_back((ended >> std::countr_zero(left) & 1) != 0);
      left &= left - 1;
    }
  }

  /// The words of all ranks on a level.
  void hear(const std::vector<std::string>& words, bool with_edges) {
    std::vector<MessageReader> in(words.begin(), words.end());
    std::vector<std::optional<std::uint32_t>> next(in.size());
    const auto read = [&](std::size_t rank) {
      next[rank].reset();
      if (!in[rank].is_at_end()) next[rank] = in[rank].template take<std::uint32_t>();
    };
    for (std::size_t rank = 0; rank < in.size(); ++rank) {
      found.witnesses |= in[rank].template take<WitnessMask>();
      found.at_rest += in[rank].template take<std::uint64_t>();
      read(rank);
    }
    for (;;) {
      std::optional<std::size_t> least;
      for (std::size_t rank = 0; rank < next.size(); ++rank)
        if (next[rank] && (!least || *next[rank] < *next[*least])) least = rank;
      if (!least) return;
      hear_steps_of(*next[*least], in[*least], with_edges);
      read(*least);
    }
  }

  /// `met.find(state)` says under which number a state was met.
  template <class Met>
  void look(S& system, Met& met, bool zeno, bool endings) {
    for (const auto& [property, state] : broken_)
      found.violations.push_back({property, parents_.trail_to(system, state)});
    if (zeno) found.zeno = find_zeno(system, edges_, parents_, met);
    if (!endings) return;
    std::optional<std::uint32_t> first;
    for (const std::vector<bool>& ended : ended_in_)
      if (const auto stuck = first_dead_end(edges_, ended)) first = std::min(*stuck, first.value_or(*stuck));
    if (first) found.dead_end = parents_.trail_to(system, *first);
  }

  /// It is another's from now on.
  void forget() { *this = WholeGraph(asked_); }

  std::uint64_t bytes() const { return parents_.bytes() + edges_.bytes(); }

  Outcome<S> found;

 private:
  void hear_steps_of(std::uint32_t from, MessageReader& in, bool with_edges) {
    for (auto left = in.take<std::uint32_t>(); left > 0; --left) {
      const auto to = in.take<std::uint32_t>();
      const auto flags = in.take<std::uint8_t>();
      ++found.transitions;
      if ((flags & step_is_fault) == 0 && with_edges) edges_.add(from, to, (flags & step_is_timeless) != 0);
      if ((flags & step_is_fresh) == 0) continue;
      const auto move = in.take<std::uint16_t>();
      const auto violated = in.take<PropertyMask>();
      admit(to, from, move, violated, in.take<EndingMask>());
    }
  }

  EndingMask asked_;
  Parents parents_;
  Edges edges_;
  std::vector<std::vector<bool>> ended_in_;                // by ending, by state
  std::vector<std::pair<unsigned, std::uint32_t>> broken_;  // property, first state that violates it
};

}  // namespace lockstep::sim
