#include "model/client/requests.h"

#include <algorithm>

#include "model/client/redirects.h"
#include "model/client/refusals.h"
#include "model/client/synced.h"
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
  const Thread& thread = process.threads[setup.threads[purpose.thread.index()].place];
  if (purpose.task != 0 && !pending.caller_gone)
    return *kind_of(setup, thread.futures.at(purpose.task).call.object).listening;
  const std::optional<Call>& call = thread.call;
  const bool by_outer = !pending.caller_gone && call && kind_of(setup, call->object).is_made_of_others();
  return by_outer ? machine_of(setup, *call) : machine_of(setup, purpose.object, intent);
}

void go_on_unsynced(Process& process, Pending failed, Context& context);

/// The reply handler.
void handle(Process& process, const Pending& pending, const Items& items, Context& context) {
  if (pending.request.synced && pending.request.synced->undoes) {
    undo_answered(process, pending, items, context);
    return go_on_unsynced(process, undone(pending), context);
  }
  const Purpose& purpose = pending.request.purpose;
  const LockKind& kind = *context.setup.kinds[purpose.kind];
  const Intent intent = kind.roles[purpose.role].intent;
  if (intent == Intent::tidy) return;
  if (intent == Intent::renew) {
    kind.library->answered({process, purpose.client, context}, pending.request, items);
    return;
  }
  answering(process, pending, intent, context.setup)
      .answered({process, purpose.thread, context, purpose.task}, pending.request, items,
                pending.caller_gone);
}

/// NOSCRIPT: the client sends the text (Redisson: SCRIPT LOAD, then EVALSHA again; here one EVAL).
bool script_unknown(const Pending& pending, const Reply& reply) {
  return plain(pending.request.form) == Request::Form::evalsha && reply.error() != nullptr &&
         reply.error()->text.starts_with("NOSCRIPT");
}

Items without_answer() {
  return {{.what = Meaning::failed, .wait = {}, .number = {}},
          {.what = Meaning::unanswered, .wait = {}, .number = {}}};
}

void send_again(Pending pending, Context& context) {
  context.out.requests.push_back({std::move(pending.request), pending.attempts, pending.caller_gone, true});
}

const Items failure{{.what = Meaning::failed, .wait = {}, .number = {}}};

/// It is begun anew, if that is what its client does; what its handler does besides answering happens now.
void go_on_unsynced(Process& process, Pending failed, Context& context) {
  if (!is_repeated(failed.request, context.setup)) return handle(process, failed, failure, context);
  if (role_of(failed.request.purpose, context.setup).intent != Intent::acquire) {
    Pending unread = failed;
    unread.caller_gone = true;
    handle(process, unread, failure, context);
  }
  begin_anew_later(process, std::move(failed), context.setup);
}

/// No replica has what the script wrote, or too few.
void unsynced(Process& process, Pending failed, Context& context) {
  if (is_undone(failed.request, context.setup)) undo(process, failed, context);
  else go_on_unsynced(process, std::move(failed), context);
}

}  // namespace

Command words_of(const ChannelRequest& request) {
  return {std::string(request.sharded ? "S" : "") + (request.subscribe ? "SUBSCRIBE" : "UNSUBSCRIBE"),
          request.channel};
}

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
      if (pending.left.due() && !pending.unaimed) due.push_back(&pending);
  return due;
}

bool must_time_out(const Process& process) {
  for (const Client& client : process.clients)
    for (const Pending& pending : client.pending)
      if (pending.left.due() && pending.at_latest.due() && !pending.unaimed) return true;
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
  const Duration time_out = limits.response_timeout + longer_wait(outgoing.request);
  client.pending.push_back({.connection = connection,
                            .node = node,
                            .request = std::move(outgoing.request),
                            .left = {time_out},
                            .between = false,
                            .attempts = outgoing.attempts,
                            .caller_gone = outgoing.caller_gone,
                            .at_latest = {},
                            .stuck = !left && !limits.resend});
}

namespace {

/// Of a library that waits no time between copies.
constexpr Duration usual_interval{1'500};

/// 5. False if it has had all its attempts.
bool wait_to_send_again(Process& process, Pending& pending, const Setup& setup) {
  const RequestLimits limits = limits_of(pending.request.purpose, pending.attempts, setup);
  if (!limits.refusals || pending.attempts >= limits.retry_attempts ||
      role_of(pending.request.purpose, setup).sent_once)
    return false;
  const bool none = limits.retry_interval.hi == Duration::zero();
  const Interval wait = none ? Interval{usual_interval, usual_interval} : limits.retry_interval;
  ++pending.attempts;
  pending.between = true;
  pending.left = {wait.lo};
  pending.at_latest = {wait.hi};
  process.clients[pending.request.purpose.client].pending.push_back(std::move(pending));
  return true;
}

/// All clients of a process share its connections to a node.
bool is_connection_free(const Process& process, NodeId node, const RequestLimits& limits) {
  std::ptrdiff_t in_use = 0;
  for (const Client& client : process.clients)
    in_use += std::count_if(client.pending.begin(), client.pending.end(), [&](const Pending& one) {
      return one.node == node && !one.between && !one.unaimed;
    });
  return limits.connections == 0 || in_use < limits.connections;
}

}  // namespace

bool must_queue(const Process& process, const Outgoing& outgoing, const Setup& setup) {
  const Purpose& purpose = outgoing.request.purpose;
  const Client& client = process.clients[purpose.client];
  const NodeId to = outgoing.node.value_or(client.master);
  const bool others_wait = std::any_of(client.queue.begin(), client.queue.end(), [&](const Queued& one) {
    return one.node.value_or(client.master) == to;
  });
  return others_wait || !is_connection_free(process, to, limits_of(purpose, outgoing.attempts, setup));
}

void queue(Process& process, Outgoing outgoing, const Setup& setup) {
  const Purpose& purpose = outgoing.request.purpose;
  const Duration patience = limits_of(purpose, outgoing.attempts, setup).connection_wait;
  Client& client = process.clients[purpose.client];
  client.queue.push_back({std::move(outgoing.request), outgoing.attempts, outgoing.caller_gone,
                          outgoing.dressed, outgoing.node, {patience}});
}

std::optional<Outgoing> next_in_line(Process& process, std::uint16_t client, const Setup& setup) {
  Client& its = process.clients[client];
  const auto first = std::find_if(its.queue.begin(), its.queue.end(), [&](const Queued& one) {
    return is_connection_free(process, one.node.value_or(its.master),
                              limits_of(one.request.purpose, one.attempts, setup));
  });
  if (first == its.queue.end()) return std::nullopt;
  Outgoing next{std::move(first->request), first->attempts, first->caller_gone, first->dressed, first->node};
  its.queue.erase(first);
  return next;
}

void fail_all(Process& process, Context& context) {
  while (!context.out.requests.empty()) {
    const std::vector<Outgoing> refused = std::exchange(context.out.requests, {});
    for (const Outgoing& one : refused) fail(process, one.request, one.caller_gone, context);
  }
  context.out.channels.clear();
  for (std::uint16_t c = 0; c < process.clients.size(); ++c)
    if (const auto stop = context.setup.libraries[c]->shut_down) stop({process, c, context});
}

void receive_reply(Process& process, NodeId from, ConnectionId connection, const Reply& reply,
                   Context& context, std::int64_t acks) {
  if (awaited(process, from, connection) == nullptr) return;  // of a copy that nobody listens to any more
  Pending pending = *take(process, from, connection);
  const bool was_asking = is_asking(pending.request);
  pending.request.form = plain(pending.request.form);
  if (is_refused_for_now(reply) && wait_to_send_again(process, pending, context.setup)) return;
  if (pending.request.asks_count()) {
    if (!take_count(process, pending.request, reply, context.setup))
      return handle(process, pending, failure, context);
    return send_again(std::move(pending), context);
  }
  if (script_unknown(pending, reply)) {
    pending.request.form = was_asking ? Request::Form::asking_eval : Request::Form::eval;
    context.out.requests.push_back({std::move(pending.request), pending.attempts, pending.caller_gone, true,
                                    was_asking ? std::optional(from) : std::nullopt});
    return;
  }
  if (const auto to = redirected_to(reply, context.setup)) {
    if (asks_there(reply)) pending.request.form = asking(pending.request.form);
    context.out.requests.push_back(
        {std::move(pending.request), pending.attempts, pending.caller_gone, true, to});
    return;
  }
  Items items = read_reply(pending.request, reply, context.setup);
  if (pending.request.waits() && reply.error() == nullptr) {
    const Sync sync = sync_of(process, pending.request, acks, context.setup);
    const bool undoes = pending.request.synced->undoes.has_value();
    if (sync == Sync::too_few && !undoes) return unsynced(process, std::move(pending), context);
    if (sync != Sync::enough) items = failure;
  }
  handle(process, pending, items, context);
}

void time_out(Process& process, NodeId node, ConnectionId connection, Context& context) {
  std::optional<Pending> pending = take(process, node, connection);
  VERIFY(pending.has_value());
  if (pending->between && pending->request.synced && pending->request.synced->anew) {
    make_anew(pending->request, context);
    context.out.requests.push_back({std::move(pending->request), 0, pending->caller_gone});
    return;
  }
  if (pending->between) return send_again(std::move(*pending), context);
  const RequestLimits limits = limits_of(pending->request.purpose, pending->attempts, context.setup);
  const bool again = pending->attempts < limits.retry_attempts && (limits.resend || pending->stuck) &&
                     !role_of(pending->request.purpose, context.setup).sent_once;
  context.out.seen.push_back(RequestTimedOut{context.self, again});
  if (!again) return handle(process, *pending, without_answer(), context);
  ++pending->attempts;
  if (limits.retry_interval.hi == Duration::zero()) return send_again(std::move(*pending), context);
  pending->between = true;
  pending->left = {limits.retry_interval.lo};
  pending->at_latest = {limits.retry_interval.hi};
  process.clients[pending->request.purpose.client].pending.push_back(std::move(*pending));
}

void fail(Process& process, const Request& request, bool caller_gone, Context& context) {
  const Pending never_sent{.request = request, .caller_gone = caller_gone};
  handle(process, never_sent, without_answer(), context);
}

void make_words(Request& request, const Context& context) {
  const ProcessSetup& self = context.setup.processes[context.self.index()];
  const Duration wall = context.now.since_start + self.clock_offset;
  fill_words(request, context.setup, context.setup.epoch_ms + wall.count());
  const Described* described = role_of(request.purpose, context.setup).described;
  if (described != nullptr &&
      (described->uses(Template::Name::now) || described->uses(Template::Name::until)))
    context.out.read_now = true;
}

void send(Context& context, Purpose purpose) {
  Request request{.purpose = std::move(purpose), .form = Request::Form::eval, .keys = {}, .args = {}};
  make_words(request, context);
  context.out.requests.push_back({std::move(request)});
}

void send(Caller caller, Intent intent, Duration lease) {
  const Role* role = role_for(caller.kind(), intent);
  if (intent == Intent::acquire && !caller.call().waits)
    for (const Role& other : caller.kind().roles)
      if (other.at_once) role = &other;
  if (intent == Intent::acquire && caller.call().outer.empty() && wants_token(caller.step()))
    role = role_that_tells(caller.kind());
  VERIFY(role != nullptr);
  send(caller, *role, client_of(caller.setup(), caller.call().object), lease);
}

void send_renewal(ClientStep step, Renewal renewal) {
  const Setup& setup = step.context.setup;
  const LockKind& kind = kind_of(setup, renewal.object);
  const Role* role = role_for(kind, Intent::renew);
  VERIFY(role != nullptr);
  send(step.context, {.kind = setup.objects[renewal.object].kind,
                      .role = static_cast<std::uint16_t>(role - kind.roles.data()),
                      .thread = renewal.thread,
                      .incarnation = step.process.incarnation,
                      .client = step.client,
                      .lock = std::move(renewal.lock),
                      .object = renewal.object,
                      .lease = renewal.lease,
                      .owner = renewal.owner,
                      .number = renewal.number});
}

sim::WordNumber number_for(Caller caller, const LockKind& kind, const Role& role) {
  if (role.intent == Intent::write) return number_of_write(caller.process, caller.cursor());
  const auto& scripts = caller.setup().scripts_of(caller.setup().process_of(caller.id));
  return is_told_of_calls(kind, role, scripts) ? number_of_call(caller) : 0;
}

/// What the caller of an acquire, or of what undoes it, said of its wait. A future gives up without a word of
/// that (acquireFailedAsync(-1, null)).
Duration wait_of(Caller caller, Intent intent) {
  if (caller.task != 0 && intent == Intent::give_up) return Duration::zero();
  const Step& step = caller.step();
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
          .wait = wait_of(caller, role.intent),
          .owner = std::nullopt,
          .number = number_for(caller, kind_of(caller.setup(), object), role),
          .task = caller.task};
}

Purpose purpose_of(Caller caller, const Role& role, std::uint16_t client, Duration lease) {
  return purpose_about(caller, caller.call().object, caller.call().lock, role, client, lease);
}

void send(Caller caller, const Role& role, std::uint16_t client, Duration lease) {
  send(caller.context, purpose_of(caller, role, client, lease));
}

}  // namespace lockstep::model
