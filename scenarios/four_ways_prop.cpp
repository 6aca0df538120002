// Small drawn worlds, many of them: each is searched as usual, with all actors told apart, by whole states,
// and by partial-order reduction, and sampled; the verdicts must agree.
//
// LOCKSTEP_DRAWN_WORLDS=100000 compares so many (about an hour), from seed LOCKSTEP_DRAWN_FROM on. Worlds
// that turn out to be large are left out.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>

#include "properties/check/check.h"
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

sim::Result<std::string> corpus_script(const std::string& file) {
  std::ifstream stream("properties/verdicts/" + file, std::ios::binary);
  return std::string{std::istreambuf_iterator<char>(stream), {}};
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
bool agrees(const std::string& text) {
  SCOPED_TRACE(text);
  static const ScriptLibrary library = *built_in_scripts(corpus_script);
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

template <class Text>
void expect_agreement_of(std::uint64_t count, Text text_of) {
  const std::uint64_t first = number_in("LOCKSTEP_DRAWN_FROM", 0);
  std::uint64_t compared = 0;
  for (std::uint64_t seed = first; compared < count && !testing::Test::HasFailure(); ++seed) {
    ASSERT_LT(seed - first, 10 * count) << "too few of them are small";
    SCOPED_TRACE(seed);
    if (agrees(text_of(DrawnWorld(seed)))) ++compared;
  }
}

TEST(SmallDrawnWorlds, HaveTheSameVerdictsHoweverTheyAreFound) {
  expect_agreement_of(number_in("LOCKSTEP_DRAWN_WORLDS", usual_count),
                      [](DrawnWorld world) { return world.small_text(); });
}

TEST(SmallDrawnWorlds, OfFairLocksHaveThemToo) {
  expect_agreement_of(number_in("LOCKSTEP_DRAWN_WORLDS", usual_count) / 10,
                      [](DrawnWorld world) { return world.small_fair_text(); });
}

}  // namespace
}  // namespace lockstep::scenarios
