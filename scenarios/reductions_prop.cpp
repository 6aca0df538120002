// What is left out of a state, and what is not offered, hides nothing: searches with and without the
// reductions find the same violations, witnesses and zeno cycles.
//
// The reasons why stand with each reduction (model/world/identity.cpp, model/world/lazy.cpp,
// properties/check/forgetting.cpp); this is their judge. Worlds that are too large without reductions are
// left out.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <set>

#include "properties/check/renaming.h"
#include "scenarios/drawn_worlds.h"
#include "scenarios/exploring.h"
#include "scenarios/shipped_folders.h"
#include "scenarios/successors.h"
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

template <class Trail>
std::vector<model::Move> moves_of(const Trail& trail) {
  std::vector<model::Move> moves;
  for (const auto& decision : trail) moves.push_back(decision.move);
  return moves;
}

void expect_equal(const sim::Outcome<Checked>& one, const sim::Outcome<Checked>& other) {
  EXPECT_EQ(one.states, other.states);
  EXPECT_EQ(one.transitions, other.transitions);
  EXPECT_EQ(one.depth, other.depth);
  EXPECT_EQ(one.at_rest, other.at_rest);
  EXPECT_EQ(one.ended, other.ended);
  EXPECT_EQ(names_of(one.violated), names_of(other.violated));
  EXPECT_EQ(one.witnesses, other.witnesses);
  ASSERT_EQ(one.violations.size(), other.violations.size());
  for (std::size_t i = 0; i < one.violations.size(); ++i) {
    EXPECT_EQ(one.violations[i].property, other.violations[i].property);
    EXPECT_TRUE(moves_of(one.violations[i].trail) == moves_of(other.violations[i].trail));
  }
  ASSERT_EQ(one.zeno.has_value(), other.zeno.has_value());
  if (one.zeno) { EXPECT_TRUE(moves_of(one.zeno->cycle) == moves_of(other.zeno->cycle)); }
  ASSERT_EQ(one.dead_end.has_value(), other.dead_end.has_value());
  if (one.dead_end) { EXPECT_TRUE(moves_of(*one.dead_end) == moves_of(*other.dead_end)); }
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

/// What is told apart by names alone is one.
TEST_P(DrawnWorlds, OfEqualReplicasHaveTheSameVerdictsWithAndWithoutSymmetry) {
  const std::string text = DrawnWorld(GetParam()).replicas_text();
  SCOPED_TRACE(text);
  const model::Setup setup = setup_of(text);
  const auto apart = search(setup, {.symmetry = false, .states_max = 15'000});
  if (!apart.complete()) return;
  const auto alike = search(setup);
  expect_agreement(alike, apart);
  EXPECT_LE(alike.states, apart.states);
  EXPECT_LE(alike.depth, apart.depth) << "one node is master at first, so an equal state may be nearer";
  for (const auto memory : {properties::Memories::none, properties::Memories::short_lived})
    expect_equal(alike, search(setup, {.memory = memory}));
  if (GetParam() % 4 == 0) expect_equal(alike, search(setup, {.workers = 2}));
  for (const auto& violation : alike.violations) {
    Checked system(setup);
    Checked::State state = system.initial();
    for (const model::Move& move : moves_of(violation.trail)) {
      std::vector<model::Move> moves;
      system.enabled(state, moves);
      ASSERT_TRUE(std::find(moves.begin(), moves.end(), move) != moves.end()) << system.show(move);
      system.apply(state, move);
    }
    EXPECT_NE(system.violated(state) >> violation.property & 1, 0U);
  }
}

/// Words that are drawn anew are the least that nothing mentions, in whatever order states are met.
TEST_P(DrawnWorlds, ThatGoRoundForEverHaveTheSameVerdictsHoweverTheyAreSearched) {
  const std::string text = DrawnWorld(GetParam()).endless_text();
  SCOPED_TRACE(text);
  const model::Setup setup = setup_of(text);
  const auto apart = search(setup, {.symmetry = false, .states_max = 4'000});
  if (!apart.complete()) return;
  const auto alike = search(setup);
  expect_agreement(alike, apart);
  EXPECT_LE(alike.states, apart.states);
  for (const auto memory : {properties::Memories::none, properties::Memories::short_lived})
    expect_equal(alike, search(setup, {.memory = memory}));
  if (GetParam() % 4 == 0) expect_equal(alike, search(setup, {.workers = 2}));
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

constexpr auto other_memories = {properties::Memories::none, properties::Memories::but_for_scripts,
                                 properties::Memories::short_lived};

/// The steps of the one are remembered, whatever else it leaves out; the other takes each anew.
TEST_P(DrawnWorlds, HaveTheSameOutcomeWithAndWithoutMemory) {
  const bool fair = GetParam() % 4 == 3;
  const std::string text = fair ? DrawnWorld(GetParam()).small_fair_text() : DrawnWorld(GetParam()).text();
  SCOPED_TRACE(text);
  for (const bool symmetry : {false, true}) {
    Searching how{.symmetry = symmetry, .states_max = 3'000};
    const auto remembered = search(setup_of(text), how);
    for (const auto memory : other_memories) {
      how.memory = memory;
      expect_equal(remembered, search(setup_of(text), how));
    }
  }
}

TEST_P(DrawnWorlds, HaveTheSameOutcomeByAnyNumberOfWorkers) {
  const std::string text = DrawnWorld(GetParam()).text();
  SCOPED_TRACE(text);
  for (const bool symmetry : {false, true}) {
    const auto alone = search(setup_of(text), {.symmetry = symmetry, .states_max = 3'000});
    for (const std::size_t workers : {2, 3})
      expect_equal(search(setup_of(text), {.symmetry = symmetry, .states_max = 3'000, .workers = workers}),
                   alone);
  }
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

/// Seven weeks behind the start there are more milliseconds than fit into 32 bits. A fair lock reads what
/// time it is, and a client that died in its queue is only passed over when its time is up.
TEST(InstantsFarFromTheStart, AreTheSameWithAndWithoutMemory) {
  const model::Setup setup = setup_of(
      "[process.A]\nthreads = [[\"start 1192h\", \"lock fair:a lease=2h\", \"work 65m\", "
      "\"unlock fair:a\"]]\n"
      "[process.B]\nthreads = [[\"start 1193h\", \"lock fair:a lease=30s\", \"work 1s\", "
      "\"unlock fair:a\"]]\n"
      "[process.C]\nthreads = [[\"start 1194h\", \"lock fair:a lease=30s\", \"work 1s\", "
      "\"unlock fair:a\"]]\n"
      "[faults]\ncrash-process = 1\n");
  Searching how{.symmetry = false};
  const auto remembered = search(setup, how);
  EXPECT_NE(remembered.witnesses & properties::bit(properties::Witness::granted_before_others), 0U);
  for (const auto memory : other_memories) {
    how.memory = memory;
    expect_equal(remembered, search(setup, how));
  }
  how.memory = properties::Memories::usual;
  how.workers = 2;
  expect_equal(remembered, search(setup, how));
}

/// Drawn worlds have plain, fair, read/write and fenced locks on Redis; those that come with the program have
/// all the other kinds, servers and faults.
class ShippedFolders : public testing::TestWithParam<std::string> {};

TEST_P(ShippedFolders, HaveTheSameOutcomeWithAndWithoutMemory) {
  constexpr std::size_t threads_max = 20;
  std::size_t compared = 0;
  for (const EmbeddedFile& file : embedded_scenarios()) {
    const std::string name(file.name.substr(0, file.name.rfind(".toml")));
    if (!name.starts_with(GetParam() + "/") || file.text.find("[matrix]") != std::string_view::npos) continue;
    const model::Setup setup = shipped_setup(name);
    if (setup.threads.size() > threads_max) continue;
    SCOPED_TRACE(name);
    Searching how{.states_max = 400, .with_now = name.starts_with("schemes/setnx-getset")};
    const auto remembered = search(setup, how);
    for (const auto memory : other_memories) {
      how.memory = memory;
      expect_equal(remembered, search(setup, how));
    }
    ++compared;
  }
  EXPECT_GT(compared, 0U);
}

INSTANTIATE_TEST_SUITE_P(All, ShippedFolders, testing::ValuesIn(shipped_folders()),
                         [](const auto& folder) { return test_name_of(folder.param); });

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
  RC_ASSERT(successors_of(system, normal) == successors_of(system, state));
}

}  // namespace
}  // namespace lockstep::scenarios
