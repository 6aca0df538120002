#include "model/redis/sentinel/sentinel.h"

#include <algorithm>

#include "model/redis/sentinel/turn.h"
#include "sim/base/overloaded.h"
#include "sim/base/verify.h"

namespace lockstep::redis::sentinel {

namespace {

/// No rule asks whether something is older than this.
Duration age_max(const Settings& settings) {
  Duration longest = std::max(settings.tilt_period, 3 * settings.info_period);
  for (const auto& [name, watch] : settings.masters) {
    longest = std::max(longest, 2 * watch.failover_timeout);
    longest = std::max(longest, watch.down_after + 2 * settings.info_period);
  }
  return longest + Duration(1);
}

struct Ageing {
  Duration passed, limit;

  void operator()(Duration& age) const { age = std::min(age + passed, limit); }
  void operator()(Age& age) const {
    if (age) age = std::min(*age + passed, limit);
  }
  void operator()(Instance& instance) const {
    Link& link = instance.link;
    for (Age* age : {&link.since_attempt, &link.since_unanswered, &link.since_ping, &instance.since_info})
      (*this)(*age);
    for (Duration* age : {&link.since_pong, &link.since_available, &instance.since_hello, &instance.since_role})
      (*this)(*age);
    if (instance.since_sdown) *instance.since_sdown += passed;
  }
  void operator()(Master& master) const {
    (*this)(master.instance);
    (*this)(master.since_odown);
    (*this)(master.since_start);
    (*this)(master.since_failover_step);
    for (auto& [address, replica] : master.replicas) {
      (*this)(replica.instance);
      (*this)(replica.since_follows);
      (*this)(replica.since_reconfiguration_sent);
    }
    for (auto& [id, peer] : master.peers) {
      (*this)(peer.instance);
      (*this)(peer.since_answer);
    }
  }
};

void pass(Turn& turn, Duration passed) {
  const Ageing ageing{passed, age_max(turn.settings)};
  ageing(turn.self.since_tick);
  ageing(turn.self.since_tilt);
  for (auto& [name, master] : turn.self.masters) ageing(master);
}

void judge_tilt(Turn& turn) {
  Sentinel& self = turn.self;
  if (self.since_tick < no_time || self.since_tick > turn.settings.tilt_trigger) {
    self.since_tilt = no_time;
    tell(turn, "+tilt", "#tilt mode entered");
  }
  self.since_tick = no_time;
}

/// Whether tilt forbids to judge; the first instance that is looked at after its end ends it.
bool tilted(Turn& turn) {
  if (!turn.tilt()) return false;
  if (*turn.self.since_tilt < turn.settings.tilt_period) return true;
  turn.self.since_tilt.reset();
  tell(turn, "-tilt", "#tilt mode exited");
  return false;
}

template <class Who>
void look_after(Turn& turn, const Master& master, Who& who, Duration info_period, bool to_sentinel) {
  keep_link(turn, master, who.instance);
  send_periodic(turn, master, who.instance, info_period, to_sentinel);
  if (tilted(turn)) return;
  if (judge_sdown(turn, master, who.instance, false))
    tell(turn, who.instance.sdown ? "+sdown" : "-sdown", described(master, who));
}

void look_after_master(Turn& turn, Master& master) {
  keep_link(turn, master, master.instance);
  send_periodic(turn, master, master.instance, turn.settings.info_period, false);
  if (tilted(turn)) return;
  if (judge_sdown(turn, master, master.instance, true))
    tell(turn, master.instance.sdown ? "+sdown" : "-sdown", described(master));
  judge_odown(turn, master);
  if (start_failover_if_needed(turn, master)) ask_others(turn, master, Asking::at_once);
  go_on_with_failover(turn, master);
  ask_others(turn, master, Asking::when_due);
}

void tick(Turn& turn) {
  judge_tilt(turn);
  Master* switching = nullptr;  // one for each tick, the last, as Redis has it
  for (auto& [name, master] : turn.self.masters) {
    look_after_master(turn, master);
    for (auto& [address, replica] : master.replicas) {
      const bool urgent =
          master.odown || master.failover != Failover::none || replica.link_down_for != no_time;
      look_after(turn, master, replica,
                 urgent ? turn.settings.fast_info_period : turn.settings.info_period, false);
    }
    for (auto& [id, peer] : master.peers) look_after(turn, master, peer, Duration::max(), true);
    if (master.failover == Failover::update_config) switching = &master;
  }
  if (!switching) return;
  const Address old = switching->instance.address, now = *switching->promoted;
  tell(turn, "+switch-master",
       switching->name + " " + old.ip + " " + std::to_string(old.port) + " " + now.ip + " " +
           std::to_string(now.port));
  switch_master(turn, *switching, now);
}

Master* find_master(Sentinel& self, const std::string& name) {
  const auto at = self.masters.find(name);
  return at == self.masters.end() ? nullptr : &at->second;
}

/// nullptr if it was forgotten while the message was under way.
Instance* find_instance(Sentinel& self, const Target& target) {
  Master* const master = find_master(self, target.master);
  if (!master) return nullptr;
  if (master->instance.address == target.address) return &master->instance;
  const auto at = master->replicas.find(target.address);
  if (at != master->replicas.end()) return &at->second.instance;
  for (auto& [id, peer] : master->peers) {
    if (peer.instance.address == target.address) return &peer.instance;
  }
  return nullptr;
}

void hear_pong(Turn& turn, const PingAnswer& answer) {
  Instance* const instance = find_instance(turn.self, answer.from);
  if (!instance) return;
  Link& link = instance->link;
  link.since_pong = no_time;
  if (answer.pong == Pong::pong || answer.pong == Pong::loading || answer.pong == Pong::master_down) {
    link.since_available = no_time;
    link.since_unanswered.reset();
  } else if (answer.pong == Pong::busy && instance->sdown && !instance->script_kill_sent) {
    instance->script_kill_sent = true;  // once for each time that it is down
    turn.out.push_back(SendScriptKill{answer.from});
  }
}

void answer(Turn& turn, const Asked& asked) {
  Answer answer{false, "*", 0};
  for (auto& [name, master] : turn.self.masters) {
    if (master.instance.address != asked.question.master) continue;
    answer.down = !turn.tilt() && master.instance.sdown;
    if (asked.question.candidate == "*") break;
    const RunId& leader = vote(turn, master, asked.question.epoch, asked.question.candidate);
    if (!leader.empty()) answer.leader = leader;
    answer.leader_epoch = master.leader_epoch;
    break;
  }
  turn.out.push_back(SendAnswer{asked.from, answer});
}

void hear_answer(Turn& turn, const Answered& heard) {
  Master* const master = find_master(turn.self, heard.master);
  if (!master || !master->peers.contains(heard.from)) return;  // forgotten meanwhile
  Peer& peer = master->peers.at(heard.from);
  peer.since_answer = no_time;
  peer.says_down = heard.answer.down;
  if (heard.answer.leader == "*") return;
  peer.leader = heard.answer.leader;
  peer.leader_epoch = heard.answer.leader_epoch;
}

}  // namespace

void tell(Turn& turn, std::string_view channel, const std::string& message) {
  turn.out.push_back(Event{std::string(channel), message});
}

std::string described(const Master& master) {
  const Address& address = master.instance.address;
  return "master " + master.name + " " + address.ip + " " + std::to_string(address.port);
}

namespace {
std::string behind(const Master& master, const Address& address) {
  const Address& of = master.instance.address;
  return " " + address.ip + " " + std::to_string(address.port) + " @ " + master.name + " " + of.ip + " " +
         std::to_string(of.port);
}
}  // namespace

std::string described(const Master& master, const Replica& replica) {
  const Address& address = replica.instance.address;
  return "slave " + address.ip + ":" + std::to_string(address.port) + behind(master, address);
}

std::string described(const Master& master, const Peer& peer) {
  return "sentinel " + peer.instance.run_id + behind(master, peer.instance.address);
}

void monitor(Sentinel& sentinel, const std::string& name, const Address& address) {
  Master& master = sentinel.masters[name];
  master.name = name;
  master.instance.address = address;
}

Sentinel restarted(const Sentinel& sentinel) {
  Sentinel fresh;
  fresh.id = sentinel.id;
  fresh.address = sentinel.address;
  fresh.current_epoch = sentinel.current_epoch;
  for (const auto& [name, before] : sentinel.masters) {
    const Address address = current_master(before);
    monitor(fresh, name, address);
    Master& master = fresh.masters.at(name);
    master.config_epoch = before.config_epoch;
    master.leader_epoch = before.leader_epoch;
    std::vector<Address> replicas;
    for (const auto& [other, replica] : before.replicas) replicas.push_back(other);
    if (address != before.instance.address) replicas.push_back(before.instance.address);
    for (const Address& other : replicas) {
      if (other == address) continue;
      master.replicas[other].instance.address = other;
      master.replicas[other].instance.role_reported = Role::replica;
    }
    for (const auto& [id, peer] : before.peers) {
      master.peers[id].instance.address = peer.instance.address;
      master.peers[id].instance.run_id = id;
    }
  }
  return fresh;
}

const Address& current_master(const Master& master) {
  const bool decided = master.failover == Failover::reconfigure || master.failover == Failover::update_config;
  return decided && master.promoted ? *master.promoted : master.instance.address;
}

Outputs step(Sentinel& sentinel, const Input& input, const Settings& settings) {
  Outputs out;
  Turn turn{sentinel, settings, out};
  std::visit(sim::overloaded{
                 [&](const Passed& passed) { pass(turn, passed.time); },
                 [&](const Tick& now) {
                   turn.desync = now.desync;
                   tick(turn);
                 },
                 [&](const Disconnected& lost) {
                   if (Instance* const instance = find_instance(sentinel, lost.from))
                     instance->link.connected = false;
                 },
                 [&](const PingAnswer& heard) { hear_pong(turn, heard); },
                 [&](const InfoAnswer& heard) {
                   if (Master* const master = find_master(sentinel, heard.from.master))
                     read_facts(turn, *master, heard);
                 },
                 [&](const HelloTaken& taken) {
                   if (Instance* const instance = find_instance(sentinel, taken.from))
                     instance->since_hello = no_time;
                 },
                 [&](const HelloHeard& heard) { hear_hello(turn, heard.hello); },
                 [&](const Asked& asked) {
                   turn.desync = asked.desync;
                   answer(turn, asked);
                 },
                 [&](const Answered& heard) { hear_answer(turn, heard); },
             },
             input);
  return out;
}

}  // namespace lockstep::redis::sentinel
