#include "reports/diagrams/differing_graph.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace lockstep::reports {

namespace {

/// "17: run A1", line by line.
std::string without_numbers(const std::string& label) {
  std::string text;
  for (std::size_t at = 0; at <= label.size();) {
    const std::size_t end = std::min(label.find('\n', at), label.size());
    const std::size_t word = std::min(label.find_first_not_of("0123456789", at), end);
    const bool numbered = word > at && label.compare(word, 2, ": ") == 0;
    if (at > 0) text += '\n';
    const std::size_t begin = numbered ? word + 2 : at;
    text += label.substr(begin, end - begin);
    at = end + 1;
  }
  return text;
}

}  // namespace

DifferingGraph differing_graph(const StateGraph& first, const StateGraph& second) {
  DifferingGraph merged{second, 0, 0};
  std::vector<StateNode>& nodes = merged.graph.nodes;
  std::vector<StateEdge>& edges = merged.graph.edges;
  std::map<std::string, std::size_t> numbers;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    numbers.emplace(nodes[i].label, i);
    nodes[i].on_path = false;
    nodes[i].had_by = HadBy::second;
  }
  std::set<std::pair<std::size_t, std::size_t>> of_first, of_second;
  for (StateEdge& edge : edges) {
    of_second.emplace(edge.from, edge.to);
    edge.on_path = false;
  }
  std::vector<std::size_t> now(first.nodes.size());  // the numbers of the first one's nodes
  for (std::size_t i = 0; i < first.nodes.size(); ++i) {
    const auto [known, fresh] = numbers.emplace(first.nodes[i].label, nodes.size());
    now[i] = known->second;
    if (fresh) nodes.push_back(first.nodes[i]);
    nodes[now[i]].on_path = false;
    nodes[now[i]].had_by = fresh ? HadBy::first : HadBy::both;
  }
  for (StateEdge edge : first.edges) {
    edge.from = now[edge.from];
    edge.to = now[edge.to];
    of_first.emplace(edge.from, edge.to);
    if (of_second.contains({edge.from, edge.to})) continue;
    if (edge.on_path) edge.label = without_numbers(edge.label);  // they are of the second's way
    edge.on_path = false;
    edge.had_by = HadBy::first;
    edge.tree = edge.tree && nodes[edge.to].had_by == HadBy::first;
    edge.label = "− " + edge.label;
    ++merged.only_first;
    edges.push_back(std::move(edge));
  }
  for (StateEdge& edge : edges) {
    if (edge.had_by == HadBy::first || of_first.contains({edge.from, edge.to})) continue;
    edge.had_by = HadBy::second;
    edge.label = "+ " + edge.label;
    ++merged.only_second;
  }
  for (StateNode& node : nodes)
    if (node.had_by != HadBy::both) node.label = (node.had_by == HadBy::first ? "− " : "+ ") + node.label;
  return merged;
}

}  // namespace lockstep::reports
