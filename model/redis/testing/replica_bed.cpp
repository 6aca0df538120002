#include "model/redis/testing/replica_bed.h"

#include <algorithm>

namespace lockstep::redis::testing {

ConnectionId replica_connection(std::size_t node) {
  constexpr std::size_t beyond_clients = 1'000;
  return ConnectionId{static_cast<std::uint16_t>(beyond_clients + node)};
}

ReplicaBed::ReplicaBed(std::size_t nodes, Expiry expiry) {
  for (std::size_t i = 0; i < nodes; ++i) {
    clients_.emplace_back(Role::master, expiry);
    count_offsets(clients_.back().node, "node " + std::to_string(i));
  }
}

std::string ReplicaBed::replicate(std::size_t node, std::size_t from) {
  return clients_[node]("REPLICAOF 127.0.0.1 " + std::to_string(first_port + static_cast<int>(from)));
}

TestClient* ReplicaBed::master_of(std::size_t node) {
  const auto& link = replication(node).master;
  if (!link) return nullptr;
  const auto index = static_cast<std::size_t>(link->port - first_port);
  return index < clients_.size() ? &clients_[index] : nullptr;
}

bool ReplicaBed::linked(std::size_t node) const {
  const auto& link = replication(node).master;
  return link && link->state == MasterLink::State::connected;
}

/// Closed connections are found at both ends.
bool ReplicaBed::step(std::size_t node) {
  TestClient* const master = master_of(node);
  bool found = false;
  for (TestClient& other : clients_) {
    const auto& replicas = other.node.replication->replicas;
    const bool listed = std::any_of(replicas.begin(), replicas.end(), [&](const Replica& replica) {
      return replica.connection == replica_connection(node);
    });
    if (!listed) continue;
    if (&other == master && linked(node)) found = true;
    else detach(other.node, replica_connection(node));
  }
  if (!master) return false;
  if (!linked(node)) return reach(node, *master);
  const auto items = items_after(master->node, replication(node).offset);
  const bool missed = found && replication(node).offset < master->node.replication->offset &&
                      (items.empty() || items.front().begin() != replication(node).offset + 1);
  if (!found || missed) {
    detach(master->node, replica_connection(node));
    lose_master(clients_[node].node);
    return true;
  }
  if (items.empty()) return false;
  TestClient& replica = clients_[node];
  receive(replica.node, items.front(), Duration(0), Environment{replica.engine, replica.wall_ms});
  return true;
}

bool ReplicaBed::reach(std::size_t node, TestClient& master) {
  const Introduction who{"127.0.0.1", first_port + static_cast<std::int64_t>(node)};
  Node& replica = clients_[node].node;
  const auto answer = psync(master.node, replica_connection(node), who, psync_request(replica));
  if (!answer) return false;
  follow(replica, *answer, Duration(0));
  if (std::holds_alternative<FullResync>(*answer)) acknowledge(node);
  return true;
}

void ReplicaBed::settle() {
  for (bool moved = true; moved;) {
    moved = false;
    for (std::size_t i = 0; i < clients_.size(); ++i)
      while (step(i)) moved = true;
  }
  for (std::size_t i = 0; i < clients_.size(); ++i) acknowledge(i);
}

void ReplicaBed::acknowledge(std::size_t node) {
  TestClient* const master = master_of(node);
  if (master && linked(node))
    redis::acknowledge(master->node, replica_connection(node), replication(node).offset);
}

void ReplicaBed::cut_replicas_of(std::size_t master) {
  for (std::size_t i = 0; i < clients_.size(); ++i) detach(clients_[master].node, replica_connection(i));
}

void ReplicaBed::pass(std::int64_t milliseconds) {
  for (TestClient& client : clients_) client.pass(milliseconds);
}

}  // namespace lockstep::redis::testing
