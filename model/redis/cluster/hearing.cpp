// Messages of other nodes (cluster.c, clusterProcessPacket, clusterProcessGossipSection,
// clusterHandleConfigEpochCollision).
#include <algorithm>

#include "model/redis/cluster/turn.h"
#include "sim/base/overloaded.h"

namespace lockstep::redis::cluster {

namespace {

void learn_epochs(Turn& turn, const Message& message) {
  Map& map = turn.map();
  Member& sender = map.members.at(message.sender);
  map.current_epoch = std::max(map.current_epoch, message.current_epoch);
  sender.config_epoch = std::max(sender.config_epoch, message.config_epoch);
  sender.offset = message.offset;
}

void learn_role(Turn& turn, const Message& message) {
  Map& map = turn.map();
  Member& sender = map.members.at(message.sender);
  if (message.kind == Kind::master) {
    if (is_master(sender)) return;
    become_master(sender);
    turn.state_is_due = true;
    return;
  }
  if (is_master(sender)) {
    sender.kind = Kind::replica;
    sender.slots = {};
    turn.state_is_due = true;
  }
  if (map.members.contains(message.master)) sender.master = message.master;
}

/// Tells the sender of the first owner known here whose claim is newer than its own.
void correct_claims(Turn& turn, const Message& message) {
  const Map& map = turn.map();
  const std::pair<Slot, NodeName> none{Slot{slots_total}, {}};
  auto newer = none;
  for (const auto& [name, member] : map.members) {
    if (name == message.sender || member.config_epoch <= message.config_epoch) continue;
    const SlotSet disputed = common(member.slots, message.slots);
    if (!disputed.empty()) newer = std::min(newer, {disputed.ranges.front().first, name});
  }
  if (newer == none) return;
  const Member& owner = map.members.at(newer.second);
  Message update = message_of(turn);
  update.body = Update{newer.second, owner.config_epoch, owner.slots};
  send(turn, message.sender, std::move(update));
}

void learn_slots(Turn& turn, const Message& message) {
  Map& map = turn.map();
  const NodeName owner = shard_of(map, message.sender);
  const Member* const known = find(map, owner);
  if (!known || known->slots == message.slots) return;
  if (owner == message.sender) settle_claims(turn, owner, message.config_epoch, message.slots);
  correct_claims(turn, message);
}

/// Two masters with one epoch: the one with the smaller name takes a new one.
void resolve_collision(Turn& turn, const Message& message) {
  Map& map = turn.map();
  Member& me = map.me();
  const bool both_masters = is_master(me) && is_master(map.members.at(message.sender));
  if (!both_masters || message.config_epoch != me.config_epoch || message.sender <= map.myself) return;
  me.config_epoch = ++map.current_epoch;
}

void learn_gossip(Turn& turn, const NodeName& sender, const Gossip& gossip) {
  Map& map = turn.map();
  const bool from_master = is_master(map.members.at(sender));
  for (const Rumour& rumour : gossip) {
    const auto at = map.members.find(rumour.about);
    if (at == map.members.end() || rumour.about == map.myself) continue;
    Member& member = at->second;
    if (rumour.health == Health::alive) {
      if (from_master) member.reports.erase(sender);
      const bool undisputed = member.health == Health::alive && !member.since_ping && member.reports.empty();
      if (undisputed && rumour.since_pong && (!member.since_pong || *rumour.since_pong < *member.since_pong))
        member.since_pong = rumour.since_pong;
    } else if (from_master) {
      member.reports[sender] = Duration::zero();
      mark_if_agreed(turn, rumour.about);
    }
  }
}

void hear_pong(Turn& turn, const NodeName& sender) {
  Member& member = turn.map().members.at(sender);
  member.since_pong = Duration::zero();
  member.since_ping.reset();
  if (member.health == Health::pfail) {
    member.health = Health::alive;
    turn.state_is_due = true;
  } else {
    clear_failing_if_due(turn, sender);
  }
}

void learn_heartbeat(Turn& turn, const Message& message, const Gossip& gossip) {
  learn_role(turn, message);
  learn_slots(turn, message);
  resolve_collision(turn, message);
  learn_gossip(turn, message.sender, gossip);
}

void hear_update(Turn& turn, const Update& update) {
  Map& map = turn.map();
  const auto at = map.members.find(update.node);
  if (at == map.members.end() || at->second.config_epoch >= update.config_epoch) return;
  if (!is_master(at->second)) become_master(at->second);
  at->second.config_epoch = update.config_epoch;
  settle_claims(turn, update.node, update.config_epoch, update.slots);
}

void hear_failing(Turn& turn, const NodeName& name) {
  const Member* const member = find(turn.map(), name);
  if (!member || name == turn.map().myself || member->health == Health::fail) return;
  set_failing(turn, name);
}

void hear_vote(Turn& turn, const Message& message) {
  const Member& sender = turn.map().members.at(message.sender);
  Election& election = turn.self.election;
  if (!is_voter(sender) || message.current_epoch < election.epoch) return;
  ++election.votes;
  stand_for_election(turn, std::nullopt);
}

void answer_ping(Turn& turn, const NodeName& sender) {
  Message message = message_of(turn);
  message.body = Pong{gossip_of(turn, sender)};
  turn.out.push_back(Send{sender, std::move(message)});  // through the sender's own connection
}

}  // namespace

void hear(Turn& turn, const Message& message) {
  if (!turn.map().members.contains(message.sender)) return;  // strangers are heard only after a MEET
  turn.self.wires[message.sender].since_heard = Duration::zero();
  learn_epochs(turn, message);
  std::visit(sim::overloaded{
                 [&](const Ping& ping) {
                   answer_ping(turn, message.sender);
                   learn_heartbeat(turn, message, ping.gossip);
                 },
                 [&](const Pong& pong) {
                   hear_pong(turn, message.sender);
                   learn_heartbeat(turn, message, pong.gossip);
                 },
                 [&](const Notice& notice) { learn_heartbeat(turn, message, notice.gossip); },
                 [&](const Failing& failing) { hear_failing(turn, failing.node); },
                 [&](const Update& update) { hear_update(turn, update); },
                 [&](const VoteRequest&) { vote_if_right(turn, message); },
                 [&](const Vote&) { hear_vote(turn, message); },
             },
             message.body);
}

}  // namespace lockstep::redis::cluster
