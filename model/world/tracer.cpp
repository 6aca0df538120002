#include "model/world/tracer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "model/client/requests.h"
#include "model/world/verbs.h"
#include "sim/base/overloaded.h"

namespace lockstep::model {

namespace {

using sim::TraceKind;

std::string verb(StepKind kind) {
  switch (kind) {
    case StepKind::command:
      return "redis";
    case StepKind::is_held:
      return "is-held";
    case StepKind::is_locked:
      return "is-locked";
    case StepKind::hold_count:
      return "hold-count";
    case StepKind::remain_time:
      return "remain-time";
    case StepKind::get_token:
      return "get-token";
    case StepKind::write:
      return "write";
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

bool is_about_lock(StepKind call) { return call != StepKind::command && call != StepKind::write; }

std::string wire(const std::string& process, ConnectionId connection, const std::string& node, bool reply) {
  return fmt::format("{}/{} {} {}", process, connection.value, reply ? "<" : ">", node);
}

/// What an answer means, in a few words behind what it was.
std::string told(const Items& items, const Reply& reply) {
  for (const Item& item : items) {
    if (item.what == Meaning::granted) return show_reply(reply) + ": got it";
    if (item.what == Meaning::refused && item.wait) return fmt::format("{} ms left", item.wait->count());
    if (item.what == Meaning::not_holder) return show_reply(reply) + ": not the owner";
    if (item.what == Meaning::unknown || item.what == Meaning::failed) continue;
    const std::int64_t* number = reply.integer();
    return fmt::format("{}: {}", number != nullptr ? std::to_string(*number) : show_reply(reply),
                       name_of(item.what));
  }
  return show_reply(reply);
}

/// What the first item says is what people want to know.
void note_meaning(sim::TraceEvent& event, const Items& items) {
  if (items.empty() || items.front().what == Meaning::unknown) return;
  event.meaning = name_of(items.front().what);
  if (items.front().wait) event.wait_ms = items.front().wait->count();
}

std::string message_text(const Reply& message) {
  if (message.is_nil()) return "the connection is closed";
  if (message.error() != nullptr) return show_reply(message);
  const Reply::Array& parts = *message.array();
  const std::string& kind = *parts[0].bulk();
  if (kind == "message" || kind == "smessage") return fmt::format("message {}", *parts[2].bulk());
  return kind + "d";  // subscribed, unsubscribed
}

std::string told_words(const ChannelRequest& request) {
  const Command words = words_of(request);
  return words[0] + " " + words[1];
}

/// Reports know by its name that a lock is shared.
std::string claimed_lock(const Claim& claim) {
  return claim.mode == Mode::shared ? "read:" + claim.lock : claim.lock;
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
  for (const auto& [who, entered] : entered_) event.steps.push_back(entered);
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
                          std::string_view lost) {
  const bool alone = by_itself(request.purpose);
  const std::string who = alone ? name(from) : name(request.purpose.thread);
  const std::string on = wire(name(from), connection, name(to), false);
  wires_[on].clear();
  const std::string act =
      request.asks_count() ? std::string("INFO replication")
                           : fmt::format("{} {}", role_name(request.purpose, setup_), request.purpose.lock);
  send_message(on, who, name(to), act);
  events_.back().lock = lock_of(request.purpose);
  if (lost.empty()) return;
  const auto message = take_message(on);
  sim::TraceEvent& drop = add(TraceKind::drop, who);
  drop.to = name(to);
  drop.msg = message->number;
  drop.cause = message->sent_by;
  drop.act = act;
  drop.why = lost;
}

/// Empty for what is about no lock.
std::string Tracer::lock_of(const Purpose& purpose) const {
  return setup_.kinds[purpose.kind]->is_lock() ? purpose.lock : std::string();
}

/// "unlock", of a lock that is named beside it; "redis DEL orders".
std::string Tracer::script_of(const Purpose& purpose) const {
  const std::string role(role_name(purpose, setup_));
  return setup_.kinds[purpose.kind]->is_lock() ? role : role + " " + purpose.lock;
}

/// No thread awaits the answer.
bool Tracer::by_itself(const Purpose& purpose) const {
  const Intent intent = role_of(purpose, setup_).intent;
  return intent == Intent::renew || intent == Intent::tidy;
}

void Tracer::monitor(NodeId at, const std::string& source, const Command& words) {
  std::string line = fmt::format("{}.{:06d} [0 {}]", (setup_.epoch_ms * 1000 + time_us_) / 1'000'000,
                                 (setup_.epoch_ms * 1000 + time_us_) % 1'000'000, source);
  for (const std::string& word : words) line += " " + setup_.kind_of(at).quoted(word);
  monitor_.push_back(std::move(line));
}

void Tracer::evaluated(ProcessId from, NodeId at, ConnectionId connection, const Request& request,
                       const Command& words, const std::vector<ScriptCall>& calls, const Reply& reply,
                       const Server& before, const Server& after) {
  const auto message = take_message(wire(name(from), connection, name(at), false));
  const bool alone = by_itself(request.purpose);
  sim::TraceEvent& event = add(TraceKind::eval, name(at));
  event.from = alone ? name(from) : name(request.purpose.thread);
  if (message) event.msg = message->number, event.cause = message->sent_by;
  event.lock = lock_of(request.purpose);
  event.script = request.asks_count() ? std::string("INFO replication") : script_of(request.purpose);
  event.keys = request.keys;
  event.argv = request.args;
  event.ret = show_reply(reply);
  note_meaning(event, read_reply(request, reply, setup_));
  event.changes = changes(at, before, after);
  const std::int64_t index = event.index;
  if (!setup_.kind_of(at).outside)
    monitor(at, fmt::format("127.0.0.1:{}", 56'000 + from.index() * 100 + connection.value), words);
  for (const ScriptCall& call : calls)
    if (call.writes) event.line = call.line;
  for (const ScriptCall& call : calls) {
    monitor(at, "lua", call.words);
    sim::TraceEvent& inner = add(TraceKind::cmd, name(at));
    inner.of = index;
    inner.line = call.line;
    for (const std::string& word : call.words) inner.act += (inner.act.empty() ? "" : " ") + word;
  }
  arrived_ = index;
  wires_[wire(name(from), connection, name(at), true)] = {{message ? message->number : messages_++, index}};
}

void Tracer::reply_received(ProcessId to, NodeId from, ConnectionId connection, const Reply& reply,
                            const Pending* pending) {
  const auto message = take_message(wire(name(to), connection, name(from), true));
  const bool alone = pending == nullptr || by_itself(pending->request.purpose);
  sim::TraceEvent& event =
      add(TraceKind::recv, alone ? name(to) : name(pending->request.purpose.thread));
  event.from = name(from);
  if (message) event.msg = message->number, event.cause = message->sent_by;
  event.ret = show_reply(reply);
  arrived_ = event.index;
  if (pending == nullptr) {
    event.act = "too late: " + show_reply(reply);
    return;
  }
  const Items items = read_reply(pending->request, reply, setup_);
  event.act = told(items, reply);
  note_meaning(event, items);
  event.lock = lock_of(pending->request.purpose);
  event.script =
      pending->request.asks_count() ? std::string("INFO replication") : script_of(pending->request.purpose);
}

void Tracer::channel_sent(ProcessId from, NodeId to, const ChannelRequest& request) {
  send_message(name(from) + " >> " + name(to), name(from), name(to),
               told_words(request));
}

void Tracer::channel_served(ProcessId from, NodeId at, const ChannelRequest& request) {
  const auto message = take_message(name(from) + " >> " + name(at));
  const Command words = words_of(request);
  sim::TraceEvent& event = add(TraceKind::cmd, name(at));
  event.from = name(from);
  if (message) event.msg = message->number, event.cause = message->sent_by;
  event.act = told_words(request);
  arrived_ = event.index;
  monitor(at, fmt::format("127.0.0.1:{}", 56'000 + from.index() * 100 + 99), words);
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

void Tracer::gone(TraceKind how, NodeId node, const std::string& key, const Server& before,
                  const Server& after) {
  sim::TraceEvent& event = add(how, name(node));
  event.lock = key;
  for (sim::KeyChange& change : changes(node, before, after))
    if (change.key == key) event.changes.push_back(std::move(change));
}

void Tracer::fires(ProcessId process, const std::string& lock, std::string_view says) {
  sim::TraceEvent& event = add(says.empty() ? TraceKind::renew : TraceKind::timer, name(process));
  if (!says.empty()) event.act = fmt::format("{} {}", says, lock);
  event.lock = lock;
  arrived_ = event.index;
}

std::string Tracer::wire_of(const Carried& carried) const {
  const std::string process = name(carried.link.process), node = name(carried.link.node);
  switch (carried.lane) {
    case Lane::push: return node + " >> " + process;
    case Lane::channel: return process + " >> " + node;
    case Lane::reply: return wire(process, carried.connection, node, true);
    case Lane::request: break;
  }
  return wire(process, carried.connection, node, false);
}

sim::TraceEvent& Tracer::befalls_message(TraceKind kind, const Message& message, const Carried& carried) {
  const sim::TraceEvent sent = events_[static_cast<std::size_t>(message.sent_by)];
  const std::string node = name(carried.link.node);
  sim::TraceEvent& event = add(kind, sent.who);
  event.to = sent.who == node ? name(carried.link.process) : node;
  event.msg = message.number;
  event.cause = message.sent_by;
  event.act = sent.kind == TraceKind::eval ? fmt::format("reply to {} {}", sent.script, sent.lock) : sent.act;
  return event;
}

void Tracer::lost(const Carried& carried, std::string_view why) {
  if (const auto message = take_message(wire_of(carried)))
    befalls_message(TraceKind::drop, *message, carried).why = why;
}

void Tracer::lost(LinkId id, const Link& link, std::string_view why) {
  for (const Flight& flight : link.flights)
    if (flight.travels())
      lost(Carried{id, flight.reply ? Lane::reply : Lane::request, flight.connection}, why);
  for (std::size_t i = 0; i < link.down.size(); ++i) lost(Carried{id, Lane::push}, why);
  for (std::size_t i = 0; i < link.up.size(); ++i) lost(Carried{id, Lane::channel}, why);
}

void Tracer::moved(const Move& move) {
  const std::optional<TraceKind> kind = row_of(move.verb, setup_).event;
  if (!kind) return;  // told as observations
  std::visit(sim::overloaded{
                 [&](ThreadId on) { add(*kind, name(on)); },
                 [&](ProcessId on) { add(*kind, name(on)); },
                 [&](NodeId on) { add(*kind, name(on)); },
                 [&](const LinkId& on) { add(*kind, name(on.process)).to = name(on.node); },
                 [&](const Follower& on) { add(*kind, name(on.process)); },
                 [&](const Carried& on) {
                   const auto& queue = wires_[wire_of(on)];
                   if (!queue.empty()) befalls_message(*kind, queue.front(), on);
                 },
                 [](const auto&) {},
             },
             move.on);
  if (*kind == TraceKind::clock) events_.back().act = fmt::format("{:+} ms", move.by);
}

void Tracer::see_invoked(const Invoked& seen) {
  sim::TraceEvent& event = add(TraceKind::inv, name(seen.thread));
  if (is_about_lock(seen.call)) event.lock = seen.lock;
  event.act = verb(seen.call) + " " + seen.lock;
}

void Tracer::see_returned(const Returned& seen) {
  sim::TraceEvent& event = add(TraceKind::ret, name(seen.thread));
  if (is_about_lock(seen.call)) event.lock = seen.lock;
  event.act = verb(seen.call) + " " + seen.lock;
  const std::optional<Intent> intent = intent_of(seen.call);
  const bool asks = seen.call == StepKind::command || (intent && is_question(*intent));
  const bool tries = asks || seen.call == StepKind::try_lock;
  event.ret = seen.answer == Answer::exception ? "exception"
              : !tries                         ? "done"
              : seen.answer == Answer::yes     ? "true"
                                               : "false";
  const bool refused = seen.answer == Answer::no && !asks;
  event.outcome = seen.answer == Answer::exception ? "info" : refused ? "fail" : "ok";
}

/// Beliefs that an observation began or ended.
void Tracer::follow_beliefs(const Observation& observation) {
  const auto believed = [&] {
    std::vector<Claim> claims;
    for (const auto& [claim, belief] : beliefs_.held)
      if (belief.depth > 0) claims.push_back(claim);
    return claims;
  };
  const auto before = believed();
  beliefs_.see(observation, setup_);
  const auto after = believed();
  for (const auto& key : before)
    if (std::find(after.begin(), after.end(), key) == after.end()) {
      add(TraceKind::leave, name(key.thread)).lock = claimed_lock(key);
      entered_.erase(key);
    }
  for (const auto& key : after)
    if (std::find(before.begin(), before.end(), key) == before.end()) {
      sim::TraceEvent& event = add(TraceKind::enter, name(key.thread));
      event.lock = claimed_lock(key);
      entered_[key] = event.index;
    }
}

void Tracer::observe(const Observation& observation) {
  std::visit(sim::overloaded{
                 [&](const Invoked& seen) { see_invoked(seen); },
                 [&](const Returned& seen) { see_returned(seen); },
                 [&](const Gained& seen) {
                   if (!seen.token) return;
                   sim::TraceEvent& event = add(TraceKind::note, name(seen.thread));
                   event.lock = seen.lock;
                   event.act = fmt::format("was given the token {}", *seen.token);
                 },
                 [&](const Written& seen) {
                   std::string held;
                   for (const auto& [claim, belief] : beliefs_.held)
                     if (claim.thread == seen.thread && belief.depth > 0)
                       held += (held.empty() ? "" : " and ") + claimed_lock(claim);
                   add(TraceKind::note, seen.resource).act =
                       fmt::format("{} {}, which believes it holds {}",
                                   seen.taken ? "written by" : "refuses a write of", name(seen.thread),
                                   held.empty() ? "nothing" : held);
                 },
                 [&](const ParkedThread& seen) { add(TraceKind::park, name(seen.thread)).lock = seen.lock; },
                 [&](const Woken& seen) {
                   sim::TraceEvent& event = add(TraceKind::timer, name(seen.thread));
                   event.lock = seen.lock;
                   if (seen.by_message) event.meaning = "wake-up";
                   event.act = seen.by_message ? "woken by a stored wake-up" : "waited long enough";
                 },
                 [&](const Expectation& seen) {
                   if (seen.met) return;
                   sim::TraceEvent& event = add(TraceKind::note, name(seen.thread));
                   event.act = "an expectation of the program is not met";
                 },
                 [&](const ProcessCrashed& seen) { add(TraceKind::crash, name(seen.process)); },
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
  follow_beliefs(observation);
}

}  // namespace lockstep::model
