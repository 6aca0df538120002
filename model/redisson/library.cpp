#include "model/redisson/library.h"

#include <algorithm>

#include "model/redisson/locks/waiting.h"
#include "model/redisson/renewal.h"
#include "model/redisson/synced.h"
#include "sim/base/content_order.h"
#include "sim/base/verify.h"

namespace lockstep::redisson {

namespace {

/// Stands for any thread, where which one makes no difference. Renaming leaves it alone.
constexpr ThreadId no_thread{0xffff};

using model::Client;
using model::Context;
using model::Intent;
using model::Purpose;
using model::Reply;

std::pair<std::uint16_t, std::optional<ThreadId>> lease_key(const Setup& setup, std::uint16_t object,
                                                            ThreadId thread) {
  if (!setup.objects[object].fresh) return {object, std::nullopt};
  return {object, thread};
}

sim::Boxed<model::LibraryTag> initial() { return Redisson{}; }

/// EqualJitterDelay: half of 1 s up to all of it, from the second on of 2 s.
model::Interval drawn_delay(std::uint16_t attempts) {
  const Duration longest = attempts == 0 ? longest_delay / 2 : longest_delay;
  return {longest / 2, longest};
}

/// Where replicas are waited for, the request and its WAIT go as a batch, which takes no notice of noRetry.
model::RequestLimits limits(const Setup& setup, const Purpose& purpose, std::uint16_t attempts) {
  const Settings& settings = setup.client_of(setup.process_of(purpose.thread));
  const Intent intent = model::role_of(purpose, setup).intent;
  const bool once = settings.no_retry && (intent == Intent::acquire || intent == Intent::release) &&
                    !setup.replicates(sim::make_id<model::GroupId>(purpose.client));
  return {.response_timeout = settings.response_timeout,
          .retry_attempts = settings.retry_attempts,
          .retry_interval = settings.retry_jitter
                                ? drawn_delay(attempts)
                                : model::Interval{settings.retry_interval, settings.retry_interval},
          .resend = settings.resend && !once &&
                    (settings.resends_with_wait || syncing(setup, purpose).count == model::Syncing::Count::none)};
}

std::vector<std::size_t> due(const Client& client) {
  std::vector<std::size_t> numbers;
  if (client.library.empty()) return numbers;
  const auto& timers = of(client).watchdog.timers;
  for (std::size_t i = 0; i < timers.size(); ++i)
    if (timers[i].left.due()) numbers.push_back(i);
  return numbers;
}

std::string lock_of_timer(const Client& client, std::size_t timer) {
  return of(client).watchdog.timers[timer].lock;
}

void fire(ClientStep step, std::size_t timer) { generation_of(step.context).fire(step, timer); }

void renewal_answered(ClientStep step, const Request& request, const Items& items) {
  generation_of(step.context).answered(step, request, items);
}

/// LockPubSub.onMessage: UNLOCK_MESSAGE and READ_UNLOCK_MESSAGE; it takes no notice of others.
void told(LockPubSub& pub_sub, const std::string& lock, const std::string& payload, const Context& context) {
  if (payload == "0") pub_sub.message(lock, !settings_of(context).permit_ignored);
  else if (payload == "1") pub_sub.message_to_all(lock);
}

void pushed(ClientStep step, const Reply& message) {
  const Reply::Array* parts = message.array();
  VERIFY(parts != nullptr && parts->size() == 3);
  const std::string& kind = *(*parts)[0].bulk();
  if ((*parts)[1].bulk() == nullptr) return;  // UNSUBSCRIBE of nothing
  LockPubSub& pub_sub = of(step.own()).pub_sub;
  const Channels channels{step.context.out, step.client};
  for (const std::string& lock : pub_sub.locks_on(*(*parts)[1].bulk())) {
    if (kind == "message") {
      told(pub_sub, lock, *(*parts)[2].bulk(), step.context);
    } else if (kind == "subscribe") {
      for (const ThreadId thread : pub_sub.confirmed(lock, channels))
        subscription_confirmed({step.process, thread, step.context});
    } else if (kind == "unsubscribe") {
      pub_sub.unsubscription_confirmed(lock, channels);
    }
  }
}

void connected(ClientStep step) { of(step.own()).pub_sub.resubscribe_all({step.context.out, step.client}); }

bool busy(const Client& client) { return !client.library.empty() && !of(client).watchdog.timers.empty(); }

std::optional<std::string> subscribed(const Client& client) {
  if (client.library.empty() || of(client).pub_sub.entries.empty()) return std::nullopt;
  return of(client).pub_sub.entries.begin()->first;
}

bool settling(const Client& client) {
  if (client.library.empty()) return false;
  const auto& entries = of(client).pub_sub.entries;
  return std::any_of(entries.begin(), entries.end(),
                     [](const auto& entry) { return entry.second.phase != Subscription::Phase::subscribed; });
}

/// The owner of a renewal timer is read for one thing: to find the lease field of its lock object. All
/// threads share that field unless the object is fresh. Who is done reads no lease field; its registrations
/// for renewal stay, for nothing-left-behind looks at them.
void forget(Client& client, const Setup& setup, bool done) {
  if (client.library.empty()) return;
  Redisson& redisson = of(client);
  for (RenewalTimer& timer : redisson.watchdog.timers)
    if (!setup.objects[timer.object].fresh) timer.owner = no_thread;
  if (done) redisson.leases.clear();
}

/// Renewal timers fire each by itself, in any order. The threads of an entry that wait for a confirmation go
/// on all at once, or ask again all at once; of those that gave up only the number counts. Not those parked:
/// they are woken first come, first served.
void put_in_order(Client& client) {
  if (client.library.empty()) return;
  Redisson& redisson = of(client);
  sim::sort_by_content(redisson.watchdog.timers);
  for (auto& [lock, entry] : redisson.pub_sub.entries) {
    std::sort(entry.waiting.begin(), entry.waiting.end());
    std::sort(entry.behind.begin(), entry.behind.end());
    std::fill(entry.abandoned.begin(), entry.abandoned.end(), no_thread);
  }
}

std::vector<std::pair<ThreadId, std::string>> renewing(const Client& client) {
  std::vector<std::pair<ThreadId, std::string>> holds;
  if (client.library.empty()) return holds;
  const Watchdog& watchdog = of(client).watchdog;
  for (const auto* entries : {&watchdog.entries, &watchdog.readers})
    for (const auto& [lock, entry] : *entries)
      for (const auto& [thread, count] : entry.holds)
        if (count > 0) holds.emplace_back(thread, lock);
  return holds;
}

}  // namespace

const model::Library library{.name = "redisson",
                             .initial = initial,
                             .limits = limits,
                             .asked = asked,
                             .syncing = syncing,
                             .lease_of_undo = lease_of_undo,
                             .undone = undone,
                             .due = due,
                             .fire = fire,
                             .lock_of_timer = lock_of_timer,
                             .answered = renewal_answered,
                             .pushed = pushed,
                             .connected = connected,
                             .closed = nullptr,
                             .busy = busy,
                             .subscribed = subscribed,
                             .settling = settling,
                             .forget = forget,
                             .put_in_order = put_in_order,
                             .renewing = renewing};

Redisson& of(Client& client) { return client.library.write<Redisson>(); }
const Redisson& of(const Client& client) { return client.library.get<Redisson>(); }

const Settings& settings_of(const model::Context& context) { return context.setup.client_of(context.self); }

Duration lease_of(const Redisson& redisson, const model::Context& context, std::uint16_t object,
                  ThreadId thread) {
  const auto found = redisson.leases.find(lease_key(context.setup, object, thread));
  return found == redisson.leases.end() ? settings_of(context).watchdog : found->second;
}

void set_lease(Redisson& redisson, const model::Context& context, std::uint16_t object, ThreadId thread,
               Duration lease) {
  const auto key = lease_key(context.setup, object, thread);
  if (lease == settings_of(context).watchdog) redisson.leases.erase(key);
  else redisson.leases[key] = lease;
}

void forget_lease(Redisson& redisson, const Setup& setup, std::uint16_t object, ThreadId thread) {
  redisson.leases.erase(lease_key(setup, object, thread));
}

std::string lock_of(const Purpose& purpose, const Setup& setup) {
  return model::resource_name(setup.objects[purpose.object].group, purpose.lock);
}

void send_in_wait(Caller caller, Intent intent, Duration lease, Duration wait_of_member) {
  if (wait_of_member == Duration::zero()) return model::send(caller, intent, lease);
  const model::Role* role = model::role_for(caller.kind(), intent);
  VERIFY(role != nullptr);
  Purpose purpose =
      model::purpose_of(caller, *role, model::client_of(caller.setup(), caller.call().object), lease);
  purpose.wait = -wait_of_member;
  model::send(caller.context, std::move(purpose));
}

void ask_for_lock(Caller caller, Duration by_default, LeaseField field, Duration wait_of_member) {
  const model::Call& call = caller.call();
  const Duration lease = call.lease.value_or(by_default);
  if (field == LeaseField::set_by_asking)
    set_lease(of(caller.client()), caller.context, call.object, caller.id, lease);
  send_in_wait(caller, Intent::acquire, lease, wait_of_member);
}

void watch_if_granted(Caller caller, const Request& request, const Items& items) {
  const Purpose& purpose = request.purpose;
  if (!says(items, Meaning::granted)) return;
  const ClientStep step{caller.process, purpose.client, caller.context};
  if (purpose.watched) generation_of(step.context).add(step, purpose);
  else if (settings_of(step.context).granted_sets_lease)
    set_lease(of(step.own()), step.context, purpose.object, purpose.thread, purpose.lease);
}

void ask_for_release(Caller caller) {
  const model::Call& call = caller.call();
  Redisson& redisson = of(caller.client());
  const bool force = call.verb == model::StepKind::force_unlock;
  if (force) {
    generation_of(caller.context).forget(caller.library(), call.lock, call.object);
    if (settings_of(caller.context).unlock_resets_lease)
      forget_lease(redisson, caller.setup(), call.object, caller.id);
  }
  const Duration lease = lease_of(redisson, caller.context, call.object, caller.id);
  model::send(caller, force ? Intent::force_release : Intent::release, lease);
}

/// Nobody waits for the answer.
void delete_latch(ClientStep step, const Purpose& unlock) {
  const Setup& setup = step.context.setup;
  const model::LockKind& kind = *setup.kinds[unlock.kind];
  const model::Role* role = model::role_for(kind, Intent::tidy);
  if (role == nullptr ||
      !model::is_told_of_calls(kind, model::role_of(unlock, setup), setup.scripts_of(step.context.self)))
    return;
  Purpose purpose = unlock;
  purpose.role = static_cast<std::uint16_t>(role - kind.roles.data());
  purpose.lease = {};
  model::send(step.context, std::move(purpose));
}

namespace {

void unlocked(ClientStep step, const Purpose& unlock, const Items& items) {
  const Settings& settings = settings_of(step.context);
  if (!settings.unlock_keeps_renewing) generation_of(step.context).unlocked(step, unlock, items);
  if (settings.unlock_resets_lease &&
      !(settings.inner_unlock_keeps_lease && says(items, Meaning::still_held)))
    forget_lease(of(step.own()), step.context.setup, unlock.object, unlock.thread);
  if (settings.deletes_latch && !says(items, Meaning::failed)) delete_latch(step, unlock);
}

}  // namespace

Answer release_answered(Caller caller, const Request& request, const Items& items) {
  const Purpose& purpose = request.purpose;
  if (model::role_of(purpose, caller.setup()).intent != Intent::force_release)
    unlocked({caller.process, purpose.client, caller.context}, purpose, items);
  if (says(items, Meaning::failed) || says(items, Meaning::not_holder)) return Answer::exception;
  return says(items, Meaning::nothing) ? Answer::no : Answer::yes;
}

}  // namespace lockstep::redisson
