#include "reports/diagrams/state_text.h"

#include <fmt/format.h>

#include "reports/text/text.h"

namespace lockstep::reports {

namespace {

constexpr std::size_t edges_written_max = 450;

std::vector<std::string> lines_of_label(const std::string& label, const StateLanguage& language,
                                        std::size_t characters_max) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at <= label.size();) {
    const auto end = std::min(label.find('\n', at), label.size());
    lines.push_back(language.escaped(cut(printable(label.substr(at, end - at)), characters_max)));
    at = end + 1;
  }
  return lines;
}

std::string joined_lines(const std::vector<std::string>& lines, const std::string& by) {
  std::string text;
  for (const std::string& line : lines) text += (text.empty() ? "" : by) + line;
  return text;
}

}  // namespace

std::string state_graph_text(const StateGraph& graph, const StateGraphOptions& options,
                             const StateLanguage& language) {
  const KeptNodes kept = kept_nodes(graph, options.nodes_max);
  std::vector<std::string> title = lines_of_label(options.title, language, 120);
  if (kept.left_out > 0) title.push_back(fmt::format("{} more are not drawn", kept.left_out));
  std::size_t left_out = 0, written = 0;
  std::string edges;
  for (const bool on_path : {true, false})
    for (const StateEdge& edge : graph.edges) {
      if (edge.on_path != on_path || !kept.nodes[edge.from] || !kept.nodes[edge.to]) continue;
      if (written++ >= edges_written_max) {
        ++left_out;
        continue;
      }
      std::string text =
          joined_lines(lines_of_label(edge.label, language, options.label_characters_max),
                       language.line_break());
      if (edge.count > 1) text += fmt::format(" ×{}", edge.count);
      edges += language.edge(fmt::format("n{}", edge.from), fmt::format("n{}", edge.to), edge, text);
    }
  if (left_out > 0) title.push_back(fmt::format("{} edges are not written", left_out));
  std::string out = language.opening(title);
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    if (!kept.nodes[i]) continue;
    const StateNode& node = graph.nodes[i];
    std::string text =
        joined_lines(lines_of_label(node.label, language, options.label_characters_max),
                     language.line_break());
    if (node.count > 1) text += fmt::format(" ×{}", node.count);
    out += language.node(fmt::format("n{}", i), node, text);
  }
  return out + edges + language.classes() + language.closing();
}

}  // namespace lockstep::reports
