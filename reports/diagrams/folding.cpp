#include "reports/diagrams/folding.h"

#include <fmt/format.h>

namespace lockstep::reports {

namespace {
constexpr std::size_t labels_shown = 2;
constexpr std::size_t steps_shown = 3;
}  // namespace

Folding::Class Folding::add(const std::string& label, bool initial, bool violating) {
  const auto [found, fresh] = by_label_.emplace(label, static_cast<Class>(nodes_.size()));
  if (fresh) {
    nodes_.push_back({.label = label, .css = {}, .count = 0});
    resting_.push_back(0);
    reached_.push_back(false);
  }
  StateNode& node = nodes_[found->second];
  ++node.count;
  node.initial |= initial;
  node.violating |= violating;
  return found->second;
}

Folding::Class Folding::find(const std::string& label) {
  const auto known = by_label_.find(label);
  return known != by_label_.end() ? known->second : add(label, false, false);
}

Folding::Edge& Folding::edge(Class from, Class to) {
  const auto [found, fresh] = by_ends_.emplace(std::pair{from, to}, edges_.size());
  if (fresh) {
    ends_.emplace_back(from, to);
    edges_.emplace_back();
    edges_.back().tree = from < to && !reached_[to];
    if (edges_.back().tree) reached_[to] = true;
  }
  return edges_[found->second];
}

void Folding::move(Class from, Class to, const std::string& label) {
  Edge& one = edge(from, to);
  ++one.count;
  if (from == to) return;
  const auto [found, fresh] = label_numbers_.emplace(label, static_cast<std::uint32_t>(labels_.size()));
  if (fresh) labels_.push_back(label);
  if (one.labels.insert(found->second).second && one.first.size() < labels_shown)
    one.first.push_back(found->second);
}

void Folding::step(Class from, Class to, std::size_t number, const std::string& label) {
  nodes_[from].on_path = nodes_[to].on_path = true;
  if (from != to) edge(from, to).steps.push_back(fmt::format("{}: {}", number, label));
}

std::string Folding::label_of(const Edge& edge, bool loop) const {
  if (loop) return "inside";
  std::string text;
  const auto add = [&text](const std::string& line) { text += (text.empty() ? "" : "\n") + line; };
  for (std::size_t i = 0; i < edge.steps.size() && i < steps_shown; ++i) add(edge.steps[i]);
  if (edge.steps.size() > steps_shown) add(fmt::format("+{} more steps", edge.steps.size() - steps_shown));
  if (!edge.steps.empty()) {
    if (edge.labels.size() > 1) add(fmt::format("+{} other moves", edge.labels.size() - 1));
    return text;
  }
  for (const std::uint32_t number : edge.first) add(labels_[number]);
  if (edge.labels.size() > edge.first.size())
    add(fmt::format("+{} more", edge.labels.size() - edge.first.size()));
  return text;
}

StateGraph Folding::finish() const {
  StateGraph graph;
  graph.nodes = nodes_;
  for (std::size_t i = 0; i < nodes_.size(); ++i) graph.nodes[i].at_rest = resting_[i] == nodes_[i].count;
  for (std::size_t i = 0; i < edges_.size(); ++i) {
    const auto [from, to] = ends_[i];
    graph.edges.push_back({.from = from,
                           .to = to,
                           .label = label_of(edges_[i], from == to),
                           .count = edges_[i].count,
                           .tree = edges_[i].tree,
                           .on_path = !edges_[i].steps.empty()});
  }
  return graph;
}

}  // namespace lockstep::reports
