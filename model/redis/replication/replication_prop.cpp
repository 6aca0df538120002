// The replication law: a replica that has applied all effects shows a client what its master shows.
#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include "model/redis/testing/contents.h"
#include "model/redis/testing/random_commands.h"
#include "model/redis/testing/test_client.h"

namespace lockstep::redis {
namespace {

using testing::contents;
using testing::Dice;
using testing::TestClient;
using testing::visible;

void replica_shows_what_its_master_shows(Expiry expiry, std::int64_t skew_ms) {
  TestClient master(Role::master, expiry), replica(Role::replica, expiry);
  replica.wall_ms = master.wall_ms + skew_ms;
  Dice dice(*rc::gen::arbitrary<std::uint64_t>());
  for (int i = *rc::gen::inRange(1, 200); i > 0; --i) {
    if (dice.below(10) == 0) {
      const auto passed = static_cast<std::int64_t>(dice.below(200));
      replica.pass(passed);
      for (const Effects& removal : master.pass(passed)) replica.apply(removal, skew_ms);
    }
    const Command command = testing::random_replicated_command(dice);
    replica.apply(master.execute(command).effects, skew_ms);
  }
  if (skew_ms == 0) {
    RC_ASSERT(visible(master.node.db) == visible(replica.node.db));
    return;
  }
  // With a clock of its own a replica shows other remaining times, and drops nothing that its master still
  // has.
  const auto shown = visible(master.node.db);
  for (const auto& [key, entry] : shown) {
    const Entry* const copy = replica.node.db.find(key);
    RC_ASSERT(copy != nullptr);
    RC_ASSERT(contents(copy->value) == entry.value);
    RC_ASSERT(copy->remaining.has_value() == entry.remaining.has_value());
  }
}

RC_GTEST_PROP(Replication, AReplicaOfAnEagerMasterShowsWhatItShows, ()) {
  replica_shows_what_its_master_shows(Expiry::eager, 0);
}
RC_GTEST_PROP(Replication, AReplicaOfALazyMasterShowsWhatItShows, ()) {
  replica_shows_what_its_master_shows(Expiry::lazy, 0);
}
RC_GTEST_PROP(Replication, AReplicaWithAnotherClockHoldsTheSameValues, ()) {
  replica_shows_what_its_master_shows(Expiry::eager, *rc::gen::element<std::int64_t>(-400, 400));
}

RC_GTEST_PROP(Replication, ANodeWithoutReplicasDoesTheSameAndSaysNothing, ()) {
  TestClient one, two;
  Dice dice(*rc::gen::arbitrary<std::uint64_t>());
  for (int i = 0; i < 50; ++i) {
    const Command command = testing::random_replicated_command(dice);
    const Outcome told = one.execute(command);
    const Environment quiet{two.engine, two.wall_ms, nullptr, false};
    const Outcome untold = execute(two.node, ConnectionId{}, command, quiet);
    RC_ASSERT(untold.effects.empty());
    RC_ASSERT(untold.reply == told.reply);
    RC_ASSERT(untold.read_now == told.read_now);
  }
  RC_ASSERT(one.node == two.node);
}

RC_GTEST_PROP(Replication, WhatDoesNotReadTheClockDoesNotDependOnIt, ()) {
  TestClient one, two;
  two.wall_ms = one.wall_ms + 123'456'789;
  Dice dice(*rc::gen::arbitrary<std::uint64_t>());
  for (int i = 0; i < 50; ++i) {
    const Command command = testing::random_replicated_command(dice);
    const Node before = one.node;
    const Outcome first = one.execute(command), second = two.execute(command);
    RC_ASSERT(first.read_now == second.read_now);
    if (first.read_now) {
      one.node = two.node = before;  // both may differ from here on, so neither counts
      continue;
    }
    RC_ASSERT(first.reply == second.reply);
    RC_ASSERT(first.effects == second.effects);
    RC_ASSERT(one.node == two.node);
  }
}

}  // namespace
}  // namespace lockstep::redis
