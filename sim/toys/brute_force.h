// brute_force.h: the slow, plain search that explorers are compared with. It shares no code with them.
#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "sim/system.h"

namespace lockstep::sim::toys {

/// The place of each decision in its list.
using Places = std::vector<std::size_t>;

struct BruteForce {
  std::size_t states = 0;
  std::size_t transitions = 0;
  std::size_t depth = 0;
  std::size_t at_rest = 0;
  std::map<unsigned, Places> violations;  // property, and of the shortest ways to it the least by its places
};

template <System S>
std::string exact_key(const S& rules, const typename S::State& state) {
  Encoder out;
  rules.encode_state(state, out);
  return std::string(out.bytes());
}

/// `key` says which states count as one.
template <System S, class Key>
BruteForce brute_force(S system, Key key) {
  struct Met {
    typename S::State state;
    Places way;  // the least of those that are so short
  };
  BruteForce result;
  std::map<std::string, Met> level{{key(system, system.initial()), {system.initial(), {}}}}, next;
  std::set<std::string> seen{level.begin()->first};
  for (std::size_t depth = 0; !level.empty(); ++depth, level = std::exchange(next, {})) {
    result.depth = depth;
    result.states += level.size();
    for (const auto& [its_key, met] : level) {
      for (unsigned property = 0; property < 64; ++property) {
        if (((system.violated(met.state) >> property) & 1) == 0) continue;
        Places& way = result.violations.try_emplace(property, met.way).first->second;
        if (way.size() == depth) way = std::min(way, met.way);
      }
      std::vector<typename S::Move> moves;
      system.enabled(met.state, moves);
      if (moves.empty()) ++result.at_rest;
      result.transitions += moves.size();
      for (std::size_t place = 0; place < moves.size(); ++place) {
        auto child = met.state;
        system.apply(child, moves[place]);
        const std::string child_key = key(system, child);
        if (seen.contains(child_key)) continue;
        Places way = met.way;
        way.push_back(place);
        const auto [known, fresh] = next.try_emplace(child_key, Met{child, way});
        if (!fresh) known->second.way = std::min(known->second.way, way);
      }
    }
    for (const auto& [its_key, met] : next) seen.insert(its_key);
  }
  return result;
}

template <System S>
BruteForce brute_force(S system) {
  return brute_force(system,
                     [](const S& rules, const typename S::State& state) { return exact_key(rules, state); });
}

}  // namespace lockstep::sim::toys
