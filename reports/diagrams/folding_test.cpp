#include "reports/diagrams/folding.h"

#include <gtest/gtest.h>

namespace lockstep::reports {
namespace {

TEST(Folding, MakesOneNodeOfStatesThatLookTheSame) {
  Folding folding;
  const auto free = folding.add("free", true, false);
  const auto held = folding.add("held", false, false);
  EXPECT_EQ(folding.add("held", false, false), held);
  EXPECT_EQ(folding.add("free", false, true), free);
  for (const auto& [from, to, label] : std::vector<std::tuple<Folding::Class, Folding::Class, const char*>>{
           {free, held, "lock"}, {free, held, "lock"}, {held, held, "renew"}, {held, free, "unlock"}})
    folding.move(from, to, label);
  const StateGraph graph = folding.finish();
  ASSERT_EQ(graph.nodes.size(), 2u);
  EXPECT_EQ(graph.nodes[1].count, 2);
  EXPECT_TRUE(graph.nodes[0].initial && graph.nodes[0].violating);
  ASSERT_EQ(graph.edges.size(), 3u);
  EXPECT_EQ(graph.edges[0], (StateEdge{0, 1, "lock", 2, true, false}));
  EXPECT_EQ(graph.edges[1], (StateEdge{1, 1, "inside", 1, false, false}));
  EXPECT_FALSE(graph.edges[2].tree) << "back to a class that stands before it";
}

TEST(Folding, AClassIsAtRestOnlyIfAllItsStatesAre) {
  Folding folding;
  for (const char* label : {"a", "a", "b"}) folding.add(label, false, false);
  folding.rests(0);
  folding.rests(1);
  const StateGraph graph = folding.finish();
  EXPECT_FALSE(graph.nodes[0].at_rest);
  EXPECT_TRUE(graph.nodes[1].at_rest);
}

TEST(Folding, AnEdgeNamesItsFirstMovesAndCountsTheOthers) {
  Folding folding;
  folding.add("a", true, false);
  folding.add("b", false, false);
  for (const char* label : {"one", "two", "one", "three", "four"}) folding.move(0, 1, label);
  EXPECT_EQ(folding.finish().edges[0].label, "one\ntwo\n+2 more");
  EXPECT_EQ(folding.finish().edges[0].count, 5);
}

TEST(Folding, StepsOfTheCounterexampleNameThemselvesFirst) {
  Folding folding;
  folding.add("a", true, false);
  folding.add("b", false, true);
  for (const char* label : {"one", "two", "three"}) folding.move(0, 1, label);
  folding.step(0, 0, 1, "inside a");
  folding.step(0, 1, 2, "three");
  const StateGraph graph = folding.finish();
  EXPECT_EQ(graph.edges[0].label, "2: three\n+2 other moves");
  EXPECT_TRUE(graph.edges[0].on_path);
  EXPECT_TRUE(graph.nodes[0].on_path && graph.nodes[1].on_path);
}

TEST(Folding, AMillionStatesTakeTheRoomOfTheirClasses) {
  Folding folding;
  for (int i = 0; i < 1'000'000; ++i) {
    const auto to = folding.add(i % 2 == 0 ? "free" : "held", i == 0, false);
    folding.move(to, to, "step");
  }
  EXPECT_EQ(folding.finish().nodes.size(), 2u);
  EXPECT_EQ(folding.finish().nodes[0].count + folding.finish().nodes[1].count, 1'000'000);
}

}  // namespace
}  // namespace lockstep::reports
