// settings.h: how a simulated Redisson client behaves; one member for each behaviour that is set, or that
// changed between versions (FIDELITY.md).
//
// What a version means, and how scenarios call each member, stands in versions.cpp.
#pragma once

#include <cstdint>
#include <string>

#include "sim/base/time.h"

namespace lockstep::redisson {

struct Settings {
  std::string version = "3.10.5";
  sim::Duration watchdog{30'000};         // lockWatchdogTimeout
  sim::Duration response_timeout{3'000};  // timeout
  sim::Duration subscription_timeout{7'500};
  std::uint16_t retry_attempts = 3;
  sim::Duration retry_interval{0};  // from a response time-out until the request is sent again
  sim::Duration fair_wait{5'000};  // fairLockWaitTimeout: how long a place in a fair lock's queue is kept
  bool fair_wait_of_caller = false;      // for as long as its caller waits, if it says so
  bool fair_wait_unit_lost = false;      // tryLock(10, SECONDS) without a lease asks for 10 ms
  bool renew_again_after_zero = true;   // a renewal that answers 0 is scheduled again all the same
  bool lock_returns_on_interrupt = true;  // an interrupted lock() returns without the lock
  sim::Duration ttl_wait_extra{1};        // a wait for a TTL outlasts it; 0 is a mutant
  bool unlock_keeps_renewing = false;     // a mutant: unlock does not cancel the watchdog
  bool unsubscribe_forgotten = false;     // a mutant: a waiter that got the lock stays subscribed
  bool back_off_endless = false;          // a mutant: who is refused by a spin lock never asks again
  bool permit_ignored = false;  // a mutant: a message that comes before the thread parks is not remembered

  bool operator==(const Settings&) const = default;
};

}  // namespace lockstep::redisson
