// replica_bed.h: nodes that replicate from each other, for tests: it reads where REPLICAOF points, lets nodes
// ask, answer, receive and acknowledge, and cuts links.
//
// A node is reached at its port. A replica that is behind the backlog loses its link, where Redis would keep
// what it has not sent yet. All clocks agree. Nothing moves but in `step` and `settle`.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "model/redis/replication/resync.h"
#include "model/redis/testing/test_client.h"

namespace lockstep::redis::testing {

class ReplicaBed {
 public:
  static constexpr std::int64_t first_port = 7000;

  /// So many masters that have nothing, at first_port and the ports behind it.
  explicit ReplicaBed(std::size_t nodes, Expiry expiry = Expiry::eager);

  TestClient& operator[](std::size_t i) { return clients_[i]; }
  std::size_t size() const { return clients_.size(); }
  const Replication& replication(std::size_t i) const { return *clients_[i].node.replication; }

  /// The node replicates from the other, once it has reached it.
  std::string replicate(std::size_t node, std::size_t from);

  /// One thing that can happen to the link of the node: it is reached, or brings an item, or is found lost.
  /// Returns false if nothing can.
  bool step(std::size_t node);
  /// Everything that can happen to all links; replicas then acknowledge what they have.
  void settle();
  /// The replica tells its master where it is.
  void acknowledge(std::size_t node);

  /// All that replicate from the node lose the link, and what is under way on it.
  void cut_replicas_of(std::size_t master);

  void pass(std::int64_t milliseconds);

 private:
  bool linked(std::size_t node) const;
  TestClient* master_of(std::size_t node);
  bool reach(std::size_t node, TestClient& master);

  std::deque<TestClient> clients_;
};

/// The connection behind which the node is at its master.
ConnectionId replica_connection(std::size_t node);

}  // namespace lockstep::redis::testing
