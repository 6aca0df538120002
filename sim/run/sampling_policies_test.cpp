// POS and SURW against systems in which it is known how likely a bug is.
#include <cmath>
#include <map>
#include <string>

#include <gtest/gtest.h>

#include "sim/run/pos.h"
#include "sim/run/run.h"
#include "sim/run/surw.h"
#include "sim/run/uniform.h"
#include "sim/toys/lost_update.h"
#include "sim/toys/needle.h"
#include "sim/toys/toy.h"

namespace lockstep::sim {
namespace {

using namespace toys;

struct OneRaceState {
  int alone = 0;
  bool first_came = false, second_came = false, second_was_first = false;
  bool operator==(const OneRaceState&) const = default;
  static auto fields(auto& s) {
    return std::tie(s.alone, s.first_came, s.second_came, s.second_was_first);
  }
};
enum class RaceVerb { alone, write };
inline constexpr Verb race_verbs[] = {{"alone", Nature::timeless}, {"write"}};

/// One actor takes ten steps that nobody sees and then writes; another one writes at once. Property 0: the
/// second does not write first; property 1: the first does not.
struct OneRace : Toy<OneRaceState, race_verbs> {
  static constexpr int steps = 10;

  State initial() const { return {}; }
  void enabled(const State& s, std::vector<Move>& moves) const {
    moves.clear();
    if (s.alone < steps) moves.push_back(move(0, RaceVerb::alone));
    else if (!s.first_came) moves.push_back(move(0, RaceVerb::write));
    if (!s.second_came) moves.push_back(move(1, RaceVerb::write));
  }
  WitnessMask apply(State& s, const Move& m) const {
    if (static_cast<RaceVerb>(m.verb) == RaceVerb::alone) ++s.alone;
    else if (m.who == 0) s.first_came = true;
    else s.second_came = true, s.second_was_first = !s.first_came;
    return 0;
  }
  PropertyMask violated(const State& s) const {
    if (!s.first_came || !s.second_came) return 0;
    return s.second_was_first ? 1u : 2u;
  }
  bool races(const Move& one, const Move& other) const {
    return static_cast<RaceVerb>(one.verb) == RaceVerb::write &&
           static_cast<RaceVerb>(other.verb) == RaceVerb::write;
  }
};
static_assert(System<OneRace>);

/// How often of a thousand runs the rare order is met.
template <class MakePolicy>
int rare_orders(MakePolicy make) {
  OneRace system;
  int met = 0;
  for (std::uint64_t seed = 0; seed < 1'000; ++seed) {
    auto policy = make(Random{seed});
    met += (run(system, system.initial(), policy, {.stop_at = 0}).violated & 2u) != 0 ? 1 : 0;
  }
  return met;
}

MoveCounts counts_of_default() {
  OneRace system;
  DefaultSchedule<OneRace> policy;
  return counts_of(run(system, system.initial(), policy, {.stop_at = 0}).trail);
}

TEST(Uniform, HardlyEverMeetsAnOrderThatManyStepsComeBefore) {
  EXPECT_LE(rare_orders([](Random random) { return Uniform<OneRace>{random}; }), 5);  // 2^-11 each
}

TEST(Pos, MeetsItAsOftenAsOfSoManyPrioritiesOneIsTheLowest) {
  // The second's write is the lowest of twelve that are drawn apart: 1 / 12.
  const int met = rare_orders([](Random random) { return Pos<OneRace>{random}; });
  EXPECT_NEAR(met, 1'000 / (OneRace::steps + 2), 30);
}

TEST(Surw, MeetsBothOrdersOfTheSelectedMovesAlikeOften) {
  // Writes are the one kind that both make. Every other run is uniform over all orders: 1 of 12.
  const MoveCounts counts = counts_of_default();
  const int met = rare_orders([&](Random random) { return Surw<OneRace>{random, counts}; });
  EXPECT_NEAR(met, 500 / 2 + 500 / (OneRace::steps + 2), 50);
}

TEST(Surw, IsUniformOverAllOrdersIfItKnowsTheCounts) {
  LostUpdate system{2};
  MoveCounts counts{{0, {{Actor{0, 0}, 2}}}, {1, {{Actor{0, 1}, 2}}}};  // one actor each: all are selected
  std::map<std::string, int> orders;
  for (std::uint64_t seed = 0; seed < 1'200; ++seed) {
    Surw<LostUpdate> policy{Random{seed}, counts};
    std::string order;
    for (const auto& one : run(system, system.initial(), policy, {.stop_at = 0}).trail)
      order += one.move.who == 0 ? 'a' : 'b';
    ++orders[order];
  }
  EXPECT_EQ(orders.size(), 6U);
  for (const auto& [order, times] : orders) EXPECT_NEAR(times, 200, 50) << order;
}

TEST(Surw, WrongCountsStopNoRun) {
  LostUpdate system{3};
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    Surw<LostUpdate> policy{Random{seed}, {{0, {{Actor{0, 0}, 1}, {Actor{0, 7}, 90}}}}};
    EXPECT_EQ(run(system, system.initial(), policy, {.stop_at = 0}).trail.size(), 6U);
  }
}

TEST(FaultPoints, AreNoMoreThanTheMostAndAtTimesNone) {
  std::map<std::size_t, int> runs;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    Needle needle;
    Pos<Needle> policy{Random{seed}, {.faults_max = 2, .steps = 14}};
    std::size_t faults = 0;
    for (const auto& one : run(needle, needle.initial(), policy, {.stop_at = 0}).trail)
      faults += one.move.is_fault() ? 1 : 0;
    ++runs[faults];
  }
  EXPECT_GT(runs[0], 80);
  EXPECT_GT(runs[1], 80);
  EXPECT_GT(runs[2], 60);
  EXPECT_EQ(runs.size(), 3U);
}

TEST(SamplingPolicies, ASeedNamesOneRun) {
  const auto trail = [](auto policy) {
    Needle needle;
    return run(needle, needle.initial(), policy, {.stop_at = 0}).trail;
  };
  const MoveCounts counts{{0, {{Actor{0, 0}, 8}}}, {1, {{Actor{0, 1}, 6}}}};
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    EXPECT_EQ(trail(Pos<Needle>{Random{seed}}), trail(Pos<Needle>{Random{seed}}));
    EXPECT_EQ(trail(Surw<Needle>{Random{seed}, counts}), trail(Surw<Needle>{Random{seed}, counts}));
  }
  EXPECT_NE(trail(Pos<Needle>{Random{1}}), trail(Pos<Needle>{Random{2}}));
}

}  // namespace
}  // namespace lockstep::sim
