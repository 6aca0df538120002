#include "tools/differential/real_cluster.h"

#include <unistd.h>

#include "model/redis/cluster/slots.h"
#include "tools/differential/real_map.h"

namespace lockstep::differential {

using namespace redis::cluster;

namespace {

constexpr int agreement_tries_max = 300;
constexpr unsigned agreement_pause_micros = 50'000;
constexpr std::size_t name_digits = 40;

std::string slot_number(std::string_view key) { return std::to_string(slot_of(key)); }

bool contains(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

/// The slots that the node has for its own, in the words of CLUSTER ADDSLOTS.
model::Command own_slots() {
  const Slot others = slot_of(slot_tags.others), coming = slot_of(slot_tags.coming),
             nobodys = slot_of(slot_tags.nobodys);
  model::Command words{"CLUSTER", "ADDSLOTS"};
  for (std::size_t slot = 0; slot < slots_total; ++slot)
    if (slot != others && slot != coming && slot != nobodys) words.push_back(std::to_string(slot));
  return words;
}

}  // namespace

RealClusterNode::RealClusterNode()
    : ports_(free_ports(2)),
      server_({.cluster_port = ports_[0]}),
      other_({"redis-server", "--port", std::to_string(ports_[1]), "--bind", "127.0.0.1", "--save", "",
              "--dir", folder_.path(), "--logfile", folder_ / "log", "--cluster-enabled", "yes",
              "--cluster-node-timeout", "1000000000000", "--cluster-require-full-coverage", "no"}) {
  problem_ = server_.problem();
  if (problem_.empty()) meet();
}

void RealClusterNode::meet() {
  for (int tries = 0; tries < agreement_tries_max && !contains(ask_other("PING"), "PONG"); ++tries)
    ::usleep(agreement_pause_micros);
  server_.ask({"CONFIG", "SET", "cluster-require-full-coverage", "no"});
  server_.ask(own_slots());
  ask_other("CLUSTER ADDSLOTS " + slot_number(slot_tags.others) + " " + slot_number(slot_tags.coming));
  ask_other("CLUSTER SET-CONFIG-EPOCH 2");
  server_.ask({"CLUSTER", "SET-CONFIG-EPOCH", "1"});
  server_.ask({"CLUSTER", "MEET", "127.0.0.1", std::to_string(ports_[1])});
  for (int tries = 0; tries < agreement_tries_max && !agrees(); ++tries) ::usleep(agreement_pause_micros);
  if (!agrees()) {
    problem_ = "two nodes of a cluster do not agree on their slots";
    return;
  }
  std::string other = ask_other("CLUSTER MYID");
  other.resize(name_digits);
  server_.ask({"CLUSTER", "SETSLOT", slot_number(slot_tags.leaving), "MIGRATING", other});
  server_.ask({"CLUSTER", "SETSLOT", slot_number(slot_tags.coming), "IMPORTING", other});
}

bool RealClusterNode::agrees() {
  const Map known = map();
  return known.ok && known.members.size() == 2 && owner_of(known, slot_of(slot_tags.others)) != nullptr &&
         contains(ask_other("CLUSTER INFO"), "cluster_state:ok");
}

Map RealClusterNode::map() {
  Map known = map_of(*server_.ask({"CLUSTER", "NODES"}).bulk(), "");
  known.ok = contains(*server_.ask({"CLUSTER", "INFO"}).bulk(), "cluster_state:ok");
  return known;
}

}  // namespace lockstep::differential
