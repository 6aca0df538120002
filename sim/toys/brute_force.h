// brute_force.h: the slow, plain search that explorers are compared with. It shares no code with them.
#pragma once

#include <deque>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "sim/system.h"

namespace lockstep::sim::toys {

struct BruteForce {
  std::size_t states = 0;
  std::size_t transitions = 0;
  std::size_t depth = 0;
  std::size_t at_rest = 0;
  std::map<unsigned, std::size_t> violations;  // property, length of the shortest way to it
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
  BruteForce result;
  std::set<std::string> seen{key(system, system.initial())};
  std::deque<std::pair<typename S::State, std::size_t>> queue{{system.initial(), 0}};
  for (; !queue.empty(); queue.pop_front()) {
    const auto [state, depth] = queue.front();
    ++result.states;
    result.depth = depth;
    for (unsigned property = 0; property < 64; ++property) {
      if ((system.violated(state) >> property) & 1) result.violations.try_emplace(property, depth);
    }
    std::vector<typename S::Move> moves;
    system.enabled(state, moves);
    if (moves.empty()) ++result.at_rest;
    result.transitions += moves.size();
    for (const auto& move : moves) {
      auto child = state;
      system.apply(child, move);
      if (seen.insert(key(system, child)).second) queue.emplace_back(std::move(child), depth + 1);
    }
  }
  return result;
}

template <System S>
BruteForce brute_force(S system) {
  return brute_force(system,
                     [](const S& rules, const typename S::State& state) { return exact_key(rules, state); });
}

}  // namespace lockstep::sim::toys
