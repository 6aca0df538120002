// renewal_per_lock.cpp: the watchdog of Redisson 3.10.5 to 3.43.0 (RedissonLock, later RedissonBaseLock,
// renewExpiration).
//
//   1. A lock taken without a lease is registered under its name: an entry counts the holds of each thread.
//      The first registration starts a timer of a third of the lease; later ones only count.
//   2. The timer fires: the renewal script is sent for the entry's first thread.
//   3. Its answer is 1: the timer is started again. 0: 3.10.5 and 3.10.6 start it all the same; then nothing
//      starts it and the entry stays, so that nobody else's lock of that name is renewed; since 3.16.1 the
//      entry goes, with the holds of all threads. An error: the entry stays without a timer; since 3.14.0 it
//      goes.
//   4. A writer's renewal that answers 0 is followed by that of a reader, since 3.17.1: its answer counts. It
//      is sent where the process reads that lock, too, for else nobody is found.
//   5. An unlock takes one hold of its thread off, up to 3.12.0 not if the thread was not the holder; with
//      the last hold of the last thread the entry goes and its timer is cancelled.
//
// An answer that arrives after the entry was replaced starts a second timer for the new one, and cancelling
// stops only the timer that was set last.
#include "model/program/interpreter.h"
#include "model/redisson/renewal.h"
#include "model/redisson/unlock_answers.h"

namespace lockstep::redisson {

namespace generation_2 {
namespace {

using model::Purpose;

Watchdog& watchdog(ClientStep step) { return of(step.own()).watchdog; }

void forget(ClientStep step, const std::string& lock, std::uint16_t) { watchdog(step).cancel_all(lock); }

/// 1.
void add(ClientStep step, const Purpose& granted) {
  watchdog(step).add(granted.lock, granted.thread, granted.object,
                     renewal_period(step, granted.object, granted.thread));
}

/// 2.
void fire(ClientStep step, std::size_t timer) {
  for (const Watchdog::Due& due : watchdog(step).fire(timer)) send_renewal(step, due);
}

/// The object by which a thread of the process reads the lock that this one writes.
std::optional<std::uint16_t> reader_of(ClientStep step, std::uint16_t writer) {
  const Setup& setup = step.context.setup;
  const auto& objects = setup.objects;
  if (model::mode_of(setup, writer) == model::Mode::shared) return {};
  for (const ThreadId thread : setup.processes[step.context.self.index()].threads)
    for (const model::Step& one : setup.threads[thread.index()].program)
      if (model::is_acquire(one.kind) && model::mode_of(setup, one.object) == model::Mode::shared &&
          objects[one.object].name == objects[writer].name &&
          objects[one.object].group == objects[writer].group)
        return one.object;
  return {};
}

/// 4. Whether it was sent. Its number is that of the writer's object, and one.
bool renew_as_reader(ClientStep step, const Purpose& writers) {
  if (!settings_of(step.context).write_renews_as_reader || writers.number != 0) return false;
  const std::optional<std::uint16_t> object = reader_of(step, writers.object);
  if (!object) return false;
  const Setup& setup = step.context.setup;
  const model::LockKind& kind = model::kind_of(setup, *object);
  Purpose purpose = writers;
  purpose.kind = setup.objects[*object].kind;
  purpose.role = static_cast<std::uint16_t>(model::role_for(kind, model::Intent::renew) - kind.roles.data());
  purpose.object = *object;
  purpose.number = writers.object + 1U;
  model::send(step.context, std::move(purpose));
  return true;
}

/// 3.
void answered(ClientStep step, const Request& renewal, const Items& items) {
  Purpose purpose = renewal.purpose;
  const Settings& settings = settings_of(step.context);
  const bool renewed = tell_renewal(step, purpose, items);
  if (!renewed && !says(items, Meaning::failed) && renew_as_reader(step, purpose)) return;
  if (purpose.number != 0) purpose.object = static_cast<std::uint16_t>(purpose.number.value - 1);
  if (says(items, Meaning::failed)) {
    if (settings.error_ends_entry) watchdog(step).entries.erase(purpose.lock);
    return;
  }
  if (!renewed && !settings.renew_again_after_zero) {
    if (!settings.zero_ends_entry) return;
    forget(step, purpose.lock, purpose.object);
    if (resets_lease(step.context, purpose.object))
      forget_lease(of(step.own()), step.context.setup, purpose.object, *purpose.owner);
    return;
  }
  watchdog(step).again(purpose.lock, purpose.object, *purpose.owner,
                       renewal_period(step, purpose.object, *purpose.owner));
}

/// 5.
void unlocked(ClientStep step, const Purpose& unlock, const Items& items) {
  const Settings& settings = settings_of(step.context);
  if (says(items, Meaning::not_holder) && !settings.unlock_always_cancels) return;
  if (says(items, Meaning::failed) && !settings.failed_unlock_cancels) return;
  watchdog(step).cancel(unlock.lock, unlock.thread);
}

}  // namespace
}  // namespace generation_2

const Generation per_lock{.add = generation_2::add,
                          .fire = generation_2::fire,
                          .answered = generation_2::answered,
                          .unlocked = generation_2::unlocked,
                          .forget = generation_2::forget};

}  // namespace lockstep::redisson
