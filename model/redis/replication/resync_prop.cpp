// Nodes under random writes, cut links, promotions and returns.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include "model/redis/testing/contents.h"
#include "model/redis/testing/random_commands.h"
#include "model/redis/testing/replica_bed.h"

namespace lockstep::redis {
namespace {

using testing::Dice;
using testing::ReplicaBed;

constexpr std::size_t nodes = 3;

/// One random thing; writes go wherever a client may send them.
void disturb(ReplicaBed& bed, Dice& dice) {
  const std::size_t node = dice.below(nodes), other = dice.below(nodes);
  switch (dice.below(12)) {
    case 0:
      bed.cut_replicas_of(node);
      break;
    case 1:
      bed[node]("REPLICAOF NO ONE");
      break;
    case 2:
      if (node != other) bed.replicate(node, other);
      break;
    case 3:
      bed.pass(static_cast<std::int64_t>(dice.below(2'000)));
      break;
    case 4:
    case 5:
      bed.step(node);
      break;
    case 6:
      bed.acknowledge(node);
      break;
    default:
      const auto command = testing::random_replicated_command(dice);
      bed[node].execute(command, ConnectionId{static_cast<std::uint16_t>(dice.below(3))});
  }
}

/// In the end the first is the master of all.
void rejoin(ReplicaBed& bed) {
  bed[0]("REPLICAOF NO ONE");
  for (std::size_t i = 1; i < nodes; ++i) bed.replicate(i, 0);
  bed.settle();
  bed.pass(0);  // how long ago a key died is forgotten everywhere
  bed.settle();
}

bool same_data(const Node& a, const Node& b) {
  for (std::uint8_t number = 0; number < databases_max; ++number) {
    const Keyspace* const one = find_database(a, number);
    const Keyspace* const other = find_database(b, number);
    if (testing::contents(one ? *one : Keyspace{}) != testing::contents(other ? *other : Keyspace{}))
      return false;
  }
  return true;
}

RC_GTEST_PROP(Resync, AReplicaThatRejoinsEndsWithItsMastersDataOffsetAndId, ()) {
  Dice dice(*rc::gen::arbitrary<std::uint64_t>());
  ReplicaBed bed(nodes, dice.below(2) == 0 ? Expiry::eager : Expiry::lazy);
  for (int i = 0; i < 150; ++i) disturb(bed, dice);
  rejoin(bed);
  for (std::size_t i = 1; i < nodes; ++i) {
    RC_ASSERT(same_data(bed[0].node, bed[i].node));
    RC_ASSERT(bed.replication(i).offset == bed.replication(0).offset);
    RC_ASSERT(bed.replication(i).id == bed.replication(0).id);
    RC_ASSERT(acknowledged(bed[0].node, bed.replication(0).offset) == static_cast<std::int64_t>(nodes) - 1);
  }
}

RC_GTEST_PROP(Resync, APartialResynchronisationEndsInTheSameDataAsAFullOne, ()) {
  Dice dice(*rc::gen::arbitrary<std::uint64_t>());
  ReplicaBed bed(nodes);
  for (std::size_t i = 1; i < nodes; ++i) bed.replicate(i, 0);
  bed.settle();
  for (int i = 0; i < 40; ++i) bed[0].execute(testing::random_replicated_command(dice));
  bed.step(1);
  bed.cut_replicas_of(0);
  for (int i = 0; i < 40; ++i) bed[0].execute(testing::random_replicated_command(dice));
  const SyncCounts before = bed.replication(0).syncs;
  bed[2].node.replication.write().id = "of another stream";  // this one cannot go on
  bed.settle();
  bed.pass(0);  // how long ago a key died is forgotten everywhere
  bed.settle();
  RC_ASSERT(bed.replication(0).syncs.partial_ok == before.partial_ok + 1);
  RC_ASSERT(bed.replication(0).syncs.full == before.full + 1);
  RC_ASSERT(same_data(bed[1].node, bed[2].node));
  RC_ASSERT(same_data(bed[0].node, bed[2].node));
}

RC_GTEST_PROP(Resync, WaitNeverCountsAReplicaThatHasNotGotTheOffset, ()) {
  Dice dice(*rc::gen::arbitrary<std::uint64_t>());
  ReplicaBed bed(nodes);
  for (std::size_t i = 1; i < nodes; ++i) bed.replicate(i, 0);
  for (int i = 0; i < 150; ++i) {
    const std::size_t replica = 1 + dice.below(nodes - 1);
    const std::size_t what = dice.below(8);
    if (what == 0) bed.cut_replicas_of(0);
    else if (what < 3) bed.step(replica);
    else if (what == 3) bed.acknowledge(replica);
    else bed[0].execute(testing::random_replicated_command(dice));
    const auto offset = static_cast<std::int64_t>(
        dice.below(static_cast<std::size_t>(bed.replication(0).offset) + 1));
    std::int64_t have = 0;
    for (std::size_t r = 1; r < nodes; ++r) have += bed.replication(r).offset >= offset ? 1 : 0;
    RC_ASSERT(acknowledged(bed[0].node, offset) <= have);
  }
}

RC_GTEST_PROP(Resync, TheBacklogNeverHoldsLessThanItsSizeOnceItIsFull, ()) {
  Dice dice(*rc::gen::arbitrary<std::uint64_t>());
  Backlog backlog;
  backlog.bytes_max = 20'000 + static_cast<std::int64_t>(dice.below(100'000));
  begin(backlog, 0);
  std::int64_t written = 0;
  for (int i = 0; i < 100; ++i) {
    const auto piece = static_cast<std::int64_t>(1 + dice.below(30'000));
    feed(backlog, piece);
    written += piece;
    RC_ASSERT(backlog.first + backlog.bytes() - 1 == written);
    RC_ASSERT(backlog.bytes() >= std::min(written, backlog.bytes_max));
  }
}

}  // namespace
}  // namespace lockstep::redis
