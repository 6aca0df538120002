// spinning_futures.h: the back-off of a spin lock, and the machine of its calls that return a future: no
// thread waits, and between two attempts a timer of the client runs.
//
//   1. Asking: the acquire request is under way. Granted: the future is complete. If it was cancelled
//      meanwhile, the lock is given back by an unlock whose answer nobody awaits; tryLockAsync() keeps it.
//   2. Refused: the client's timer runs for a sleep as long as that of a thread (spin.cpp), and then it asks
//      again, also of a future that was cancelled. tryLockAsync() is false.
//   3. tryLockAsync(wait) looks at its time after each refusal. Up to 3.22.0 it counts the time of its
//      requests only: where these are fast it goes on long after its wait is over.
//   4. When the process shuts its client down, its timers stop, and the future is never complete.
//
// Sources: RedissonSpinLock.lockAsync, tryLockAsync, 3.15.0 to 4.7.
#pragma once

#include "model/client/machine.h"

namespace lockstep::redisson {

/// LockOptions.ExponentialBackOff: 1 ms at first, after n sleeps twice the last one and up to n-1 ms more by
/// chance, until it is the longest.
struct BackOff {
  static constexpr sim::Duration longest{128};

  std::uint16_t sleeps = 0;  // until the sleep is at its longest
  sim::Duration last{};      // how long the last one was; zero: there was none

  model::Interval next() const;
  void slept(sim::Duration how_long);

  bool operator==(const BackOff&) const = default;
  static auto fields(auto& b) { return std::tie(b.sleeps, b.last); }
};
static_assert(sim::State<BackOff>);

extern const model::Machine spinning_futures;

/// Sends an acquire. Without a lease of the caller's own it asks for the one that its object asked for last.
void ask_for_spin_lock(model::Caller caller);

/// The event loop: a sleep of this length is over.
void future_slept(model::Caller caller, sim::Duration how_long);

}  // namespace lockstep::redisson
