#include "model/redisson/process.h"

#include <algorithm>

#include "model/redisson/calls.h"
#include "sim/base/overloaded.h"
#include "sim/base/verify.h"

namespace lockstep::redisson {

namespace {

using model::Step;

const std::vector<Step>& program_of(Caller caller) {
  return caller.context.setup.threads[caller.id.index()].program;
}

void end_thread(Caller caller, bool by_exception) {
  caller.thread().activity = Ended{};
  caller.thread().loops.clear();
  caller.thread().answer.reset();
  caller.context.out.seen.push_back(model::ThreadEnded{caller.id, by_exception});
}

void check_expectation(Caller caller, const Step& step) {
  Thread& thread = caller.thread();
  const bool met = thread.answer == step.answer;
  caller.context.out.seen.push_back(model::Expectation{caller.id, met, step.answer, thread.answer});
  if (step.answer == Answer::exception) thread.thrown = false;
  ++thread.step;
}

/// The steps that a thread does by itself in no time. False if this is not one of them.
bool do_at_once(Caller caller, const Step& step, const std::vector<bool>& signals) {
  Thread& thread = caller.thread();
  switch (step.kind) {
    case StepKind::expect:
      check_expectation(caller, step);
      return true;
    case StepKind::signal:
      caller.context.out.signals.push_back(step.signal);
      ++thread.step;
      return true;
    case StepKind::await:
      if (!signals[step.signal]) return false;
      ++thread.step;
      return true;
    case StepKind::repeat:
      if (step.count == 0) {
        thread.step = step.jump;
      } else {
        thread.loops.push_back(step.count);
        ++thread.step;
      }
      return true;
    case StepKind::again:
      if (--thread.loops.back() > 0) {
        thread.step = step.jump;
      } else {
        thread.loops.pop_back();
        ++thread.step;
      }
      return true;
    default:
      return false;
  }
}

void begin_step(Caller caller, const Step& step) {
  Thread& thread = caller.thread();
  switch (step.kind) {
    case StepKind::start:
    case StepKind::think:
    case StepKind::work:
      thread.activity = Busy{step.span.lo, step.span.hi};
      return;
    case StepKind::lock:
    case StepKind::lock_interruptibly:
    case StepKind::try_lock:
      return begin_acquire(caller, step);
    case StepKind::unlock:
    case StepKind::force_unlock:
      return begin_release(caller, step);
    case StepKind::await:
      thread.activity = AwaitingSignal{step.signal};
      return;
    case StepKind::crash:
      caller.context.out.crash = true;
      return;
    case StepKind::expect:
    case StepKind::signal:
    case StepKind::repeat:
    case StepKind::again:
      break;
  }
  UNREACHABLE("a step that takes time or sends");
}

/// From Ready: what can be done at once is done, then the next real step begins.
void go_on_in_program(Caller caller, const std::vector<bool>& signals) {
  const std::vector<Step>& program = program_of(caller);
  Thread& thread = caller.thread();
  for (;;) {
    const bool at_end = thread.step >= program.size();
    const bool expects = !at_end && program[thread.step].kind == StepKind::expect;
    if (thread.thrown && !(expects && program[thread.step].answer == Answer::exception)) {
      return end_thread(caller, true);
    }
    if (thread.refused && !expects) {
      thread.step = *thread.refused;
      thread.refused.reset();
      continue;
    }
    if (at_end) return end_thread(caller, false);
    if (!do_at_once(caller, program[thread.step], signals)) return begin_step(caller, program[thread.step]);
  }
}

Duration renewal_period(const Process& process, const Setup& setup, std::uint16_t object, ThreadId thread) {
  return Duration{lease_of(process, setup, object, thread).count() / 3};
}

/// 2. of thread.h: the reply handler of an acquire.
void acquire_answered(Caller caller, const Purpose& purpose, const Reply& reply, bool caller_gone) {
  Answered answered{Verdict::failed, 0};
  if (reply.is_nil()) {
    answered.verdict = Verdict::granted;
    if (purpose.watched) {
      const Duration period = renewal_period(caller.process, caller.context.setup, purpose.object, caller.id);
      caller.process.watchdog.add(purpose.lock, purpose.thread, purpose.object, period);
    }
  } else if (reply.integer() != nullptr) {
    answered = {Verdict::refused, *reply.integer()};
    caller.context.out.seen.push_back(model::Refused{purpose.thread, purpose.lock});
  }
  if (caller_gone) return;
  VERIFY(std::holds_alternative<Asking>(caller.thread().activity));
  caller.thread().activity = answered;
}

/// The reply handler of unlock: 3.10.5 to 3.12.0 stop renewing on an error and on 0 or 1, but not on nil.
void release_answered(Caller caller, const Purpose& purpose, const Reply& reply, bool caller_gone) {
  const bool force = purpose.role == model::Role::force_unlock;
  Answer answer = Answer::yes;
  if (reply.error() != nullptr || (!force && reply.is_nil())) answer = Answer::exception;
  else if (force && reply.integer() != nullptr && *reply.integer() == 0) answer = Answer::no;
  const bool stops = !force && !reply.is_nil() && !caller.context.setup.client.unlock_keeps_renewing;
  if (stops) caller.process.watchdog.cancel(purpose.lock, purpose.thread);
  if (!caller_gone) caller.thread().activity = Released{answer};
}

void renewal_answered(Process& process, const Purpose& purpose, const Reply& reply, Context& context) {
  const bool renewed = reply.integer() != nullptr && *reply.integer() == 1;
  context.out.seen.push_back(model::RenewalAnswered{context.self, purpose.thread, purpose.lock, renewed});
  if (reply.error() != nullptr) return;
  if (!renewed && !context.setup.client.renew_again_after_zero) return;
  process.watchdog.again(purpose.lock, purpose.object, purpose.owner,
                         renewal_period(process, context.setup, purpose.object, purpose.owner));
}

std::vector<Pending>::iterator find_pending(Process& process, NodeId node, ConnectionId connection) {
  return std::find_if(process.pending.begin(), process.pending.end(), [&](const Pending& pending) {
    return pending.node == node && pending.connection == connection;
  });
}

void answered(Process& process, const Pending& pending, const Reply& reply, Context& context) {
  const Purpose& purpose = pending.request.purpose;
  if (purpose.role == model::Role::renew) return renewal_answered(process, purpose, reply, context);
  const Caller caller{process, purpose.thread, context};
  if (purpose.role == model::Role::lock) return acquire_answered(caller, purpose, reply, pending.caller_gone);
  release_answered(caller, purpose, reply, pending.caller_gone);
}

}  // namespace

Process initial_process(const Setup& setup, ProcessId self) {
  Process process;
  process.masters.resize(setup.group_count());
  for (std::size_t n = 0; n < setup.nodes.size(); ++n)
    if (setup.nodes[n].role == redis::Role::master)
      process.masters[setup.nodes[n].group.index()] = sim::make_id<NodeId>(n);
  for (const model::ThreadSetup& thread : setup.threads)
    if (thread.process == self) process.threads.emplace_back();
  return process;
}

bool runnable(const Process& process, const Setup& setup, ThreadId id, const std::vector<bool>& signals) {
  const Thread& thread = process.threads[setup.threads[id.index()].index_in_process];
  const auto due = [](Duration left) { return left <= Duration::zero(); };
  return std::visit(sim::overloaded{
                        [](const Ready&) { return true; },
                        [&](const Busy& busy) { return due(busy.lo); },
                        [](const Asking&) { return false; },
                        [](const Answered&) { return true; },
                        [&](const Subscribing& waiting) { return due(waiting.left); },
                        [](const Subscribed&) { return true; },
                        [&](const Parked& parked) {
                          return due(parked.left) || process.pub_sub.may_wake(thread.call->lock, id);
                        },
                        [](const Releasing&) { return false; },
                        [](const Released&) { return true; },
                        [&](const AwaitingSignal& awaiting) { return bool{signals[awaiting.signal]}; },
                        [](const Ended&) { return false; },
                    },
                    thread.activity);
}

void run(Process& process, ThreadId id, const std::vector<bool>& signals, Context& context) {
  const Caller caller{process, id, context};
  const Activity before = caller.thread().activity;
  std::visit(sim::overloaded{
                 [&](const Ready&) { go_on_in_program(caller, signals); },
                 [&](const Busy&) {
                   ++caller.thread().step;
                   caller.thread().activity = Ready{};
                   go_on_in_program(caller, signals);
                 },
                 [&](const Answered& state) { go_on_answered(caller, state); },
                 [&](const Subscribing&) { go_on_subscribing_timed_out(caller); },
                 [&](const Subscribed&) { go_on_subscribed(caller); },
                 [&](const Parked&) { go_on_parked(caller); },
                 [&](const Released& state) { go_on_released(caller, state); },
                 [&](const AwaitingSignal&) { go_on_in_program(caller, signals); },
                 [](const auto&) { UNREACHABLE("a thread that can go on"); },
             },
             before);
}

void receive_reply(Process& process, NodeId from, ConnectionId connection, const Reply& reply,
                   Context& context) {
  const auto found = find_pending(process, from, connection);
  if (found == process.pending.end()) return;  // a copy that was given up; another one is waited for
  const Pending pending = *found;
  process.pending.erase(found);
  answered(process, pending, reply, context);
}

void receive_push(Process& process, const Reply& message, Context& context) {
  const Reply::Array* parts = message.array();
  VERIFY(parts != nullptr && parts->size() == 3);
  const std::string& kind = *(*parts)[0].bulk();
  if ((*parts)[1].bulk() == nullptr) return;  // UNSUBSCRIBE of nothing
  for (const std::string& lock : process.pub_sub.locks_on(*(*parts)[1].bulk())) {
    if (kind == "message") {
      process.pub_sub.message(lock, !context.setup.client.permit_ignored);
    } else if (kind == "subscribe") {
      for (const ThreadId thread : process.pub_sub.confirmed(lock, context.out))
        Caller{process, thread, context}.thread().activity = Subscribed{};
    } else if (kind == "unsubscribe") {
      process.pub_sub.unsubscription_confirmed(lock, context.out);
    }
  }
}

void fire(Process& process, std::size_t timer, Context& context) {
  for (const Watchdog::Due& due : process.watchdog.fire(timer)) {
    const Duration lease = lease_of(process, context.setup, due.object, due.owner);
    Request request;
    request.purpose = {.role = model::Role::renew,
                       .thread = due.thread,
                       .incarnation = process.incarnation,
                       .lock = due.lock,
                       .object = due.object,
                       .lease = lease,
                       .lease_left = lease,
                       .owner = due.owner};
    fill_words(request, context.setup, lease);
    context.out.requests.push_back({std::move(request)});
  }
}

void give_up(Process& process, NodeId node, ConnectionId connection, Context& context) {
  const auto found = find_pending(process, node, connection);
  VERIFY(found != process.pending.end());
  Pending pending = *found;
  process.pending.erase(found);
  const bool again = pending.attempts < context.setup.client.retry_attempts;
  context.out.seen.push_back(model::RequestTimedOut{context.self, again});
  if (again) {
    const auto attempts = static_cast<std::uint16_t>(pending.attempts + 1);
    context.out.requests.push_back({std::move(pending.request), attempts, pending.caller_gone});
    return;
  }
  answered(process, pending, lua::Error{"RedisTimeoutException"}, context);
}

void send_full_text(Process& process, NodeId node, ConnectionId connection, Context& context) {
  const auto found = find_pending(process, node, connection);
  if (found == process.pending.end()) return;
  Pending pending = *found;
  process.pending.erase(found);
  pending.request.full_text = true;
  context.out.requests.push_back({std::move(pending.request), pending.attempts, pending.caller_gone});
}

void learn_master(Process& process, NodeId master, Context& context) {
  const model::GroupId group = context.setup.group_of(master);
  process.masters[group.index()] = master;
  process.pub_sub.resubscribe_all(context.out);
  std::erase_if(context.out.channels, [&](const ChannelRequest& request) {
    return context.setup.group_of_channel(request.channel) != group;
  });
}

bool interruptible(const Process& process, const Setup& setup, ThreadId id) {
  const Activity& activity = process.threads[setup.threads[id.index()].index_in_process].activity;
  return std::holds_alternative<Asking>(activity) || std::holds_alternative<Subscribing>(activity) ||
         std::holds_alternative<Parked>(activity);
}

void interrupt(Process& process, ThreadId id, Context& context) {
  context.out.seen.push_back(model::Interrupted{id});
  go_on_interrupted({process, id, context});
}

void crash(Process& process) {
  Process dead;
  dead.life = Process::Life::dead;
  dead.incarnation = process.incarnation;
  dead.masters = process.masters;
  dead.threads.assign(process.threads.size(), Thread{.activity = Ended{}});
  process = std::move(dead);
}

void advance(Process& process, Duration passed) {
  const auto shrink = [passed](Duration& left) { left = sim::count_down(left, passed); };
  if (process.life == Process::Life::paused) shrink(process.pause_left);
  for (Thread& thread : process.threads) {
    if (thread.call && thread.call->time_left) shrink(*thread.call->time_left);
    std::visit(sim::overloaded{
                   [&](Busy& busy) { shrink(busy.lo), shrink(busy.hi); },
                   [&](Subscribing& waiting) { shrink(waiting.left); },
                   [&](Parked& parked) { shrink(parked.left); },
                   [](auto&) {},
               },
               thread.activity);
  }
  for (Pending& pending : process.pending) shrink(pending.left);
  for (RenewalTimer& timer : process.watchdog.timers) shrink(timer.left);
}

Duration next_deadline(const Process& process) {
  Duration next = sim::never;
  const auto consider = [&next](Duration left) {
    if (left > Duration::zero()) next = std::min(next, left);
  };
  if (process.life == Process::Life::paused) consider(process.pause_left);
  for (const Thread& thread : process.threads) {
    std::visit(sim::overloaded{
                   [&](const Busy& busy) { consider(busy.lo), consider(busy.hi); },
                   [&](const Subscribing& waiting) { consider(waiting.left); },
                   [&](const Parked& parked) { consider(parked.left); },
                   [](const auto&) {},
               },
               thread.activity);
  }
  for (const Pending& pending : process.pending) consider(pending.left);
  for (const RenewalTimer& timer : process.watchdog.timers) consider(timer.left);
  return next;
}

bool flexible(const Process& process) {
  return std::any_of(process.threads.begin(), process.threads.end(), [](const Thread& thread) {
    const Busy* busy = std::get_if<Busy>(&thread.activity);
    return busy != nullptr && busy->hi > busy->lo;
  });
}

const Call* waiting_call(const Thread& thread) {
  if (!thread.call) return nullptr;
  const bool acquires = thread.call->kind != StepKind::unlock && thread.call->kind != StepKind::force_unlock;
  return acquires ? &*thread.call : nullptr;
}

}  // namespace lockstep::redisson
