// folding.h: a graph of classes of states, made while the states are met, so that a million of them need no
// more room than their classes.
//
// States with equal labels are one class. What leads from one class to another, whichever moves they are, is
// one edge with the first of their labels; what stays inside a class is one loop. A class needs one way to it
// in the layout, so the first edge to it from a class before it is its tree edge. The steps of a
// counterexample name themselves, with their numbers, before other moves of the same edge.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reports/diagrams/state_graph.h"

namespace lockstep::reports {

class Folding {
 public:
  using Class = std::uint32_t;

  /// Counts one more state; classes are numbered in the order of their first.
  Class add(const std::string& label, bool initial, bool violating);
  /// It is known to have no moves.
  void rests(Class of) { ++resting_[of]; }
  /// The class of states with this label, which is added if a search that was cut has not met any.
  Class find(const std::string& label);
  void move(Class from, Class to, const std::string& label);
  /// One step of the counterexample, counted from 1.
  void step(Class from, Class to, std::size_t number, const std::string& label);

  StateGraph finish() const;

 private:
  struct Edge {
    std::int64_t count = 0;
    bool tree = false;
    std::set<std::uint32_t> labels;    // of moves, by number
    std::vector<std::uint32_t> first;  // of them, in the order in which they were met
    std::vector<std::string> steps;    // of the counterexample, as they are written
  };
  Edge& edge(Class from, Class to);
  std::string label_of(const Edge& edge, bool loop) const;

  std::map<std::string, Class> by_label_;
  std::vector<StateNode> nodes_;
  std::vector<std::int64_t> resting_;  // states that have no moves, by class
  std::vector<bool> reached_;          // has a tree edge
  std::map<std::pair<Class, Class>, std::size_t> by_ends_;
  std::vector<std::pair<Class, Class>> ends_;
  std::vector<Edge> edges_;
  std::map<std::string, std::uint32_t> label_numbers_;
  std::vector<std::string> labels_;
};

}  // namespace lockstep::reports
