#include "reports/diagrams/state_graph.h"

#include <fmt/format.h>

#include <deque>

#include "reports/diagrams/drawing.h"
#include "reports/text/text.h"

namespace lockstep::reports {

namespace {

constexpr std::size_t title_characters_max = 120;  // of one line

/// Lines stay lines; everything else that is hidden becomes visible.
std::string label_lines(const std::string& label, std::size_t characters_max) {
  std::string out;
  for (std::size_t at = 0; at <= label.size();) {
    const auto end = std::min(label.find('\n', at), label.size());
    if (at > 0) out += '\n';
    out += cut(printable(label.substr(at, end - at)), characters_max);
    at = end + 1;
  }
  return out;
}

}  // namespace

/// Breadth first along edges in both directions.
KeptNodes kept_nodes(const StateGraph& graph, std::size_t nodes_max) {
  std::vector<std::vector<std::size_t>> neighbours(graph.nodes.size());
  for (const auto& edge : graph.edges) {
    neighbours[edge.from].push_back(edge.to);
    neighbours[edge.to].push_back(edge.from);
  }
  std::vector<bool> kept(graph.nodes.size());
  std::deque<std::size_t> queue;
  std::size_t count = 0;
  const auto keep = [&](std::size_t node) {
    if (kept[node] || count == nodes_max) return;
    kept[node] = true;
    ++count;
    queue.push_back(node);
  };
  const auto spread = [&] {
    for (; !queue.empty(); queue.pop_front()) {
      for (const auto next : neighbours[queue.front()]) keep(next);
    }
  };
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    if (graph.nodes[i].on_path) keep(i);
  }
  for (const auto& edge : graph.edges)
    if (edge.had_by != HadBy::both) {
      keep(edge.from);
      keep(edge.to);
    }
  spread();
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    if (graph.nodes[i].initial || graph.nodes[i].violating) keep(i);
  }
  spread();
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) keep(i);
  return {std::move(kept), graph.nodes.size() - count};
}

namespace {

const char* had_by_class(HadBy by) {
  return by == HadBy::both ? "" : by == HadBy::first ? " removed" : " added";
}

std::string node_line(const StateNode& node, std::size_t index, const StateGraphOptions& options) {
  auto label = label_lines(node.label, options.label_characters_max);
  if (node.count > 1) label += fmt::format("\n×{}", node.count);
  const char* fill = node.violating ? ink::lost : node.at_rest ? ink::fault : ink::paper;
  const char* line = node.violating || node.on_path || node.had_by == HadBy::first ? ink::error
                     : node.had_by == HadBy::second                                ? ink::granted
                                                                                   : "#52606d";
  auto css = fmt::format("node{}{}", node.violating ? " violating" : "", node.initial ? " initial" : "");
  css += had_by_class(node.had_by);
  if (!node.css.empty()) css += fmt::format(" {}", printable(node.css));
  return fmt::format(
      "  n{0} [id=\"st-{0}\", class={1}, label={2}, tooltip={2}, fillcolor=\"{3}\", color=\"{4}\", "
      "penwidth={5}{6}{7}];\n",
      index, dot_string(css), dot_string(label), fill, line, line == std::string_view("#52606d") ? "1" : "2",
      node.initial ? ", peripheries=2" : "",
      node.had_by == HadBy::first ? ", style=\"rounded,filled,dashed\"" : "");
}

/// Among many edges only those that lead to a node first, and the path, are named; others say it when pointed
/// at.
std::string edge_line(const StateEdge& edge, std::size_t index, const StateGraphOptions& options, bool many) {
  auto told = label_lines(edge.label, options.label_characters_max);
  if (edge.count > 1) told += fmt::format(" ×{}", edge.count);
  const std::string label = many && !edge.tree && !edge.on_path && edge.had_by == HadBy::both ? "" : told;
  auto out = fmt::format("  n{} -> n{} [id=\"tr-{}\", label={}, tooltip={}", edge.from, edge.to, index,
                         dot_string(label), dot_string(told.empty() ? " " : told));
  if (edge.on_path)
    out += fmt::format(", class=\"path\", color=\"{0}\", fontcolor=\"{0}\", penwidth=2.2", ink::error);
  else if (edge.had_by != HadBy::both)
    out += fmt::format(", class=\"{1}\", color=\"{0}\", fontcolor=\"{0}\", penwidth=2.2{2}",
                       edge.had_by == HadBy::first ? ink::error : ink::granted,
                       edge.had_by == HadBy::first ? "removed" : "added",
                       edge.had_by == HadBy::first ? ", style=dashed" : "");
  else if (!edge.tree) out += ", color=\"#9aa5b1\"";
  // Folded, a path may lead back; `dot` gives up on constraints that go round in a circle.
  const bool constrains = edge.tree || (edge.on_path && edge.from < edge.to);
  if (!constrains) out += ", constraint=false";
  return out + "];\n";
}

}  // namespace

std::string state_graph_dot(const StateGraph& graph, const StateGraphOptions& options) {
  const auto [kept, left_out] = kept_nodes(graph, options.nodes_max);
  std::size_t edges = 0;
  for (const auto& edge : graph.edges) edges += kept[edge.from] && kept[edge.to] ? 1 : 0;
  auto title = label_lines(options.title, title_characters_max);
  if (left_out > 0) {
    if (!title.empty()) title += '\n';
    title += fmt::format("the {} states nearest to the counterexample; {} more are not drawn",
                         options.nodes_max, left_out);
  }
  constexpr std::size_t curved_edges_max = 150;  // beyond, labels and curves cost more than the whole layout
  std::string out = fmt::format(
      "digraph \"states\" {{\n"
      "  graph [rankdir=LR, nslimit=1, nslimit1=1, mclimit=0.2{}, bgcolor=\"#ffffff\", pad=\"0.2\", "
      "nodesep=0.3, "
      "ranksep=0.5, fontname=\"DejaVu Sans\", fontsize=11, labelloc=t, labeljust=l, label={}, tooltip=\" "
      "\"];\n"
      "  node [shape=box, style=\"rounded,filled\", fontname=\"DejaVu Sans\", fontsize=10, "
      "margin=\"0.14,0.08\"];\n"
      "  edge [fontname=\"DejaVu Sans\", fontsize=9, arrowsize=0.7, color=\"#52606d\", "
      "fontcolor=\"#52606d\"];\n",
      edges > curved_edges_max ? ", splines=line" : "", dot_string(title));
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    if (kept[i]) out += node_line(graph.nodes[i], i, options);
  }
  for (std::size_t i = 0; i < graph.edges.size(); ++i) {
    const auto& edge = graph.edges[i];
    if (kept[edge.from] && kept[edge.to]) out += edge_line(edge, i, options, edges > curved_edges_max);
  }
  return out + "}\n";
}

}  // namespace lockstep::reports
