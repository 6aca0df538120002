// What must hold on the bus whatever the delays, losses, restarts and partitions.
#include <map>

#include <gtest/gtest.h>
#include "model/redis/cluster/test_bed.h"
#include <rapidcheck/gtest.h>

namespace lockstep::redis::cluster {
namespace {

using testing::Bed;
using testing::Event;
using testing::Limits;
using testing::two_seconds;

Limits any_limits() {
  Limits limits;
  limits.delay_max = Duration(*rc::gen::element<std::int64_t>(1, 30, 300, 900));
  limits.lost_percent = *rc::gen::element(0U, 5U, 20U);
  return limits;
}

void live_through(Bed& bed, std::uint64_t seed) {
  sim::Random dice(seed);
  const std::size_t total = bed.nodes.size();
  bed.run_for(Duration(5'000));
  for (int i = 0; i < 10; ++i) {
    const std::size_t one = dice.below(total), other = (one + 1 + dice.below(total - 1)) % total;
    switch (dice.below(5)) {
      case 0: bed.kill(one); break;
      case 1: bed.restart(one); break;
      case 2: bed.cut(one, other); break;
      case 3: bed.isolate(one); break;
      default: bed.heal(); break;
    }
    bed.run_for(Duration(static_cast<std::int64_t>(dice.below(9'000))));
  }
}

RC_GTEST_PROP(ClusterBus, NoEpochPromotesTwo, ()) {
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  const auto masters = *rc::gen::element<std::size_t>(3, 4, 5);
  Bed bed(masters, 2, two_seconds(), any_limits(), seed);
  live_through(bed, seed);
  std::map<Epoch, std::size_t> promoted;
  for (const Event& event : bed.events) {
    const auto* const here = std::get_if<Promoted>(&event.what);
    if (here) RC_ASSERT(promoted.try_emplace(here->epoch, event.node).second);
  }
  RC_CLASSIFY(promoted.empty(), "nobody was promoted");
  RC_CLASSIFY(promoted.size() > 1, "several were promoted");
}

RC_GTEST_PROP(ClusterBus, NoTwoMastersThatServeHaveOneConfigurationEpoch, ()) {
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  Bed bed(3, 1, two_seconds(), any_limits(), seed);
  live_through(bed, seed);
  std::map<Epoch, std::size_t> owners;
  for (std::size_t node = 0; node < bed.nodes.size(); ++node) {
    const Member& me = bed.nodes[node].map.me();
    if (me.kind == Kind::master && !me.slots.empty())
      RC_ASSERT(owners.try_emplace(me.config_epoch, node).second);
  }
}

RC_GTEST_PROP(ClusterBus, WhenAllIsWellAgainAllMapsAgreeAndAllSlotsAreServedOnce, ()) {
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  Limits limits = any_limits();
  limits.delay_max = Duration(30);
  limits.lost_percent = 0;
  Bed bed(3, 1, two_seconds(), limits, seed);
  live_through(bed, seed);
  bed.heal();
  for (std::size_t node = 0; node < bed.nodes.size(); ++node)
    if (!bed.alive(node)) bed.restart(node);
  bed.run_for(Duration(90'000));
  const Map& reference = bed.nodes[0].map;
  for (const Bus& node : bed.nodes) {
    RC_ASSERT(node.map.ok);
    for (const auto& [name, member] : node.map.members) {
      const Member& same = reference.members.at(name);
      RC_ASSERT(member.slots == same.slots);
      RC_ASSERT(member.kind == same.kind);
      RC_ASSERT(member.master == same.master);
      RC_ASSERT(member.health == Health::alive);
    }
  }
  std::size_t served = 0;
  for (const auto& [name, member] : reference.members) served += member.slots.size();
  RC_ASSERT(served == slots_total);
}

RC_GTEST_PROP(ClusterBus, TimeThatPassesInTwoStepsIsTimeThatPassesInOne, ()) {
  Bed bed(3, 1, two_seconds(), {}, *rc::gen::arbitrary<std::uint64_t>());
  bed.run_for(Duration(5'000));
  if (*rc::gen::arbitrary<bool>()) bed.kill(0);
  bed.run_for(Duration(*rc::gen::inRange(0, 6'000)));
  Bus one = bed.nodes[1], two = one;
  const Duration first(*rc::gen::inRange(0, 60'000)), second(*rc::gen::inRange(0, 60'000));
  step(one, Passed{first + second}, two_seconds());
  step(two, Passed{first}, two_seconds());
  step(two, Passed{second}, two_seconds());
  RC_ASSERT(one == two);
}

}  // namespace
}  // namespace lockstep::redis::cluster
