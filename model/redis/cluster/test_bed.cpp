#include "model/redis/cluster/test_bed.h"

#include <algorithm>

#include "sim/base/overloaded.h"

namespace lockstep::redis::cluster::testing {

namespace {
constexpr std::uint16_t first_port = 7'000;
constexpr Duration cron_period{100};
constexpr unsigned rounds_a_second = 10;
}  // namespace

NodeName Bed::name(std::size_t node) {
  return NodeName(1, static_cast<char>('a' + node)) + NodeName(39, '0');
}
std::size_t Bed::number(const NodeName& name) { return static_cast<std::size_t>(name[0] - 'a'); }

Settings two_seconds() {
  Settings settings;
  settings.node_timeout = Duration(2'000);
  return settings;
}

Bed::Bed(std::size_t masters, std::size_t replicas_each, const Settings& settings, Limits limits,
         std::uint64_t seed)
    : settings_(settings), limits_(limits), random_(seed) {
  Map map;
  const std::size_t total = masters * (1 + replicas_each);
  for (std::size_t i = 0; i < total; ++i) {
    Member& member = map.members[name(i)];
    const auto port = static_cast<std::uint16_t>(first_port + i);
    member.address = {"127.0.0.1", port, static_cast<std::uint16_t>(port + 10'000)};
    member.linked = false;
    member.since_pong = Duration::zero();
    if (i >= masters) {
      member.kind = Kind::replica;
      member.master = name(i % masters);
      continue;
    }
    member.config_epoch = i + 1;
    member.slots = slots_between(static_cast<Slot>(slots_total * i / masters),
                                 static_cast<Slot>(slots_total * (i + 1) / masters - 1));
  }
  map.current_epoch = masters;
  for (std::size_t i = 0; i < total; ++i) {
    Bus bus;
    bus.map = map;
    bus.map.myself = name(i);
    bus.map.me().linked = true;
    nodes.push_back(bus);
    seen_.push_back(Duration::zero());
    alive_.push_back(true);
    lives_.push_back(0);
    offsets_.push_back(1'000);
    const auto begin = Duration(static_cast<std::int64_t>(1 + random_.below(100)));
    at(begin, [this, i] { tick(i, 0); });
  }
}

Duration Bed::delay() {
  const auto width = static_cast<std::uint64_t>((limits_.delay_max - limits_.delay_min).count());
  return limits_.delay_min + Duration(static_cast<std::int64_t>(random_.below(width + 1)));
}

void Bed::run_for(Duration time) {
  const Duration end = now_ + time;
  while (!queue_.empty() && queue_.begin()->first.first <= end) {
    const auto next = queue_.extract(queue_.begin());
    now_ = next.key().first;
    next.mapped()();
  }
  now_ = end;
}

void Bed::tick(std::size_t node, unsigned round) {
  if (alive_[node]) {
    Cron cron;
    if (round % rounds_a_second == 0) {
      replicate(node);
      cron.ping = drawn_ping(node);
    }
    cron.jitter = Duration(static_cast<std::int64_t>(random_.below(500)));
    give(node, cron);
  }
  at(now_ + cron_period, [this, node, round] { tick(node, round + 1); });
}

/// Of five that are drawn, the one that was silent longest, if it is not being pinged already.
std::optional<NodeName> Bed::drawn_ping(std::size_t node) {
  const Bus& self = nodes[node];
  std::optional<NodeName> oldest;
  Duration silence{-1};
  for (int i = 0; i < 5; ++i) {
    const NodeName other = name(random_.below(nodes.size()));
    const Member& member = self.map.members.at(other);
    const auto wire = self.wires.find(other);
    if (other == self.map.myself || member.since_ping) continue;
    if (wire == self.wires.end() || wire->second.line == Line::none) continue;
    if (member.since_pong.value_or(sim::never) <= silence) continue;
    silence = member.since_pong.value_or(sim::never);
    oldest = other;
  }
  return oldest;
}

/// A replica whose master is there hears from it.
void Bed::replicate(std::size_t node) {
  const Member& me = nodes[node].map.me();
  Replicated facts{offsets_[node], false, nodes[node].since_master_heard};
  if (me.kind == Kind::replica && !me.master.empty()) {
    const std::size_t master = number(me.master);
    facts.link_up = alive_[master] && reaches(node, master);
    if (facts.link_up) facts.since_heard = Duration::zero();
  }
  give(node, facts);
}

void Bed::give(std::size_t node, const Input& input) {
  if (now_ > seen_[node]) step(nodes[node], Passed{now_ - seen_[node]}, settings_);
  seen_[node] = now_;
  for (const Output& output : step(nodes[node], input, settings_)) carry_out(node, output);
}

void Bed::carry_out(std::size_t node, const Output& output) {
  const auto* const out = std::get_if<Open>(&output);
  const auto* const sent = std::get_if<Send>(&output);
  if (out) open(node, number(out->peer));
  else if (sent) deliver(node, number(sent->to), sent->message);
  else events.push_back({now_, node, output});
}

void Bed::open(std::size_t from, std::size_t to) {
  if (!reaches(from, to)) return;
  at(now_ + delay(), [=, this] {
    if (!alive_[from] || !reaches(from, to)) return;
    if (alive_[to]) give(from, Opened{name(to)});
    else give(from, Lost{name(to)});
  });
}

void Bed::deliver(std::size_t from, std::size_t to, const Message& message) {
  if (limits_.lost_percent > 0 && random_.below(100) < limits_.lost_percent) return;
  Duration& last = last_[{from, to}];
  last = std::max(last, now_ + delay());
  const unsigned life = lives_[to];
  at(last, [=, this] {
    if (alive_[to] && lives_[to] == life && reaches(from, to)) give(to, Heard{message});
  });
}

void Bed::kill(std::size_t node) {
  if (!alive_[node]) return;
  alive_[node] = false;
  ++lives_[node];
  for (std::size_t other = 0; other < nodes.size(); ++other) {
    if (other == node || !reaches(node, other)) continue;
    at(now_ + delay(), [=, this] {
      if (alive_[other]) give(other, Lost{name(node)});
    });
  }
}

void Bed::restart(std::size_t node) {
  if (alive_[node]) kill(node);
  nodes[node] = restarted(nodes[node]);
  seen_[node] = now_;
  alive_[node] = true;
}

void Bed::isolate(std::size_t node) {
  for (std::size_t other = 0; other < nodes.size(); ++other)
    if (other != node) cut(node, other);
}

bool Bed::takes_writes(std::size_t node, Slot slot) const {
  const Map& map = nodes[node].map;
  return alive_[node] && map.ok && map.me().kind == Kind::master && map.me().slots.contains(slot);
}

}  // namespace lockstep::redis::cluster::testing
