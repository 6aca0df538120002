// A search by several ranks has the outcome of one. Here a rank is a thread with a system of its own, and
// they share no more than messages.
#include "sim/search/ranked.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "sim/search/search.h"
#include "sim/toys/graph.h"
#include "sim/toys/lost_update.h"
#include "sim/toys/philosophers.h"
#include "sim/toys/token.h"
#include "sim/search/testing/same_outcome.h"
#include "sim/search/testing/thread_ranks.h"

namespace lockstep::sim {
namespace {

using namespace toys;

/// What the first rank says.
template <System S>
Outcome<S> explored_by_ranks(const S& system, const SearchOptions<S>& options, std::size_t count) {
  std::vector<Outcome<S>> outcomes(count);
  testing::by_thread_ranks(count, [&](Ranks& ranks) {
    S its = system;
    outcomes[ranks.mine()] = explore_by(ranks, its, options);
  });
  return outcomes.front();
}

template <System S>
void expect_same_by_ranks(const S& system, const SearchOptions<S>& options) {
  S alone = system;
  const auto expected = explore(alone, options);
  for (const std::size_t count : {1u, 2u, 4u}) {
    const auto found = explored_by_ranks(system, options, count);
    testing::expect_same_outcome(found, expected);
  }
}

/// A large graph that is drawn once for all: places that lead to a few others each.
struct WideGraph : Graph {
  explicit WideGraph(std::uint64_t seed) {
    const auto draw = [&](std::uint64_t below) {
      seed = seed * 6'364'136'223'846'793'005u + 1'442'695'040'888'963'407u;
      return static_cast<std::uint16_t>((seed >> 33) % below);
    };
    for (std::uint16_t from = 0; from < places; ++from)
      for (int i = 0; i < 4; ++i) {
        const std::uint16_t to = from < 100 ? static_cast<std::uint16_t>(4 * from + i + 1) : draw(places);
        arcs_of[from].push_back({from, to, draw(9) == 0 ? Nature::fault : Nature::takes_time});
      }
    for (int i = 0; i < 3; ++i) breaks[draw(places)] |= PropertyMask{1} << i;
    stuck = draw(places);
  }

  void enabled(const State& s, std::vector<Move>& moves) const {
    moves.clear();
    if (s.place == stuck) return;
    for (std::size_t i = 0; i < 4; ++i) moves.push_back(move(i, arcs_of[s.place][i].nature));
  }
  WitnessMask apply(State& s, const Move& m) const {
    s.place = arcs_of[s.place][m.who].to;
    if (const auto found = breaks.find(s.place); found != breaks.end()) s.broken |= found->second;
    return WitnessMask{1} << (s.place % 64);
  }
  bool finished(const State& s) const { return s.place == 7; }

  static constexpr std::uint16_t places = 3'000;
  std::vector<std::vector<Arc>> arcs_of{places};
  std::uint16_t stuck = 0;
};
static_assert(EndingSystem<WideGraph>);

TEST(Ranks, FindWhatOneFinds) {
  for (const std::uint64_t seed : {1u, 2u, 3u}) expect_same_by_ranks(WideGraph{seed}, {});
  for (const bool symmetry : {false, true}) {
    SearchOptions<LostUpdate> options;
    options.symmetry = symmetry;
    expect_same_by_ranks(LostUpdate{6}, options);
    SearchOptions<Philosophers> dining;
    dining.symmetry = symmetry;
    expect_same_by_ranks(Philosophers{7}, dining);
  }
  expect_same_by_ranks(Token{Stamina::endless}, {});
}

TEST(Ranks, MeetLimitsWhereOneMeetsThem) {
  SearchOptions<WideGraph> options;
  options.limits.states_max = 2'000;
  expect_same_by_ranks(WideGraph{1}, options);
  options.limits = {.depth_max = 5};
  expect_same_by_ranks(WideGraph{1}, options);
  options.limits = {.depth_max = 0};
  expect_same_by_ranks(WideGraph{1}, options);
  options.limits = {};
  options.enough = [](PropertyMask violated, WitnessMask) { return violated != 0; };
  expect_same_by_ranks(WideGraph{1}, options);
}

TEST(Ranks, EndTogetherWhenOneOfThemMustStop) {
  SearchOptions<LostUpdate> options;
  options.symmetry = false;
  std::vector<Outcome<LostUpdate>> outcomes(3);
  testing::by_thread_ranks(3, [&](Ranks& ranks) {
    LostUpdate its{7};
    auto mine = options;
    if (ranks.mine() == 2) mine.limits.stop = [] { return true; };
    outcomes[ranks.mine()] = explore_by(ranks, its, mine);
  });
  for (const auto& outcome : outcomes) EXPECT_EQ(outcome.ended, SearchEnd::stopped);
  EXPECT_LT(outcomes.front().states, 96'679u);
}

/// Of levels of one state nothing is shared out.
TEST(Ranks, EndTogetherWhereEachGoesByItself) {
  Graph chain;
  for (std::uint16_t place = 0; place < 2'000; ++place)
    chain.arcs.push_back({place, static_cast<std::uint16_t>(place + 1)});
  std::vector<Outcome<Graph>> outcomes(3);
  const auto limited = [&](std::size_t rank, SearchLimits limits) {
    testing::by_thread_ranks(3, [&](Ranks& ranks) {
      Graph its = chain;
      SearchOptions<Graph> mine;
      if (ranks.mine() == rank) mine.limits = limits;
      outcomes[ranks.mine()] = explore_by(ranks, its, mine);
    });
  };
  limited(2, {.stop = [] { return true; }});
  for (const auto& outcome : outcomes) {
    EXPECT_EQ(outcome.ended, SearchEnd::stopped);
    EXPECT_EQ(outcome.states, 64u);
  }
  limited(1, {.memory_bytes_max = 1});
  for (const auto& outcome : outcomes) EXPECT_EQ(outcome.ended, SearchEnd::memory);
  limited(3, {});
  for (const auto& outcome : outcomes) EXPECT_EQ(outcome.states, 2'001u);
}

}  // namespace
}  // namespace lockstep::sim
