// What worlds take for granted of Sentinels is what the machine does, whatever the delays and the draws.
#include <memory>
#include <optional>

#include <gtest/gtest.h>

#include "model/redis/sentinel/spans.h"
#include "model/redis/sentinel/test_bed.h"

namespace lockstep::redis::sentinel {
namespace {

using testing::Bed;
using testing::Limits;
using testing::Note;
using namespace std::chrono_literals;

constexpr Watch watch{2, 5s, 180s, 1};
constexpr std::uint64_t runs = 120;

/// Three Sentinels and a master that was lost some time ago; nothing if no replica was elected, which is
/// what happens when votes split.
struct Lost {
  std::unique_ptr<Bed> bed;
  Duration at{}, promoted{};
};
std::optional<Lost> lose_master(std::uint64_t seed, std::size_t replicas, bool crash) {
  sim::Random dice(seed);
  Limits limits;
  limits.delay_max = Duration(dice.below(2) == 0 ? 1 : 20);
  limits.tick_min = Duration(52);
  Lost lost{std::make_unique<Bed>(3, replicas, watch, limits, seed)};
  lost.bed->run_for(40s + Duration(static_cast<std::int64_t>(dice.below(12'000))));
  lost.at = lost.bed->now();
  if (crash) lost.bed->kill_server(0);
  else
    for (std::size_t s = 0; s < 3; ++s) lost.bed->cut(Bed::sentinel_address(s), Bed::server_address(0));
  if (!lost.bed->run_until("+promoted-slave", watch.down_after + 20s)) return std::nullopt;
  for (const Note& note : lost.bed->roles)
    if (note.at > lost.at && note.what == "master") {
      lost.promoted = note.at;
      return lost;
    }
  return std::nullopt;
}

TEST(SentinelSpans, AReplicaIsTheMasterAndThatIsKnownWithinTheirSpans) {
  std::size_t elected = 0;
  for (std::uint64_t seed = 1; seed <= runs; ++seed) {
    auto lost = lose_master(seed, 1 + seed % 2, seed % 3 == 0);
    if (!lost) continue;
    ++elected;
    EXPECT_TRUE(election.contains(lost->promoted - lost->at - watch.down_after)) << "seed " << seed;
    lost->bed->run_for(10s);
    for (const Note& note : lost->bed->told) {
      if (note.what != "+switch-master" || note.at <= lost->at) continue;
      EXPECT_TRUE(news.contains(note.at - lost->promoted)) << "seed " << seed;
    }
    EXPECT_EQ(lost->bed->count("+switch-master"), 3U) << "every Sentinel knows";
  }
  EXPECT_GT(elected, runs - runs / 10) << "votes split seldom";
}

TEST(SentinelSpans, AnOldMasterTakesWritesForSomeTimeAndIsAReplicaThen) {
  for (std::uint64_t seed = 1; seed <= runs / 2; ++seed) {
    const bool crash = seed % 2 == 0;
    auto lost = lose_master(seed, 1, crash);
    if (!lost) continue;
    lost->bed->run_for(20s + Duration(static_cast<std::int64_t>(seed * 211)));
    const Duration back = lost->bed->now();
    if (crash) lost->bed->start_server(0);
    else lost->bed->heal();
    ASSERT_TRUE(lost->bed->run_until("+convert-to-slave", 60s)) << "seed " << seed;
    EXPECT_TRUE(conversion.contains(lost->bed->now() - back)) << "seed " << seed;
  }
}

}  // namespace
}  // namespace lockstep::redis::sentinel
