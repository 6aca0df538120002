#include "model/world/tracer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "model/redis/pubsub/monitors.h"
#include "sim/base/overloaded.h"

namespace lockstep::model {

namespace {

using sim::TraceKind;

std::string verb(StepKind kind) {
  switch (kind) {
    case StepKind::try_lock:
      return "trylock";
    case StepKind::lock_interruptibly:
      return "lock-interruptibly";
    case StepKind::unlock:
      return "unlock";
    case StepKind::force_unlock:
      return "force-unlock";
    default:
      return "lock";
  }
}

std::string wire(const std::string& process, ConnectionId connection, const std::string& node, bool reply) {
  return fmt::format("{}/{} {} {}", process, connection.value, reply ? "<" : ">", node);
}

std::string meaning(const Purpose& purpose, const Reply& reply) {
  const std::string shown = show_reply(reply);
  if (purpose.role == Role::lock && reply.is_nil()) return "nil: got it";
  if (purpose.role == Role::lock && reply.integer() != nullptr)
    return fmt::format("{} ms left", *reply.integer());
  if (purpose.role == Role::unlock && reply.is_nil()) return "nil: not the owner";
  if (purpose.role == Role::unlock && shown == "(integer) 1") return "1: released";
  if (purpose.role == Role::unlock && shown == "(integer) 0") return "0: still held";
  if (purpose.role == Role::renew)
    return shown == "(integer) 1" ? "1: renewed" : shown + ": nothing to renew";
  return shown;
}

enum class Befalls { process, link, node, message };

struct FaultRow {
  MoveKind move;
  TraceKind kind;
  Befalls befalls;
};

constexpr std::array fault_rows{
    FaultRow{MoveKind::cut, TraceKind::cut, Befalls::link},
    FaultRow{MoveKind::heal, TraceKind::heal, Befalls::link},
    FaultRow{MoveKind::reconnect, TraceKind::reconnect, Befalls::link},
    FaultRow{MoveKind::learn, TraceKind::learn, Befalls::process},
    FaultRow{MoveKind::restart_process, TraceKind::restart, Befalls::process},
    FaultRow{MoveKind::lag, TraceKind::lag, Befalls::node},
    FaultRow{MoveKind::unlag, TraceKind::unlag, Befalls::node},
    FaultRow{MoveKind::jump, TraceKind::clock, Befalls::node},
    FaultRow{MoveKind::flush, TraceKind::flush_scripts, Befalls::node},
    FaultRow{MoveKind::resync, TraceKind::resync, Befalls::node},
    FaultRow{MoveKind::hold_reply, TraceKind::hold, Befalls::message},
    FaultRow{MoveKind::hold_request, TraceKind::hold, Befalls::message},
    FaultRow{MoveKind::hold_push, TraceKind::hold, Befalls::message},
    FaultRow{MoveKind::hold_channel, TraceKind::hold, Befalls::message},
    FaultRow{MoveKind::release_reply, TraceKind::release, Befalls::message},
    FaultRow{MoveKind::release_request, TraceKind::release, Befalls::message},
    FaultRow{MoveKind::release_push, TraceKind::release, Befalls::message},
    FaultRow{MoveKind::release_channel, TraceKind::release, Befalls::message},
};

std::string message_text(const Reply& message) {
  const Reply::Array& parts = *message.array();
  const std::string& kind = *parts[0].bulk();
  if (kind == "message") return fmt::format("message {}", *parts[2].bulk());
  return kind + "d";  // subscribed, unsubscribed
}

}  // namespace

sim::TraceEvent& Tracer::add(sim::TraceKind kind, std::string who) {
  sim::TraceEvent event;
  event.index = static_cast<std::int64_t>(events_.size());
  event.time_us = time_us_;
  event.kind = kind;
  event.who = std::move(who);
  event.choice = std::exchange(choice_, std::nullopt);
  events_.push_back(std::move(event));
  return events_.back();
}

void Tracer::begin_decision(sim::Instant now, std::size_t chosen, std::size_t enabled) {
  time_is(now);
  choice_ = {static_cast<int>(chosen), static_cast<int>(enabled)};
  arrived_.reset();
}

void Tracer::end_decision(const std::string& state) {
  if (!events_.empty()) events_.back().state = state;
}

void Tracer::violated(const std::string& property, const std::string& why) {
  sim::TraceEvent& event = add(TraceKind::prop, "");
  event.name = property;
  event.why = why;
  for (const auto& [who, belief] : beliefs_) event.steps.push_back(belief.entered);
}

std::int64_t Tracer::send_message(const std::string& on, const std::string& who, const std::string& to,
                                  std::string act) {
  sim::TraceEvent& event = add(TraceKind::send, who);
  event.to = to;
  event.act = std::move(act);
  event.msg = messages_;
  event.cause = arrived_;
  wires_[on].push_back({messages_, event.index});
  return messages_++;
}

std::optional<Tracer::Message> Tracer::take_message(const std::string& on) {
  auto& queue = wires_[on];
  if (queue.empty()) return std::nullopt;
  const Message message = queue.front();
  queue.pop_front();
  return message;
}

void Tracer::request_sent(ProcessId from, NodeId to, ConnectionId connection, const Request& request,
                          bool reaches) {
  const bool by_watchdog = request.purpose.role == Role::renew;
  const std::string who = by_watchdog ? name(from) : name(request.purpose.thread);
  const std::string on = wire(name(from), connection, name(to), false);
  wires_[on].clear();
  send_message(on, who, name(to),
               fmt::format("{} {}", role_name(request.purpose.role), request.purpose.lock));
  events_.back().lock = request.purpose.lock;
  if (reaches) return;
  const auto message = take_message(on);
  sim::TraceEvent& drop = add(TraceKind::drop, who);
  drop.to = name(to);
  drop.msg = message->number;
  drop.cause = message->sent_by;
  drop.act = fmt::format("{} {}", role_name(request.purpose.role), request.purpose.lock);
  drop.why = "the node is down";
}

void Tracer::monitor(const std::string& source, const Command& words) {
  std::string line = fmt::format("{}.{:06d} [0 {}]", (setup_.epoch_ms * 1000 + time_us_) / 1'000'000,
                                 (setup_.epoch_ms * 1000 + time_us_) % 1'000'000, source);
  for (const std::string& word : words) line += " " + redis::quoted(word);
  monitor_.push_back(std::move(line));
}

void Tracer::evaluated(ProcessId from, NodeId at, ConnectionId connection, const Request& request,
                       const Command& words, const std::vector<Command>& calls, const Reply& reply,
                       const redis::Node& before, const redis::Node& after) {
  const auto message = take_message(wire(name(from), connection, name(at), false));
  const bool by_watchdog = request.purpose.role == Role::renew;
  sim::TraceEvent& event = add(TraceKind::eval, name(at));
  event.from = by_watchdog ? name(from) : name(request.purpose.thread);
  if (message) event.msg = message->number, event.cause = message->sent_by;
  event.lock = request.purpose.lock;
  event.script = role_name(request.purpose.role);
  event.keys = request.keys;
  event.argv = request.args;
  event.ret = show_reply(reply);
  event.changes = key_changes(name(at), before, after);
  const std::int64_t index = event.index;
  monitor(fmt::format("127.0.0.1:{}", 56'000 + from.index() * 100 + connection.value), words);
  for (const Command& call : calls) {
    monitor("lua", call);
    sim::TraceEvent& inner = add(TraceKind::cmd, name(at));
    inner.of = index;
    for (const std::string& word : call) inner.act += (inner.act.empty() ? "" : " ") + word;
  }
  arrived_ = index;
  wires_[wire(name(from), connection, name(at), true)] = {{message ? message->number : messages_++, index}};
}

void Tracer::reply_received(ProcessId to, NodeId from, ConnectionId connection, const Reply& reply,
                            const redisson::Process& process) {
  const auto message = take_message(wire(name(to), connection, name(from), true));
  const redisson::Pending* pending = nullptr;
  for (const redisson::Pending& one : process.pending)
    if (one.node == from && one.connection == connection) pending = &one;
  const bool by_watchdog = pending == nullptr || pending->request.purpose.role == Role::renew;
  sim::TraceEvent& event =
      add(TraceKind::recv, by_watchdog ? name(to) : name(pending->request.purpose.thread));
  event.from = name(from);
  if (message) event.msg = message->number, event.cause = message->sent_by;
  event.ret = show_reply(reply);
  event.act =
      pending == nullptr ? "too late: " + show_reply(reply) : meaning(pending->request.purpose, reply);
  if (pending != nullptr) event.lock = pending->request.purpose.lock;
  if (pending != nullptr) event.script = role_name(pending->request.purpose.role);
  arrived_ = event.index;
}

void Tracer::channel_sent(ProcessId from, NodeId to, const redisson::ChannelRequest& request) {
  send_message(name(from) + " >> " + name(to), name(from), name(to),
               fmt::format("{} {}", request.subscribe ? "SUBSCRIBE" : "UNSUBSCRIBE", request.channel));
}

void Tracer::channel_served(ProcessId from, NodeId at, const redisson::ChannelRequest& request) {
  const auto message = take_message(name(from) + " >> " + name(at));
  const Command words{request.subscribe ? "SUBSCRIBE" : "UNSUBSCRIBE", request.channel};
  sim::TraceEvent& event = add(TraceKind::cmd, name(at));
  event.from = name(from);
  if (message) event.msg = message->number, event.cause = message->sent_by;
  event.act = words[0] + " " + words[1];
  arrived_ = event.index;
  monitor(fmt::format("127.0.0.1:{}", 56'000 + from.index() * 100 + 99), words);
}

void Tracer::push_sent(NodeId from, ProcessId to, const Reply& message) {
  send_message(name(from) + " >> " + name(to), name(from), name(to), message_text(message));
}

void Tracer::push_received(ProcessId to, NodeId from, const Reply& message) {
  const auto sent = take_message(name(from) + " >> " + name(to));
  sim::TraceEvent& event = add(TraceKind::recv, name(to));
  event.from = name(from);
  if (sent) event.msg = sent->number, event.cause = sent->sent_by;
  event.act = message_text(message);
  arrived_ = event.index;
}

void Tracer::effects_sent(NodeId master, NodeId replica) {
  const std::int64_t cause = events_.empty() ? 0 : arrived_.value_or(events_.back().index);
  wires_[name(master) + " => " + name(replica)].push_back({messages_++, cause});
}

void Tracer::effects_lost(NodeId master, NodeId replica) {
  while (const auto effect = take_message(name(master) + " => " + name(replica))) {
    sim::TraceEvent& event = add(TraceKind::drop, name(master));
    event.to = name(replica);
    event.msg = effect->number;
    event.cause = effect->sent_by;
    event.act = "replicate";
    event.why = "the link broke before it arrived";
  }
}

void Tracer::applied(NodeId master, NodeId replica, const redis::Node& before, const redis::Node& after) {
  const auto effect = take_message(name(master) + " => " + name(replica));
  sim::TraceEvent& event = add(TraceKind::repl, name(replica));
  event.from = name(master);
  if (effect) event.msg = effect->number, event.cause = effect->sent_by;
  event.changes = key_changes(name(replica), before, after);
}

void Tracer::gone(TraceKind how, NodeId node, const std::string& key, const redis::Node& before,
                  const redis::Node& after) {
  sim::TraceEvent& event = add(how, name(node));
  event.lock = key;
  for (sim::KeyChange& change : key_changes(name(node), before, after))
    if (change.key == key) event.changes.push_back(std::move(change));
}

void Tracer::renewing(ProcessId process, const std::string& lock) {
  sim::TraceEvent& event = add(TraceKind::renew, name(process));
  event.lock = lock;
  arrived_ = event.index;
}

std::string Tracer::wire_of(const Move& move) const {
  const std::string process = setup_.processes[move.a].name;
  const std::string node = setup_.nodes[move.b].name;
  switch (move.kind) {
    case MoveKind::lose_push:
    case MoveKind::hold_push:
    case MoveKind::release_push:
      return node + " >> " + process;
    case MoveKind::lose_channel:
    case MoveKind::hold_channel:
    case MoveKind::release_channel:
      return process + " >> " + node;
    case MoveKind::lose_reply:
    case MoveKind::hold_reply:
    case MoveKind::release_reply:
      return wire(process, ConnectionId{move.c}, node, true);
    default:
      return wire(process, ConnectionId{move.c}, node, false);
  }
}

sim::TraceEvent& Tracer::befalls_message(TraceKind kind, const Message& message, const Move& move) {
  const sim::TraceEvent sent = events_[static_cast<std::size_t>(message.sent_by)];
  const std::string& node = setup_.nodes[move.b].name;
  sim::TraceEvent& event = add(kind, sent.who);
  event.to = sent.who == node ? setup_.processes[move.a].name : node;
  event.msg = message.number;
  event.cause = message.sent_by;
  event.act = sent.kind == TraceKind::eval ? fmt::format("reply to {} {}", sent.script, sent.lock) : sent.act;
  return event;
}

void Tracer::lost(const Move& move) {
  if (const auto message = take_message(wire_of(move)))
    befalls_message(TraceKind::drop, *message, move).why = "the message is lost";
}

void Tracer::fault(const Move& move) {
  const auto row = std::find_if(fault_rows.begin(), fault_rows.end(),
                                [&](const FaultRow& each) { return each.move == move.kind; });
  if (row == fault_rows.end()) return;  // told as an observation, or with what it changes
  if (row->befalls == Befalls::message) {
    const auto& queue = wires_[wire_of(move)];
    if (!queue.empty()) befalls_message(row->kind, queue.front(), move);
    return;
  }
  const bool node = row->befalls == Befalls::node;
  sim::TraceEvent& event = add(row->kind, node ? setup_.nodes[move.a].name : setup_.processes[move.a].name);
  if (row->befalls == Befalls::link) event.to = setup_.nodes[move.b].name;
  if (move.kind == MoveKind::jump) event.act = fmt::format("{:+} ms", move.amount);
}

void Tracer::see_invoked(const Invoked& seen) {
  sim::TraceEvent& event = add(TraceKind::inv, name(seen.thread));
  event.lock = seen.lock;
  event.act = verb(seen.call) + " " + seen.lock;
  const auto belief = beliefs_.find({seen.thread, seen.lock});
  const bool releases = seen.call == StepKind::unlock || seen.call == StepKind::force_unlock;
  if (!releases || belief == beliefs_.end()) return;
  if (--belief->second.depth > 0 && seen.call == StepKind::unlock) return;
  beliefs_.erase(belief);
  add(TraceKind::leave, name(seen.thread)).lock = seen.lock;
}

void Tracer::see_returned(const Returned& seen) {
  sim::TraceEvent& event = add(TraceKind::ret, name(seen.thread));
  event.lock = seen.lock;
  event.act = verb(seen.call) + " " + seen.lock;
  const bool acquires = seen.call != StepKind::unlock && seen.call != StepKind::force_unlock;
  const bool tries = seen.call == StepKind::try_lock;
  event.ret = seen.answer == Answer::exception ? "exception"
              : !tries                         ? "done"
              : seen.answer == Answer::yes     ? "true"
                                               : "false";
  event.outcome = seen.answer == Answer::yes ? "ok" : seen.answer == Answer::no ? "fail" : "info";
  if (!acquires || seen.answer != Answer::yes) return;
  Held& belief = beliefs_[{seen.thread, seen.lock}];
  if (++belief.depth > 1) return;
  sim::TraceEvent& enter = add(TraceKind::enter, name(seen.thread));
  enter.lock = seen.lock;
  belief.entered = enter.index;
}

void Tracer::end_beliefs(ProcessId process) {
  for (auto belief = beliefs_.begin(); belief != beliefs_.end();) {
    if (setup_.threads[belief->first.first.index()].process != process) {
      ++belief;
      continue;
    }
    add(TraceKind::leave, name(belief->first.first)).lock = belief->first.second;
    belief = beliefs_.erase(belief);
  }
}

void Tracer::observe(const Observation& observation) {
  std::visit(sim::overloaded{
                 [&](const Invoked& seen) { see_invoked(seen); },
                 [&](const Returned& seen) { see_returned(seen); },
                 [&](const ParkedThread& seen) { add(TraceKind::park, name(seen.thread)).lock = seen.lock; },
                 [&](const Woken& seen) {
                   sim::TraceEvent& event = add(TraceKind::timer, name(seen.thread));
                   event.lock = seen.lock;
                   event.act = seen.by_message ? "woken by a stored wake-up" : "waited long enough";
                 },
                 [&](const Expectation& seen) {
                   if (seen.met) return;
                   sim::TraceEvent& event = add(TraceKind::note, name(seen.thread));
                   event.act = "an expectation of the program is not met";
                 },
                 [&](const ProcessCrashed& seen) {
                   add(TraceKind::crash, name(seen.process));
                   end_beliefs(seen.process);
                 },
                 [&](const ProcessPaused& seen) { add(TraceKind::pause, name(seen.process)); },
                 [&](const ProcessResumed& seen) { add(TraceKind::resume, name(seen.process)); },
                 [&](const NodeCrashed& seen) { add(TraceKind::crash, name(seen.node)); },
                 [&](const NodeRestarted& seen) { add(TraceKind::restart, name(seen.node)); },
                 [&](const FailedOver& seen) {
                   add(TraceKind::promote, name(seen.promoted)).act =
                       seen.lost_writes ? "writes of the old master are lost" : "";
                 },
                 [&](const Demoted& seen) { add(TraceKind::demote, name(seen.node)); },
                 [&](const Interrupted& seen) { add(TraceKind::interrupt, name(seen.thread)); },
                 [&](const RequestTimedOut& seen) {
                   add(TraceKind::timer, name(seen.process)).act =
                       seen.resent ? "response time-out: sent again" : "response time-out: the call fails";
                 },
                 [](const auto&) {},
             },
             observation);
}

}  // namespace lockstep::model
