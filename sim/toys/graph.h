// graph.h: a system given as a list of edges, so that properties of explorers can be tested on arbitrary
// ones.
#pragma once

#include <map>
#include <vector>

#include "sim/system.h"
#include "sim/toys/toy.h"

namespace lockstep::sim::toys {

struct GraphState {
  std::uint16_t place = 0;
  PropertyMask broken = 0;
  bool operator==(const GraphState&) const = default;
  auto operator<=>(const GraphState&) const = default;
  static auto fields(auto& s) { return std::tie(s.place, s.broken); }
};

struct Arc {
  std::uint16_t from = 0;
  std::uint16_t to = 0;
  Nature nature = Nature::takes_time;
};

inline constexpr Verb graph_verbs[] = {{"step"}, {"slip", Nature::timeless}, {"fault", Nature::fault}};

/// Arc number i is a move of actor i. Faults are listed last. Coming to a place breaks the properties that it
/// breaks.
struct Graph : Toy<GraphState, graph_verbs> {
  std::vector<Arc> arcs;
  std::map<std::uint16_t, PropertyMask> breaks;

  State initial() const { return {}; }

  void enabled(const State& s, std::vector<Move>& moves) const {
    moves.clear();
    for (const bool faults : {false, true}) {
      for (std::size_t i = 0; i < arcs.size(); ++i) {
        const bool is_fault = arcs[i].nature == Nature::fault;
        if (arcs[i].from == s.place && is_fault == faults) moves.push_back(move(i, arcs[i].nature));
      }
    }
  }

  WitnessMask apply(State& s, const Move& m) const {
    s.place = arcs[m.who].to;
    const auto found = breaks.find(s.place);
    if (found != breaks.end()) s.broken |= found->second;
    return WitnessMask{1} << (s.place % 64);
  }

  PropertyMask violated(const State& s) const { return s.broken; }
};
static_assert(System<Graph>);

}  // namespace lockstep::sim::toys
