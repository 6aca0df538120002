// The node's timer: connections, pings and suspicions (cluster.c, clusterCron).
#include <algorithm>

#include "model/redis/cluster/turn.h"

namespace lockstep::redis::cluster {

Message message_of(const Turn& turn) {
  const Map& map = turn.map();
  const Member& me = map.me();
  Message message;
  message.sender = map.myself;
  message.current_epoch = map.current_epoch;
  message.config_epoch = epoch_of(map, map.myself);
  message.kind = me.kind;
  message.master = me.master;
  const Member* const shard = find(map, shard_of(map, map.myself));
  if (shard) message.slots = shard->slots;
  message.offset = me.offset;
  return message;
}

Gossip gossip_of(const Turn& turn) {
  Gossip gossip;
  for (const auto& [name, member] : turn.map().members) {
    if (name == turn.map().myself) continue;
    gossip.push_back({name, member.health, member.since_pong});
  }
  return gossip;
}

void send(Turn& turn, const NodeName& to, Message message) {
  if (turn.self.wires[to].line != Line::none) turn.out.push_back(Send{to, std::move(message)});
}

void send_ping(Turn& turn, const NodeName& to) {
  Message message = message_of(turn);
  message.body = Ping{gossip_of(turn)};
  turn.map().members.at(to).since_ping = Duration::zero();
  send(turn, to, std::move(message));
}

void send_notice_to_all(Turn& turn) {
  for (const auto& [name, member] : turn.map().members) {
    if (name == turn.map().myself) continue;
    Message message = message_of(turn);
    message.body = Notice{gossip_of(turn)};
    send(turn, name, std::move(message));
  }
}

namespace {

void open_lines(Turn& turn) {
  for (auto& [name, member] : turn.map().members) {
    if (name == turn.map().myself) continue;
    Wire& wire = turn.self.wires[name];
    if (wire.line != Line::none) continue;
    wire.line = Line::connecting;
    wire.since_connect = Duration::zero();
    member.linked = true;
    turn.out.push_back(Open{name});
  }
}

bool older(const Age& age, Duration limit) { return !age || *age > limit; }

/// Half of the time allowed is used up on a line as old as all of it: perhaps the line is the trouble.
void renew_silent_line(Turn& turn, const NodeName& name, Member& member) {
  Wire& wire = turn.self.wires[name];
  const Duration half = turn.settings.node_timeout / 2;
  if (wire.line == Line::none || wire.since_connect <= turn.settings.node_timeout) return;
  if (!member.since_ping || *member.since_ping <= half || !older(wire.since_heard, half)) return;
  wire.line = Line::none;
  member.linked = false;
  turn.out.push_back(Close{name});
}

void watch(Turn& turn, const NodeName& name, Member& member) {
  const Duration timeout = turn.settings.node_timeout;
  renew_silent_line(turn, name, member);
  const Wire& wire = turn.self.wires[name];
  if (wire.line != Line::none && !member.since_ping && older(member.since_pong, timeout / 2)) {
    send_ping(turn, name);
    return;
  }
  if (!member.since_ping || member.health != Health::alive) return;
  if (*member.since_ping <= timeout || !older(wire.since_heard, timeout)) return;
  member.health = Health::pfail;
  turn.state_is_due = true;
}

}  // namespace

void cron(Turn& turn, const Cron& now) {
  Map& map = turn.map();
  open_lines(turn);
  if (now.ping && *now.ping != map.myself) {
    const Member* const drawn = find(map, *now.ping);
    if (drawn && !drawn->since_ping && turn.self.wires[*now.ping].line != Line::none)
      send_ping(turn, *now.ping);
  }
  for (auto& [name, member] : map.members) {
    if (name != map.myself) watch(turn, name, member);
  }
  if (!is_master(map.me())) stand_for_election(turn, now.jitter);
  if (!map.ok) turn.state_is_due = true;
}

}  // namespace lockstep::redis::cluster
