#include "model/redis/cluster/bus.h"

#include <algorithm>

#include "model/redis/cluster/turn.h"
#include "sim/base/overloaded.h"

namespace lockstep::redis::cluster {

namespace {

/// No rule asks whether something is older than this.
Duration age_max(const Settings& settings) {
  const Duration vote = std::max(2 * settings.node_timeout, settings.vote_timeout_min);
  const Duration data = settings.replica_ping + (settings.validity_factor + 1) * settings.node_timeout;
  return std::max({2 * vote, data, settings.rejoin_max, settings.restart_wait}) + Duration(1'001);
}

void pass(Turn& turn, Duration passed) {
  const Duration limit = age_max(turn.settings);
  const auto age = [&](Duration& what) { what = std::min(what + passed, limit); };
  const auto age_if_any = [&](Age& what) {
    if (what) age(*what);
  };
  Bus& self = turn.self;
  for (auto& [name, member] : self.map.members) {
    age_if_any(member.since_ping);
    age_if_any(member.since_pong);
    age_if_any(member.since_failing);
    for (auto& [reporter, since] : member.reports) age(since);
    std::erase_if(member.reports,
                  [&](const auto& report) { return report.second > 2 * turn.settings.node_timeout; });
  }
  for (auto& [name, wire] : self.wires) {
    age(wire.since_connect);
    age_if_any(wire.since_heard);
  }
  for (auto& [name, since] : self.since_vote) age(since);
  age_if_any(self.election.since_due);
  age(self.since_boot);
  age_if_any(self.since_minority);
  age_if_any(self.since_master_heard);
}

void line_is_up(Turn& turn, const NodeName& peer) {
  Wire& wire = turn.self.wires[peer];
  if (wire.line != Line::connecting) return;  // given up meanwhile
  wire.line = Line::up;
  const Age before = turn.map().members.at(peer).since_ping;
  send_ping(turn, peer);
  if (before) turn.map().members.at(peer).since_ping = before;  // a new line is no excuse for old silence
}

void line_is_lost(Turn& turn, const NodeName& peer) {
  turn.self.wires[peer].line = Line::none;
  turn.map().members.at(peer).linked = false;
}

}  // namespace

Outputs step(Bus& bus, const Input& input, const Settings& settings) {
  Outputs out;
  Turn turn{bus, settings, out};
  std::visit(sim::overloaded{
                 [&](const Passed& passed) { pass(turn, passed.time); },
                 [&](const Cron& now) { cron(turn, now); },
                 [&](const Opened& opened) { line_is_up(turn, opened.peer); },
                 [&](const Lost& lost) { line_is_lost(turn, lost.peer); },
                 [&](const Heard& heard) { hear(turn, heard.message); },
                 [&](const Replicated& facts) {
                   turn.me().offset = facts.offset;
                   bus.master_link = facts.link_up;
                   bus.since_master_heard = facts.since_heard;
                 },
             },
             input);
  if (turn.state_is_due) update_state(turn);
  return out;
}

Bus restarted(const Bus& bus) {
  Bus fresh;
  fresh.map = bus.map;
  fresh.last_vote = bus.last_vote;
  fresh.map.ok = false;
  for (auto& [name, member] : fresh.map.members) {
    member.linked = false;
    member.reports.clear();
    member.offset = 0;
    if (member.since_ping) member.since_ping = Duration::zero();
    if (member.since_pong) member.since_pong = Duration::zero();
    if (member.health == Health::fail) member.since_failing = Duration::zero();
  }
  return fresh;
}

}  // namespace lockstep::redis::cluster
