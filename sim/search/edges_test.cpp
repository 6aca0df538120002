#include "sim/search/edges.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "sim/base/random.h"

namespace lockstep::sim {
namespace {

using EdgesByState = std::vector<std::vector<Edges::Edge>>;  // by state

Edges edges_of(const EdgesByState& graph) {
  Edges edges;
  for (std::uint32_t from = 0; from < graph.size(); ++from)
    for (const Edges::Edge& edge : graph[from]) edges.add(from, edge.to, edge.timeless);
  return edges;
}

void expect_read_as_given(const EdgesByState& graph) {
  const Edges edges = edges_of(graph);
  std::size_t size = 0;
  for (std::uint32_t from = 0; from < graph.size() + 3; ++from) {
    std::vector<Edges::Edge> read;
    for (Edges::OfState its = edges.of(from); !its.is_at_end();) read.push_back(its.take());
    ASSERT_EQ(read, from < graph.size() ? graph[from] : std::vector<Edges::Edge>{}) << from;
    size += read.size();
  }
  EXPECT_EQ(edges.size(), size);
}

/// A graph in the order of a search that goes breadth first: about one new state for each that is expanded.
EdgesByState met_in_order(std::uint32_t states, std::uint32_t level) {
  Random random(7);
  const auto draw = [&](std::uint64_t bound) { return static_cast<std::uint32_t>(random.below(bound)); };
  EdgesByState graph(states);
  std::uint32_t met = 1;
  for (std::uint32_t from = 0; from < states; ++from) {
    const auto add = [&](std::uint32_t to) { graph[from].push_back({to, draw(2) == 0}); };
    for (std::uint32_t others = draw(5); others > 0; --others) {
      if (met < states && draw(4) == 0) add(met++);
      add(met - 1 - draw(std::min(met, level)));
    }
    if (met == from + 1 && met < states) add(met++);
  }
  return graph;
}

TEST(Edges, AreReadAsTheyWereGiven) {
  expect_read_as_given(met_in_order(20000, 3000));
  expect_read_as_given({});
  expect_read_as_given({{{0, true}}});
}

TEST(Edges, LeadFromOneEndOfAllNumbersToTheOther) {
  constexpr std::uint32_t last = ~std::uint32_t{0};
  expect_read_as_given(
      {{{last, false}, {0, true}, {last, true}}, {}, {{0, false}, {last, false}, {1, true}}});
}

/// Whose moves take more bytes than there are between two places that are kept.
TEST(Edges, OfAStateMayBeVeryMany) {
  EdgesByState graph(200);
  for (std::uint32_t i = 0; i < 40000; ++i) graph[3].push_back({i * 100003, i % 3 == 0});
  for (const std::uint32_t from : {0, 4, 63, 64, 199}) graph[from] = {{from + 1, true}, {0, false}};
  expect_read_as_given(graph);
}

TEST(Edges, TakeAThirdOfTheirNumbersWrittenOut) {
  const std::uint32_t states = 200000;
  const Edges edges = edges_of(met_in_order(states, 3000));
  EXPECT_LT(edges.bytes(), 2.5 * static_cast<double>(edges.size()) + 3 * states);
}

}  // namespace
}  // namespace lockstep::sim
