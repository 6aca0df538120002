// Partial-order reduction hides nothing: searches with and without it find the same violations, witnesses,
// zeno cycles and dead ends, and meet the same states in which time passes or nothing happens any more.
//
// Why a process may go first is said in model/world/apart.h and properties/check/reduced.h; this is their
// judge. LOCKSTEP_DRAWN_WORLDS=10000 compares so many drawn worlds, from seed LOCKSTEP_DRAWN_FROM on.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <set>
#include <vector>

#include "properties/check/reduced.h"
#include "scenarios/corpus.h"
#include "scenarios/drawn_worlds.h"
#include "scenarios/exploring.h"
#include "scenarios/with_and_without.h"
#include "sim/search/reduction.h"
#include "sim/testing/sanitizers.h"

namespace lockstep::scenarios {
namespace {

constexpr std::uint64_t judged_worlds = sim::testing::address_sanitizer ? 10 : 40;

std::uint64_t set_outside(const char* name, std::uint64_t otherwise) {
  const char* value = std::getenv(name);
  return value == nullptr ? otherwise : std::strtoull(value, nullptr, 10);
}

model::Setup setup_with_corpus(const std::string& text) {
  static const ScriptLibrary library = *built_in_scripts(script_in_corpus);
  const auto setup = read_scenario("format = 1\n" + text, "drawn.toml", library, test_vocabulary());
  EXPECT_TRUE(setup.ok()) << setup.problem().text;
  return setup.ok() ? *setup : model::Setup{};
}

template <class Text, class Agrees>
void expect_of_drawn_worlds(std::uint64_t count, Text text_of, Agrees agrees) {
  const std::uint64_t first = set_outside("LOCKSTEP_DRAWN_FROM", 0);
  std::uint64_t compared = 0;
  for (std::uint64_t seed = first; compared < count && !testing::Test::HasFailure(); ++seed) {
    ASSERT_LT(seed - first, 20 * count) << "too few of them are small";
    const std::string text = text_of(DrawnWorld(seed));
    SCOPED_TRACE(text);
    if (agrees(setup_with_corpus(text))) ++compared;
  }
}

/// Some of these scripts look into names, so that symmetry is for check() to use or not (four_ways_prop.cpp).
TEST(ReducedWorlds, OfScriptsThatBreakThingsHaveTheSameVerdicts) {
  expect_of_drawn_worlds(
      set_outside("LOCKSTEP_DRAWN_WORLDS", judged_worlds),
      [](DrawnWorld world) { return world.small_text(); },
      [](const model::Setup& setup) {
        return agrees_with_and_without(setup, {.symmetry = false, .states_max = 800});
      });
}

/// Then more is unnoticed: neither what threads believe nor who waits matters to these.
TEST(ReducedWorlds, HaveTheSameVerdictsOnWhatReadsNoBeliefs) {
  using properties::bit;
  using properties::Property;
  constexpr sim::PropertyMask watched = bit(Property::no_script_error) | bit(Property::lock_has_ttl) |
                                        bit(Property::no_uncaught_exception) | bit(Property::calls_return);
  std::uint64_t fewer = 0;
  expect_of_drawn_worlds(
      set_outside("LOCKSTEP_DRAWN_WORLDS", judged_worlds) / 4,
      [](DrawnWorld world) { return world.small_text(); },
      [&](const model::Setup& setup) {
        if (!can_be_reduced(setup)) return false;
        Searching how{.symmetry = false, .states_max = 800, .watched = watched};
        const auto whole = search(setup, how);
        if (!whole.complete()) return false;
        how.reduce = true;
        const auto narrow = search(setup, how);
        EXPECT_EQ(names_of(narrow.violated), names_of(whole.violated));
        EXPECT_EQ(narrow.dead_end.has_value(), whole.dead_end.has_value());
        for (const properties::PropertyInfo& one : properties::catalog) {
          if ((watched & bit(one.property)) == 0) continue;
          const sim::WitnessMask premise = properties::bit(one.premise);
          EXPECT_EQ(narrow.witnesses & premise, whole.witnesses & premise) << one.name;
        }
        how.watched = properties::all_usual;
        if (narrow.states < search(setup, how).states) ++fewer;
        return narrow.states < whole.states;
      });
  EXPECT_GT(fewer, 0U);
}

TEST(ReducedWorlds, WithAnyFaultsHaveTheSameVerdicts) {
  expect_of_drawn_worlds(
      set_outside("LOCKSTEP_DRAWN_WORLDS", judged_worlds) / 10, [](DrawnWorld world) { return world.text(); },
      [](const model::Setup& setup) {
        return agrees_with_and_without(setup, {.states_max = 2'000}) &&
               agrees_with_and_without(setup, {.symmetry = false});
      });
}

TEST(ReducedWorlds, MeetTheSameStatesInWhichTimePasses) {
  expect_of_drawn_worlds(
      set_outside("LOCKSTEP_DRAWN_WORLDS", judged_worlds) / 4,
      [](DrawnWorld world) { return world.small_text(); },
      [](const model::Setup& setup) { return meets_the_same_quiet_states(setup, 400); });
}

TEST(ReducedWorlds, HaveTheSameOutcomeWithAndWithoutMemoryAndByAnyNumberOfWorkers) {
  expect_of_drawn_worlds(
      8, [](DrawnWorld world) { return world.small_text(); },
      [](const model::Setup& setup) {
        if (!can_be_reduced(setup)) return false;
        const auto usual = search(setup, {.states_max = 300, .reduce = true});
        const auto expect_equal_counts = [&](const sim::Outcome<Checked>& other) {
          EXPECT_EQ(other.states, usual.states);
          EXPECT_EQ(other.transitions, usual.transitions);
          EXPECT_EQ(other.depth, usual.depth);
          EXPECT_EQ(other.violated, usual.violated);
          EXPECT_EQ(other.witnesses, usual.witnesses);
        };
        for (const auto memory : {properties::Memories::none, properties::Memories::short_lived})
          expect_equal_counts(search(setup, {.states_max = 300, .memory = memory, .reduce = true}));
        expect_equal_counts(search(setup, {.states_max = 300, .workers = 3, .reduce = true}));
        expect_equal_counts(search(setup, {.key = sim::StateKey::exact, .states_max = 300, .reduce = true}));
        return true;
      });
}

/// Takes the steps of any process for enough, whoever may reach it, or whoever may notice.
struct Careless : Checked {
  Careless(const model::Setup& setup, bool of_reach, bool of_notice)
      : Checked(setup), reach(of_reach), notice(of_notice) {}

  bool reach, notice;

  void enough_of(const State& state, const std::vector<Move>& moves, std::vector<std::size_t>& places) {
    struct Looks {
      const Careless& its;
      const State& state;
      bool is_apart(model::ProcessId p) const {
        return !its.reach || model::is_apart(state.world, its.setup(), p);
      }
      bool is_unnoticed(const Move& move, model::ProcessId) const { return !its.notice && !move.is_fault(); }
    };
    const bool waits = std::any_of(moves.begin(), moves.end(), [](const Move& m) { return m.passes_time(); });
    if (!waits) properties::find_enough(moves, setup(), Looks{*this, state}, places);
  }
};

/// Whether two moves of a state lead to the same in both orders.
bool change_places(Checked& system, const Checked::State& state, const model::Move& one,
                   const model::Move& other) {
  std::vector<model::Move> moves;
  const auto behind = [&](const model::Move& first, const model::Move& second) -> std::optional<sim::Digest> {
    Checked::State at = state;
    system.apply(at, first);
    system.enabled(at, moves);
    if (std::find(moves.begin(), moves.end(), second) == moves.end()) return std::nullopt;
    system.apply(at, second);
    return system.digest(system.normal(at));
  };
  const auto both = behind(one, other);
  return both && both == behind(other, one);
}

/// A SUBSCRIBE that is to be served commutes with what others do if none of them may publish, and with a
/// release it does not.
TEST(ReducedWorlds, InWhichNobodyMayPublishSubscribeInAnyOrder) {
  const model::Setup setup = setup_of(
      "[process.A]\nthreads = [[\"lock a\", \"work 3s\", \"unlock a\"]]\n"
      "[process.B]\nthreads = [[\"start 3s\", \"lock a\", \"unlock a\"]]\n"
      "[process.C]\nthreads = [[\"start 3s\", \"lock a\", \"unlock a\"]]\n");
  Checked system(setup), beside(setup);
  std::vector<model::Move> moves;
  std::size_t alike = 0, different = 0;
  sim::SearchOptions<Checked> options;
  options.on_edge = [&](const sim::Edge<Checked>& edge) {
    if (!edge.fresh) return;
    beside.enabled(edge.state, moves);
    const std::vector<model::Move> all = moves;
    for (const model::Move& one : all) {
      if (!model::is_about_channels(one)) continue;
      const model::ProcessId p = one.of<model::Carried>().link.process;
      const bool is_apart = model::is_apart(edge.state.world, setup, p);
      for (const model::Move& other : all) {
        if (model::is_of(other, setup, p)) continue;
        const bool same = change_places(beside, edge.state, one, other);
        EXPECT_TRUE(same || !is_apart) << beside.show(one) << ", " << beside.show(other);
        if (is_apart) ++alike;
        if (!same) ++different;
      }
    }
  };
  options.order = sim::SearchOrder::depth_first;
  options.limits.states_max = 1'500;
  sim::explore(system, std::move(options));
  EXPECT_GT(alike, 0U);
  EXPECT_GT(different, 0U);
}

/// A SUBSCRIBE that is served changes nothing of its server but what it knows of this one listener: if it
/// forgets the listener, it is what it was. So it commutes with all that does not publish.
TEST(ReducedWorlds, HaveServersThatASubscriptionLeavesAsTheyAre) {
  const model::Setup setup =
      setup_of("[process.P]\ncount = 3\nthreads = [[\"lock a\", \"work 3s\", \"unlock a\"]]\n");
  Checked system(setup);
  std::vector<Checked::State> met{system.initial()};
  std::size_t served = 0;
  sim::SearchOptions<Checked> options;
  options.symmetry = false;
  options.on_edge = [&](const sim::Edge<Checked>& edge) {
    if (model::is_about_channels(edge.move)) {
      const auto& [link, lane, connection] = edge.move.of<model::Carried>();
      const model::ServerKind& kind = setup.kind_of(link.node);
      model::Server before = *met[edge.from].world.nodes[link.node.index()];
      model::Server after = *edge.state.world.nodes[link.node.index()];
      kind.disconnect(before, link.process);
      kind.disconnect(after, link.process);
      EXPECT_EQ(before, after);
      ++served;
    }
    if (edge.fresh) met.push_back(edge.state);
  };
  EXPECT_TRUE(sim::explore(system, std::move(options)).complete());
  EXPECT_GT(served, 0U);
}

/// The judge can say no.
TEST(ReducedWorlds, ByCarelessReductionsHaveOtherStates) {
  const model::Setup setup = setup_of(
      "[process.A]\nthreads = [[\"lock a lease=2s\", \"work 3s\", \"unlock a\"]]\n"
      "[process.B]\nthreads = [[\"start 3s\", \"trylock a\"]]\n");
  Checked system(setup);
  const std::set<sim::Digest> all = quiet_states(system, system);
  Careless of_reach(setup, false, false), of_notice(setup, true, false);
  sim::Reduced<Careless> reached(of_reach), noticed(of_notice);
  EXPECT_NE(quiet_states(reached, system), all);
  EXPECT_NE(quiet_states(noticed, system), all);
}

}  // namespace
}  // namespace lockstep::scenarios
