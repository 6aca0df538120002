// Two graphs as one: what both have stays as it is, and what one has says whose it is, by colour, dash and
// sign.
#include "reports/diagrams/differing_graph.h"

#include <gmock/gmock.h>

#include "reports/diagrams/mermaid.h"

namespace lockstep::reports {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

StateGraph graph_of(const std::vector<std::string>& labels,
                    const std::vector<std::pair<std::size_t, std::size_t>>& ends) {
  StateGraph graph;
  for (const std::string& label : labels) graph.nodes.push_back({.label = label, .css = {}});
  graph.nodes.front().initial = true;
  for (const auto& [from, to] : ends)
    graph.edges.push_back(
        {.from = from, .to = to, .label = labels[from] + " to " + labels[to], .tree = true});
  return graph;
}

TEST(DifferingGraph, OfTwoEqualOnesNothingDiffers) {
  const StateGraph graph = graph_of({"a", "b"}, {{0, 1}, {1, 0}});
  const DifferingGraph merged = differing_graph(graph, graph);
  EXPECT_EQ(merged.graph, graph);
  EXPECT_EQ(merged.only_first + merged.only_second, 0u);
}

TEST(DifferingGraph, WhatOneHasIsFoundWhateverTheNumbersOfItsNodes) {
  const StateGraph first = graph_of({"a", "b", "c"}, {{0, 1}, {1, 2}, {2, 0}});
  const StateGraph second = graph_of({"a", "d", "b"}, {{0, 2}, {2, 1}});
  const DifferingGraph merged = differing_graph(first, second);
  EXPECT_EQ(merged.only_first, 2u);
  EXPECT_EQ(merged.only_second, 1u);
  ASSERT_EQ(merged.graph.nodes.size(), 4u);
  const std::string dot = state_graph_dot(merged.graph);
  EXPECT_THAT(dot, HasSubstr("label=\"− b to c\""));
  EXPECT_THAT(dot, HasSubstr("class=\"removed\", color=\"#b3261e\", fontcolor=\"#b3261e\", penwidth=2.2, "
                             "style=dashed"));
  EXPECT_THAT(dot, HasSubstr("label=\"+ b to d\""));
  EXPECT_THAT(dot, HasSubstr("class=\"added\", color=\"#1f7a33\""));
  EXPECT_THAT(dot, HasSubstr("label=\"a to b\"")) << "both have it";
  EXPECT_THAT(dot, Not(HasSubstr("a to b\", class")));
  EXPECT_THAT(mermaid(merged.graph, {}), HasSubstr("− c"));
}

TEST(DifferingGraph, TheFirstOnesWayHasNoNumbers) {
  StateGraph first = graph_of({"a", "b"}, {{0, 1}});
  first.edges[0].label = "3: run A1\n12: run B1\nrun 5: x";
  first.edges[0].on_path = true;
  const DifferingGraph merged = differing_graph(first, graph_of({"a", "b"}, {}));
  EXPECT_EQ(merged.graph.edges[0].label, "− run A1\nrun B1\nrun 5: x");
}

TEST(DifferingGraph, OfAGreatOneWhatDiffersIsDrawn) {
  std::vector<std::string> labels;
  std::vector<std::pair<std::size_t, std::size_t>> ends;
  for (std::size_t i = 0; i < 100; ++i) {
    labels.push_back("s" + std::to_string(i));
    if (i > 0) ends.emplace_back(i - 1, i);
  }
  const StateGraph first = graph_of(labels, ends);
  ends.emplace_back(90, 5);
  const std::string dot = state_graph_dot(differing_graph(first, graph_of(labels, ends)).graph,
                                          {.title = {}, .nodes_max = 10});
  EXPECT_THAT(dot, HasSubstr("+ s90 to s5"));
}

}  // namespace
}  // namespace lockstep::reports
