#include "model/client/requests.h"

#include <algorithm>

#include "model/client/redirects.h"
#include "model/client/token.h"
#include "model/program/interpreter.h"
#include "sim/base/verify.h"

namespace lockstep::model {

namespace {

/// Takes a request out of those that wait.
std::optional<Pending> take(Process& process, NodeId node, ConnectionId connection) {
  for (Client& client : process.clients) {
    const auto found = std::find_if(client.pending.begin(), client.pending.end(), [&](const Pending& one) {
      return one.node == node && one.connection == connection;
    });
    if (found == client.pending.end()) continue;
    Pending taken = std::move(*found);
    client.pending.erase(found);
    return taken;
  }
  return std::nullopt;
}

/// Of the process that sends it.
RequestLimits limits_of(const Purpose& purpose, std::uint16_t attempts, const Setup& setup) {
  return setup.libraries[purpose.client]->limits(setup, purpose, attempts);
}

/// Whose request it was: a call of a lock that is made of others asks about these by itself.
const Machine& answering(const Process& process, const Pending& pending, Intent intent, const Setup& setup) {
  const Purpose& purpose = pending.request.purpose;
  const std::optional<Call>& call = process.threads[setup.threads[purpose.thread.index()].place].call;
  const bool by_outer = !pending.caller_gone && call && kind_of(setup, call->object).is_made_of_others();
  return by_outer ? *kind_of(setup, call->object).machine : machine_of(setup, purpose.object, intent);
}

/// The reply handler.
void handle(Process& process, const Pending& pending, const Items& items, Context& context) {
  const Purpose& purpose = pending.request.purpose;
  const LockKind& kind = *context.setup.kinds[purpose.kind];
  const Intent intent = kind.roles[purpose.role].intent;
  if (intent == Intent::tidy) return;
  if (intent == Intent::renew) {
    kind.library->answered({process, purpose.client, context}, pending.request, items);
    return;
  }
  answering(process, pending, intent, context.setup)
      .answered({process, purpose.thread, context}, pending.request, items, pending.caller_gone);
}

/// NOSCRIPT: the client sends the text (Redisson: SCRIPT LOAD, then EVALSHA again; here one EVAL).
bool script_unknown(const Pending& pending, const Reply& reply) {
  return plain(pending.request.form) == Request::Form::evalsha && reply.error() != nullptr &&
         reply.error()->text.starts_with("NOSCRIPT");
}

void send_again(Pending pending, Context& context) {
  context.out.requests.push_back({std::move(pending.request), pending.attempts, pending.caller_gone});
}

}  // namespace

const Pending* awaited(const Process& process, NodeId node, ConnectionId connection) {
  for (const Client& client : process.clients)
    for (const Pending& pending : client.pending)
      if (pending.node == node && pending.connection == connection && !pending.between) return &pending;
  return nullptr;
}

std::vector<const Pending*> due_requests(const Process& process) {
  std::vector<const Pending*> due;
  for (const Client& client : process.clients)
    for (const Pending& pending : client.pending)
      if (pending.left.due()) due.push_back(&pending);
  return due;
}

bool must_time_out(const Process& process) {
  for (const Client& client : process.clients)
    for (const Pending& pending : client.pending)
      if (pending.left.due() && pending.at_latest.due()) return true;
  return false;
}

Items items_about(const Items& items, const std::vector<Purpose>& parts, std::size_t part) {
  const auto differ = [&](std::size_t i) { return parts[i].lock != parts[i - 1].lock; };
  std::size_t locks = 1, lock = 0;
  for (std::size_t i = 1; i < parts.size(); ++i) {
    if (differ(i)) ++locks;
    if (i == part) lock = locks - 1;
  }
  return locks > 1 && items.size() == locks ? Items{items[lock]} : items;
}

void await_answer(Process& process, NodeId node, ConnectionId connection, Outgoing outgoing,
                  const Setup& setup, bool left) {
  Client& client = process.clients[outgoing.request.purpose.client];
  const RequestLimits limits = limits_of(outgoing.request.purpose, outgoing.attempts, setup);
  client.pending.push_back({.connection = connection,
                            .node = node,
                            .request = std::move(outgoing.request),
                            .left = {limits.response_timeout},
                            .between = false,
                            .attempts = outgoing.attempts,
                            .caller_gone = outgoing.caller_gone,
                            .at_latest = {},
                            .stuck = !left && !limits.resend});
}

void receive_reply(Process& process, NodeId from, ConnectionId connection, const Reply& reply,
                   Context& context) {
  if (awaited(process, from, connection) == nullptr) return;  // of a copy that nobody listens to any more
  Pending pending = *take(process, from, connection);
  if (script_unknown(pending, reply)) {
    pending.request.form = is_asking(pending.request) ? Request::Form::asking_eval : Request::Form::eval;
    return send_again(std::move(pending), context);
  }
  pending.request.form = plain(pending.request.form);
  if (const auto to = redirected_to(reply, context.setup)) {
    if (asks_there(reply)) pending.request.form = asking(pending.request.form);
    context.out.requests.push_back({std::move(pending.request), pending.attempts, pending.caller_gone, to});
    return;
  }
  handle(process, pending, read_reply(pending.request, reply, context.setup), context);
}

void time_out(Process& process, NodeId node, ConnectionId connection, Context& context) {
  std::optional<Pending> pending = take(process, node, connection);
  VERIFY(pending.has_value());
  if (pending->between) return send_again(std::move(*pending), context);
  const RequestLimits limits = limits_of(pending->request.purpose, pending->attempts, context.setup);
  const bool again = pending->attempts < limits.retry_attempts && (limits.resend || pending->stuck) &&
                     !role_of(pending->request.purpose, context.setup).sent_once;
  context.out.seen.push_back(RequestTimedOut{context.self, again});
  if (!again)
    return handle(process, *pending,
                  {{.what = Meaning::failed, .wait = {}, .number = {}},
                   {.what = Meaning::unanswered, .wait = {}, .number = {}}},
                  context);
  ++pending->attempts;
  if (limits.retry_interval.hi == Duration::zero()) return send_again(std::move(*pending), context);
  pending->between = true;
  pending->left = {limits.retry_interval.lo};
  pending->at_latest = {limits.retry_interval.hi};
  process.clients[pending->request.purpose.client].pending.push_back(std::move(*pending));
}

void send(Context& context, Purpose purpose) {
  const ProcessSetup& self = context.setup.processes[context.self.index()];
  Request request{.purpose = std::move(purpose), .form = Request::Form::eval, .keys = {}, .args = {}};
  const Duration wall = context.now.since_start + self.clock_offset;
  fill_words(request, context.setup, context.setup.epoch_ms + wall.count());
  context.out.requests.push_back({std::move(request)});
}

namespace {

const Step& step_under_way(Caller caller) {
  return caller.setup().threads[caller.id.index()].program[caller.cursor().step];
}

}  // namespace

void send(Caller caller, Intent intent, Duration lease) {
  const Role* role = role_for(caller.kind(), intent);
  if (intent == Intent::acquire && !caller.call().waits)
    for (const Role& other : caller.kind().roles)
      if (other.at_once) role = &other;
  if (intent == Intent::acquire && caller.call().outer.empty() && wants_token(step_under_way(caller)))
    role = role_that_tells(caller.kind());
  VERIFY(role != nullptr);
  send(caller, *role, client_of(caller.setup(), caller.call().object), lease);
}

std::uint32_t number_for(Caller caller, const Role& role) {
  if (role.intent == Intent::write) return number_of_write(caller.process, caller.cursor());
  const auto& scripts = caller.setup().scripts_of(caller.setup().process_of(caller.id));
  return is_told_of_calls(caller.kind(), role, scripts) ? number_of_call(caller.cursor()) : 0;
}

/// What the caller of an acquire, or of what undoes it, said of its wait.
Duration wait_of(Caller caller) {
  const Step& step = step_under_way(caller);
  return caller.kind().queues && is_acquire(caller.call().verb) ? step.wait.value_or(Duration::zero())
                                                                : Duration::zero();
}

Purpose purpose_about(Caller caller, std::uint16_t object, const std::string& lock, const Role& role,
                      std::uint16_t client, Duration lease) {
  return {.kind = caller.setup().objects[object].kind,
          .role = static_cast<std::uint16_t>(&role - kind_of(caller.setup(), object).roles.data()),
          .thread = caller.id,
          .incarnation = caller.process.incarnation,
          .client = client,
          .lock = lock,
          .object = object,
          .lease = lease,
          .watched = role.intent == Intent::acquire && !caller.call().lease.has_value(),
          .wait = wait_of(caller),
          .owner = std::nullopt,
          .number = number_for(caller, role)};
}

Purpose purpose_of(Caller caller, const Role& role, std::uint16_t client, Duration lease) {
  return purpose_about(caller, caller.call().object, caller.call().lock, role, client, lease);
}

void send(Caller caller, const Role& role, std::uint16_t client, Duration lease) {
  send(caller.context, purpose_of(caller, role, client, lease));
}

}  // namespace lockstep::model
