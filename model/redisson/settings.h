// settings.h: how a simulated Redisson client behaves; one member for each behaviour that is set, or that
// changed between versions (FIDELITY.md).
//
// What a version means, and how scenarios call each member, stands in versions.cpp.
#pragma once

#include <cstdint>
#include <string>

#include "sim/base/time.h"

namespace lockstep::redisson {

/// The longest delay of `retry_jitter`; the first is at most half of it.
constexpr sim::Duration longest_delay{2'000};

struct Settings {
  std::string version = "3.10.5";
  sim::Duration watchdog{30'000};         // lockWatchdogTimeout
  sim::Duration response_timeout{3'000};  // timeout
  sim::Duration subscription_timeout{7'500};
  std::uint16_t retry_attempts = 3;
  sim::Duration retry_interval{0};  // from a response time-out until the request is sent again
  bool retry_jitter = false;        // that is drawn instead: half of a longest delay up to all of it
  bool resend = true;               // a request that got no answer is sent again
  bool no_retry = false;            // but not an acquire or an unlock, where no replica is waited for
  bool resends_with_wait = true;    // the same of one that goes with a WAIT
  std::uint16_t replica_count = 0;  // how many replicas WAIT names: 0 it is not sent, 1 all that the client
                                    // is configured with, 2 as INFO says each time, 3 as INFO said once
  std::uint16_t wait_needs = 0;     // an answer is an error without: 0 nothing, 1 one replica, 2 all of them
  sim::Duration sync_timeout{1'000};  // slavesSyncTimeout: that of WAIT
  bool sync_undone = false;           // a lock that no replica has is given back
  bool sync_repeated = false;         // and asked for again; so is an unlock
  bool repeats_request = false;       // an unlock by the same request id
  std::uint16_t read_mode = 0;  // where questions go: 0 the master, 1 a replica if there is one, 2 any
  std::uint16_t watchdog_generation = 2;
  std::uint16_t watchdog_batch = 100;     // generation 3: how many locks one request renews
  bool renew_again_after_zero = true;     // a renewal that answers 0 is scheduled again all the same
  bool zero_ends_entry = false;           // one that answers 0 forgets all holds of the lock
  bool error_ends_entry = false;          // so does one that fails
  std::uint16_t renewal_race = 0;         // generation 3: an unlock ends the task that reads its entries: 0
                                          // never, 1 that of one of them, 2 that of the last
  bool inner_hold_leaks = false;          // generation 3: who held twice stays the thread to renew for
  bool read_hold_leaks = false;           // so does who reads twice
  bool write_renews_as_reader = false;    // a writer's renewal that answers 0 is followed by that of a reader
  bool write_wakes_all = true;            // a writer's unlock tells all who wait by message 1, which is known
  bool renews_for_watchdog_time = false;  // not for the lease field of the object
  bool unlock_always_cancels = false;     // of the watchdog, whatever it is answered
  bool failed_unlock_cancels = true;
  bool granted_sets_lease = false;        // the lease field; else asking for the lock does
  bool unlock_resets_lease = false;       // the lease field, to the watchdog time
  bool inner_unlock_keeps_lease = false;  // but not where a hold is left
  sim::Duration fair_wait{5'000};        // fairLockWaitTimeout: how long a place in a queue is kept
  bool fair_wait_of_caller = false;      // for as long as its caller waits, if it says so
  bool fair_wait_unit_lost = false;      // tryLock(10, SECONDS) without a lease asks for 10 ms
  bool no_lease_at_zero = false;          // a lease of zero is none: the watchdog renews
  bool lock_returns_on_interrupt = true;  // an interrupted lock() returns without the lock
  bool deletes_latch = false;             // after the answer to an unlock
  bool deletes_wrong_latch = false;       // by a name that none has
  bool spin_late_grant_refused = false;  // tryLock(wait) of a spin lock granted too late: false, and kept
  bool spin_sleeps_uncounted = false;    // tryLockAsync(wait) of one counts the time of its requests only
  bool try_lock_swallows_time_out = false;  // tryLock(wait) that asks again answers false if nobody answers
  bool listeners_take_permits = false;  // lockAsync: adding a listener looks for a stored wake-up
  std::uint16_t channel_stripes = 50;   // mutexes that channels share while they are opened and closed
  sim::Duration confirmation_timeout{0};  // of SUBSCRIBE and UNSUBSCRIBE; zero: they wait for ever
  bool sharded_pub_sub = false;  // in a cluster channels are subscribed by SSUBSCRIBE and told by SPUBLISH
  std::uint16_t connection_pool = 0;      // requests under way at one node; zero: any number
  sim::Duration connection_wait{6'000};   // for a free connection
  bool refusals_retried = false;  // LOADING, READONLY and their like: the request is sent again later
  bool members_unlocked_in_turn = false;  // multi lock: one after the other, up to the first that throws
  bool members_lease_grows = false;       // lock(5, SECONDS) of a multi lock: 5,000 s from its second turn on
  bool members_asked = false;  // isHeldByCurrentThread() of a multi lock asks its members; it threw before
  sim::Duration ttl_wait_extra{1};        // a wait for a TTL outlasts it; 0 is a mutant
  bool unlock_keeps_renewing = false;     // a mutant: unlock does not cancel the watchdog
  bool unsubscribe_forgotten = false;     // a mutant: a waiter that got the lock stays subscribed
  bool back_off_endless = false;          // a mutant: who is refused by a spin lock never asks again
  bool members_kept = false;     // a mutant: a multi lock that is refused unlocks no member that it has
  bool minority_enough = false;  // a mutant: one member less than a majority is enough for a red lock
  bool permit_ignored = false;  // a mutant: a message that comes before the thread parks is not remembered

  bool operator==(const Settings&) const = default;
};

}  // namespace lockstep::redisson
