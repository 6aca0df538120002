// renewal_per_thread.cpp: the watchdog of Redisson 3.0.0 to 3.10.4 (RedissonLock.scheduleExpirationRenewal).
//
//   1. A lock taken without a lease is entered under its name with the thread that took it, and a timer of a
//      third of the lease is started; what is taken while there is an entry is not entered.
//   2. The timer fires: the renewal script is sent for that thread.
//   3. Its answer takes the entry away, whichever it is by then, without stopping its timer. 1: the thread is
//      entered anew. 0 or an error: that was all.
//   4. An unlock that frees the lock takes the entry away and stops its timer, whoever's it is; so does one
//      that fails (since 3.8.1), and a forced one.
//
// So an answer that comes after an unlock and another lock starts a second timer, which no unlock stops.
#include "model/redisson/renewal.h"

namespace lockstep::redisson {

namespace generation_1 {
namespace {

using model::Purpose;

/// 1.
void enter(ClientStep step, const std::string& lock, ThreadId thread, std::uint16_t object) {
  Watchdog& watchdog = of(step.own()).watchdog;
  if (watchdog.entries.contains(lock)) return;
  watchdog.entries[lock].holds = {{thread, 1}};
  watchdog.again(lock, object, thread, renewal_period(step, object, thread));
  watchdog.timers.back().thread = thread;
}

void add(ClientStep step, const Purpose& granted) {
  enter(step, granted.lock, granted.thread, granted.object);
}

/// 2.
void fire(ClientStep step, std::size_t timer) {
  auto& timers = of(step.own()).watchdog.timers;
  const RenewalTimer fired = timers.at(timer);
  timers.erase(timers.begin() + static_cast<std::ptrdiff_t>(timer));
  send_renewal(step, {fired.lock, fired.object, fired.owner, *fired.thread});
}

/// 3.
void answered(ClientStep step, const Request& renewal, const Items& items) {
  const Purpose& purpose = renewal.purpose;
  const bool renewed = tell_renewal(step, purpose, items);
  of(step.own()).watchdog.entries.erase(purpose.lock);
  if (renewed) enter(step, purpose.lock, purpose.thread, purpose.object);
}

/// 4.
void forget(ClientStep step, const std::string& lock, std::uint16_t) {
  of(step.own()).watchdog.cancel_all(lock);
}

void unlocked(ClientStep step, const Purpose& unlock, const Items& items) {
  const bool failed = says(items, Meaning::failed) && settings_of(step.context).failed_unlock_cancels;
  if (failed || says(items, Meaning::released)) forget(step, unlock.lock, unlock.object);
}

}  // namespace
}  // namespace generation_1

const Generation per_thread{.add = generation_1::add,
                            .fire = generation_1::fire,
                            .answered = generation_1::answered,
                            .unlocked = generation_1::unlocked,
                            .forget = generation_1::forget};

}  // namespace lockstep::redisson
