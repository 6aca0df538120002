// What is left out of a state, and what is not offered, hides nothing: searches with and without the
// reductions find the same violations, witnesses and zeno cycles.
//
// The reasons why stand with each reduction (model/world/identity.cpp, model/world/lazy.cpp,
// properties/check/forgetting.cpp); this is their judge. Worlds that are too large without reductions are
// left out.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "properties/check/renaming.h"
#include "scenarios/drawn_worlds.h"
#include "scenarios/exploring.h"
#include "sim/run/weighted.h"
#include "sim/testing/sanitizers.h"

namespace lockstep::scenarios {
namespace {

using model::Reductions;

sim::Outcome<Checked> searched(model::Setup setup, Reductions reductions, Searching how) {
  setup.reductions = reductions;
  return search(setup, how);
}

void expect_agreement(const sim::Outcome<Checked>& with, const sim::Outcome<Checked>& without) {
  EXPECT_EQ(names_of(with.violated), names_of(without.violated));
  // A fault that nobody can notice is not offered: of scripts that nobody asks for, of a node that is gone.
  const sim::WitnessMask unnoticed =
      properties::bit(Witness::scripts_flushed) | properties::bit(Witness::power_lost);
  EXPECT_EQ(with.witnesses | unnoticed, without.witnesses | unnoticed);
  EXPECT_EQ(with.zeno.has_value(), without.zeno.has_value());
}

class DrawnWorlds : public testing::TestWithParam<std::uint64_t> {
 protected:
  void SetUp() override {
    if (sim::testing::address_sanitizer && GetParam() % 5 != 0) GTEST_SKIP() << "slow under a sanitizer";
  }
};

TEST_P(DrawnWorlds, HaveTheSameVerdictsWithAndWithoutReductions) {
  const std::string text = DrawnWorld(GetParam()).text();
  SCOPED_TRACE(text);
  const model::Setup setup = setup_of(text);
  const auto without = searched(setup, Reductions::none(), {.states_max = 20'000});
  if (!without.complete()) return;
  const auto with = searched(setup, {}, {});
  expect_agreement(with, without);
  EXPECT_LE(with.states, without.states);
  expect_agreement(searched(setup, {}, {.symmetry = false}), without);
  expect_agreement(searched(setup, {.learning = false, .faults = false}, {}), without);
}

TEST_P(DrawnWorlds, HaveTheSameCountsByDigestsAndByEncodings) {
  const model::Setup setup = setup_of(DrawnWorld(GetParam()).text());
  const auto digests = search(setup, {.states_max = 5'000});
  if (!digests.complete()) return;
  const auto exact = search(setup, {.key = sim::StateKey::exact});
  EXPECT_EQ(digests.states, exact.states);
  EXPECT_EQ(digests.transitions, exact.transitions);
  EXPECT_EQ(digests.violated, exact.violated);
  EXPECT_EQ(digests.witnesses, exact.witnesses);
}

/// Instants are told from now on in the one, and as they are in the other, where what time it is counts.
TEST_P(DrawnWorlds, OfFairLocksHaveTheSameVerdictsWithAndWithoutReductions) {
  if (GetParam() % 2 != 0) return;
  const std::string text = DrawnWorld(GetParam()).small_fair_text();
  SCOPED_TRACE(text);
  const model::Setup setup = setup_of(text);
  const auto without = searched(setup, Reductions::none(), {.states_max = 20'000});
  if (!without.complete()) return;
  const auto with = searched(setup, {}, {});
  expect_agreement(with, without);
  EXPECT_LE(with.states, without.states);
  expect_agreement(searched(setup, {}, {.symmetry = false}), without);
}

INSTANTIATE_TEST_SUITE_P(Seeds, DrawnWorlds, testing::Range(std::uint64_t{0}, std::uint64_t{60}));
INSTANTIATE_TEST_SUITE_P(ReadWrite, DrawnWorlds, testing::Range(DrawnWorld::halves, DrawnWorld::halves + 8));
INSTANTIATE_TEST_SUITE_P(Fenced, DrawnWorlds, testing::Range(DrawnWorld::fenced, DrawnWorld::fenced + 8));

/// A state of a drawn world, after some moves.
Checked::State drawn_state(Checked& system) {
  sim::Weighted<Checked> policy{sim::Random{*rc::gen::arbitrary<std::uint64_t>()}};
  return sim::run(system, system.initial(), policy,
                  {.steps_max = *rc::gen::inRange<std::size_t>(0, 200), .stop_at = 0})
      .last;
}

/// What makes the normal form an identity: it is its own, and goes on as the state does.
RC_GTEST_PROP(NormalForm, GoesOnAsTheStateDoes, ()) {
  const model::Setup setup = setup_of(DrawnWorld(*rc::gen::arbitrary<std::uint64_t>()).text());
  Checked system(setup);
  const Checked::State state = drawn_state(system);
  const Checked::State normal = system.normal(state);
  RC_ASSERT(system.normal(normal) == normal);
  const auto successors = [&](const Checked::State& from) {
    std::vector<model::Move> moves;
    system.enabled(from, moves);
    std::multiset<std::pair<sim::Digest, sim::WitnessMask>> found;
    for (const model::Move& move : moves) {
      Checked::State next = from;
      const sim::WitnessMask shown = system.apply(next, move);
      found.insert({system.digest(system.normal(next)), shown});
    }
    return found;
  };
  RC_ASSERT(successors(normal) == successors(state));
}

}  // namespace
}  // namespace lockstep::scenarios
