// A search that was ended and goes on has the outcome of one that was not, wherever it was ended.
#include "sim/search/learned.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <memory>
#include <utility>

#include "sim/search/search.h"
#include "sim/toys/graph.h"
#include "sim/toys/lost_update.h"
#include "sim/toys/philosophers.h"
#include "sim/toys/token.h"
#include "sim/search/testing/same_outcome.h"

namespace lockstep::sim {
namespace {

using namespace toys;

constexpr std::uint16_t learned_places = 8;

/// A graph that knows two endings: places 1 and 2.
struct GraphWithEndings : Graph {
  bool finished(const State& s) const { return s.place == 1; }
  EndingMask endings_asked() const { return 3; }
  EndingMask ended(const State& s) const {
    return (s.place == 1 ? EndingMask{1} : 0) | (s.place == 2 ? EndingMask{2} : 0);
  }
};
static_assert(EndingSystem<GraphWithEndings>);

GraphWithEndings any_graph_with_endings() {
  GraphWithEndings graph;
  const auto place = rc::gen::inRange<std::uint16_t>(0, learned_places);
  for (int left = *rc::gen::inRange(0, 20); left > 0; --left)
    graph.arcs.push_back(
        {*place, *place, *rc::gen::element(Nature::takes_time, Nature::timeless, Nature::fault)});
  for (int left = *rc::gen::inRange(0, 3); left > 0; --left)
    graph.breaks[*place] |= PropertyMask{1} << *rc::gen::inRange(0, 3);
  return graph;
}

template <System S>
Outcome<S> explored_by(const S& system, std::size_t workers, SearchOptions<S> options) {
  std::vector<S> systems(workers, system);
  std::vector<S*> others;
  for (std::size_t i = 1; i < workers; ++i) others.push_back(&systems[i]);
  return explore(systems[0], std::move(options), others);
}

/// Ends a search as `interrupted` says and goes on with what it learned, without a limit.
template <System S>
void expect_to_go_on(const S& system, SearchOptions<S> options, const SearchLimits& interrupted,
                     std::size_t workers) {
  const auto whole = explored_by(system, 1, options);
  auto first_options = options;
  first_options.limits = interrupted;
  first_options.keep = true;
  auto first = explored_by(system, workers, first_options);
  ASSERT_EQ(first.learned != nullptr, !first.complete());
  if (!first.learned) return testing::expect_same_outcome(first, whole);
  options.begin = &*first.learned;
  testing::expect_same_outcome(explored_by(system, workers, options), whole);
}

RC_GTEST_PROP(GoingOn, HasTheOutcomeOfASearchThatWasNotEnded, ()) {
  const GraphWithEndings graph = any_graph_with_endings();
  for (std::uint64_t level = 0; level < 6; ++level) {
    expect_to_go_on(graph, {}, {.states_max = level}, 1);
    expect_to_go_on(graph, {}, {.depth_max = level}, 1);
    expect_to_go_on(graph, {}, {.depth_max = level}, 3);
  }
}

TEST(GoingOn, WorksWithinALevelWithSymmetryAndBySeveralWorkers) {
  for (const bool symmetry : {false, true})
    for (const std::size_t workers : {1u, 3u}) {
      SearchOptions<LostUpdate> options;
      options.symmetry = symmetry;
      for (const int after : {1, 2, 5, 9}) {
        int asked = 0;
        expect_to_go_on(LostUpdate{5}, options, {.stop = [&] { return ++asked == after; }}, workers);
      }
      SearchOptions<Philosophers> dining;
      dining.symmetry = symmetry;
      expect_to_go_on(Philosophers{6}, dining, {.states_max = 100}, workers);
      expect_to_go_on(Token{Stamina::endless}, {}, {.depth_max = 0}, workers);
    }
}

TEST(GoingOn, MayBeEndedAgainAlsoWhileStatesAreMadeAgain) {
  LostUpdate system{5};
  SearchOptions<LostUpdate> options;
  options.symmetry = false;
  const auto whole = explore(system, options);
  std::shared_ptr<Learned> kept;
  for (int times = 0; times < 100; ++times) {
    auto again = options;
    again.keep = true;
    if (kept) again.begin = &*kept;
    int asked = 0;
    again.limits.stop = [&] { return ++asked > 2 + times; };
    auto outcome = explore(system, again);
    if (outcome.complete()) return testing::expect_same_outcome(outcome, whole);
    ASSERT_TRUE(outcome.learned);
    kept = std::move(outcome.learned);
  }
  ADD_FAILURE() << "it never came to an end";
}

TEST(GoingOn, NoticesWhatBelongsToAnotherSystem) {
  LostUpdate five{5}, four{4};
  SearchOptions<LostUpdate> options;
  options.symmetry = false;
  options.keep = true;
  options.limits.depth_max = 4;
  auto first = explore(five, options);
  ASSERT_TRUE(first.learned);
  SearchOptions<LostUpdate> other;
  other.symmetry = false;
  other.begin = &*first.learned;
  const auto outcome = explore(four, other);
  EXPECT_TRUE(outcome.misfit);
  EXPECT_FALSE(outcome.complete());
}

TEST(GoingOn, AsksForNoWayToWhatAnotherSystemFound) {
  GraphWithEndings one, other;
  one.arcs = {{0, 1, Nature::takes_time}, {1, 2, Nature::takes_time}, {2, 3, Nature::takes_time}};
  one.breaks[1] = 1;
  SearchOptions<GraphWithEndings> options;
  options.keep = true;
  options.limits.depth_max = 2;
  auto first = explore(one, options);
  ASSERT_TRUE(first.learned);
  ASSERT_EQ(first.violations.size(), 1u);
  options.begin = &*first.learned;
  const auto outcome = explore(other, options);
  EXPECT_TRUE(outcome.misfit);
  EXPECT_FALSE(outcome.complete());
  EXPECT_TRUE(outcome.violations.empty());
  EXPECT_FALSE(outcome.learned);
}

/// What a complete search says does not depend on the order.
RC_GTEST_PROP(DepthFirst, HasTheCountsAndVerdictsOfBreadthFirst, ()) {
  GraphWithEndings graph = any_graph_with_endings();
  const auto broad = explore(graph);
  SearchOptions<GraphWithEndings> options;
  options.order = SearchOrder::depth_first;
  const auto deep = explore(graph, options);
  RC_ASSERT(deep.complete());
  RC_ASSERT(deep.states == broad.states);
  RC_ASSERT(deep.transitions == broad.transitions);
  RC_ASSERT(deep.at_rest == broad.at_rest);
  RC_ASSERT(deep.violated == broad.violated);
  RC_ASSERT(deep.witnesses == broad.witnesses);
  RC_ASSERT(deep.zeno.has_value() == broad.zeno.has_value());
  RC_ASSERT(deep.dead_end.has_value() == broad.dead_end.has_value());
  RC_ASSERT(deep.depth >= broad.depth);
  for (const auto& violation : deep.violations) {
    auto state = graph.initial();
    for (const auto& decision : violation.trail) graph.apply(state, decision.move);
    RC_ASSERT((graph.violated(state) >> violation.property & 1) == 1u);
  }
}

TEST(DepthFirst, IsAtTheBottomAtOnceAndItsLimitsLeaveItIncomplete) {
  LostUpdate system{7};
  SearchOptions<LostUpdate> options;
  options.symmetry = false;
  options.order = SearchOrder::depth_first;
  EXPECT_EQ(explore(system, options).states, 96'679u);
  options.limits.states_max = 100;
  const auto first = explore(system, options);
  EXPECT_EQ(first.ended, SearchEnd::states);
  EXPECT_EQ(first.depth, 14u);
  options.limits = {.depth_max = 13};
  EXPECT_EQ(explore(system, options).ended, SearchEnd::depth);
  options.limits = {.depth_max = 14};
  EXPECT_TRUE(explore(system, options).complete());
  options.limits = {.memory_bytes_max = 100'000};
  EXPECT_EQ(explore(system, options).ended, SearchEnd::memory);
}

/// The second ending can be reached from everywhere but place 1, and the first from everywhere but place 2.
TEST(Endings, AreAskedEachForItself) {
  GraphWithEndings graph;
  graph.arcs = {{0, 1, Nature::takes_time}, {1, 0, Nature::takes_time}, {0, 2, Nature::takes_time},
                {2, 0, Nature::takes_time}};
  EXPECT_FALSE(explore(graph).dead_end.has_value());
  graph.arcs.pop_back();
  const auto stuck = explore(graph).dead_end;
  ASSERT_TRUE(stuck.has_value());
  ASSERT_EQ(stuck->size(), 1u);
  EXPECT_EQ(stuck->front().move.who, 2u);
}

}  // namespace
}  // namespace lockstep::sim
