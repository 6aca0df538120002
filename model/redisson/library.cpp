#include "model/redisson/library.h"

#include <algorithm>

#include "model/redisson/locks/listening.h"
#include "model/redisson/locks/spinning_futures.h"
#include "model/redisson/locks/subscribing.h"
#include "model/redisson/locks/waiting.h"
#include "model/redisson/renewal.h"
#include "model/redisson/synced.h"
#include "model/redisson/unlock_answers.h"
#include "sim/base/content_order.h"
#include "sim/base/verify.h"

namespace lockstep::redisson {

namespace {

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

bool waits(const Setup& setup, const Purpose& purpose) {
  return syncing(setup, purpose).count != model::Syncing::Count::none;
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
          .resend = settings.resend && !once && (settings.resends_with_wait || !waits(setup, purpose)),
          .refusals = settings.refusals_retried,
          .connections = settings.connection_pool,
          .connection_wait = settings.connection_wait};
}

/// A timer of the client that is none of the watchdog's: these are numbered behind those.
struct OtherTimer {
  enum class Of : std::uint8_t { confirmation, waiting, listening, connection, sleep } of = Of::confirmation;
  std::string lock{};
  Waiter waiter{};
  std::size_t queued = 0;  // connection, sleep: its place
  sim::Timer left{};
  std::optional<sim::Timer> at_latest{};  // sleep
};

/// A mutex of subscriptions may be waited for by futures, too.
void add_waiters(std::vector<OtherTimer>& timers, const std::string& lock, const std::vector<Waiter>& waiters,
                 OtherTimer::Of of) {
  for (const Waiter& waiter : waiters)
    if (waiter.left.left != sim::never)
      timers.push_back({.of = of, .lock = lock, .waiter = waiter, .left = waiter.left});
}

std::vector<OtherTimer> other_timers(const Client& client) {
  using Of = OtherTimer::Of;
  std::vector<OtherTimer> timers;
  for (const auto& [lock, entry] : of(client).pub_sub.entries) {
    if (entry.unconfirmed.left != sim::never)
      timers.push_back({.of = Of::confirmation, .lock = lock, .left = entry.unconfirmed});
    add_waiters(timers, lock, entry.waiting, Of::waiting);
    add_waiters(timers, lock, entry.behind, Of::waiting);
    add_waiters(timers, lock, entry.listeners, Of::listening);
    add_waiters(timers, lock, entry.undecided, Of::listening);
  }
  for (const InLine& one : of(client).pub_sub.line)
    if (one.subscriber) add_waiters(timers, one.lock, {*one.subscriber}, Of::waiting);
  for (std::size_t i = 0; i < client.queue.size(); ++i)
    timers.push_back({.of = Of::connection,
                      .lock = client.queue[i].request.purpose.lock,
                      .queued = i,
                      .left = client.queue[i].left});
  const auto& asleep = of(client).asleep;
  for (std::size_t i = 0; i < asleep.size(); ++i)
    if (asleep[i].lo.left != sim::never)
      timers.push_back({.of = Of::sleep,
                        .lock = asleep[i].lock,
                        .queued = i,
                        .left = asleep[i].lo,
                        .at_latest = asleep[i].hi});
  return timers;
}

std::vector<std::size_t> due(const Client& client) {
  std::vector<std::size_t> numbers;
  if (client.library.empty()) return numbers;
  const auto& timers = of(client).watchdog.timers;
  for (std::size_t i = 0; i < timers.size(); ++i)
    if (timers[i].left.due()) numbers.push_back(i);
  const std::vector<OtherTimer> others = other_timers(client);
  for (std::size_t i = 0; i < others.size(); ++i)
    if (others[i].left.due()) numbers.push_back(timers.size() + i);
  return numbers;
}

std::optional<OtherTimer> other_timer(const Client& client, std::size_t timer) {
  const std::size_t renewals = of(client).watchdog.timers.size();
  if (timer < renewals) return std::nullopt;
  return other_timers(client).at(timer - renewals);
}

std::optional<sim::Timer> fires_at_latest(const Client& client, std::size_t timer) {
  const auto other = other_timer(client, timer);
  if (!other || !other->at_latest || other->at_latest->left == other->left.left) return std::nullopt;
  return other->at_latest;
}

std::string lock_of_timer(const Client& client, std::size_t timer) {
  const auto other = other_timer(client, timer);
  return other ? other->lock : of(client).watchdog.timers[timer].lock;
}

std::string_view timer_says(const Client& client, std::size_t timer) {
  const auto other = other_timer(client, timer);
  if (!other) return of(client).watchdog.timers[timer].reads.empty() ? "" : "the entries are read of";
  switch (other->of) {
    case OtherTimer::Of::confirmation:
      return "no confirmation on the channel of";
    case OtherTimer::Of::waiting:
      return "no subscription for";
    case OtherTimer::Of::listening:
      return "no message about";
    case OtherTimer::Of::connection:
      return "no free connection for a request about";
    case OtherTimer::Of::sleep:
      return "no more sleep before it asks for";
  }
  return {};
}

/// These wait for a confirmation no more.
void wake(ClientStep step, const std::vector<Waiter>& waiters) {
  for (const Waiter& waiter : waiters) {
    const Caller caller{step.process, waiter.thread, step.context, waiter.task};
    if (waiter.task == 0) subscription_confirmed(caller);
    else future_subscribed(caller);
  }
}

void unanswered(ClientStep step, const std::string& lock) {
  const auto [failed, over] = of(step.own()).pub_sub.unanswered(lock, channels_of(step));
  for (const Waiter& waiter : failed) {
    const Caller caller{step.process, waiter.thread, step.context, waiter.task};
    if (waiter.task == 0) subscription_failed(caller);
    else future_not_subscribed(caller);
  }
  wake(step, over);
}

void no_connection(ClientStep step, std::size_t queued) {
  auto& queue = step.own().queue;
  const model::Queued one = queue.at(queued);
  queue.erase(queue.begin() + static_cast<std::ptrdiff_t>(queued));
  model::fail(step.process, one.request, one.caller_gone, step.context);
}

void wake_from_sleep(ClientStep step, std::size_t place) {
  auto& asleep = of(step.own()).asleep;
  const Asleep one = asleep.at(place);
  asleep.erase(asleep.begin() + static_cast<std::ptrdiff_t>(place));
  future_slept({step.process, one.thread, step.context, one.task}, one.longest - one.hi.left);
}

void fire(ClientStep step, std::size_t timer) {
  const auto other = other_timer(step.own(), timer);
  if (!other) return generation_of(step.context).fire(step, timer);
  const Caller caller{step.process, other->waiter.thread, step.context, other->waiter.task};
  switch (other->of) {
    case OtherTimer::Of::confirmation:
      return unanswered(step, other->lock);
    case OtherTimer::Of::waiting:
      return future_not_subscribed(caller);
    case OtherTimer::Of::listening:
      return future_waited(caller);
    case OtherTimer::Of::connection:
      return no_connection(step, other->queued);
    case OtherTimer::Of::sleep:
      return wake_from_sleep(step, other->queued);
  }
}

void renewal_answered(ClientStep step, const Request& request, const Items& items) {
  generation_of(step.context).answered(step, request, items);
}

/// LockPubSub.onMessage: UNLOCK_MESSAGE and READ_UNLOCK_MESSAGE (since 3.8.2); it takes no notice of others.
/// Listeners and threads have no part in each other's.
void told(ClientStep step, const std::string& lock, const std::string& payload) {
  LockPubSub& pub_sub = of(step.own()).pub_sub;
  const bool known = payload == "0" || (payload == "1" && settings_of(step.context).write_wakes_all);
  if (!known) return;
  const std::vector<Waiter> listeners = pub_sub.listeners_of(lock, payload == "1");
  if (payload == "0") pub_sub.message(lock, !settings_of(step.context).permit_ignored);
  else pub_sub.message_to_all(lock);
  for (const Waiter& waiter : listeners)
    future_told({step.process, waiter.thread, step.context, waiter.task});
}

/// An SSUBSCRIBE that is refused (MOVED, CLUSTERDOWN) is one that nobody confirms; that a node has given up
/// the slot of a channel is found out when the client learns whose it is.
void pushed(ClientStep step, const Reply& message) {
  if (message.error() != nullptr) return;
  const Reply::Array* parts = message.array();
  VERIFY(parts != nullptr && parts->size() == 3);
  std::string_view kind = *(*parts)[0].bulk();
  if (is_sharded(step.context.setup, step.context.self)) kind.remove_prefix(1);
  if ((*parts)[1].bulk() == nullptr) return;  // UNSUBSCRIBE of nothing
  LockPubSub& pub_sub = of(step.own()).pub_sub;
  const Channels channels = channels_of(step);
  for (const std::string& lock : pub_sub.locks_on(*(*parts)[1].bulk())) {
    if (kind == "message") told(step, lock, *(*parts)[2].bulk());
    else if (kind == "subscribe") wake(step, pub_sub.confirmed(lock, channels));
    else if (kind == "unsubscribe") wake(step, pub_sub.unsubscription_confirmed(lock, channels));
  }
}

void connected(ClientStep step) { wake(step, of(step.own()).pub_sub.resubscribe_all(channels_of(step))); }

/// The timers of the client's event loop stop. Who is parked is woken by nobody, but its own time goes on.
void shut_down(ClientStep step) {
  Redisson& own = of(step.own());
  own.watchdog = {};
  own.asleep.clear();
  own.pub_sub.line.clear();
  std::erase_if(own.pub_sub.entries,
                [](const auto& entry) { return entry.second.phase == Subscription::Phase::unsubscribing; });
  for (auto& [lock, entry] : own.pub_sub.entries) {
    entry.unconfirmed = {sim::never};
    entry.undecided.clear();
    for (auto* waiters : {&entry.waiting, &entry.listeners, &entry.behind})
      for (Waiter& waiter : *waiters) waiter.left = {sim::never};
  }
}

bool busy(const Client& client) {
  return !client.library.empty() && (!of(client).watchdog.timers.empty() || !other_timers(client).empty());
}

std::optional<std::string> subscribed(const Client& client) {
  if (client.library.empty() || of(client).pub_sub.entries.empty()) return std::nullopt;
  return of(client).pub_sub.entries.begin()->first;
}

bool settling(const Client& client) {
  if (client.library.empty()) return false;
  const auto& entries = of(client).pub_sub.entries;
  if (!of(client).pub_sub.line.empty()) return true;
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
    if (!setup.objects[timer.object].fresh) timer.owner = sim::no_thread;
  if (done) redisson.leases.clear();
}

/// Renewal timers and sleeps end each by itself, in any order; who waits for a confirmation goes on with all
/// others; of those that gave up only the number counts. Not those parked: they are woken in their order.
void put_in_order(Client& client) {
  if (client.library.empty()) return;
  Redisson& redisson = of(client);
  sim::sort_by_content(redisson.watchdog.timers);
  sim::sort_by_content(redisson.asleep);
  for (auto& [lock, entry] : redisson.pub_sub.entries) {
    std::sort(entry.waiting.begin(), entry.waiting.end());
    std::sort(entry.behind.begin(), entry.behind.end());
    std::sort(entry.undecided.begin(), entry.undecided.end());
    std::fill(entry.abandoned.begin(), entry.abandoned.end(), Waiter{.thread = sim::no_thread});
  }
}

std::vector<std::pair<ThreadId, std::string>> renewing(const Client& client) {
  std::vector<std::pair<ThreadId, std::string>> holds;
  if (client.library.empty()) return holds;
  const Watchdog& watchdog = of(client).watchdog;
  for (const auto* entries : {&watchdog.entries, &watchdog.readers})
    for (const auto& [lock, entry] : *entries)
      for (const auto& [thread, count] : entry.holds) holds.emplace_back(thread, lock);
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
                             .fires_at_latest = fires_at_latest,
                             .fire = fire,
                             .lock_of_timer = lock_of_timer,
                             .timer_says = timer_says,
                             .answered = renewal_answered,
                             .pushed = pushed,
                             .connected = connected,
                             .closed = nullptr,
                             .shut_down = shut_down,
                             .busy = busy,
                             .subscribed = subscribed,
                             .settling = settling,
                             .forget = forget,
                             .put_in_order = put_in_order,
                             .renewing = renewing};

Redisson& of(Client& client) { return client.library.write<Redisson>(); }
const Redisson& of(const Client& client) { return client.library.get<Redisson>(); }

const Settings& settings_of(const model::Context& context) { return context.setup.client_of(context.self); }

bool is_sharded(const Setup& setup, sim::ProcessId process) {
  return setup.topology == model::Topology::cluster && setup.client_of(process).sharded_pub_sub;
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

std::string lock_of(const Purpose& purpose, const Setup& setup) {
  const model::LockObject& object = setup.objects[purpose.object];
  return model::resource_name(object.group, object.key.empty() ? purpose.lock : object.name);
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
    if (resets_lease(caller.context, call.object))
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
  purpose.task = 0;
  model::send(step.context, std::move(purpose));
}

namespace {

void unlocked(ClientStep step, const Purpose& unlock, const Items& items) {
  const Settings& settings = settings_of(step.context);
  if (!settings.unlock_keeps_renewing) generation_of(step.context).unlocked(step, unlock, items);
  if (resets_lease(step.context, unlock.object) &&
      !(settings.inner_unlock_keeps_lease && says(items, Meaning::still_held)))
    forget_lease(of(step.own()), step.context.setup, unlock.object, unlock.thread);
  if (settings.deletes_latch && !says(items, Meaning::failed)) delete_latch(step, unlock);
}

}  // namespace

Answer release_answered(Caller caller, const Request& request, const Items& answer) {
  const Purpose& purpose = request.purpose;
  const Items items = taken_by(settings_of(caller.context), *caller.setup().kinds[purpose.kind], answer);
  if (model::role_of(purpose, caller.setup()).intent != Intent::force_release)
    unlocked({caller.process, purpose.client, caller.context}, purpose, items);
  if (says(items, Meaning::failed) || says(items, Meaning::not_holder)) return Answer::exception;
  return says(items, Meaning::nothing) ? Answer::no : Answer::yes;
}

}  // namespace lockstep::redisson
