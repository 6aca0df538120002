// Who has failed, and whether the cluster serves (cluster.c, markNodeAsFailingIfNeeded,
// clearNodeFailureIfNeeded, clusterUpdateState).
#include <algorithm>

#include "model/redis/cluster/turn.h"

namespace lockstep::redis::cluster {

void set_failing(Turn& turn, const NodeName& name) {
  Member& member = turn.map().members.at(name);
  member.health = Health::fail;
  member.since_failing = Duration::zero();
  turn.state_is_due = true;
  turn.out.push_back(MarkedFailing{name});
}

void mark_if_agreed(Turn& turn, const NodeName& name) {
  Map& map = turn.map();
  const Member& member = map.members.at(name);
  if (member.health != Health::pfail) return;
  const std::size_t agree = member.reports.size() + (is_master(map.me()) ? 1 : 0);
  if (agree < majority(map)) return;
  set_failing(turn, name);
  for (const auto& [other, ignored] : map.members) {
    if (other == map.myself) continue;
    Message message = message_of(turn);
    message.body = Failing{name};
    send(turn, other, std::move(message));
  }
}

/// A master that still has slots is taken back only after its replicas had their chance.
void clear_failing_if_due(Turn& turn, const NodeName& name) {
  Member& member = turn.map().members.at(name);
  if (member.health != Health::fail) return;
  const bool chance_is_over =
      member.since_failing && *member.since_failing > 2 * turn.settings.node_timeout;
  if (is_voter(member) && !chance_is_over) return;
  member.health = Health::alive;
  member.since_failing.reset();
  turn.state_is_due = true;
  turn.out.push_back(ClearedFailing{name});
}

namespace {

bool all_slots_are_served(const Map& map) {
  std::size_t served = 0;
  for (const auto& [name, member] : map.members) {
    if (member.health != Health::fail) served += member.slots.size();
  }
  return served == slots_total;
}

std::size_t reachable_voters(const Map& map) {
  std::size_t count = 0;
  for (const auto& [name, member] : map.members)
    count += is_voter(member) && member.health == Health::alive ? 1 : 0;
  return count;
}

}  // namespace

void update_state(Turn& turn) {
  Bus& self = turn.self;
  const Settings& settings = turn.settings;
  const bool master = is_master(turn.me());
  if (master && !self.map.ok && self.since_boot < settings.restart_wait) return;
  bool ok = !settings.full_coverage || all_slots_are_served(self.map);
  if (reachable_voters(self.map) < majority(self.map)) {
    ok = false;
    self.since_minority = Duration::zero();
  }
  if (ok == self.map.ok) return;
  const Duration rejoin = std::clamp(settings.node_timeout, settings.rejoin_min, settings.rejoin_max);
  if (ok && master && self.since_minority && *self.since_minority < rejoin) return;
  self.map.ok = ok;
  turn.out.push_back(StateChanged{ok});
}

}  // namespace lockstep::redis::cluster
