// renewal_per_client.cpp: the watchdog of Redisson 3.44.0 and later (LockRenewalScheduler, RenewalTask,
// LockTask, ReadLockTask).
//
//   1. A lock taken without a lease is registered under its name: an entry counts the holds of each thread.
//      Readers have entries and a task of their own. A new entry starts its task, unless that runs: a timer
//      of a third of the watchdog's time.
//   2. The timer fires: the locks are renewed in the order of their names, `watchdog-batch` in a request,
//      each for the first thread of its entry, always for the watchdog's time; readers since 4.4.0 for all of
//      them. One request follows the answer to the other.
//   3. An answer of 0 for a lock takes one hold of each such thread off, whatever it holds by then. After the
//      last request, or the first that fails, the timer is set again, if the task still runs.
//   4. An unlock takes one hold of its thread off, whatever it was answered. With the last hold of the last
//      thread the entry goes, and with the last entry the task stops; its timer stays, and goes on with the
//      next task that it finds running.
//   5. Up to 3.45.x the timer's thread first lists the locks and then reads their entries, while replies are
//      handled by another. An entry that an unlock has taken away meanwhile is an exception that nobody
//      catches: the task runs on and has no timer, and none of its locks is renewed again, unless the last of
//      them goes and a new one starts it. In 3.45.1 only if none of the entries is left.
//   6. Up to 3.45.1 a thread that held twice is not forgotten with its last hold: it stays the first of its
//      entry, and nobody behind it is renewed for. Of readers that is so up to 4.6.
//
// Scripts that take one lock only renew one in a request. A timer's `lock` is the name of its task, that of
// the script that it sends.
#include "model/redisson/renewal.h"

#include <algorithm>

#include "model/client/requests.h"
#include "sim/base/verify.h"

namespace lockstep::redisson {

namespace generation_3 {
namespace {

using model::Purpose;

Watchdog& watchdog(ClientStep step) { return of(step.own()).watchdog; }

const model::Role& renews(const Setup& setup, std::uint16_t object) {
  const model::Role* role = model::role_for(model::kind_of(setup, object), model::Intent::renew);
  VERIFY(role != nullptr);
  return *role;
}
std::string task_of(const Setup& setup, std::uint16_t object) {
  return std::string(renews(setup, object).name);
}

using Entries = std::map<std::string, RenewalEntry>;
/// 1.
Entries& entries_of(ClientStep step, model::Mode mode) {
  return mode == model::Mode::shared ? watchdog(step).readers : watchdog(step).entries;
}
Entries& entries_of(ClientStep step, std::uint16_t object) {
  return entries_of(step, model::mode_of(step.context.setup, object));
}

/// 6.
bool leaks(ClientStep step, std::uint16_t object) {
  const Settings& settings = settings_of(step.context);
  const bool reads = model::mode_of(step.context.setup, object) == model::Mode::shared;
  return reads ? settings.read_hold_leaks : settings.inner_hold_leaks;
}

void schedule(ClientStep step, const std::string& task) {
  const Duration period{settings_of(step.context).watchdog.count() / 3};
  watchdog(step).timers.push_back(
      {.lock = task, .object = 0, .owner = sim::no_thread, .thread = {}, .left = {period}});
}

/// 1.
void add(ClientStep step, const Purpose& granted) {
  Watchdog& all = watchdog(step);
  Entries& entries = entries_of(step, granted.object);
  const bool is_new = !entries.contains(granted.lock);
  RenewalEntry& entry = entries[granted.lock];
  if (is_new) entry.object = granted.object;
  const auto mine = std::find_if(entry.holds.begin(), entry.holds.end(),
                                 [&](const auto& hold) { return hold.first == granted.thread; });
  if (mine == entry.holds.end()) entry.holds.emplace_back(granted.thread, 1);
  else if (++mine->second > 1 && leaks(step, granted.object) &&
           std::find(entry.nested.begin(), entry.nested.end(), granted.thread) == entry.nested.end())
    entry.nested.push_back(granted.thread);
  const std::string task = task_of(step.context.setup, granted.object);
  if (is_new && all.running.insert(task).second) schedule(step, task);
}

const lua::Script* script_of(ClientStep step, const model::Role& role) {
  return model::script_for(role, step.context.setup.scripts_of(step.context.self));
}

std::size_t batch_of(ClientStep step, const model::Role& role) {
  const lua::Script* script = script_of(step, role);
  const bool takes_many = script != nullptr && !script->keys.empty() && script->keys.front() == "locks";
  return takes_many ? settings_of(step.context).watchdog_batch : 1;
}

/// For whom a lock is renewed.
std::vector<ThreadId> renewed_for(ClientStep step, const model::Role& role, const RenewalEntry& entry) {
  const lua::Script* script = script_of(step, role);
  const auto counted = [&] { return std::ranges::find(script->args, "counts") != script->args.end(); };
  if (script == nullptr || !counted()) return {entry.holds.front().first};
  std::vector<ThreadId> threads;
  for (const auto& [thread, count] : entry.holds)
    if (count > 0) threads.push_back(thread);
  return threads;
}

/// 2.: the next request, of locks behind this one. False if there are none.
bool send_next(ClientStep step, const std::string& task, model::Mode mode, const std::string& behind) {
  const Setup& setup = step.context.setup;
  std::optional<Purpose> purpose;
  std::size_t room = 0;
  for (const auto& [lock, entry] : entries_of(step, mode)) {
    if (lock <= behind || task_of(setup, entry.object) != task || entry.holds.empty()) continue;
    const model::Role& role = renews(setup, entry.object);
    const std::vector<ThreadId> threads = renewed_for(step, role, entry);
    if (threads.empty()) continue;
    if (!purpose) {
      const model::LockKind& kind = model::kind_of(setup, entry.object);
      room = batch_of(step, role);
      purpose.emplace(Purpose{.kind = setup.objects[entry.object].kind,
                              .role = static_cast<std::uint16_t>(&role - kind.roles.data()),
                              .thread = threads.front(),
                              .incarnation = step.process.incarnation,
                              .client = step.client,
                              .lock = lock,
                              .object = entry.object,
                              .lease = settings_of(step.context).watchdog,
                              .watched = false,
                              .owner = std::nullopt});
    } else {
      purpose->also.push_back({lock, entry.object, threads.front()});
    }
    for (std::size_t i = 1; i < threads.size(); ++i)
      purpose->also.push_back({lock, entry.object, threads[i]});
    if (--room == 0) break;
  }
  if (!purpose) return false;
  model::send(step.context, *std::move(purpose));
  return true;
}

void go_on(ClientStep step, const std::string& task, model::Mode mode, const std::string& behind) {
  if (send_next(step, task, mode, behind)) return;
  if (watchdog(step).running.contains(task)) schedule(step, task);
}

/// 5.: what the first request would be about.
std::vector<std::string> locks_of(ClientStep step, const std::string& task) {
  std::vector<std::string> locks;
  for (const auto* entries : {&watchdog(step).entries, &watchdog(step).readers})
    for (const auto& [lock, entry] : *entries)
      if (task_of(step.context.setup, entry.object) == task &&
          locks.size() < batch_of(step, renews(step.context.setup, entry.object)))
        locks.push_back(lock);
  return locks;
}

/// 5.
bool throws(ClientStep step, const std::vector<std::string>& reads) {
  const auto gone = static_cast<std::size_t>(std::ranges::count(reads, std::string()));
  return gone > 0 && (settings_of(step.context).renewal_race == 1 || gone == reads.size());
}

void fire(ClientStep step, std::size_t timer) {
  auto& timers = watchdog(step).timers;
  const std::string task = timers.at(timer).lock;
  const std::vector<std::string> reads = timers.at(timer).reads;
  timers.erase(timers.begin() + static_cast<std::ptrdiff_t>(timer));
  if (throws(step, reads)) return;
  if (reads.empty() && settings_of(step.context).renewal_race != 0) {
    if (std::vector<std::string> locks = locks_of(step, task); !locks.empty()) {
      timers.push_back({.lock = task,
                        .object = 0,
                        .owner = sim::no_thread,
                        .thread = {},
                        .left = {},
                        .reads = std::move(locks)});
      return;
    }
  }
  const auto has_readers = [&](const auto& entry) {
    return task_of(step.context.setup, entry.second.object) == task;
  };
  const Entries& readers = watchdog(step).readers;
  const bool of_readers = std::any_of(readers.begin(), readers.end(), has_readers);
  go_on(step, task, of_readers ? model::Mode::shared : model::Mode::exclusive, {});
}

/// 4.
void drop_entry(ClientStep step, Entries& entries, const std::string& lock) {
  const auto found = entries.find(lock);
  if (found == entries.end()) return;
  const std::string task = task_of(step.context.setup, found->second.object);
  entries.erase(found);
  for (RenewalTimer& timer : watchdog(step).timers)
    if (timer.lock == task) std::ranges::replace(timer.reads, lock, std::string());
  if (std::none_of(entries.begin(), entries.end(), [&](const auto& entry) {
        return task_of(step.context.setup, entry.second.object) == task;
      }))
    watchdog(step).running.erase(task);
}

void forget(ClientStep step, const std::string& lock, std::uint16_t object) {
  drop_entry(step, entries_of(step, object), lock);
}

void cancel(ClientStep step, const std::string& lock, std::uint16_t object, ThreadId thread) {
  Entries& entries = entries_of(step, object);
  const auto found = entries.find(lock);
  if (found == entries.end()) return;
  RenewalEntry& entry = found->second;
  const auto mine = std::find_if(entry.holds.begin(), entry.holds.end(),
                                 [&](const auto& hold) { return hold.first == thread; });
  if (mine == entry.holds.end() || mine->second == 0 || --mine->second > 0) return;
  if (std::find(entry.nested.begin(), entry.nested.end(), thread) != entry.nested.end()) return;  // 6.
  entry.holds.erase(mine);
  if (entry.holds.empty()) drop_entry(step, entries, lock);
}

/// 3.
void answered(ClientStep step, const Request& renewal, const Items& items) {
  const std::vector<Purpose> parts = parts_of(renewal.purpose);
  const bool failed = says(items, Meaning::failed);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const bool renewed = tell_renewal(step, parts[i], model::items_about(items, parts, i));
    if (!failed && !renewed) cancel(step, parts[i].lock, parts[i].object, parts[i].thread);
  }
  const std::string task = task_of(step.context.setup, renewal.purpose.object);
  if (!failed)
    return go_on(step, task, model::mode_of(renewal.purpose, step.context.setup), parts.back().lock);
  if (watchdog(step).running.contains(task)) schedule(step, task);
}

void unlocked(ClientStep step, const Purpose& unlock, const Items&) {
  cancel(step, unlock.lock, unlock.object, unlock.thread);
}

}  // namespace
}  // namespace generation_3

const Generation per_client{.add = generation_3::add,
                            .fire = generation_3::fire,
                            .answered = generation_3::answered,
                            .unlocked = generation_3::unlocked,
                            .forget = generation_3::forget};

}  // namespace lockstep::redisson
