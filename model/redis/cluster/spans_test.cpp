// What worlds take for granted of a cluster is what its bus does, whatever the delays and the draws.
#include <gtest/gtest.h>

#include "model/redis/cluster/spans.h"
#include "model/redis/cluster/test_bed.h"

namespace lockstep::redis::cluster {
namespace {

using testing::Bed;
using namespace std::chrono_literals;

constexpr std::uint64_t runs = 24;

template <class Seen>
const testing::Event* first_of(const Bed& bed, std::size_t node, Duration since) {
  for (const testing::Event& event : bed.events)
    if (event.at >= since && event.node == node && std::holds_alternative<Seen>(event.what)) return &event;
  return nullptr;
}

/// Three masters, of which the first is cut off from all others, or dies.
struct Lost {
  Lost(std::uint64_t seed, Duration node_timeout, bool crash)
      : dice(seed),
        bed(3, 1 + seed % 2, with_timeout(node_timeout),
            {.delay_min = Duration{1}, .delay_max = Duration{dice.below(2) == 0 ? 1 : 20}, .lost_percent = 0},
            seed) {
    bed.run_for(30s + Duration{static_cast<std::int64_t>(dice.below(12'000))});
    at = bed.now();
    if (crash) bed.kill(0);
    else bed.isolate(0);
    bed.run_for(2 * node_timeout + 10s);
  }
  static Settings with_timeout(Duration node_timeout) {
    Settings settings;
    settings.node_timeout = node_timeout;
    return settings;
  }

  sim::Random dice;
  Bed bed;
  Duration at{};
};

TEST(ClusterSpans, AReplicaIsTheMasterWithinItsSpanAndEverybodyKnowsAtOnce) {
  for (const Duration node_timeout : {Duration{2s}, Duration{15s}})
    for (std::uint64_t seed = 1; seed <= runs; ++seed) {
      const Lost lost(seed, node_timeout, seed % 2 == 0);
      const testing::Event* promoted = lost.bed.first<Promoted>(lost.at);
      if (promoted == nullptr) continue;  // two replicas took the votes from each other
      EXPECT_TRUE(spans_of(node_timeout).election.contains(promoted->at - lost.at - node_timeout))
          << "seed " << seed;
      for (std::size_t n = 1; n < lost.bed.nodes.size(); ++n)
        EXPECT_EQ(*owner_of(lost.bed.nodes[n].map, 0), Bed::name(promoted->node)) << "seed " << seed;
    }
}

TEST(ClusterSpans, AMasterInAMinorityClosesInItsSpan) {
  for (const Duration node_timeout : {Duration{2s}, Duration{15s}})
    for (std::uint64_t seed = 1; seed <= runs; ++seed) {
      const Lost lost(seed, node_timeout, false);
      const testing::Event* closed = first_of<StateChanged>(lost.bed, 0, lost.at);
      ASSERT_NE(closed, nullptr);
      EXPECT_TRUE(spans_of(node_timeout).closing.contains(closed->at - lost.at - node_timeout))
          << "seed " << seed;
      EXPECT_FALSE(lost.bed.takes_writes(0, 0));
    }
}

TEST(ClusterSpans, AnOldMasterTakesNoWritesWhenItComesBackAndIsAReplicaSoon) {
  for (std::uint64_t seed = 1; seed <= runs; ++seed) {
    const bool crash = seed % 2 == 0;
    Lost lost(seed, 2s, crash);
    if (lost.bed.first<Promoted>(lost.at) == nullptr) continue;
    const Duration back = lost.bed.now();
    if (crash) lost.bed.restart(0);
    else lost.bed.heal();
    for (int ms = 0; ms < 10'000 && first_of<Demoted>(lost.bed, 0, back) == nullptr; ++ms) {
      lost.bed.run_for(1ms);
      EXPECT_FALSE(lost.bed.takes_writes(0, 0)) << "seed " << seed;
    }
    const testing::Event* demoted = first_of<Demoted>(lost.bed, 0, back);
    ASSERT_NE(demoted, nullptr);
    EXPECT_TRUE(spans_of(2s).conversion.contains(demoted->at - back)) << "seed " << seed;
  }
}

}  // namespace
}  // namespace lockstep::redis::cluster
