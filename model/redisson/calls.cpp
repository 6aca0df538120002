#include "model/redisson/calls.h"

#include <algorithm>

#include "sim/base/verify.h"

namespace lockstep::redisson {

namespace {

using model::Role;
constexpr std::uint16_t all_threads = 0xffff;

std::pair<std::uint16_t, std::uint16_t> lease_key(const Setup& setup, std::uint16_t object, ThreadId thread) {
  return {object, setup.objects[object].fresh ? thread.value : all_threads};
}

void set_lease(Process& process, const Setup& setup, std::uint16_t object, ThreadId thread, Duration lease) {
  if (lease == setup.client.watchdog) process.leases.erase(lease_key(setup, object, thread));
  else process.leases[lease_key(setup, object, thread)] = lease;
}

/// The key that the object locks; a fresh object has one for each acquire of each thread.
std::string key_of(Caller caller, std::uint16_t object) {
  const model::LockObject& named = caller.context.setup.objects[object];
  if (!named.fresh) return named.name;
  return named.name + "#" + caller.context.setup.thread_name(caller.id) + "." +
         std::to_string(caller.thread().fresh);
}

/// KEYS and ARGV as the set says this role wants them.
void send_script(Caller caller, Role role, const Call& call, Duration lease) {
  const Setup& setup = caller.context.setup;
  Request request;
  request.purpose = {.role = role,
                     .thread = caller.id,
                     .incarnation = caller.process.incarnation,
                     .lock = call.lock,
                     .object = call.object};
  if (role == Role::lock) {
    request.purpose.lease = request.purpose.lease_left = lease;
    request.purpose.watched = !call.lease.has_value();
  }
  fill_words(request, setup, lease);
  caller.context.out.requests.push_back({std::move(request)});
}

void ask(Caller caller) {
  const Setup& setup = caller.context.setup;
  Call& call = *caller.thread().call;
  const Duration lease = call.lease.value_or(setup.client.watchdog);
  // 3.10.5 sets the field before it sends, so a refused attempt changes it too
  // (RedissonLock.tryLockInnerAsync).
  set_lease(caller.process, setup, call.object, caller.id, lease);
  send_script(caller, Role::lock, call, lease);
  caller.thread().activity = Asking{};
}

bool out_of_time(const Call& call) { return call.time_left && *call.time_left <= Duration::zero(); }

bool may_wait(const Call& call) { return call.kind != StepKind::try_lock || call.time_left.has_value(); }

void drop_subscription(Caller caller) {
  Call& call = *caller.thread().call;
  if (!call.subscribed) return;
  call.subscribed = false;
  if (caller.context.setup.client.unsubscribe_forgotten) return;
  caller.process.pub_sub.unsubscribe(call.lock, caller.context.out);
}

void finish(Caller caller, Answer answer) {
  drop_subscription(caller);
  return_from_call(caller, answer);
}

/// 3.
void subscribe(Caller caller) {
  Call& call = *caller.thread().call;
  const Setup& setup = caller.context.setup;
  call.subscribed = true;
  if (caller.process.pub_sub.subscribe(call.lock, caller.id, caller.context.out)) return ask(caller);
  caller.thread().activity = Subscribing{call.time_left.value_or(setup.client.subscription_timeout)};
}

/// 5.
void wait_for_release(Caller caller, std::int64_t ttl_ms) {
  const Setup& setup = caller.context.setup;
  Call& call = *caller.thread().call;
  LockPubSub& pub_sub = caller.process.pub_sub;
  if (pub_sub.take_permit(call.lock)) {
    if (out_of_time(call)) return finish(caller, Answer::no);
    return ask(caller);
  }
  Duration wait = ttl_ms < 0 ? sim::never : Duration{ttl_ms} + setup.client.ttl_wait_extra;
  if (call.time_left && (ttl_ms < 0 || Duration{ttl_ms} >= *call.time_left)) wait = *call.time_left;
  pub_sub.park(call.lock, caller.id);
  caller.thread().activity = Parked{wait};
  caller.context.out.seen.push_back(model::ParkedThread{caller.id, call.lock});
}

}  // namespace

Duration lease_of(const Process& process, const Setup& setup, std::uint16_t object, ThreadId thread) {
  const auto found = process.leases.find(lease_key(setup, object, thread));
  return found == process.leases.end() ? setup.client.watchdog : found->second;
}

void begin_acquire(Caller caller, const model::Step& step) {
  Thread& thread = caller.thread();
  if (caller.context.setup.objects[step.object].fresh) {
    ++thread.fresh;
    caller.process.leases.erase(lease_key(caller.context.setup, step.object, caller.id));
  }
  thread.call = Call{.kind = step.kind, .object = step.object, .lock = key_of(caller, step.object)};
  thread.call->time_left = step.wait;
  if (step.lease && *step.lease > Duration::zero()) thread.call->lease = step.lease;
  caller.context.out.seen.push_back(
      model::Invoked{caller.id, step.kind, thread.call->lock, may_wait(*thread.call)});
  ask(caller);
}

void begin_release(Caller caller, const model::Step& step) {
  Thread& thread = caller.thread();
  thread.call = Call{.kind = step.kind, .object = step.object, .lock = key_of(caller, step.object)};
  caller.context.out.seen.push_back(model::Invoked{caller.id, step.kind, thread.call->lock, false});
  const bool force = step.kind == StepKind::force_unlock;
  if (force) caller.process.watchdog.cancel_all(thread.call->lock);
  const Duration lease = lease_of(caller.process, caller.context.setup, step.object, caller.id);
  send_script(caller, force ? Role::force_unlock : Role::unlock, *thread.call, lease);
  thread.activity = Releasing{};
}

void go_on_answered(Caller caller, const Answered& answered) {
  Call& call = *caller.thread().call;
  if (answered.verdict == Verdict::failed) return finish(caller, Answer::exception);
  if (answered.verdict == Verdict::granted) return finish(caller, Answer::yes);
  if (!may_wait(call) || out_of_time(call)) return finish(caller, Answer::no);
  if (call.asked_before) return wait_for_release(caller, answered.ttl_ms);
  call.asked_before = true;
  subscribe(caller);
}

void go_on_subscribed(Caller caller) {
  if (out_of_time(*caller.thread().call)) return finish(caller, Answer::no);
  ask(caller);
}

void go_on_subscribing_timed_out(Caller caller) {
  Call& call = *caller.thread().call;
  call.subscribed = false;  // the reference goes when the confirmation comes
  caller.process.pub_sub.abandon(call.lock, caller.id);
  return_from_call(caller, call.time_left ? Answer::no : Answer::exception);
}

void go_on_parked(Caller caller) {
  Call& call = *caller.thread().call;
  LockPubSub& pub_sub = caller.process.pub_sub;
  const bool by_message = pub_sub.may_wake(call.lock, caller.id);
  if (by_message) pub_sub.take_permit(call.lock);
  pub_sub.unpark(call.lock, caller.id);
  caller.context.out.seen.push_back(model::Woken{caller.id, call.lock, by_message});
  if (out_of_time(call)) return finish(caller, Answer::no);
  ask(caller);
}

void go_on_released(Caller caller, const Released& released) { return_from_call(caller, released.answer); }

void go_on_interrupted(Caller caller) {
  Call& call = *caller.thread().call;
  for (Pending& pending : caller.process.pending)
    if (pending.request.purpose.thread == caller.id && pending.request.purpose.role != Role::renew)
      pending.caller_gone = true;
  LockPubSub& pub_sub = caller.process.pub_sub;
  if (std::holds_alternative<Parked>(caller.thread().activity)) pub_sub.unpark(call.lock, caller.id);
  if (std::holds_alternative<Subscribing>(caller.thread().activity)) {
    pub_sub.abandon(call.lock, caller.id);
    call.subscribed = false;
  }
  // A wait for an answer of the server throws in any case (CommandAsyncService.get); only the waits of lock()
  // itself are left by an InterruptedException, which lock() swallows up to 3.10.5.
  const bool waits_itself = !std::holds_alternative<Asking>(caller.thread().activity);
  const bool swallowed =
      waits_itself && call.kind == StepKind::lock && caller.context.setup.client.lock_returns_on_interrupt;
  finish(caller, swallowed ? Answer::yes : Answer::exception);
}

void return_from_call(Caller caller, Answer answer) {
  Thread& thread = caller.thread();
  const model::ThreadSetup& program = caller.context.setup.threads[caller.id.index()];
  const model::Step& step = program.program[thread.step];
  caller.context.out.seen.push_back(model::Returned{caller.id, thread.call->kind, thread.call->lock, answer});
  thread.call.reset();
  thread.answer = answer;
  thread.thrown = answer == Answer::exception;
  const bool tried = step.kind == StepKind::try_lock;
  if (tried && answer != Answer::yes) thread.refused = step.jump;
  ++thread.step;
  thread.activity = Ready{};
}

}  // namespace lockstep::redisson
