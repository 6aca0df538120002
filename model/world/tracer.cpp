#include "model/world/tracer.h"

#include <fmt/format.h>

#include "model/redis/arguments.h"
#include "model/redis/pubsub/monitors.h"
#include "model/world/verbs.h"
#include "sim/base/overloaded.h"

namespace lockstep::model {

namespace {

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

std::string message_text(const Reply& message) {
  const Reply::Array& parts = *message.array();
  const std::string& kind = *parts[0].bulk();
  if (kind == "message") return fmt::format("message {}", *parts[2].bulk());
  return kind + "d";  // subscribed, unsubscribed
}

}  // namespace

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
                    },
                    reply.value);
}

std::vector<sim::TraceActor> trace_actors(const Setup& setup) {
  std::vector<sim::TraceActor> actors;
  for (std::size_t p = 0; p < setup.processes.size(); ++p) {
    const ProcessSetup& process = setup.processes[p];
    actors.push_back(
        {process.name, "process", "", fmt::format("process {}", process.name), process.client_id, ""});
    for (const ThreadId t : process.threads)
      actors.push_back({setup.thread_name(t), "thread", process.name,
                        fmt::format("process {}, thread {}", process.name, setup.threads[t.index()].java_id),
                        setup.holder_name(t), ""});
  }
  for (const NodeSetup& node : setup.nodes)
    actors.push_back({node.name, "redis", "", fmt::format("redis {}", node.name), "",
                      node.role == redis::Role::master ? "master" : "replica"});
  return actors;
}

std::vector<sim::KeyChange> key_changes(const std::string& node, const redis::Node& before,
                                        const redis::Node& after) {
  std::vector<sim::KeyChange> changes;
  const auto describe = [&](const std::string& key, const redis::Entry& entry) {
    sim::KeyChange change{.node = node, .key = key, .type = std::string(redis::type_name(entry.value))};
    std::visit(
        sim::overloaded{
            [&](const redis::String& string) { change.fields.emplace_back("", string.bytes); },
            [&](const redis::List& list) {
              for (const auto& item : list.items) change.fields.emplace_back("", item);
            },
            [&](const redis::Set& set) {
              for (const auto& item : set.members) change.fields.emplace_back("", item);
            },
            [&](const redis::Hash& hash) { change.fields.assign(hash.pairs.begin(), hash.pairs.end()); },
            [&](const redis::SortedSet& set) {
              for (const auto& entry_ : set.entries)
                change.fields.emplace_back(entry_.member, redis::format_score(entry_.score));
            },
        },
        entry.value);
    if (entry.remaining) change.pttl_ms = entry.remaining->count();
    return change;
  };
  for (const auto& [key, entry] : before.db.entries())
    if (after.db.find(key) == nullptr) changes.push_back({.node = node, .key = key, .present = false});
  for (const auto& [key, entry] : after.db.entries()) {
    const redis::Entry* old = before.db.find(key);
    if (old == nullptr || !(*old == entry)) changes.push_back(describe(key, entry));
  }
  return changes;
}

sim::TraceEvent& Tracer::add(std::string kind, std::string who) {
  sim::TraceEvent event;
  event.index = static_cast<std::int64_t>(events_.size());
  event.time_us = time_us_;
  event.kind = std::move(kind);
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
  sim::TraceEvent& event = add("prop", "");
  event.name = property;
  event.why = why;
  for (const auto& [who, belief] : beliefs_) event.steps.push_back(belief.entered);
}

std::int64_t Tracer::send_message(const std::string& on, const std::string& who, const std::string& to,
                                  std::string act) {
  sim::TraceEvent& event = add("send", who);
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
  sim::TraceEvent& drop = add("drop", who);
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
  sim::TraceEvent& event = add("eval", name(at));
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
    sim::TraceEvent& inner = add("cmd", name(at));
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
  sim::TraceEvent& event = add("recv", by_watchdog ? name(to) : name(pending->request.purpose.thread));
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
  sim::TraceEvent& event = add("cmd", name(at));
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
  sim::TraceEvent& event = add("recv", name(to));
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
    sim::TraceEvent& event = add("drop", name(master));
    event.to = name(replica);
    event.msg = effect->number;
    event.cause = effect->sent_by;
    event.act = "replicate";
    event.why = "the link broke before it arrived";
  }
}

void Tracer::applied(NodeId master, NodeId replica, const redis::Node& before, const redis::Node& after) {
  const auto effect = take_message(name(master) + " => " + name(replica));
  sim::TraceEvent& event = add("repl", name(replica));
  event.from = name(master);
  if (effect) event.msg = effect->number, event.cause = effect->sent_by;
  event.changes = key_changes(name(replica), before, after);
}

void Tracer::expired(NodeId node, const std::string& key, const redis::Node& before,
                     const redis::Node& after) {
  sim::TraceEvent& event = add("expire", name(node));
  event.lock = key;
  for (sim::KeyChange& change : key_changes(name(node), before, after))
    if (change.key == key) event.changes.push_back(std::move(change));
}

void Tracer::renewing(ProcessId process, const std::string& lock) {
  sim::TraceEvent& event = add("renew", name(process));
  event.lock = lock;
  arrived_ = event.index;
}

void Tracer::lost(const Carried& carried) {
  const std::string process = name(carried.link.process), node = name(carried.link.node);
  const bool to_process = carried.lane == Lane::reply || carried.lane == Lane::push;
  std::string on = to_process ? node + " >> " + process : process + " >> " + node;
  if (carried.lane == Lane::reply || carried.lane == Lane::request)
    on = wire(process, carried.connection, node, carried.lane == Lane::reply);
  const auto message = take_message(on);
  sim::TraceEvent& event = add("drop", to_process ? node : process);
  event.to = to_process ? process : node;
  if (message) event.msg = message->number, event.cause = message->sent_by;
  if (message) event.act = events_[static_cast<std::size_t>(message->sent_by)].act;
  event.why = "the message is lost";
}

void Tracer::moved(const Move& move) {
  const std::string_view kind = row_of(move.verb, setup_).event;
  if (kind.empty()) return;  // told as observations
  const auto* link = std::get_if<LinkId>(&move.on);
  const std::string who = std::visit(sim::overloaded{
                                         [&](ProcessId on) { return name(on); },
                                         [&](NodeId on) { return name(on); },
                                         [&](const LinkId& on) { return name(on.process); },
                                         [&](const Follower& on) { return name(on.process); },
                                         [](const auto&) { return std::string(); },
                                     },
                                     move.on);
  sim::TraceEvent& event = add(std::string(kind), who);
  if (link != nullptr && (move.is_fault() || move.ends_fault())) event.to = name(link->node);
  else event.act = show(move, setup_);
}

void Tracer::see_invoked(const Invoked& seen) {
  sim::TraceEvent& event = add("inv", name(seen.thread));
  event.lock = seen.lock;
  event.act = verb(seen.call) + " " + seen.lock;
  const auto belief = beliefs_.find({seen.thread, seen.lock});
  const bool releases = seen.call == StepKind::unlock || seen.call == StepKind::force_unlock;
  if (!releases || belief == beliefs_.end()) return;
  if (--belief->second.depth > 0 && seen.call == StepKind::unlock) return;
  beliefs_.erase(belief);
  add("leave", name(seen.thread)).lock = seen.lock;
}

void Tracer::see_returned(const Returned& seen) {
  sim::TraceEvent& event = add("ret", name(seen.thread));
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
  sim::TraceEvent& enter = add("enter", name(seen.thread));
  enter.lock = seen.lock;
  belief.entered = enter.index;
}

void Tracer::end_beliefs(ProcessId process) {
  for (auto belief = beliefs_.begin(); belief != beliefs_.end();) {
    if (setup_.threads[belief->first.first.index()].process != process) {
      ++belief;
      continue;
    }
    add("leave", name(belief->first.first)).lock = belief->first.second;
    belief = beliefs_.erase(belief);
  }
}

void Tracer::observe(const Observation& observation) {
  std::visit(sim::overloaded{
                 [&](const Invoked& seen) { see_invoked(seen); },
                 [&](const Returned& seen) { see_returned(seen); },
                 [&](const ParkedThread& seen) { add("park", name(seen.thread)).lock = seen.lock; },
                 [&](const Woken& seen) {
                   sim::TraceEvent& event = add("timer", name(seen.thread));
                   event.lock = seen.lock;
                   event.act = seen.by_message ? "woken by a permit" : "waited long enough";
                 },
                 [&](const Expectation& seen) {
                   if (seen.met) return;
                   sim::TraceEvent& event = add("note", name(seen.thread));
                   event.act = "an expectation of the program is not met";
                 },
                 [&](const ProcessCrashed& seen) {
                   add("crash", name(seen.process));
                   end_beliefs(seen.process);
                 },
                 [&](const ProcessPaused& seen) { add("pause", name(seen.process)); },
                 [&](const ProcessResumed& seen) { add("resume", name(seen.process)); },
                 [&](const NodeCrashed& seen) { add("crash", name(seen.node)); },
                 [&](const NodeRestarted& seen) { add("restart", name(seen.node)); },
                 [&](const FailedOver& seen) {
                   add("promote", name(seen.promoted)).act =
                       seen.lost_writes ? "writes of the old master are lost" : "";
                 },
                 [&](const Demoted& seen) { add("demote", name(seen.node)); },
                 [&](const Interrupted& seen) { add("interrupt", name(seen.thread)); },
                 [&](const RequestTimedOut& seen) {
                   add("timer", name(seen.process)).act =
                       seen.resent ? "no answer in time: sent again" : "no answer in time: given up";
                 },
                 [](const auto&) {},
             },
             observation);
}

}  // namespace lockstep::model
