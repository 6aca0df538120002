// What INFO changes (sentinel.c, sentinelRefreshInstanceInfo).
#include <algorithm>

#include "model/redis/sentinel/turn.h"

namespace lockstep::redis::sentinel {

namespace {

std::string_view name_of(Role role) { return role == Role::master ? "master" : "slave"; }

void note_run_id(Turn& turn, Instance& instance, const Facts& facts, const std::string& who) {
  if (facts.run_id.empty() || facts.run_id == instance.run_id) return;
  if (!instance.run_id.empty()) tell(turn, "+reboot", who);
  instance.run_id = facts.run_id;
}

/// Returns whether the role changed.
bool note_role(Turn& turn, Instance& instance, const Facts& facts, Role expected, const std::string& who) {
  if (facts.role == instance.role_reported) return false;
  instance.role_reported = facts.role;
  instance.since_role = no_time;
  tell(turn, facts.role == expected ? "+role-change" : "-role-change",
       who + " new reported role is " + std::string(name_of(facts.role)));
  return true;
}

void read_master(Turn& turn, Master& master, const Facts& facts) {
  note_run_id(turn, master.instance, facts, described(master));
  for (const Address& address : facts.replicas) {
    if (master.replicas.contains(address)) continue;
    Replica& replica = master.replicas[address];
    replica.instance.address = address;
    replica.instance.role_reported = Role::replica;
    tell(turn, "+slave", described(master, replica));
  }
  master.instance.since_info = no_time;
  note_role(turn, master.instance, facts, Role::master, described(master));
  // A master that says it is a replica is not acted upon here: in the end it counts as down (down.cpp).
}

/// Whether the master is one that others may be sent to.
bool looks_sane(const Turn& turn, const Master& master) {
  const Instance& instance = master.instance;
  return instance.role_reported == Role::master && !instance.sdown && !master.odown && instance.since_info &&
         *instance.since_info < 2 * turn.settings.info_period;
}

bool not_down_for(const Replica& replica, Duration time) {
  return !replica.instance.since_sdown || *replica.instance.since_sdown > time;
}

void send_hellos_now(Turn& turn, Master& master) {
  const auto due = [&](Instance& instance) {
    instance.since_hello = std::max(instance.since_hello, turn.settings.hello_period + Duration(1));
  };
  due(master.instance);
  for (auto& [id, peer] : master.peers) due(peer.instance);
  for (auto& [address, replica] : master.replicas) due(replica.instance);
}

/// A replica says that it is a master: either we made it one, or it is an old master that came back.
void replica_is_master(Turn& turn, Master& master, Replica& replica) {
  const bool is_promoted = master.promoted == replica.instance.address;
  if (is_promoted && master.failover == Failover::wait_promotion) {
    master.config_epoch = master.failover_epoch;
    master.failover = Failover::reconfigure;
    master.since_failover_step = no_time;
    tell(turn, "+promoted-slave", described(master, replica));
    tell(turn, "+failover-state-reconf-slaves", described(master));
    send_hellos_now(turn, master);
    return;
  }
  const Duration wait = 4 * turn.settings.hello_period;  // for news from the one who made it a master
  if (is_promoted || !looks_sane(turn, master) || !not_down_for(replica, wait)) return;
  if (replica.instance.since_role <= wait) return;
  turn.out.push_back(SendReplicaOf{target(master, replica.instance), master.instance.address});
  tell(turn, "+convert-to-slave", described(master, replica));
}

/// A replica that follows another master than ours, for long enough, is sent to ours.
void correct_master(Turn& turn, Master& master, Replica& replica) {
  if (!replica.follows || *replica.follows == master.instance.address) return;
  const Duration wait = turn.watch(master).failover_timeout;
  if (!looks_sane(turn, master) || !not_down_for(replica, wait) || replica.since_follows <= wait) return;
  turn.out.push_back(SendReplicaOf{target(master, replica.instance), master.instance.address});
  tell(turn, "+fix-slave-config", described(master, replica));
}

void note_reconfiguration(Turn& turn, const Master& master, Replica& replica) {
  if (replica.reconfiguration == Reconfiguration::sent && master.promoted &&
      replica.follows == master.promoted) {
    replica.reconfiguration = Reconfiguration::in_progress;
    tell(turn, "+slave-reconf-inprog", described(master, replica));
  }
  if (replica.reconfiguration == Reconfiguration::in_progress && replica.link_up) {
    replica.reconfiguration = Reconfiguration::done;
    tell(turn, "+slave-reconf-done", described(master, replica));
  }
}

void read_replica(Turn& turn, Master& master, Replica& replica, const Facts& facts) {
  note_run_id(turn, replica.instance, facts, described(master, replica));
  replica.link_down_for = facts.link_down_for;
  if (facts.role == Role::replica) {
    if (facts.follows != replica.follows) replica.since_follows = no_time;
    replica.follows = facts.follows;
    replica.link_up = facts.link_up;
    replica.priority = facts.priority;
    replica.offset = facts.offset;
  }
  replica.instance.since_info = no_time;
  const bool changed =
      note_role(turn, replica.instance, facts, Role::replica, described(master, replica));
  if (changed && facts.role == Role::replica) replica.since_follows = no_time;
  if (turn.tilt()) return;
  if (facts.role == Role::master) {
    replica_is_master(turn, master, replica);
    return;
  }
  correct_master(turn, master, replica);
  note_reconfiguration(turn, master, replica);
}

}  // namespace

void read_facts(Turn& turn, Master& master, const InfoAnswer& answer) {
  if (answer.from.address == master.instance.address) {
    read_master(turn, master, answer.facts);
    return;
  }
  const auto at = master.replicas.find(answer.from.address);
  if (at == master.replicas.end()) return;  // it was forgotten while the answer was under way
  read_replica(turn, master, at->second, answer.facts);
}

}  // namespace lockstep::redis::sentinel
