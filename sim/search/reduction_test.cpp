// Partial-order reduction where one look goes through very many states: how many of these are told apart, and
// what becomes of a search that is told to stop meanwhile.
#include "sim/search/reduction.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "sim/run/replay.h"
#include "sim/search/search.h"

namespace lockstep::sim {
namespace {

struct HeapState {
  std::vector<int> left;
  int taken = 0;
  PropertyMask broken = 0;
  auto operator<=>(const HeapState&) const = default;
  static auto fields(auto& s) { return std::tie(s.left, s.taken, s.broken); }
};

struct HeapMove {
  std::uint16_t place = 0;
  Actor actor() const { return {0, 0}; }
  bool is_fault() const { return false; }
  bool passes_time() const { return false; }
  auto operator<=>(const HeapMove&) const = default;
};

/// Somebody takes things from a heap, one after the other, and calls each by its place. The last one fills
/// the gap; so where things lie says in which order others were taken, and nothing else.
struct Heap {
  using State = HeapState;
  using Move = HeapMove;
  int things = 0;
  mutable std::uint64_t steps = 0;  // that anybody took

  State initial() const {
    State first;
    for (int thing = 0; thing < things; ++thing) first.left.push_back(thing);
    return first;
  }
  void enabled(const State& s, std::vector<Move>& moves) const {
    moves.clear();
    for (std::size_t i = 0; i < s.left.size(); ++i) moves.push_back({static_cast<std::uint16_t>(i)});
  }
  WitnessMask apply(State& s, const Move& m) const {
    ++steps;
    const int thing = s.left[m.place];
    s.left[m.place] = s.left.back();
    s.left.pop_back();
    if (++s.taken == things && thing == 1) s.broken = 2;
    return WitnessMask{1} << thing;
  }
  void enough_of(const State& s, const std::vector<Move>& moves, std::vector<std::size_t>& places) const {
    places.clear();
    for (std::size_t i = 0; i < moves.size() && s.taken > 0; ++i) places.push_back(i);
  }
  Digest digest(const State& s) const { return digest_of(s); }
  void encode_state(const State& s, Encoder& out) const { encode(out, s); }
  PropertyMask violated(const State& s) const { return s.broken; }
  std::string show(const Move& m) const { return std::to_string(m.place); }
  Result<Move> parse(std::string_view) const { return Problem{"it is not read"}; }
};
static_assert(ReducibleSystem<Heap> && !NormalisingSystem<Heap>);

/// The same; what lies in another order is no other state.
struct SortedHeap : Heap {
  State normal(State s) const {
    std::sort(s.left.begin(), s.left.end());
    return s;
  }
};
static_assert(ReducibleSystem<SortedHeap> && NormalisingSystem<SortedHeap>);

TEST(Reduction, LooksAtNormalFormsOnly) {
  SortedHeap heap{{.things = 9}};
  Reduced<SortedHeap> reduced(heap);
  const auto found = explore(reduced);
  EXPECT_TRUE(found.complete());
  EXPECT_EQ(found.violated, 2U);
  EXPECT_EQ(found.witnesses, 0x1ffU);
  EXPECT_LT(heap.steps, 20'000U) << "there are 512 sets of things, and a million ways to them";
}

/// What a run takes from places of its own is what the search took from those of normal forms.
TEST(Reduction, SpellsTrailsThatARunCanTake) {
  SortedHeap heap{{.things = 6}};
  Reduced<SortedHeap> reduced(heap);
  const auto found = explore(reduced);
  ASSERT_EQ(found.violations.size(), 1U);
  HeapState at = heap.initial();
  const auto trail = unfused(heap, at, found.violations.front().trail);
  EXPECT_EQ(trail.size(), 6U);
  const auto again = replay(heap, plan_of<HeapMove>(trail));
  EXPECT_FALSE(again.divergence);
  EXPECT_EQ(again.run.violated, 2U);
}

/// The system behind a search that is told to stop when many steps were taken within a single list.
class StoppedWithinAList : public testing::TestWithParam<std::pair<SearchOrder, std::size_t>> {};

TEST_P(StoppedWithinAList, KnowsOnlyWhatItHasExpanded) {
  const auto [order, workers] = GetParam();
  Heap heap{.things = 9};
  std::vector<Heap> heaps(workers, heap);
  std::vector<Reduced<Heap>> systems;
  systems.reserve(workers);
  for (Heap& one : heaps) systems.emplace_back(one);
  std::vector<Reduced<Heap>*> others;
  for (std::size_t i = 1; i < workers; ++i) others.push_back(&systems[i]);
  SearchOptions<Reduced<Heap>> how;
  how.order = order;
  how.limits.stop = [&] { return heaps.front().steps > 1000; };
  const auto found = explore(systems.front(), how, others);
  EXPECT_EQ(found.ended, SearchEnd::stopped);
  EXPECT_EQ(found.states, 1U);
  EXPECT_EQ(found.transitions, 0U);
  EXPECT_EQ(found.at_rest, 0U) << "that there is no list does not say that nothing can happen";
  EXPECT_LT(heaps.front().steps, 5000U) << "there are a million";
}

INSTANTIATE_TEST_SUITE_P(Reduction, StoppedWithinAList,
                         testing::Values(std::pair(SearchOrder::breadth_first, std::size_t{1}),
                                         std::pair(SearchOrder::depth_first, std::size_t{1}),
                                         std::pair(SearchOrder::breadth_first, std::size_t{2})));

TEST(Reduction, AMemoryLimitIsHeededWithinAList) {
  Heap heap{.things = 9};
  Reduced<Heap> reduced(heap);
  SearchOptions<Reduced<Heap>> how;
  how.limits.memory_bytes_max = 1 << 20;
  how.limits.memory_held = [&] { return heap.steps > 1000 ? 2U << 20 : 0U; };
  EXPECT_EQ(explore(reduced, how).ended, SearchEnd::memory);
  EXPECT_LT(heap.steps, 20'000U);
}

/// What was learned before leads on to what a search finds that nobody stopped.
TEST(Reduction, GoesOnWhereItWasStoppedWithinAList) {
  Heap heap{.things = 7};
  Reduced<Heap> whole(heap);
  const auto all = explore(whole);
  EXPECT_TRUE(all.complete());
  heap.steps = 0;
  Reduced<Heap> first(heap), second(heap);
  SearchOptions<Reduced<Heap>> how;
  how.keep = true;
  how.limits.stop = [&] { return heap.steps > 100; };
  auto found = explore(first, how);
  ASSERT_EQ(found.ended, SearchEnd::stopped);
  ASSERT_TRUE(found.learned);
  how.limits.stop = nullptr;
  how.begin = found.learned.get();
  const auto rest = explore(second, how);
  EXPECT_TRUE(rest.complete());
  EXPECT_EQ(rest.states, all.states);
  EXPECT_EQ(rest.transitions, all.transitions);
  EXPECT_EQ(rest.at_rest, all.at_rest);
  EXPECT_EQ(rest.violated, all.violated);
  EXPECT_EQ(rest.witnesses, all.witnesses);
}

}  // namespace
}  // namespace lockstep::sim
