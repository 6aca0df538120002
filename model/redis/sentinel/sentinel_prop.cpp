// What must hold whatever the delays, losses, restarts and partitions.
#include <map>

#include <gtest/gtest.h>
#include "model/redis/sentinel/test_bed.h"
#include <rapidcheck/gtest.h>

namespace lockstep::redis::sentinel {
namespace {

using testing::Bed;
using testing::Limits;
using testing::Note;

struct Story {
  std::size_t sentinels, replicas;
  Limits limits;
  std::uint64_t seed;
  Watch watch;
};

Story any_story() {
  Story story;
  story.sentinels = *rc::gen::inRange<std::size_t>(2, 6);
  story.replicas = *rc::gen::inRange<std::size_t>(1, 4);
  story.limits.delay_max = Duration(*rc::gen::element<std::int64_t>(1, 20, 100, 700));
  story.limits.tick_min = Duration(52);
  story.limits.lost_percent = *rc::gen::element(0U, 5U, 30U);
  story.seed = *rc::gen::arbitrary<std::uint64_t>();
  const auto quorum = *rc::gen::inRange<std::size_t>(1, story.sentinels + 1);
  story.watch = {quorum, Duration(2'000), Duration(*rc::gen::element<std::int64_t>(3'000, 10'000)), 1};
  return story;
}

/// Kills, revives, isolates and restarts, a few seconds apart.
void live_through(Bed& bed, const Story& story) {
  sim::Random dice(story.seed);
  bed.run_for(Duration(8'000));
  for (int i = 0; i < 12; ++i) {
    const std::size_t server = dice.below(story.replicas + 1), sentinel = dice.below(story.sentinels);
    switch (dice.below(6)) {
      case 0: bed.kill_server(server); break;
      case 1: bed.start_server(server); break;
      case 2: bed.restart_sentinel(sentinel); break;
      case 3: bed.cut(Bed::sentinel_address(sentinel), Bed::server_address(server)); break;
      case 4: bed.heal(); break;
      default: bed.kill_sentinel(sentinel); break;
    }
    bed.run_for(Duration(static_cast<std::int64_t>(dice.below(9'000))));
  }
}

RC_GTEST_PROP(Sentinel, NoEpochHasTwoLeaders, ()) {
  const Story story = any_story();
  Bed bed(story.sentinels, story.replicas, story.watch, story.limits, story.seed);
  live_through(bed, story);
  std::map<Epoch, std::size_t> leaders;
  for (const Note& note : bed.told) {
    if (note.what != "+elected-leader") continue;
    RC_ASSERT(leaders.try_emplace(note.epoch, note.who).second);
  }
  RC_CLASSIFY(leaders.empty(), "nobody was elected");
  RC_CLASSIFY(leaders.size() > 1, "several epochs were won");
}

RC_GTEST_PROP(Sentinel, AConfigurationEpochNamesOneMaster, ()) {
  const Story story = any_story();
  Bed bed(story.sentinels, story.replicas, story.watch, story.limits, story.seed);
  live_through(bed, story);
  std::map<Epoch, std::string> masters;
  for (const Note& note : bed.told) {
    if (note.what != "+switch-master") continue;
    const std::string now = note.rest.substr(note.rest.rfind(' '));
    RC_ASSERT(masters.try_emplace(note.config_epoch, now).first->second == now);
  }
}

RC_GTEST_PROP(Sentinel, WhenAllIsWellAgainAllAgreeOnOneMaster, ()) {
  Story story = any_story();
  story.watch.quorum = story.sentinels / 2 + 1;
  story.limits.delay_max = Duration(20);  // slower than down-after never comes to rest
  story.limits.lost_percent = 0;
  Bed bed(story.sentinels, story.replicas, story.watch, story.limits, story.seed);
  live_through(bed, story);
  bed.heal();
  for (std::size_t i = 0; i <= story.replicas; ++i) bed.start_server(i);
  for (std::size_t i = 0; i < story.sentinels; ++i) bed.restart_sentinel(i);
  bed.run_for(Duration(180'000));
  const Address& master = bed.sentinels[0].masters.at(Bed::name).instance.address;
  for (const Sentinel& sentinel : bed.sentinels)
    RC_ASSERT(sentinel.masters.at(Bed::name).instance.address == master);
  for (std::size_t i = 0; i <= story.replicas; ++i) {
    const bool is_master = Bed::server_address(i) == master;
    RC_ASSERT((bed.servers[i].facts.role == Role::master) == is_master);
    if (!is_master) RC_ASSERT(bed.servers[i].facts.follows == master);
  }
}

RC_GTEST_PROP(Sentinel, TimeThatPassesInTwoStepsIsTimeThatPassesInOne, ()) {
  Bed bed(2, 1, {2, Duration(2'000), Duration(3'000), 1}, {}, *rc::gen::arbitrary<std::uint64_t>());
  bed.run_for(Duration(5'000));
  if (*rc::gen::arbitrary<bool>()) bed.kill_server(0);
  bed.run_for(Duration(*rc::gen::inRange(0, 9'000)));
  const Settings settings{{{Bed::name, {2, Duration(2'000), Duration(3'000), 1}}}};
  Sentinel one = bed.sentinels[0], two = one;
  const Duration first(*rc::gen::inRange(0, 90'000)), second(*rc::gen::inRange(0, 90'000));
  step(one, Passed{first + second}, settings);
  step(two, Passed{first}, settings);
  step(two, Passed{second}, settings);
  RC_ASSERT(one == two);
}

}  // namespace
}  // namespace lockstep::redis::sentinel
