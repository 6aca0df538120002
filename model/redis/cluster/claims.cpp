// Who is master, who replica, and whose the slots are: the higher epoch wins (cluster.c,
// clusterUpdateSlotsConfigWith, clusterSetMaster, clusterSetNodeAsMaster).
#include "model/redis/cluster/turn.h"

namespace lockstep::redis::cluster {

void become_master(Member& member) {
  member.kind = Kind::master;
  member.master.clear();
}

void follow(Turn& turn, const NodeName& master) {
  Map& map = turn.map();
  Member& me = map.me();
  if (is_master(me)) {
    map.migrating.clear();
    map.importing.clear();
  }
  me.kind = Kind::replica;
  me.master = master;
  me.slots = {};
  turn.self.master_link = false;
  turn.self.since_master_heard = Duration::zero();
  turn.self.election = {};
  turn.state_is_due = true;
  turn.out.push_back(Demoted{master});
}

void settle_claims(Turn& turn, const NodeName& owner, Epoch epoch, const SlotSet& claimed) {
  Map& map = turn.map();
  if (owner == map.myself) return;
  SlotSet open = claimed;
  for (const auto& [slot, from] : map.importing) open.erase({slot, slot});  // those move by hand only
  const NodeName current = shard_of(map, map.myself);
  SlotSet taken = open, lost_by_us, lost_by_me;
  for (const auto& [name, member] : map.members) {
    if (name == owner) continue;
    const SlotSet disputed = common(member.slots, open);
    if (member.config_epoch >= epoch) {
      taken = without(taken, disputed);
      continue;
    }
    if (name == map.myself) lost_by_me = disputed;
    if (name == current) lost_by_us = disputed;
  }
  taken = without(taken, map.members.at(owner).slots);
  if (taken.empty()) return;
  assign(map, owner, taken);
  turn.state_is_due = true;
  const bool all_lost = !lost_by_us.empty() && map.members.at(current).slots.empty();
  if (all_lost && (turn.settings.replica_migration || claimed == lost_by_us)) follow(turn, owner);
  else if (!lost_by_me.empty()) turn.out.push_back(DropKeys{lost_by_me});
}

}  // namespace lockstep::redis::cluster
