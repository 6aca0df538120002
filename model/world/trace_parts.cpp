// trace_parts.cpp: replies, actors, who holds what, and what replicas are told, as a trace shows it.
#include <fmt/format.h>

#include <algorithm>

#include "model/world/tracer.h"
#include "model/client/process.h"
#include "sim/base/overloaded.h"

namespace lockstep::model {

std::string show_reply(const Reply& reply) {
  return std::visit(sim::overloaded{
                        [](const lua::Nil&) -> std::string { return "nil"; },
                        [](const lua::NilArray&) -> std::string { return "nil"; },
                        [](std::int64_t integer) { return fmt::format("(integer) {}", integer); },
                        [](const std::string& bulk) { return fmt::format("\"{}\"", bulk); },
                        [](const lua::Status& status) { return status.text; },
                        [](const lua::Error& error) { return fmt::format("(error) {}", error.text); },
                        [](const Reply::Array& items) {
                          std::string out = "[";
                          for (const Reply& item : items)
                            out += (out.size() > 1 ? ", " : "") + show_reply(item);
                          return out + "]";
                        },
                        [](const lua::Typed& typed) { return show_reply(typed.items); },
                    },
                    reply.value);
}

bool Tracer::holds(std::size_t first_event, const std::string& key, const sim::LockTruth& truth) {
  if (first_event >= events_.size()) return false;
  std::size_t at = events_.size() - 1;
  const auto last_that = [&](auto tells) {
    for (std::size_t i = events_.size(); i-- > first_event;)
      if (tells(events_[i])) {
        at = i;
        return true;
      }
    return false;
  };
  const bool stored = last_that([&](const sim::TraceEvent& event) {
    return std::any_of(event.changes.begin(), event.changes.end(),
                       [&](const sim::KeyChange& change) { return change.key == key; });
  });
  if (!stored) last_that([](const sim::TraceEvent& event) { return event.kind == sim::TraceKind::promote; });
  events_[at].truths.push_back(truth);
  return true;
}

namespace {

std::string role_word(ServerRole role) {
  switch (role) {
    case ServerRole::master: return "master";
    case ServerRole::replica: return "replica";
    case ServerRole::sentinel: return "sentinel";
    case ServerRole::spare: return "master without slots";
  }
  return {};
}

}  // namespace

std::vector<sim::TraceActor> trace_actors(const Setup& setup) {
  std::vector<sim::TraceActor> actors;
  for (std::size_t p = 0; p < setup.processes.size(); ++p) {
    const ProcessSetup& process = setup.processes[p];
    actors.push_back(
        {process.name, "process", "", fmt::format("process {}", process.name), process.client_id, ""});
    for (const ThreadId t : process.threads)
      actors.push_back({setup.thread_name(t), "thread", process.name,
                        fmt::format("process {}, thread {}", process.name, setup.threads[t.index()].java_id),
                        holder_name(setup, t, 0, 0), ""});
  }
  for (const NodeSetup& node : setup.nodes)
    actors.push_back({node.name, std::string(node.kind->name), "",
                      fmt::format("{} {}", node.kind->name, node.name), "",
                      role_word(node.role)});
  return actors;
}

void Tracer::effects_sent(NodeId master, NodeId replica) {
  const std::int64_t cause = events_.empty() ? 0 : arrived_.value_or(events_.back().index);
  wires_[name(master) + " => " + name(replica)].push_back({messages_++, cause});
}

void Tracer::effects_lost(NodeId master, NodeId replica) {
  while (const auto effect = take_message(name(master) + " => " + name(replica))) {
    sim::TraceEvent& event = add(sim::TraceKind::drop, name(master));
    event.to = name(replica);
    event.msg = effect->number;
    event.cause = effect->sent_by;
    event.act = "replicate";
    event.why = "the link broke before it arrived";
  }
}

void Tracer::applied(NodeId master, NodeId replica, const Server& before, const Server& after) {
  const auto effect = take_message(name(master) + " => " + name(replica));
  sim::TraceEvent& event = add(sim::TraceKind::repl, name(replica));
  event.from = name(master);
  if (effect) event.msg = effect->number, event.cause = effect->sent_by;
  event.changes = changes(replica, before, after);
}

void Tracer::waiting(ProcessId from, NodeId at, ConnectionId connection, const Synced& wait) {
  const Command words{"WAIT", std::to_string(wait.replicas), std::to_string(wait.wait.count())};
  sim::TraceEvent& event = add(sim::TraceKind::cmd, name(at));
  event.from = name(from);
  event.act = words[0] + " " + words[1] + " " + words[2];
  monitor(at, fmt::format("127.0.0.1:{}", 56'000 + from.index() * 100 + connection.value), words);
}

void Tracer::acknowledged(NodeId master, NodeId replica) {
  sim::TraceEvent& event = add(sim::TraceKind::note, name(master));
  event.from = name(replica);
  event.act = fmt::format("{} has acknowledged", name(replica));
}

void Tracer::waited(NodeId at, std::int64_t count) {
  add(sim::TraceKind::note, name(at)).act = fmt::format("WAIT is answered {}", count);
}

}  // namespace lockstep::model
