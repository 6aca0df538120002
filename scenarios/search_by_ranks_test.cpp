// Processes that search together stop together and for one reason, whoever of them met it.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "properties/check/lattice.h"
#include "properties/check/searching.h"
#include "scenarios/exploring.h"
#include "sim/search/testing/thread_ranks.h"

namespace lockstep::scenarios {
namespace {

using namespace std::chrono_literals;

/// What a rank knows behind the search of all.
struct Known {
  std::optional<std::string> refusal;
  std::optional<sim::Duration> missed;
  bool begins_again = false;
};

std::vector<Known> known_by_ranks(const model::Setup& setup, std::size_t count) {
  std::vector<Known> known(count);
  sim::testing::by_thread_ranks(count, [&](sim::Ranks& ranks) {
    Checked system(setup, {.workers = count});
    properties::search_by(ranks, system, {.symmetry = false});
    known[ranks.mine()] = {system.refusal(), system.missed_instant(), system.must_begin_again()};
  });
  return known;
}

TEST(SearchByRanks, APredicateWithoutAValueIsHeardOfByAll) {
  for (const std::string_view where :
       {"ended('A1') and contains(believers('a'), 'B1')", "ended('A1') and ended('B1')",
        "ended('B1') and contains(believers('a'), 'A1')", "count(believers('a')) == 2"}) {
    const model::Setup setup = setup_of(fmt::format(
        "[process.A]\nthreads = [[\"lock a lease=3s\", \"work 2s\", \"unlock a\"]]\n"
        "[process.B]\nthreads = [[\"lock a lease=4s\", \"work 2s\", \"unlock a\"]]\n"
        "[faults]\npause-process = 1\n"
        "[[property]]\nname = \"p\"\nlua = \"(({}) and (nil + 1)) or true\"\n",
        where));
    for (const std::size_t count : {2, 3})
      for (const Known& known : known_by_ranks(setup, count)) {
        EXPECT_TRUE(known.refusal.has_value()) << where << " " << count;
        EXPECT_FALSE(known.begins_again);
      }
  }
}

/// B thinks for a length of time at the end that the lattice was not told.
TEST(SearchByRanks, AnInstantBesideTheLatticeIsHeardOfByAll) {
  model::Setup setup = properties::on_lattice(setup_of(
      "[time]\ngrain = \"exact\"\n"
      "[process.A]\nthreads = [[\"start 0..1s\", \"lock x lease=900ms\", \"crash\"]]\n"
      "[process.B]\nthreads = [[\"start 0..1s\", \"think 600ms\", \"trylock x\", \"think 950ms\", "
      "\"unlock x\"]]\n"));
  ASSERT_TRUE(setup.lattice);
  ASSERT_EQ(setup.lattice->spacing, 50ms);
  setup.lattice->spacing = 100ms;
  for (const std::size_t count : {2, 3})
    for (const Known& known : known_by_ranks(setup, count)) {
      EXPECT_TRUE(known.missed.has_value()) << count;
      EXPECT_TRUE(known.begins_again) << count;
    }
}

}  // namespace
}  // namespace lockstep::scenarios
