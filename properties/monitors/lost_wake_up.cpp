// lost_wake_up.cpp: who is parked for a lock that was released is told so, or another is about to take it.
//
// A wake-up is lost where time passes, or nothing will happen any more, while all of this is so: a request
// released the lock (or let go of a part of it, so that who waits might have it now) and nobody has taken it
// since; a thread of a running process that reaches the master is parked for it; no message is under way to
// its process; and nobody else who waits for the lock is awake, about to be told, or kept from running, for
// it may have been told: who is will ask for it, and release it again.
//
// Not judged is what the network lost: a message, or a subscription that did not stand when the lock was
// released, or broke since; a connection that nobody is subscribed on is no subscription. For that a parked
// thread has the time that it was told, and wakes by itself; so it does when a lease runs out, of which
// nobody sends word. granted-in-time says how long either may take.
#include <algorithm>

#include <fmt/format.h>

#include "model/client/lock_kind.h"
#include "model/world/faults/table.h"
#include "properties/monitors/on_request.h"
#include "sim/base/overloaded.h"

namespace lockstep::properties {

void LostWakeUp::note(const model::Evaluated& seen, const model::Facts& facts) {
  const Setup& setup = facts.setup();
  const model::Intent intent = model::role_of(seen.purpose, setup).intent;
  const bool releases = intent == model::Intent::release || intent == model::Intent::force_release;
  if (!releases || !seen.on_master || !seen.before || !seen.after) return;
  for (const model::Mode mode : {model::Mode::exclusive, model::Mode::shared}) {
    if (seen.before->open_to(mode) || !seen.after->open_to(mode)) continue;
    Release release{seen.purpose.object, seen.purpose.lock, {}};
    for (std::size_t p = 0; p < setup.processes.size(); ++p)
      if (const auto process = sim::make_id<model::ProcessId>(p); !facts.hears(process, seen.node))
        release.deaf.insert(process);
    released[{seen.lock, mode}] = std::move(release);
  }
}

namespace {

/// They want the same lock, or one of them among others.
bool are_rivals(const model::Facts::Wait& one, const model::Facts::Wait& other, const Setup& setup) {
  if (one.lock == other.lock) return true;
  const std::vector<std::string> mine = one.locks(setup), its = other.locks(setup);
  return std::find_first_of(mine.begin(), mine.end(), its.begin(), its.end()) != mine.end();
}

/// It might have all that it wants now.
bool is_open(const model::Facts::Wait& wait, const model::Facts& facts) {
  if (!model::kind_of(facts.setup(), wait.object).shares_key) return true;  // or nothing of it is released
  const auto truth = facts.truth(wait.object, wait.key);
  return truth && truth->open_to(model::mode_of(facts.setup(), wait.object));
}

}  // namespace

const LostWakeUp::Release* LostWakeUp::release_for(const model::Facts::Wait& wait, const Setup& setup) const {
  for (const std::string& lock : wait.locks(setup))
    if (const auto way = released.find({lock, model::mode_of(setup, wait.object)}); way != released.end())
      return &way->second;
  return nullptr;
}

void LostWakeUp::broken(const Setup& setup, Findings& findings) const {
  findings.breaks(Property::no_lost_wake_up, [&] {
    const ThreadId thread = *asleep.begin();
    return fmt::format("{} sleeps on while {} is free, and no message is on its way to it",
                       setup.thread_name(thread), parked.at(thread));
  });
}

void LostWakeUp::see(const model::Observation& observation, const model::Facts& facts, Findings& findings) {
  const Setup& setup = facts.setup();
  const auto crashed = [&](const model::ProcessCrashed& seen) {
    std::erase_if(parked, [&](const auto& one) { return setup.process_of(one.first) == seen.process; });
  };
  const auto loses = [&](model::ProcessId process) {
    for (auto& [way, release] : released) release.deaf.insert(process);
  };
  const auto all_lose = [&] {
    for (std::size_t p = 0; p < setup.processes.size(); ++p) loses(sim::make_id<model::ProcessId>(p));
  };
  const auto began = [&](const model::FaultBegan& seen) {
    if (model::fault_row(seen.fault, setup).key == "break-connection") all_lose();
  };
  // Its future may wait on.
  const auto goes_on = [&](ThreadId thread) {
    if (!facts.waits(thread)) parked.erase(thread);
  };
  const auto passed = [&](const model::TimePassed& seen) {
    if (!asleep.empty() && seen.passed > Duration::zero()) broken(setup, findings);
  };
  std::visit(sim::overloaded{crashed, began, passed,
                             [&](const model::Evaluated& seen) { note(seen, facts); },
                             [&](const model::MessageLost& seen) { loses(seen.process); },
                             [&](const model::NodeCrashed&) { all_lose(); },
                             [&](const model::ParkedThread& seen) { parked[seen.thread] = seen.lock; },
                             [&](const model::Woken& seen) { parked.erase(seen.thread); },
                             [&](const model::Returned& seen) { goes_on(seen.thread); },
                             [&](const model::ThreadEnded& seen) { goes_on(seen.thread); },
                             [](const auto&) {}},
             observation);
}

void LostWakeUp::check(const model::Facts& facts, Findings& findings) {
  asleep.clear();
  const Setup& setup = facts.setup();
  std::erase_if(released, [&](const auto& one) {
    const auto truth = facts.truth(one.second.object, one.second.key);
    return !truth || !truth->open_to(one.first.second);
  });
  if (released.empty() || parked.empty()) return;
  for (std::size_t p = 0; p < setup.processes.size(); ++p)
    for (auto& [way, release] : released)
      if (const auto process = sim::make_id<model::ProcessId>(p);
          !facts.links_whole(process, setup.objects[release.object].group))
        release.deaf.insert(process);
  const auto awake = [&](const model::Facts::Wait& wait) { return !parked.contains(wait.thread); };
  const std::vector<model::Facts::Wait> waiting = facts.waiters();
  const std::vector<model::Facts::Wait> live = facts.live_waiters();
  const auto runs = [&](const model::Facts::Wait& wait) {
    return std::any_of(live.begin(), live.end(), [&](const auto& one) { return one.thread == wait.thread; });
  };
  for (const model::Facts::Wait& wait : live) {
    if (awake(wait)) continue;
    const model::ProcessId process = setup.process_of(wait.thread);
    const Release* const release = release_for(wait, setup);
    if (release == nullptr || release->deaf.contains(process) || !is_open(wait, facts)) continue;
    if (facts.message_under_way(process)) continue;
    const bool another = std::any_of(waiting.begin(), waiting.end(), [&](const auto& other) {
      return are_rivals(other, wait, setup) && is_open(other, facts) &&
             (awake(other) || !runs(other) || facts.message_under_way(setup.process_of(other.thread)));
    });
    if (!another) asleep.insert(wait.thread);
  }
  if (!asleep.empty() && facts.stuck()) broken(setup, findings);
}

}  // namespace lockstep::properties
