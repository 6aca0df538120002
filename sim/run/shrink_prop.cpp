// Laws of shrinking: what a run shows is kept, the result is strict, and no deviation of it can be left out.
#include "sim/run/shrink.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "sim/run/replay.h"
#include "sim/toys/lost_update.h"
#include "sim/toys/needle.h"
#include "sim/toys/peterson.h"
#include "sim/toys/philosophers.h"
#include "sim/toys/token.h"
#include "sim/run/uniform.h"

namespace lockstep::sim {
namespace {

using namespace toys;

/// Some random run that violates property 0.
template <System S>
Run<S> failing_run(S& system) {
  for (std::uint64_t seed = *rc::gen::arbitrary<std::uint64_t>();; ++seed) {
    Uniform<S> policy{Random{seed}};
    Run<S> found = run(system, system.initial(), policy, {.steps_max = 400, .stop_at = 1});
    if ((found.violated & 1) != 0) return found;
  }
}

template <System S>
bool violates_anchored(S& system, const std::vector<PlannedMove<typename S::Move>>& deviations) {
  Anchored<S> policy{deviations};
  return (run(system, system.initial(), policy, {.stop_at = 1}).violated & 1) != 0;
}

template <System S>
Run<S> check_shrinking(S system) {
  const Run<S> original = failing_run(system);
  const auto shrunk = shrink(system, original.trail, 1);
  RC_ASSERT(shrunk.ok());
  RC_ASSERT(shrunk->minimal);
  RC_ASSERT((shrunk->run.violated & 1) != 0);
  RC_ASSERT(cost_of(shrunk->run.trail) <= cost_of(original.trail));

  const auto plan = plan_of<typename S::Move>(shrunk->run.trail);
  const auto again = replay(system, plan);
  RC_ASSERT(!again.divergence);
  RC_ASSERT(again.run.last == shrunk->run.last);

  const auto deviations = deviations_of<typename S::Move>(shrunk->run.trail);
  RC_ASSERT(replay(system, deviations).run.trail == shrunk->run.trail);
  RC_ASSERT(violates_anchored(system, deviations.moves));
  for (std::size_t i = 0; i < deviations.moves.size(); ++i) {
    auto fewer = deviations.moves;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
    RC_ASSERT(!violates_anchored(system, fewer));
  }
  return shrunk->run;
}

RC_GTEST_PROP(Shrink, ANeedleBecomesTheOneStrikeThatHits, ()) {
  const auto shrunk = check_shrinking(Needle{});
  RC_ASSERT(cost_of(shrunk.trail) == (RunCost{1, 1, Needle::soft_spot + 1, Needle::length + 1}));
}

RC_GTEST_PROP(Shrink, ALostUpdateKeepsWhatMakesItLost, ()) {
  const auto shrunk = check_shrinking(LostUpdate{3});
  // One client reads before another has written; a second deviation may be left that says which clients they
  // are.
  RC_ASSERT(cost_of(shrunk.trail).deviations <= 2u);
}

RC_GTEST_PROP(Shrink, PhilosophersKeepOneDeviationForEachForkTakenTooEarly, ()) {
  check_shrinking(Philosophers{4});
}

RC_GTEST_PROP(Shrink, BrokenPetersonStaysBroken, ()) { check_shrinking(Peterson{Manners::forgets_to_wait}); }

TEST(Shrink, ABudgetOfRunsIsKeptAndSaysThatTheResultMayNotBeMinimal) {
  Needle needle;
  Uniform<Needle> policy{Random{3}};
  const auto found = run(needle, needle.initial(), policy, {.stop_at = 1});
  ASSERT_EQ(found.violated & 1, 1u);
  const auto shrunk = shrink(needle, found.trail, 1, {}, 3);
  ASSERT_TRUE(shrunk.ok());
  EXPECT_EQ(shrunk->runs_used, 3u);
  EXPECT_FALSE(shrunk->minimal);
  EXPECT_EQ(shrunk->run.violated & 1, 1u);
}

TEST(Shrink, ARunThatDoesNotShowItIsAProblem) {
  Needle needle;
  DefaultSchedule<Needle> policy;
  const auto by_default = run(needle, needle.initial(), policy);
  EXPECT_FALSE(shrink(needle, by_default.trail, 1).ok());
}

TEST(Shrink, AZenoEndCanBeKeptAsWell) {
  Token token{Stamina::endless};
  Uniform<Token> policy{Random{1}};
  const RunLimits limits{.unwatched = 20};
  const auto found = run(token, token.initial(), policy, limits);
  ASSERT_EQ(found.end, End::zeno);
  const auto is_zeno = [](const auto& result) { return result.end == End::zeno; };
  const auto shrunk = Shrinker<Token>{token, is_zeno, limits, 1000}.shrink(found.trail);
  ASSERT_TRUE(shrunk.ok());
  EXPECT_EQ(shrunk->run.end, End::zeno);
  EXPECT_EQ(cost_of(shrunk->run.trail).deviations, 0u);
}

}  // namespace
}  // namespace lockstep::sim
