// Fewest deviations: held against all runs that there are.
#include "sim/run/fewest_deviations.h"

#include <gtest/gtest.h>

#include "sim/run/shrink.h"
#include "sim/toys/lost_update.h"
#include "sim/toys/needle.h"
#include "sim/toys/peterson.h"

namespace lockstep::sim {
namespace {

using namespace toys;

/// Deviations, then moves; nothing if no run ends so.
using Best = std::optional<std::pair<std::size_t, std::size_t>>;

template <System S>
Best best_of_all(S& system, const typename S::State& at, std::size_t left, std::size_t deviations,
                 std::size_t length) {
  if ((system.violated(at) & 1) != 0) return std::pair(deviations, length);
  Best best;
  std::vector<typename S::Move> moves;
  if (left > 0) system.enabled(at, moves);
  for (std::size_t i = 0; i < moves.size(); ++i) {
    auto next = at;
    system.apply(next, moves[i]);
    const std::size_t more = detail::decision(moves, i).is_deviation() ? 1 : 0;
    const Best one = best_of_all(system, next, left - 1, deviations + more, length + 1);
    if (one && (!best || *one < *best)) best = one;
  }
  return best;
}

template <System S>
auto fewest(S& system, FewestLimits limits) {
  FewestDeviations search(
      system, [](const S& its, const typename S::State& state) { return its.digest(state); }, limits);
  return search.to([&](const typename S::State& state) { return (system.violated(state) & 1) != 0; });
}

template <System S>
void expect_the_best(S system, std::size_t length_max) {
  for (std::size_t length = 0; length <= length_max; ++length) {
    const Best best = best_of_all(system, system.initial(), length, 0, 0);
    const auto found = fewest(system, {.length_max = length, .faults_max = length});
    ASSERT_EQ(found.has_value(), best.has_value()) << length;
    if (!found) continue;
    EXPECT_EQ(std::pair(cost_of(*found).deviations, found->size()), *best) << length;
    auto state = system.initial();
    for (const auto& decision : *found) system.apply(state, decision.move);
    EXPECT_NE(system.violated(state) & 1, 0U);
  }
}

TEST(FewestDeviations, AreThoseOfTheBestOfAllRunsThatAreNotLonger) {
  expect_the_best(LostUpdate{2}, 4);
  expect_the_best(LostUpdate{3}, 6);
  expect_the_best(Peterson{Manners::forgets_to_wait}, 9);
}

TEST(FewestDeviations, NoMoreFaultsAreTakenAndWhatIsTooMuchIsGivenUp) {
  Needle needle;
  const std::size_t enough = Needle::length + 1;
  EXPECT_TRUE(fewest(needle, {.length_max = enough, .faults_max = 1}));
  EXPECT_FALSE(fewest(needle, {.length_max = enough, .faults_max = 0}));
  EXPECT_FALSE(fewest(needle, {.length_max = enough, .faults_max = 1, .states_max = 2}));
  EXPECT_FALSE(fewest(needle, {.length_max = enough, .faults_max = 1, .stop = [] { return true; }}));
}

}  // namespace
}  // namespace lockstep::sim
