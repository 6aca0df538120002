// What other Sentinels say of themselves and of the master (sentinel.c, sentinelProcessHelloMessage,
// sentinelResetMasterAndChangeAddress).
#include <algorithm>
#include <vector>

#include "model/redis/sentinel/turn.h"

namespace lockstep::redis::sentinel {

namespace {

std::string words(const Address& address) { return address.ip + " " + std::to_string(address.port); }

void forget_wrong_address(Turn& turn, Master& master, const Address& address) {
  for (auto& [id, peer] : master.peers) {
    if (peer.instance.address != address) continue;
    tell(turn, "+sentinel-invalid-addr", described(master, peer));
    if (peer.instance.link.connected) turn.out.push_back(Close{target(master, peer.instance)});
    peer.instance.link.connected = false;
    peer.instance.address.port = 0;
  }
}

Peer& peer_of(Turn& turn, Master& master, const Hello& hello) {
  const auto at = master.peers.find(hello.id);
  if (at != master.peers.end() && at->second.instance.address == hello.sender) return at->second;
  const bool moved = at != master.peers.end();
  if (moved) {
    if (at->second.instance.link.connected) turn.out.push_back(Close{target(master, at->second.instance)});
    master.peers.erase(at);
    tell(turn, "+sentinel-address-switch",
         described(master) + " ip " + hello.sender.ip + " port " + std::to_string(hello.sender.port) +
             " for " + hello.id);
  } else {
    forget_wrong_address(turn, master, hello.sender);
  }
  Peer& peer = master.peers[hello.id];
  peer.instance.address = hello.sender;
  peer.instance.run_id = hello.id;
  if (!moved) tell(turn, "+sentinel", described(master, peer));
  return peer;
}

}  // namespace

void hear_hello(Turn& turn, const Hello& hello) {
  Sentinel& self = turn.self;
  const auto at = self.masters.find(hello.master);
  if (hello.id == self.id || at == self.masters.end()) return;
  Master& master = at->second;
  const Peer& peer = peer_of(turn, master, hello);
  if (hello.current_epoch > self.current_epoch) {
    self.current_epoch = hello.current_epoch;
    tell(turn, "+new-epoch", std::to_string(hello.current_epoch));
  }
  if (hello.config_epoch <= master.config_epoch) return;
  master.config_epoch = hello.config_epoch;
  const Address old = master.instance.address;
  if (hello.master_address == old) return;
  tell(turn, "+config-update-from", described(master, peer));
  tell(turn, "+switch-master", master.name + " " + words(old) + " " + words(hello.master_address));
  switch_master(turn, master, hello.master_address);
}

void switch_master(Turn& turn, Master& master, const Address& address) {
  std::vector<Address> replicas;
  for (const auto& [other, replica] : master.replicas) {
    if (replica.instance.link.connected) turn.out.push_back(Close{target(master, replica.instance)});
    if (other != address) replicas.push_back(other);
  }
  const Address old = master.instance.address;
  if (old != address) replicas.push_back(old);
  if (master.instance.link.connected) turn.out.push_back(Close{target(master, master.instance)});

  Master fresh;
  fresh.name = master.name;
  fresh.config_epoch = master.config_epoch;
  fresh.leader_epoch = master.leader_epoch;
  fresh.failover_epoch = master.failover_epoch;
  fresh.peers = std::move(master.peers);
  fresh.instance.address = address;
  fresh.instance.since_hello = master.instance.since_hello;
  fresh.instance.since_info = master.instance.since_info;
  fresh.instance.since_sdown.reset();
  master = std::move(fresh);
  for (const Address& other : replicas) {
    Replica& replica = master.replicas[other];
    replica.instance.address = other;
    replica.instance.role_reported = Role::replica;
    tell(turn, "+slave", described(master, replica));
  }
}

}  // namespace lockstep::redis::sentinel
