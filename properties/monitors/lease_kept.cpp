// lease_kept.cpp: who holds a lock through the watchdog keeps it.
//
// A thread holds through the watchdog while it believes that it holds, and one of its acquires that it has
// not given back asked for no lease. While its process runs, its links are whole, and every request of it for
// this lock, renewals included, is answered within a third of the watchdog's lease, the lock is its own in
// truth; of a lock that is made of others it holds enough members.
//
// Once one of these is not so, the hold is excused for the rest of its time. So it is when a request gets no
// answer in all its attempts, and when somebody forces the lock open. Not excused is what befalls the server:
// a key that an operator deletes, a clock that jumps, a failover or a restart that loses the write; while no
// server is in charge nothing is judged.
#include <algorithm>

#include <fmt/format.h>

#include "model/client/lock_kind.h"
#include "model/program/interpreter.h"
#include "properties/monitors/on_request.h"
#include "sim/base/overloaded.h"
#include "sim/base/passing.h"

namespace lockstep::properties {

namespace {

Duration answer_bound(ThreadId thread, const Setup& setup) {
  return setup.client_of(setup.process_of(thread)).watchdog / 3;
}

/// The lock of the claim, or one that it is made of.
bool concerns(const model::Claim& claim, const std::string& lock, const Setup& setup) {
  if (claim.lock == lock) return true;
  const model::LockObject* whole = setup.made_of_others(claim.lock);
  return whole != nullptr &&
         std::any_of(whole->members.begin(), whole->members.end(), [&](std::uint16_t member) {
           const model::LockObject& its = setup.objects[member];
           return model::resource_name(its.group, its.name) == lock;
         });
}

std::string lock_of(const model::Purpose& purpose, const Setup& setup) {
  return model::resource_name(setup.objects[purpose.object].group, purpose.lock);
}

/// Absent while nobody is in charge.
std::optional<bool> is_its_own(const model::Claim& claim, const LeaseKept::Hold& hold,
                               const model::Facts& facts) {
  const Setup& setup = facts.setup();
  if (const model::LockObject* whole = setup.made_of_others(claim.lock)) {
    const auto object = static_cast<std::uint16_t>(whole - setup.objects.data());
    if (!facts.all_masters_up()) return std::nullopt;
    return members_held(claim.thread, *whole, facts) >= model::members_needed(setup, object);
  }
  const auto held = holds_in_truth(claim.thread, hold.object, hold.key, facts);
  if (!held) return std::nullopt;
  return *held > 0;
}

}  // namespace

void LeaseKept::note(const model::Evaluated& seen, const Setup& setup) {
  const model::ThreadId thread = seen.purpose.thread;
  if (says(seen.items, model::Meaning::granted))
    granted[thread] = {seen.purpose.object, seen.purpose.lock, seen.purpose.watched};
  if (model::role_of(seen.purpose, setup).intent != model::Intent::force_release || !seen.before) return;
  if (seen.before->free()) return;
  for (auto& [claim, hold] : holds) hold.excused = hold.excused || concerns(claim, seen.lock, setup);
}

void LeaseKept::gain(const model::Gained& seen, const Setup& setup) {
  Hold& hold = holds[{seen.lock, seen.thread, seen.mode}];
  const auto grant = granted.find(seen.thread);
  hold.levels.push_back(grant != granted.end() && grant->second.watched ? 1 : 0);
  if (slow.contains(seen.thread)) hold.excused = true;
  if (grant == granted.end() || setup.made_of_others(seen.lock) != nullptr) return;
  hold.object = grant->second.object;
  hold.key = grant->second.key;
  if (const std::optional<std::uint16_t> lock = model::lock_called(setup, seen.lock)) {
    hold.object = *lock;
    hold.key = setup.objects[*lock].name;
  }
}

/// What its threads hold, and what they were granted and do not know of yet.
void LeaseKept::excuse(model::ProcessId process, const Setup& setup) {
  for (auto& [claim, hold] : holds)
    if (setup.process_of(claim.thread) == process) hold.excused = true;
  for (const auto& [thread, grant] : granted)
    if (setup.process_of(thread) == process) slow.insert(thread);
}

/// An answer that takes longer than the bound is too late, even if it comes in this very step of time.
void LeaseKept::pass(Duration passed) {
  for (auto& [thread, left] : asking) {
    if (passed > left.left) slow.insert(thread);
    sim::pass(left, sim::Passed::alike(passed));
  }
  for (auto& [claim, left] : renewing) {
    const auto hold = holds.find(claim);
    if (passed > left.left && hold != holds.end()) hold->second.excused = true;
    sim::pass(left, sim::Passed::alike(passed));
  }
}

void LeaseKept::see(const model::Observation& observation, const Setup& setup) {
  const auto invoked = [&](const model::Invoked& seen) {
    if (!model::is_acquire(seen.call)) return;
    granted.erase(seen.thread);
    slow.erase(seen.thread);
  };
  const auto yielded = [&](const model::Yielded& seen) {
    const auto hold = holds.find({seen.lock, seen.thread, seen.mode});
    if (hold != holds.end() && !hold->second.levels.empty()) hold->second.levels.pop_back();
  };
  const auto timed_out = [&](const model::RequestTimedOut& seen) {
    if (!seen.resent) excuse(seen.process, setup);
  };
  std::visit(sim::overloaded{invoked, yielded, timed_out,
                             [&](const model::Evaluated& seen) { note(seen, setup); },
                             [&](const model::Gained& seen) { gain(seen, setup); },
                             [&](const model::ProcessPaused& seen) { excuse(seen.process, setup); },
                             [&](const model::TimePassed& seen) { pass(seen.passed); },
                             [](const auto&) {}},
             observation);
}

void LeaseKept::time_requests(const model::Facts& facts) {
  const Setup& setup = facts.setup();
  std::set<ThreadId> asks;
  std::set<model::Claim> renews;
  for (std::size_t p = 0; p < setup.processes.size(); ++p) {
    const auto process = sim::make_id<model::ProcessId>(p);
    for (const model::Purpose& purpose : facts.awaited(process)) {
      const model::Intent intent = model::role_of(purpose, setup).intent;
      if (intent == model::Intent::acquire) asks.insert(purpose.thread);
      if (intent != model::Intent::renew) continue;
      for (const auto& [claim, hold] : holds)
        if (setup.process_of(claim.thread) == process && concerns(claim, lock_of(purpose, setup), setup))
          renews.insert(claim);
    }
  }
  std::erase_if(asking, [&](const auto& one) { return !asks.contains(one.first); });
  std::erase_if(renewing, [&](const auto& one) { return !renews.contains(one.first); });
  for (const ThreadId thread : asks)
    asking.try_emplace(thread, sim::Countdown{answer_bound(thread, setup)});
  for (const model::Claim& claim : renews)
    renewing.try_emplace(claim, sim::Countdown{answer_bound(claim.thread, setup)});
}

void LeaseKept::check(const Beliefs& beliefs, const model::Facts& facts, Findings& findings) {
  const Setup& setup = facts.setup();
  std::erase_if(holds, [&](const auto& one) { return beliefs.depth(one.first) == 0; });
  for (std::size_t p = 0; p < setup.processes.size(); ++p)
    for (std::size_t g = 0; g < setup.group_count(); ++g)
      if (const auto process = sim::make_id<model::ProcessId>(p);
          !facts.links_whole(process, sim::make_id<model::GroupId>(g)))
        excuse(process, setup);
  for (auto& [claim, hold] : holds) {
    if (setup.is_part(claim.lock)) continue;  // the lock that it is part of is judged
    const bool watched = std::any_of(hold.levels.begin(), hold.levels.end(), [](auto one) { return one; });
    if (hold.excused || !watched || is_its_own(claim, hold, facts) != false) continue;
    findings.breaks(Property::lease_kept, [&, its = claim] {
      return fmt::format("{} holds {} through the watchdog, and has lost it", setup.thread_name(its.thread),
                         its.lock);
    });
  }
  time_requests(facts);
}

}  // namespace lockstep::properties
