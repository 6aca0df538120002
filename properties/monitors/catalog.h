// catalog.h: the properties, in one table: name, what it says, the witness of its premise.
//
// The order is that of the bits in sim::PropertyMask. All are checked in every scenario unless it says
// otherwise, but those on request: what their monitors remember tells states apart that nobody else can tell
// apart, so they are checked where [expect] or `--property` names them, and busy-poll where its bound is set.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "properties/monitors/witness.h"
#include "sim/system.h"

namespace lockstep::properties {

enum class Property : std::uint8_t {
  mutual_exclusion,
  mutual_exclusion_within_lease,
  owner_only,
  reentrancy,
  lock_has_ttl,
  free_after_crash,
  granted_in_time,
  nothing_left_behind,
  all_or_nothing,
  writes_in_turn,
  first_come_first_served,
  bounded_overtaking,
  queue_in_step,
  tokens_grow,
  told_once,
  lease_kept,
  no_lost_wake_up,
  busy_poll,
  red_majority,
  red_validity,
  no_starvation,
  expectations,
  answers,
  no_script_error,
  no_uncaught_exception,
  calls_return,
  no_zeno
};

struct PropertyInfo {
  Property property;
  std::string_view name;
  std::string_view says;
  Witness premise;
  bool liveness = false;  // something must happen: where a run is cut off, nothing follows
  bool on_request = false;
};

inline constexpr std::array<PropertyInfo, 27> catalog{{
    {Property::mutual_exclusion, "mutual-exclusion",
     "at most one thread believes it holds a lock, readers aside", Witness::contention},
    {Property::mutual_exclusion_within_lease, "mutual-exclusion-within-lease",
     "at most one thread believes it holds a lock within the lease that it asked for", Witness::contention},
    {Property::owner_only, "owner-only",
     "no request but a forced unlock takes a hold, or time, from another thread",
     Witness::unlock_by_stranger},
    {Property::reentrancy, "reentrancy",
     "n acquires of a thread need n releases, and the stored count says so", Witness::reentry},
    {Property::lock_has_ttl, "lock-has-ttl", "no lock is stored without a time to live", Witness::lock_held},
    {Property::free_after_crash, "free-after-crash",
     "a lock whose holder crashed is free within the lease that it asked for last",
     Witness::crashed_while_holding, true},
    {Property::granted_in_time, "granted-in-time", "a free lock is granted to a live waiter within the bound",
     Witness::free_with_waiter, true},
    {Property::nothing_left_behind, "nothing-left-behind",
     "at rest no key, subscription or renewal is left of what nobody holds", Witness::at_rest, true},
    {Property::all_or_nothing, "all-or-nothing",
     "a lock made of others is given with enough of them, and refused with none", Witness::gathered},
    {Property::writes_in_turn, "writes-in-turn",
     "no resource takes a write of an earlier holder after one of a later holder",
     Witness::written_by_another},
    {Property::first_come_first_served, "first-come-first-served",
     "a lock with a queue is granted to no one before a live waiter who is ahead, whose deadline is not over",
     Witness::granted_before_others},
    {Property::bounded_overtaking, "bounded-overtaking",
     "while a thread waits in a queue, no more later arrivals get the lock than the bound allows",
     Witness::granted_before_others},
    {Property::queue_in_step, "queue-in-step",
     "no request of a call leaves a place in a queue without a deadline, or a deadline without a place",
     Witness::queued},
    {Property::tokens_grow, "tokens-grow",
     "each grant of a fenced lock comes with a greater token than every earlier one", Witness::another_token},
    {Property::told_once, "told-once",
     "no request of a lock's call sends a listener two messages on one channel", Witness::woken_by_message},
    {Property::lease_kept, "lease-kept",
     "who holds through the watchdog keeps the lock, while its process runs and its requests are answered",
     Witness::renewed, false, true},
    {Property::no_lost_wake_up, "no-lost-wake-up",
     "no time passes while a thread is parked for a lock that was released, and nobody is about to take it",
     Witness::woken_by_message, false, true},
    {Property::busy_poll, "busy-poll",
     "no thread asks in vain more often than the bound says while nothing changes in what is stored",
     Witness::contention, false, true},
    {Property::red_majority, "red-majority",
     "who is given a red lock has held a majority of its members at one time", Witness::gathered, false,
     true},
    {Property::red_validity, "red-validity",
     "a red lock is held on a majority when the caller gets it, and for the lease less what the taking took",
     Witness::gathered, false, true},
    {Property::no_starvation, "no-starvation",
     "no call waits for ever in a run that goes on and keeps nobody from acting", Witness::contention, true,
     true},
    {Property::expectations, "expectations", "every `expect` step of the programs is met",
     Witness::expectation_checked},
    {Property::answers, "answers", "calls are answered as often as the scenario says", Witness::all_answered,
     true},
    {Property::no_script_error, "no-script-error",
     "no script of a lock answers with an error that its protocol does not expect", Witness::answered},
    {Property::no_uncaught_exception, "no-uncaught-exception",
     "no program ends by an exception that it does not expect", Witness::answered},
    {Property::calls_return, "calls-return", "every call returns and every program ends, or can still",
     Witness::answered, true},
    {Property::no_zeno, "no-zeno", "no cycle of moves in which no time passes", Witness::lock_held},
}};

constexpr sim::PropertyMask bit(Property property) {
  return sim::PropertyMask{1} << static_cast<unsigned>(property);
}
constexpr const PropertyInfo& info(Property property) { return catalog[static_cast<std::size_t>(property)]; }

constexpr std::optional<Property> find_property(std::string_view name) {
  for (const PropertyInfo& one : catalog)
    if (one.name == name) return one.property;
  return std::nullopt;
}
static_assert(info(Property::no_zeno).name == "no-zeno");

/// Stands for what is usually watched in a scenario (watched_in).
inline constexpr sim::PropertyMask all_usual = ~sim::PropertyMask{0};

}  // namespace lockstep::properties
