#include "model/redisson/versions.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace lockstep::redisson {

namespace {

constexpr std::array table{
    Version{"3.0.0", "watchdog generation 1; a request without an answer fails",
            [](Settings& s) {
              s.watchdog_generation = 1;
              s.resend = false;
              s.failed_unlock_cancels = false;
              s.write_wakes_all = false;
            }},
    Version{"3.2.0", "a fair lock keeps the deadlines of those that wait in a sorted set", [](Settings&) {}},
    Version{"3.2.4", "who gives up leaves the queue of a fair lock", [](Settings&) {}},
    Version{"3.5.5", "the deadlines of a fair lock come earlier when its first gives up", [](Settings&) {}},
    Version{"3.6.0", "the read/write lock as it still is, but for its renewals and messages",
            [](Settings&) {}},
    Version{"3.8.1",
            "an unlock that fails stops the watchdog, too; a reader's renewal renews the keys of holds",
            [](Settings& s) { s.failed_unlock_cancels = true; }},
    Version{"3.8.2", "a writer that unlocks wakes all who wait",
            [](Settings& s) { s.write_wakes_all = true; }},
    Version{"3.10.0", "a request without an answer is sent again at once",
            [](Settings& s) { s.resend = true; }},
    Version{"3.10.5", "watchdog generation 2: one timer for each lock, and holds are counted",
            [](Settings& s) { s.watchdog_generation = 2; }},
    Version{"3.10.6",
            "an unlock of a lock that nobody holds is refused; a lock() that is interrupted once while it is "
            "parked goes on waiting, and throws at the next",
            [](Settings& s) { s.lock_returns_on_interrupt = false; }},
    Version{"3.10.7", "a renewal that answers 0 ends the renewal",
            [](Settings& s) { s.renew_again_after_zero = false; }},
    Version{"3.11.1",
            "the places in the queue of a fair lock lie behind each other; a reader takes no time from "
            "others",
            [](Settings&) {}},
    Version{"3.12.1", "an unlock takes one hold off the watchdog whatever it is answered",
            [](Settings& s) { s.unlock_always_cancels = true; }},
    Version{"3.12.3", "a lock is first taken by HINCRBY, so that an acquire which is sent twice counts twice",
            [](Settings&) {}},
    Version{"3.12.5", "a script goes with a WAIT for all replicas, whatever that is answered",
            [](Settings& s) { s.replica_count = 1; }},
    Version{"3.13.3", "a fair lock keeps places for as long as their callers wait, 5 min if they do not say",
            [](Settings& s) {
              s.fair_wait = sim::Duration{300'000};
              s.fair_wait_of_caller = s.fair_wait_unit_lost = true;
            }},
    Version{"3.14.0", "a renewal that fails forgets the lock",
            [](Settings& s) { s.error_ends_entry = true; }},
    Version{"3.14.1", "a script that goes with a WAIT is not sent again",
            [](Settings& s) { s.resends_with_wait = false; }},
    Version{
        "3.15.0",
        "the spin lock; a grant that comes too late is kept and answered false, and an async tryLock(wait) "
        "does not count its sleeps",
        [](Settings& s) { s.spin_late_grant_refused = s.spin_sleeps_uncounted = true; }},
    Version{"3.15.1", "and is again; whether a lock is held at all is asked of a replica",
            [](Settings& s) {
              s.resends_with_wait = true;
              s.read_mode = 1;
            }},
    Version{
        "3.15.2",
        "a request without an answer is sent again after retry-interval; the lease field of a lock object is "
        "set by what is granted, and asked for by who gives no lease",
        [](Settings& s) {
          s.retry_interval = sim::Duration{1'500};
          s.granted_sets_lease = true;
        }},
    Version{"3.16.1", "a renewal that answers 0 forgets the lock, whoever else holds it",
            [](Settings& s) { s.zero_ends_entry = true; }},
    Version{"3.16.7", "a script that not all replicas have has failed",
            [](Settings& s) { s.wait_needs = 2; }},
    Version{"3.17.0", "whether it has can be set (checkLockSyncedSlaves)", [](Settings&) {}},
    Version{"3.17.1",
            "a writer's renewal that answers 0 is followed by that of a reader; who gives a lease of zero "
            "gives none; a spin lock that is granted too late is granted",
            [](Settings& s) {
              s.write_renews_as_reader = s.no_lease_at_zero = true;
              s.spin_late_grant_refused = false;
            }},
    Version{"3.17.5", "a script that no replica has has failed; one is enough",
            [](Settings& s) { s.wait_needs = 1; }},
    Version{"3.18.1", "how many replicas there are is asked for each time",
            [](Settings& s) { s.replica_count = 2; }},
    Version{"3.19.0", "a lock is taken under one condition, free or mine", [](Settings&) {}},
    Version{"3.19.2", "an unlock sets the lease field back to the watchdog's time",
            [](Settings& s) { s.unlock_resets_lease = true; }},
    Version{"3.20.0", "a lock that no replica has is given back", [](Settings& s) { s.sync_undone = true; }},
    Version{"3.20.1",
            "and asked for again; so is an unlock; what a server refuses for now (LOADING, READONLY and "
            "their like) is sent again later",
            [](Settings& s) { s.sync_repeated = s.refusals_retried = true; }},
    Version{"3.22.0", "the command that publishes is sent along: in a cluster SPUBLISH, to who SSUBSCRIBEs",
            [](Settings& s) { s.sharded_pub_sub = true; }},
    Version{"3.22.1", "an async tryLock(wait) of a spin lock counts its sleeps",
            [](Settings& s) { s.spin_sleeps_uncounted = false; }},
    Version{"3.24.0", "an unlock leaves its answer in a latch for copies of itself; its client deletes that",
            [](Settings& s) {
              s.deletes_latch = true;
              s.confirmation_timeout = s.response_timeout;
              s.fair_wait_unit_lost = false;
            }},
    Version{"3.24.1", "a wait for a fair lock without a lease loses its unit again, as before 3.24.0",
            [](Settings& s) { s.fair_wait_unit_lost = true; }},
    Version{"3.25.0",
            "a multi lock unlocks its members in turn, up to the first that throws; that no replica has a "
            "lock is not recognised: it is not given back, nor asked for again",
            [](Settings& s) {
              s.members_unlocked_in_turn = true;
              s.sync_undone = s.sync_repeated = false;
            }},
    Version{"3.25.1", "a multi lock takes its lease times its unit in each turn that lock() needs",
            [](Settings& s) { s.members_lease_grows = true; }},
    Version{"3.27.0", "how many replicas there are is asked for once",
            [](Settings& s) { s.replica_count = 3; }},
    Version{
        "3.27.2",
        "an unlock that leaves a hold leaves the lease field; renewals ask for the watchdog's time always; "
        "a multi lock can be asked whether it is held",
        [](Settings& s) {
          s.members_asked = true;
          s.inner_unlock_keeps_lease = true;
          s.renews_for_watchdog_time = true;
        }},
    Version{"3.28.0", "lockAsync() that begins to listen takes a wake-up that came just before",
            [](Settings& s) { s.listeners_take_permits = true; }},
    Version{"3.31.0", "a fair lock does without the deadline of who is first in its queue", [](Settings&) {}},
    Version{"3.32.0", "who has a place in the queue of a fair lock is told the lock's time to live",
            [](Settings&) {}},
    Version{"3.34.0", "a subscription that fails as it is confirmed leaves no entry (not modelled: a race)",
            [](Settings&) {}},
    Version{"3.37.0",
            "an acquire or an unlock without an answer is not sent again, where no replica is waited for",
            [](Settings& s) { s.no_retry = true; }},
    Version{"3.38.0", "the faster multi lock: several values of a group in one request", [](Settings&) {}},
    Version{
        "3.44.0",
        "watchdog generation 3: one task for all locks of a client, and several in one request; it ends when "
        "a lock is unlocked while it reads them",
        [](Settings& s) {
          s.watchdog_generation = 3;
          s.renewal_race = 1;
          s.inner_hold_leaks = s.read_hold_leaks = true;
          s.write_renews_as_reader = false;
        }},
    Version{"3.45.0", "a fair lock does without the deadline of who is last in its queue", [](Settings&) {}},
    Version{"3.45.1", "the watchdog ends only when all locks are unlocked that it reads",
            [](Settings& s) { s.renewal_race = 2; }},
    Version{
        "3.46.0",
        "a thread that held twice is no more taken for a holder by the watchdog, which unlocks do not end",
        [](Settings& s) {
          s.inner_hold_leaks = false;
          s.renewal_race = 0;
        }},
    Version{"3.47.0", "that no replica has a lock is recognised again",
            [](Settings& s) { s.sync_undone = s.sync_repeated = true; }},
    Version{"3.48.0", "four attempts more, and before each a delay that is drawn",
            [](Settings& s) {
              s.retry_attempts = 4;
              s.retry_jitter = true;
            }},
    Version{"3.52.0",
            "the latch is not deleted, for its name is said wrongly; an unlock that is begun anew finds it",
            [](Settings& s) { s.deletes_wrong_latch = s.repeats_request = true; }},
    Version{"4.0.0", "a reader's renewal finds the keys of all holds again", [](Settings&) {}},
    Version{"4.2.0",
            "the requests of a round of the watchdog are sent in a loop, not one inside the other (not "
            "modelled: how deep a stack may be)",
            [](Settings&) {}},
    Version{"4.3.0", "the latch is deleted again", [](Settings& s) { s.deletes_wrong_latch = false; }},
    Version{"4.4.0", "a reader's renewal is of the threads of its own client", [](Settings&) {}},
    Version{
        "4.7.0",
        "a tryLock(wait) that gets no answer when it asks again returns false; a thread that read twice is "
        "no more taken for a reader by the watchdog",
        [](Settings& s) {
          s.try_lock_swallows_time_out = true;
          s.read_hold_leaks = false;
        }},
};

using Number = std::array<std::uint32_t, 3>;

/// Of a release: three numbers without leading zeros.
std::optional<Number> number_in(std::string_view version) {
  Number number{};
  for (std::size_t i = 0; i < number.size(); ++i) {
    const std::size_t dot = i + 1 < number.size() ? version.find('.') : version.size();
    if (dot == std::string_view::npos || dot == 0 || dot > 4 || (dot > 1 && version[0] == '0'))
      return std::nullopt;
    const auto [end, error] = std::from_chars(version.data(), version.data() + dot, number[i]);
    if (error != std::errc{} || end != version.data() + dot) return std::nullopt;
    version.remove_prefix(std::min(dot + 1, version.size()));
  }
  return number;
}

}  // namespace

std::span<const Version> versions() { return table; }

bool is_release(std::string_view version) {
  const auto number = number_in(version);
  return number && (((*number)[0] == 3 && (*number)[1] <= 52) || ((*number)[0] == 4 && (*number)[1] <= 7));
}

std::optional<Settings> settings_of(std::string_view version) {
  if (!is_release(version)) return std::nullopt;
  Settings settings;
  for (const Version& one : table) {
    if (*number_in(one.name) > *number_in(version)) break;
    one.change(settings);
    settings.version = std::string(one.name);
  }
  return settings;
}

}  // namespace lockstep::redisson
