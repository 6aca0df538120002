// calls.h: the caller's side of lock(), tryLock(), unlock() and forceUnlock(), step by step (the order of
// thread.h).
#pragma once

#include "model/redisson/process.h"

namespace lockstep::redisson {

/// What a caller step needs besides the process.
struct Caller {
  Process& process;
  ThreadId id;
  Context& context;

  Thread& thread() const { return process.threads[context.setup.threads[id.index()].index_in_process]; }
};

void begin_acquire(Caller caller, const model::Step& step);
void begin_release(Caller caller, const model::Step& step);

void go_on_answered(Caller caller, const Answered& answered);
void go_on_subscribed(Caller caller);
void go_on_subscribing_timed_out(Caller caller);
void go_on_parked(Caller caller);
void go_on_released(Caller caller, const Released& released);
void go_on_interrupted(Caller caller);

/// The call is over: the program goes on behind it.
void return_from_call(Caller caller, Answer answer);

/// The object's internalLockLeaseTime.
Duration lease_of(const Process& process, const Setup& setup, std::uint16_t object, ThreadId thread);

}  // namespace lockstep::redisson
