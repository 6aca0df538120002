// The failover, step by step; one step for each tick (sentinel.c, sentinelStartFailoverIfNeeded,
// sentinelFailoverStateMachine).
#include <algorithm>

#include "model/redis/sentinel/turn.h"
#include "sim/base/verify.h"

namespace lockstep::redis::sentinel {

namespace {

void enter(Master& master, Failover step) {
  master.failover = step;
  master.since_failover_step = no_time;
}

void abort_failover(Turn& turn, Master& master, std::string_view why) {
  tell(turn, why, described(master));
  enter(master, Failover::none);
  master.promoted.reset();
}

Replica& promoted(Master& master) {
  VERIFY(master.promoted && master.replicas.contains(*master.promoted));
  return master.replicas.at(*master.promoted);
}

void wait_for_votes(Turn& turn, Master& master) {
  if (leader_of(turn, master, master.failover_epoch) != turn.self.id) {
    const Duration patience = std::min(turn.settings.election_timeout, turn.watch(master).failover_timeout);
    if (older(master.since_start, patience)) abort_failover(turn, master, "-failover-abort-not-elected");
    return;
  }
  tell(turn, "+elected-leader", described(master));
  enter(master, Failover::select_replica);
  tell(turn, "+failover-state-select-slave", described(master));
}

void select(Turn& turn, Master& master) {
  const Replica* const replica = select_replica(turn, master);
  if (!replica) {
    abort_failover(turn, master, "-failover-abort-no-good-slave");
    return;
  }
  tell(turn, "+selected-slave", described(master, *replica));
  master.promoted = replica->instance.address;
  enter(master, Failover::send_no_one);
  tell(turn, "+failover-state-send-slaveof-noone", described(master, *replica));
}

void send_no_one(Turn& turn, Master& master) {
  const Replica& replica = promoted(master);
  if (!replica.instance.link.connected) {
    if (master.since_failover_step > turn.watch(master).failover_timeout)
      abort_failover(turn, master, "-failover-abort-slave-timeout");
    return;
  }
  turn.out.push_back(SendReplicaOf{target(master, replica.instance), std::nullopt});
  tell(turn, "+failover-state-wait-promotion", described(master, replica));
  enter(master, Failover::wait_promotion);
}

bool is_under_way(const Replica& replica) {
  return replica.reconfiguration == Reconfiguration::sent ||
         replica.reconfiguration == Reconfiguration::in_progress;
}

void send_new_master(Turn& turn, Master& master, Replica& replica, std::string_view event) {
  turn.out.push_back(SendReplicaOf{target(master, replica.instance), master.promoted});
  replica.reconfiguration = Reconfiguration::sent;
  replica.since_reconfiguration_sent = no_time;
  tell(turn, event, described(master, replica));
}

void detect_end(Turn& turn, Master& master) {
  if (promoted(master).instance.sdown) return;
  const bool timeout = master.since_failover_step > turn.watch(master).failover_timeout;
  const auto is_left = [&](const Replica& replica) {
    return replica.instance.address != *master.promoted && replica.reconfiguration != Reconfiguration::done;
  };
  std::size_t missing = 0;
  for (const auto& [address, replica] : master.replicas)
    missing += is_left(replica) && !replica.instance.sdown ? 1 : 0;
  if (timeout) tell(turn, "+failover-end-for-timeout", described(master));
  if (missing > 0 && !timeout) return;
  tell(turn, "+failover-end", described(master));
  enter(master, Failover::update_config);
  if (!timeout) return;
  for (auto& [address, replica] : master.replicas) {
    if (!is_left(replica) || replica.reconfiguration == Reconfiguration::sent) continue;
    if (replica.instance.link.connected) send_new_master(turn, master, replica, "+slave-reconf-sent-be");
  }
}

void reconfigure_next(Turn& turn, Master& master) {
  std::size_t under_way = 0;
  for (const auto& [address, replica] : master.replicas) under_way += is_under_way(replica) ? 1 : 0;
  for (auto& [address, replica] : master.replicas) {
    if (under_way >= turn.watch(master).parallel_syncs) break;
    if (address == *master.promoted || replica.reconfiguration == Reconfiguration::done) continue;
    if (replica.reconfiguration == Reconfiguration::sent &&
        older(replica.since_reconfiguration_sent, turn.settings.reconfiguration_timeout)) {
      tell(turn, "-slave-reconf-sent-timeout", described(master, replica));
      replica.reconfiguration = Reconfiguration::done;
    }
    if (is_under_way(replica) || replica.reconfiguration == Reconfiguration::done) continue;
    if (!replica.instance.link.connected) continue;
    send_new_master(turn, master, replica, "+slave-reconf-sent");
    ++under_way;
  }
  detect_end(turn, master);
}

/// Which of two replicas is the better one: lower priority, then more data, then the smaller run id.
bool better(const Replica& a, const Replica& b) {
  if (a.priority != b.priority) return a.priority < b.priority;
  if (a.offset != b.offset) return a.offset > b.offset;
  if (a.instance.run_id.empty() != b.instance.run_id.empty()) return b.instance.run_id.empty();
  return a.instance.run_id < b.instance.run_id;
}

}  // namespace

bool start_failover_if_needed(Turn& turn, Master& master) {
  if (!master.odown || master.failover != Failover::none) return false;
  if (master.since_start && *master.since_start < 2 * turn.watch(master).failover_timeout) return false;
  enter(master, Failover::wait_start);
  master.failover_epoch = ++turn.self.current_epoch;
  tell(turn, "+new-epoch", std::to_string(turn.self.current_epoch));
  tell(turn, "+try-failover", described(master));
  master.since_start = -turn.desync;
  return true;
}

void go_on_with_failover(Turn& turn, Master& master) {
  switch (master.failover) {
    case Failover::none: return;
    case Failover::wait_start: return wait_for_votes(turn, master);
    case Failover::select_replica: return select(turn, master);
    case Failover::send_no_one: return send_no_one(turn, master);
    case Failover::wait_promotion:
      if (master.since_failover_step > turn.watch(master).failover_timeout)
        abort_failover(turn, master, "-failover-abort-slave-timeout");
      return;
    case Failover::reconfigure: return reconfigure_next(turn, master);
    case Failover::update_config: return;  // the tick ends with the switch
  }
}

Replica* select_replica(const Turn& turn, Master& master) {
  const Settings& settings = turn.settings;
  const bool down = master.instance.sdown;
  const Duration link_down_max =
      10 * turn.watch(master).down_after + (down ? master.instance.since_sdown.value_or(no_time) : no_time);
  const Duration facts_age_max = down ? 5 * settings.ping_period : 3 * settings.info_period;
  Replica* best = nullptr;
  for (auto& [address, replica] : master.replicas) {
    const Instance& instance = replica.instance;
    if (instance.sdown || !instance.link.connected) continue;
    if (instance.link.since_available > 5 * settings.ping_period) continue;
    if (replica.priority == 0) continue;
    if (!instance.since_info || *instance.since_info > facts_age_max) continue;
    if (replica.link_down_for > link_down_max) continue;
    if (!best || better(replica, *best)) best = &replica;
  }
  return best;
}

}  // namespace lockstep::redis::sentinel
