// Exhaustive search against the brute force, on arbitrary small graphs, and its limits one by one.
#include "sim/search/search.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "sim/run/replay.h"
#include "sim/search/testing/same_outcome.h"
#include "sim/toys/brute_force.h"
#include "sim/toys/graph.h"
#include "sim/toys/jugs.h"
#include "sim/toys/lost_update.h"
#include "sim/toys/philosophers.h"
#include "sim/toys/token.h"

namespace lockstep::sim {
namespace {

using namespace toys;

constexpr std::uint16_t places = 6;

Graph any_graph() {
  Graph graph;
  const auto place = rc::gen::inRange<std::uint16_t>(0, places);
  for (int left = *rc::gen::inRange(0, 14); left > 0; --left) {
    graph.arcs.push_back(
        {*place, *place, *rc::gen::element(Nature::takes_time, Nature::timeless, Nature::fault)});
  }
  for (int left = *rc::gen::inRange(0, 3); left > 0; --left) {
    graph.breaks[*place] |= PropertyMask{1} << *rc::gen::inRange(0, 3);
  }
  return graph;
}

template <System S>
std::map<unsigned, Places> ways(const Outcome<S>& outcome) {
  std::map<unsigned, Places> all;
  for (const auto& violation : outcome.violations) {
    Places& way = all[violation.property];
    for (const auto& decision : violation.trail) way.push_back(decision.index);
  }
  return all;
}

template <System S>
void check_against_brute_force(S system, StateKey key) {
  const BruteForce expected = brute_force(system);
  SearchOptions<S> options;
  options.key = key;
  options.symmetry = false;
  const auto outcome = explore(system, options);
  RC_ASSERT(outcome.complete());
  RC_ASSERT(outcome.states == expected.states);
  RC_ASSERT(outcome.transitions == expected.transitions);
  RC_ASSERT(outcome.depth == expected.depth);
  RC_ASSERT(outcome.at_rest == expected.at_rest);
  RC_ASSERT(ways(outcome) == expected.violations);  // each the least by its decisions
  for (const auto& violation : outcome.violations) {
    const auto again = replay(system, plan_of<typename S::Move>(violation.trail));
    RC_ASSERT(!again.divergence);
    RC_ASSERT(((again.run.violated >> violation.property) & 1) == 1u);
  }
}

RC_GTEST_PROP(Search, FindsWhatTheBruteForceFinds, ()) {
  const Graph graph = any_graph();
  check_against_brute_force(graph, StateKey::digest);
  check_against_brute_force(graph, StateKey::exact);
}

/// What can be reached from a state by moves that may be taken, and by how many; itself only by some.
template <class May>
std::map<GraphState, std::size_t> reached_from(const Graph& graph, const GraphState& start, May may) {
  std::map<GraphState, std::size_t> reached;
  std::vector<std::pair<GraphState, std::size_t>> open{{start, 0}};
  for (std::size_t at = 0; at < open.size(); ++at) {
    std::vector<Graph::Move> moves;
    graph.enabled(open[at].first, moves);
    for (const auto& move : moves) {
      if (!may(move)) continue;
      GraphState child = open[at].first;
      graph.apply(child, move);
      const std::size_t taken = open[at].second + 1;
      if (reached.emplace(child, taken).second) open.emplace_back(child, taken);
    }
  }
  return reached;
}

/// The fewest moves by which a state can come back to itself by timeless arcs alone, those that lead there
/// included, decided by following them all.
std::optional<std::size_t> fewest_moves_to_a_zeno_cycle(const Graph& graph) {
  auto reachable = reached_from(graph, graph.initial(), [](const auto&) { return true; });
  reachable[graph.initial()] = 0;
  std::optional<std::size_t> fewest;
  for (const auto& [start, depth] : reachable) {
    const auto is_timeless = [](const auto& move) { return move.nature == Nature::timeless; };
    const auto by_slips = reached_from(graph, start, is_timeless);
    const auto back = by_slips.find(start);
    if (back != by_slips.end())
      fewest = std::min(depth + back->second, fewest.value_or(depth + back->second));
  }
  return fewest;
}

template <System S>
void check_cycle(S& system, const ZenoCycle<S>& zeno) {
  auto state = system.initial();
  std::vector<typename S::Move> moves;
  const auto take = [&](const auto& decision) {
    system.enabled(state, moves);
    RC_ASSERT(decision.arity == moves.size());
    RC_ASSERT(moves.at(decision.index) == decision.move);
    system.apply(state, decision.move);
  };
  for (const auto& decision : zeno.stem) take(decision);
  const auto start = state;
  RC_ASSERT(!zeno.cycle.empty());
  for (const auto& decision : zeno.cycle) {
    RC_ASSERT(!decision.move.passes_time());
    take(decision);
  }
  RC_ASSERT(state == start);
}

RC_GTEST_PROP(Search, FindsAShortestZenoCycleExactlyIfThereIsOne, ()) {
  Graph graph = any_graph();
  const auto outcome = explore(graph);
  const auto expected = fewest_moves_to_a_zeno_cycle(graph);
  RC_TAG(expected.has_value());
  RC_ASSERT(outcome.zeno.has_value() == expected.has_value());
  if (!outcome.zeno) return;
  check_cycle(graph, *outcome.zeno);
  RC_ASSERT(outcome.zeno->stem.size() + outcome.zeno->cycle.size() == *expected);
}

TEST(Search, AZenoCycleUnderSymmetryIsACycleOfStates) {
  Token token{Stamina::endless};
  const auto outcome = explore(token);
  ASSERT_TRUE(outcome.symmetry);
  ASSERT_TRUE(outcome.zeno.has_value());
  EXPECT_EQ(outcome.zeno->cycle.size(),
            2u);  // there and back, though the graph of orbits has an edge to itself
  check_cycle(token, *outcome.zeno);
  Token tired{Stamina::one_pass_an_hour};
  EXPECT_FALSE(explore(tired).zeno.has_value());
}

TEST(Search, TheZenoCheckCanBeSwitchedOff) {
  Token token{Stamina::endless};
  SearchOptions<Token> options;
  options.zeno = false;
  EXPECT_FALSE(explore(token, options).zeno.has_value());
}

/// What an exploration of seven clients without symmetry says (96 679 states) under some limits.
Outcome<LostUpdate> explore_limited(SearchLimits limits) {
  LostUpdate system{7};
  SearchOptions<LostUpdate> options;
  options.limits = std::move(limits);
  options.symmetry = false;
  return explore(system, options);
}

TEST(Search, EachLimitEndsTheSearchAndIsNamed) {
  const auto states = explore_limited({.states_max = 1000});
  EXPECT_EQ(states.ended, SearchEnd::states);
  EXPECT_GT(states.states, 1000u);
  EXPECT_EQ(states.states, explore_limited({.depth_max = states.depth}).states) << "a level is finished";
  const auto depth = explore_limited({.depth_max = 5});
  EXPECT_EQ(depth.ended, SearchEnd::depth);
  EXPECT_EQ(depth.depth, 5u);
  EXPECT_EQ(explore_limited({.memory_bytes_max = 100'000}).ended, SearchEnd::memory);
  int asked = 0;
  const auto stopped = explore_limited({.stop = [&] { return ++asked == 3; }});
  EXPECT_EQ(stopped.ended, SearchEnd::stopped);
  EXPECT_FALSE(stopped.complete());
}

TEST(Search, ALimitThatIsJustEnoughIsNotHit) {
  EXPECT_TRUE(explore_limited({.states_max = 96'679}).complete());
  EXPECT_TRUE(explore_limited({.depth_max = 14}).complete());
  EXPECT_EQ(explore_limited({.states_max = 96'678}).ended, SearchEnd::states);
  EXPECT_EQ(explore_limited({.depth_max = 13}).ended, SearchEnd::depth);
}

TEST(Search, CanEndAsSoonAsEnoughIsKnown) {
  Jugs jugs;
  SearchOptions<Jugs> options;
  options.enough = [](PropertyMask violated, WitnessMask) { return violated == 1; };
  const auto outcome = explore(jugs, options);
  EXPECT_EQ(outcome.ended, SearchEnd::decided);
  EXPECT_LE(outcome.states, 16u);
  EXPECT_EQ(outcome.violations.size(), 1u);
}

template <System S>
void expect_same_for_any_number_of_workers(const S& system, const SearchOptions<S>& options) {
  S alone = system;
  const auto expected = explore(alone, options);
  for (const std::size_t workers : {2u, 3u, 7u}) {
    std::vector<S> systems(workers, system);
    std::vector<S*> others;
    for (std::size_t i = 1; i < workers; ++i) others.push_back(&systems[i]);
    const auto found = explore(systems[0], options, others);
    testing::expect_same_outcome(found, expected);
  }
}

TEST(SeveralWorkers, FindWhatOneFinds) {
  for (const bool symmetry : {false, true}) {
    SearchOptions<LostUpdate> options;
    options.symmetry = symmetry;
    expect_same_for_any_number_of_workers(LostUpdate{6}, options);
    options.limits.states_max = 3'000;
    expect_same_for_any_number_of_workers(LostUpdate{6}, options);
    options.limits = {.depth_max = 6};
    expect_same_for_any_number_of_workers(LostUpdate{6}, options);
    options.limits = {};
    options.enough = [](PropertyMask violated, WitnessMask) { return violated != 0; };
    expect_same_for_any_number_of_workers(LostUpdate{6}, options);
    SearchOptions<Philosophers> of_philosophers;
    of_philosophers.symmetry = symmetry;
    expect_same_for_any_number_of_workers(Philosophers{7}, of_philosophers);
  }
}

RC_GTEST_PROP(SeveralWorkers, FindWhatOneFindsInAnyGraph, ()) {
  expect_same_for_any_number_of_workers(any_graph(), {});
}

struct Ending : Graph {
  std::uint16_t end = 0;
  bool finished(const State& state) const { return state.place == end; }
};
static_assert(EndingSystem<Ending>);

RC_GTEST_PROP(CanEnd, SaysWhatASearchOfAllStatesSays, ()) {
  Ending graph{any_graph()};
  std::set<std::uint16_t> reached{0};
  for (bool grown = true; grown;) {
    grown = false;
    for (const Arc& arc : graph.arcs)
      if (arc.nature != Nature::fault && reached.contains(arc.from)) grown |= reached.insert(arc.to).second;
  }
  for (graph.end = 0; graph.end < 12; ++graph.end)
    RC_ASSERT(can_end(graph, graph.initial(), 1'000) == reached.contains(graph.end));
}

// Neither a way that goes on for ever nor one that is as wide hides a short one, and a long one is gone down.
TEST(CanEnd, TakesFewStatesToFindAWay) {
  Ending graph;
  constexpr std::uint16_t far = 5'000, last = 10'000;
  for (std::uint16_t place = 1; place < far; ++place)
    graph.arcs.push_back({place, static_cast<std::uint16_t>(place + 1)});
  graph.arcs.insert(graph.arcs.begin(), {{0, 1}, {0, far + 1}});
  for (std::uint16_t place = far + 1; place < far + 20; ++place)
    graph.arcs.push_back({place, static_cast<std::uint16_t>(place + 1)});
  graph.end = far + 20;
  EXPECT_EQ(can_end(graph, graph.initial(), 100), true);
  graph.end = far;
  EXPECT_EQ(can_end(graph, graph.initial(), 4'000), std::nullopt);
  EXPECT_EQ(can_end(graph, graph.initial(), 6'000), true);
  graph.end = last;
  EXPECT_EQ(can_end(graph, graph.initial(), 6'000), false);
}

TEST(Search, ShowsEveryTransitionOnceForDrawingTheGraph) {
  Jugs jugs;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
  std::set<std::uint32_t> fresh{0};
  SearchOptions<Jugs> options;
  options.on_edge = [&](const Edge<Jugs>& edge) {
    edges.emplace_back(edge.from, edge.to);
    EXPECT_EQ(edge.fresh, fresh.insert(edge.to).second);
  };
  const auto outcome = explore(jugs, options);
  EXPECT_EQ(edges.size(), outcome.transitions);
  EXPECT_EQ(fresh.size(), outcome.states);
}

/// From one state more follow than workers have room for at first, and from the next level three times as
/// many again, of which several workers meet many.
TEST(SharedLevels, AreTheSameWhereMoreIsFoundThanThereWasRoomFor) {
  Graph graph;
  constexpr std::uint16_t wide = 1'000;
  for (std::uint16_t i = 1; i <= wide; ++i) {
    graph.arcs.push_back({0, i});
    for (const int far : {3 * i, 3 * i + 1, 3 * i + 2, 3 * (wide + 1 - i), i - 1})
      graph.arcs.push_back({i, static_cast<std::uint16_t>(far < i ? far : wide + far), Nature::timeless});
  }
  // Two states lead there, and the worker of the later one comes first.
  for (int k = 0; k < 60; ++k)
    graph.breaks[static_cast<std::uint16_t>(2 * wide + 2 + 3 * k)] = PropertyMask{1} << k;
  const auto alone = explore(graph);
  EXPECT_GT(alone.states, 4U * wide);
  EXPECT_EQ(alone.violations.size(), 60U);
  for (const std::size_t workers : {2, 3, 5}) {
    std::vector<Graph> more(workers - 1, graph);
    std::vector<Graph*> others;
    for (Graph& one : more) others.push_back(&one);
    testing::expect_same_outcome(explore(graph, {}, others), alone);
  }
}

}  // namespace
}  // namespace lockstep::sim
