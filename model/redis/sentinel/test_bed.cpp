#include "model/redis/sentinel/test_bed.h"

#include "sim/base/overloaded.h"

namespace lockstep::redis::sentinel::testing {

namespace {
constexpr std::uint16_t first_server_port = 6'380, first_sentinel_port = 26'380;

std::string id_of(char kind, std::size_t number) { return std::string(39, kind) + std::to_string(number); }
}  // namespace

Address Bed::server_address(std::size_t server) {
  return {"127.0.0.1", static_cast<std::uint16_t>(first_server_port + server)};
}
Address Bed::sentinel_address(std::size_t sentinel) {
  return {"127.0.0.1", static_cast<std::uint16_t>(first_sentinel_port + sentinel)};
}

Bed::Bed(std::size_t sentinel_count, std::size_t replicas, const Watch& watch, Limits limits,
         std::uint64_t seed)
    : limits_(limits), random_(seed) {
  settings_.masters[name] = watch;
  for (std::size_t i = 0; i <= replicas; ++i) {
    Server server;
    server.facts.run_id = id_of('a', i);
    server.facts.offset = 100;
    server.facts.link_up = i > 0;
    if (i > 0) {
      server.facts.role = Role::replica;
      server.facts.follows = server_address(0);
    }
    servers.push_back(server);
  }
  for (std::size_t i = 0; i < sentinel_count; ++i) {
    Sentinel sentinel;
    sentinel.id = id_of('f', i);
    sentinel.address = sentinel_address(i);
    monitor(sentinel, name, server_address(0));
    sentinels.push_back(sentinel);
    seen_.push_back(Duration::zero());
    at(drawn(Duration(1), limits_.tick_max), [this, i] { tick(i); });
  }
}

Duration Bed::drawn(Duration min, Duration max) {
  return min + Duration(static_cast<std::int64_t>(
                   random_.below(static_cast<std::uint64_t>((max - min).count()) + 1)));
}
Duration Bed::delay() { return drawn(limits_.delay_min, limits_.delay_max); }

void Bed::run_for(Duration time) {
  const Duration end = now_ + time;
  while (!queue_.empty() && queue_.begin()->first.first <= end) {
    const auto next = queue_.extract(queue_.begin());
    now_ = next.key().first;
    next.mapped()();
  }
  now_ = end;
}

bool Bed::run_until(const std::string& channel, Duration time_max) {
  const std::size_t before = told.size();
  const Duration end = now_ + time_max;
  const auto is_told = [&] {
    for (std::size_t i = before; i < told.size(); ++i)
      if (told[i].what == channel) return true;
    return false;
  };
  while (now_ < end && !is_told()) run_for(Duration(1));
  return is_told();
}

void Bed::tick(std::size_t sentinel) {
  if (!dead_sentinels_.contains(sentinel)) give(sentinel, Tick{drawn(Duration(0), Duration(999))});
  at(now_ + drawn(limits_.tick_min, limits_.tick_max), [this, sentinel] { tick(sentinel); });
}

Outputs Bed::give(std::size_t sentinel, const Input& input) {
  Sentinel& self = sentinels[sentinel];
  if (now_ > seen_[sentinel]) step(self, Passed{now_ - seen_[sentinel]}, settings_);
  seen_[sentinel] = now_;
  const Outputs outputs = step(self, input, settings_);
  for (const Output& output : outputs) carry_out(sentinel, output);
  return outputs;
}

bool Bed::is_alive(const Address& address) const {
  for (std::size_t i = 0; i < servers.size(); ++i)
    if (server_address(i) == address) return servers[i].alive;
  for (std::size_t i = 0; i < sentinels.size(); ++i)
    if (sentinel_address(i) == address) return !dead_sentinels_.contains(i);
  return false;
}

void Bed::carry_out(std::size_t i, const Output& output) {
  std::visit(
      sim::overloaded{
          [&](const Connect& out) { connect(i, out.to); },
          [&](const Close& out) { ++connections_[{i, out.to}]; },
          [&](const SendPing& out) {
            to_server(i, out.to, [=, this](std::size_t) { back(i, out.to, PingAnswer{out.to, Pong::pong}); });
          },
          [&](const SendInfo& out) {
            to_server(i, out.to, [=, this](std::size_t server) {
              back(i, out.to, InfoAnswer{out.to, facts_of_server(server)});
            });
          },
          [&](const SendHello& out) { deliver_hello(i, out); },
          [&](const SendScriptKill&) {},  // no server here is ever busy
          [&](const SendQuestion& out) { ask(i, out); },
          [&](const SendAnswer&) {},  // taken up where the question was given
          [&](const SendReplicaOf& out) {
            to_server(i, out.to, [=, this](std::size_t server) { become(server, out.master); });
          },
          [&](const Event& out) {
            const Master& master = sentinels[i].masters.at(name);
            told.push_back({now_, i, out.channel, out.message, master.failover_epoch, master.config_epoch});
          },
      },
      output);
}

void Bed::connect(std::size_t sentinel, const Target& to) {
  const unsigned connection = ++connections_[{sentinel, to}];
  if (is_alive(to.address) || !reaches(sentinel_address(sentinel), to.address)) return;
  at(now_ + delay(), [=, this] {
    if (connections_[{sentinel, to}] == connection) give(sentinel, Disconnected{to});
  });
}

/// Runs `then` where the message arrives, with the number of the server (or, for a Sentinel, one too high).
void Bed::to_server(std::size_t sentinel, const Target& to, std::function<void(std::size_t)> then) {
  const unsigned connection = connections_[{sentinel, to}];
  at(now_ + delay(), [=, this] {
    if (!reaches(sentinel_address(sentinel), to.address) || !is_alive(to.address)) return;
    if (connections_[{sentinel, to}] != connection) return;
    for (std::size_t server = 0; server <= servers.size(); ++server)
      if (server == servers.size() || server_address(server) == to.address) return then(server);
  });
}

void Bed::back(std::size_t sentinel, const Target& to, const Input& input) {
  const unsigned connection = connections_[{sentinel, to}];
  at(now_ + delay(), [=, this] {
    if (!reaches(sentinel_address(sentinel), to.address)) return;
    if (connections_[{sentinel, to}] == connection && !dead_sentinels_.contains(sentinel))
      give(sentinel, input);
  });
}

void Bed::deliver_hello(std::size_t sentinel, const SendHello& send) {
  to_server(sentinel, send.to, [=, this](std::size_t) {
    back(sentinel, send.to, HelloTaken{send.to});
    for (std::size_t other = 0; other < sentinels.size(); ++other) {
      if (other == sentinel || dead_sentinels_.contains(other)) continue;
      const bool directly = send.to.address == sentinel_address(other);
      const bool subscribed = connections_.contains({other, send.to});
      if (!directly && !subscribed) continue;
      if (lost() || !reaches(sentinel_address(other), send.to.address)) continue;
      at(now_ + delay(), [=, this] { give(other, HelloHeard{send.hello}); });
    }
  });
}

void Bed::ask(std::size_t sentinel, const SendQuestion& send) {
  if (lost()) return;
  to_server(sentinel, send.to, [=, this](std::size_t) {
    for (std::size_t other = 0; other < sentinels.size(); ++other) {
      if (send.to.address != sentinel_address(other)) continue;
      const Duration desync = drawn(Duration(0), Duration(999));
      for (const Output& output : give(other, Asked{sentinels[sentinel].id, send.question, desync})) {
        const auto* const answer = std::get_if<SendAnswer>(&output);
        if (answer && !lost()) back(sentinel, send.to, Answered{name, send.peer, answer->answer});
      }
    }
  });
}

void Bed::become(std::size_t server, const std::optional<Address>& master) {
  Facts& facts = servers[server].facts;
  const bool same = master ? facts.follows == master : facts.role == Role::master;
  if (same) return;
  facts.role = master ? Role::replica : Role::master;
  facts.follows = master;
  facts.link_up = false;
  servers[server].link_changes = now_;
  roles.push_back({now_, server, master ? "replica" : "master", master ? std::to_string(master->port) : ""});
  if (!master) return;
  at(now_ + limits_.sync, [=, this] {
    Server& replica = servers[server];
    if (replica.facts.follows != master || !is_alive(*master) || !replica.alive) return;
    replica.facts.link_up = true;
  });
}

Facts Bed::facts_of_server(std::size_t server) const {
  if (server >= servers.size()) return {};
  Facts facts = servers[server].facts;
  if (facts.role == Role::replica) {
    if (!facts.link_up || !is_alive(*facts.follows)) {
      facts.link_up = false;
      facts.link_down_for = now_ - servers[server].link_changes;
    }
    return facts;
  }
  for (std::size_t i = 0; i < servers.size(); ++i) {
    const bool follows = servers[i].alive && servers[i].facts.follows == server_address(server);
    if (follows && servers[i].facts.link_up) facts.replicas.push_back(server_address(i));
  }
  return facts;
}

void Bed::kill_server(std::size_t server) {
  servers[server].alive = false;
  for (Server& other : servers)
    if (other.facts.follows == server_address(server)) other.link_changes = now_;
  for (std::size_t i = 0; i < sentinels.size(); ++i) {
    const Target target{name, server_address(server)};
    if (!connections_.contains({i, target}) || !reaches(sentinel_address(i), target.address)) continue;
    ++connections_[{i, target}];
    at(now_ + delay(), [=, this] { give(i, Disconnected{target}); });
  }
}

void Bed::start_server(std::size_t server) { servers[server].alive = true; }

void Bed::restart_sentinel(std::size_t sentinel) {
  sentinels[sentinel] = restarted(sentinels[sentinel]);
  for (auto& [key, connection] : connections_)
    if (key.first == sentinel) ++connection;
  seen_[sentinel] = now_;
  dead_sentinels_.erase(sentinel);
}

std::vector<std::string> Bed::channels(std::size_t sentinel, Duration since) const {
  std::vector<std::string> names;
  for (const Note& note : told)
    if (note.who == sentinel && note.at >= since) names.push_back(note.what);
  return names;
}

const Note* Bed::first(const std::string& channel, Duration since) const {
  for (const Note& note : told)
    if (note.what == channel && note.at >= since) return &note;
  return nullptr;
}

std::size_t Bed::count(const std::string& channel) const {
  std::size_t times = 0;
  for (const Note& note : told) times += note.what == channel ? 1 : 0;
  return times;
}

}  // namespace lockstep::redis::sentinel::testing
