#include "model/redisson/library.h"

#include <algorithm>

#include "model/redisson/locks/waiting.h"
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

Duration renewal_period(const Redisson& redisson, const Context& context, std::uint16_t object,
                        ThreadId thread) {
  return Duration{lease_of(redisson, context, object, thread).count() / 3};
}

sim::Boxed<model::LibraryTag> initial() { return Redisson{}; }

model::RequestLimits limits(const Setup& setup, model::ProcessId process) {
  const Settings& settings = setup.client_of(process);
  return {settings.response_timeout, settings.retry_attempts, settings.retry_interval};
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

void fire(ClientStep step, std::size_t timer) {
  const Setup& setup = step.context.setup;
  for (const Watchdog::Due& due : of(step.own()).watchdog.fire(timer)) {
    const model::LockKind& kind = model::kind_of(setup, due.object);
    const model::Role* role = model::role_for(kind, Intent::renew);
    VERIFY(role != nullptr);
    model::send(step.context, Purpose{.kind = setup.objects[due.object].kind,
                                      .role = static_cast<std::uint16_t>(role - kind.roles.data()),
                                      .thread = due.thread,
                                      .incarnation = step.process.incarnation,
                                      .client = step.client,
                                      .lock = due.lock,
                                      .object = due.object,
                                      .lease = lease_of(of(step.own()), step.context, due.object, due.owner),
                                      .watched = false,
                                      .owner = due.owner});
  }
}

void renewal_answered(ClientStep step, const Request& request, const Items& items) {
  const Purpose& purpose = request.purpose;
  const Setup& setup = step.context.setup;
  const bool renewed = says(items, Meaning::renewed);
  step.context.out.seen.push_back(
      model::RenewalAnswered{step.context.self, purpose.thread, lock_of(request, setup), renewed});
  if (says(items, Meaning::failed)) return;
  if (!renewed && !settings_of(step.context).renew_again_after_zero) return;
  Redisson& redisson = of(step.own());
  redisson.watchdog.again(purpose.lock, purpose.object, *purpose.owner,
                          renewal_period(redisson, step.context, purpose.object, *purpose.owner));
}

/// LockPubSub.onMessage: UNLOCK_MESSAGE and READ_UNLOCK_MESSAGE; it takes no notice of others.
void told(LockPubSub& pub_sub, const std::string& lock, const std::string& payload,
          const Context& context) {
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

void connected(ClientStep step) {
  of(step.own()).pub_sub.resubscribe_all({step.context.out, step.client});
}

bool busy(const Client& client) {
  return !client.library.empty() && !of(client).watchdog.timers.empty();
}

std::optional<std::string> subscribed(const Client& client) {
  if (client.library.empty() || of(client).pub_sub.entries.empty()) return std::nullopt;
  return of(client).pub_sub.entries.begin()->first;
}

bool settling(const Client& client) {
  if (client.library.empty()) return false;
  const auto& entries = of(client).pub_sub.entries;
  return std::any_of(entries.begin(), entries.end(), [](const auto& entry) {
    return entry.second.phase != Subscription::Phase::subscribed;
  });
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
  for (const auto& [lock, entry] : of(client).watchdog.entries)
    for (const auto& [thread, count] : entry.holds) holds.emplace_back(thread, lock);
  return holds;
}

}  // namespace

const model::Library library{.name = "redisson",
                             .initial = initial,
                             .limits = limits,
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

const Settings& settings_of(const model::Context& context) {
  return context.setup.client_of(context.self);
}

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

std::string lock_of(const Request& request, const Setup& setup) {
  return model::resource_name(setup.objects[request.purpose.object].group, request.purpose.lock);
}

void ask_for_lock(Caller caller, Duration by_default) {
  const model::Call& call = caller.call();
  const Duration lease = call.lease.value_or(by_default);
  set_lease(of(caller.client()), caller.context, call.object, caller.id, lease);
  model::send(caller, Intent::acquire, lease);
}

void watch_if_granted(Caller caller, const Request& request, const Items& items) {
  const Purpose& purpose = request.purpose;
  if (!says(items, Meaning::granted) || !purpose.watched) return;
  Redisson& redisson = of(caller.process.clients[purpose.client]);
  const Duration period = renewal_period(redisson, caller.context, purpose.object, caller.id);
  redisson.watchdog.add(purpose.lock, purpose.thread, purpose.object, period);
}

void ask_for_release(Caller caller) {
  const model::Call& call = caller.call();
  Redisson& redisson = of(caller.client());
  const bool force = call.verb == model::StepKind::force_unlock;
  if (force) redisson.watchdog.cancel_all(call.lock);
  const Duration lease = lease_of(redisson, caller.context, call.object, caller.id);
  model::send(caller, force ? Intent::force_release : Intent::release, lease);
}

Answer release_answered(Caller caller, const Request& request, const Items& items, RenewalEnds ends) {
  const Purpose& purpose = request.purpose;
  const bool force = model::role_of(purpose, caller.setup()).intent == Intent::force_release;
  const bool stranger = says(items, Meaning::not_holder);
  const bool cancels = !force && (!stranger || ends == RenewalEnds::always);
  if (cancels && !settings_of(caller.context).unlock_keeps_renewing)
    of(caller.process.clients[purpose.client]).watchdog.cancel(purpose.lock, purpose.thread);
  if (says(items, Meaning::failed) || stranger) return Answer::exception;
  return says(items, Meaning::nothing) ? Answer::no : Answer::yes;
}

}  // namespace lockstep::redisson
