// Small drawn worlds, many of them: each is searched as usual, with all actors told apart, by whole states,
// and by partial-order reduction, and sampled; the verdicts must agree. Options that are drawn come to no
// other, together.
//
// LOCKSTEP_DRAWN_WORLDS=100000 compares so many (about an hour), from seed LOCKSTEP_DRAWN_FROM on. Worlds
// that turn out to be large are left out.
#include <gtest/gtest.h>

#include <cstdlib>

#include "properties/check/check.h"
#include "scenarios/corpus.h"
#include "scenarios/drawn_worlds.h"
#include "scenarios/exploring.h"
#include "sim/testing/sanitizers.h"

namespace lockstep::scenarios {
namespace {

using properties::CheckOptions;
using properties::CheckReport;
using properties::Strategy;
using properties::Verdict;

constexpr std::uint64_t usual_count = sim::testing::address_sanitizer ? 50 : 400;

std::uint64_t number_in(const char* name, std::uint64_t otherwise) {
  const char* value = std::getenv(name);
  return value == nullptr ? otherwise : std::strtoull(value, nullptr, 10);
}

CheckReport found(const model::Setup& setup, CheckOptions options, std::uint64_t states_max) {
  options.states_max = states_max;
  options.shrink = false;
  return properties::check(setup, options);
}

void expect_same(const CheckReport& one, const CheckReport& usual, const char* how) {
  if (!one.complete) return;
  EXPECT_EQ(one.witnesses, usual.witnesses) << how;
  for (std::size_t i = 0; i < usual.results.size(); ++i)
    EXPECT_EQ(one.results[i].verdict, usual.results[i].verdict)
        << properties::info(usual.results[i].property).name << " " << how;
}

constexpr std::uint64_t small = 400;  // states

/// Whether the search was complete.
bool agrees(const std::string& text, std::uint64_t) {
  SCOPED_TRACE(text);
  static const ScriptLibrary library = *built_in_scripts(script_in_corpus);
  const auto setup = read_scenario("format = 1\n" + text, "drawn.toml", library, test_vocabulary());
  EXPECT_TRUE(setup.ok()) << setup.problem().text;
  if (!setup.ok()) return false;
  const CheckReport usual = found(*setup, {.strategy = Strategy::search}, small);
  if (usual.refusal || !usual.complete) return false;
  const CheckOptions apart{.strategy = Strategy::search, .symmetry = false};
  const CheckOptions exact{.strategy = Strategy::search, .exact = true};
  const CheckOptions reduced{.strategy = Strategy::search, .reduce = true};
  expect_same(found(*setup, apart, 4 * small), usual, "without symmetry");
  expect_same(found(*setup, exact, small), usual, "by whole states");
  expect_same(found(*setup, reduced, small), usual, "by reduction");
  const CheckReport sampled = found(*setup, {.strategy = Strategy::random, .runs = 4}, small);
  for (std::size_t i = 0; i < usual.results.size(); ++i) {
    if (sampled.results[i].verdict != Verdict::violated) continue;
    EXPECT_EQ(usual.results[i].verdict, Verdict::violated)
        << properties::info(usual.results[i].property).name << " in a sample";
  }
  return true;
}

/// Options that the command line lets go together (tools/cli/cmd_check.cpp), and now and then a limit.
CheckOptions drawn_options(sim::Random& random) {
  const auto one_in = [&](std::uint64_t n) { return random.below(n) == 0; };
  CheckOptions options{.strategy = Strategy::search, .runs = 3};
  if (one_in(3)) options.strategy = one_in(2) ? Strategy::search_deep : Strategy::search_then_sample;
  options.symmetry = !one_in(2);
  options.exact = one_in(3);
  options.boxes = one_in(3);
  options.reduce = one_in(2);
  if ((options.boxes || !options.reduce) && one_in(3)) options.preemptions_max = random.below(3);
  if (options.strategy != Strategy::search_deep && one_in(2)) options.workers = 2 + random.below(2);
  options.states_max = one_in(4) ? 1 + random.below(small) : 8 * small;
  if (one_in(6)) options.depth_max = random.below(30);
  options.seed = random.below(100);
  options.shrink = one_in(4);
  options.shrink_runs = 20;
  options.shrink_states = 200;
  return options;
}

std::string text(const CheckOptions& one) {
  return fmt::format(
      "strategy {}, symmetry {}, exact {}, reduce {}, boxes {}, preemptions {}, workers {}, states {}, depth "
      "{}, "
      "seed {}, shrink {}",
      static_cast<int>(one.strategy), one.symmetry, one.exact, one.reduce, one.boxes,
      one.preemptions_max ? fmt::to_string(*one.preemptions_max) : "any", one.workers, one.states_max,
      one.depth_max, one.seed, one.shrink);
}

/// What was decided is so; and all was, if nothing was left out.
void expect_no_other_verdict(const CheckReport& one, const CheckReport& usual, const CheckOptions& options) {
  ASSERT_FALSE(one.refusal) << *one.refusal;
  const bool whole = one.complete && !options.preemptions_max;
  for (std::size_t i = 0; i < usual.results.size(); ++i)
    if (whole || one.results[i].verdict == Verdict::proved || one.results[i].verdict == Verdict::violated) {
      EXPECT_EQ(properties::name_of(one.results[i].verdict), properties::name_of(usual.results[i].verdict))
          << properties::info(usual.results[i].property).name;
    }
  EXPECT_EQ(one.witnesses & ~usual.witnesses, 0U);
  if (whole) { EXPECT_EQ(one.witnesses, usual.witnesses); }
}

/// Whether the usual search was complete.
bool agrees_by_any_options(const std::string& text_of_world, std::uint64_t seed, std::size_t& complete) {
  constexpr int sets = 6;
  SCOPED_TRACE(text_of_world);
  static const ScriptLibrary library = *built_in_scripts(script_in_corpus);
  const auto setup = read_scenario("format = 1\n" + text_of_world, "drawn.toml", library, test_vocabulary());
  EXPECT_TRUE(setup.ok()) << setup.problem().text;
  if (!setup.ok()) return false;
  const CheckReport usual = found(*setup, {.strategy = Strategy::search}, small);
  if (usual.refusal || !usual.complete) return false;
  sim::Random random(seed);
  for (int i = 0; i < sets; ++i) {
    const CheckOptions options = drawn_options(random);
    SCOPED_TRACE(text(options));
    const CheckReport one = properties::check(*setup, options);
    expect_no_other_verdict(one, usual, options);
    if (one.complete) ++complete;
  }
  return true;
}

template <class Text, class Agrees>
void expect_agreement_of(std::uint64_t count, Text text_of, Agrees agrees_on) {
  const std::uint64_t first = number_in("LOCKSTEP_DRAWN_FROM", 0);
  std::uint64_t compared = 0;
  for (std::uint64_t seed = first; compared < count && !testing::Test::HasFailure(); ++seed) {
    ASSERT_LT(seed - first, 10 * count) << "too few of them are small";
    SCOPED_TRACE(seed);
    if (agrees_on(text_of(DrawnWorld(seed)), seed)) ++compared;
  }
}

TEST(SmallDrawnWorlds, HaveTheSameVerdictsHoweverTheyAreFound) {
  expect_agreement_of(
      number_in("LOCKSTEP_DRAWN_WORLDS", usual_count), [](DrawnWorld world) { return world.small_text(); },
      agrees);
}

/// No combination of options gives another verdict.
TEST(SmallDrawnWorlds, HaveTheSameVerdictsByAnyOptionsTogether) {
  std::size_t complete = 0;
  const std::uint64_t count = number_in("LOCKSTEP_DRAWN_WORLDS", usual_count) / 4;
  expect_agreement_of(
      count, [](DrawnWorld world) { return world.small_text(); },
      [&](const std::string& text_of_world, std::uint64_t seed) {
        return agrees_by_any_options(text_of_world, seed, complete);
      });
  EXPECT_GT(complete, count) << "nearly all were cut";
}

TEST(SmallDrawnWorlds, OfFairLocksHaveThemToo) {
  expect_agreement_of(
      number_in("LOCKSTEP_DRAWN_WORLDS", usual_count) / 10,
      [](DrawnWorld world) { return world.small_fair_text(); }, agrees);
}

}  // namespace
}  // namespace lockstep::scenarios
