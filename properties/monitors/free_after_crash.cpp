// free_after_crash.cpp: a lock that a dead thread holds is free when more than the lease which it asked for
// has passed since the crash, or since the last of its requests that still arrived. It is also late if
// nothing will happen any more: without a TTL and with nobody who has a timer, time itself stands still.
//
// A process that was started again is another holder; what it held before its crash is still of the dead.
#include <algorithm>

#include <fmt/format.h>

#include "model/client/lock_kind.h"
#include "model/world/faults/table.h"
#include "properties/monitors/monitors.h"
#include "sim/base/overloaded.h"
#include "sim/base/passing.h"

namespace lockstep::properties {

namespace {

using Holder = FreeAfterCrash::Holder;

bool processes_may_crash(const Setup& setup) {
  if (model::budget_for(setup, "crash-process") > 0) return true;
  const auto fault = model::find_fault("crash-process", setup);
  return std::any_of(setup.fixed.begin(), setup.fixed.end(),
                     [&](const auto& fixed) { return fixed.fault == fault; }) ||
         std::any_of(setup.threads.begin(), setup.threads.end(), [](const model::ThreadSetup& thread) {
           return std::any_of(thread.program.begin(), thread.program.end(), [](const model::Step& step) {
             return step.kind == model::StepKind::crash;
           });
         });
}

}  // namespace

namespace {

/// A lock that is made of others may take these for twice its wait, which is at least the lease of a lock().
Duration lease_of_members(const Setup& setup, const model::Step& step) {
  if (setup.objects[step.object].members.empty()) return *step.lease;
  return std::max({*step.lease, step.wait.value_or(*step.lease) * 2, Duration{4'000}});
}

}  // namespace

Duration longest_lease(const Setup& setup) {
  Duration longest{};
  for (const redisson::Settings* client : setup.clients()) longest = std::max(longest, client->watchdog);
  for (const model::ThreadSetup& thread : setup.threads)
    for (const model::Step& step : thread.program)
      if (step.lease) longest = std::max(longest, lease_of_members(setup, step));
  for (const model::LockObject& object : setup.objects)
    if (const model::Scheme* scheme = setup.kinds[object.kind]->scheme)
      longest = std::max(longest, scheme->lease);
  return longest;
}

void FreeAfterCrash::note(const model::Evaluated& seen, const model::Facts& facts) {
  const model::Intent intent = model::role_of(seen.purpose, facts.setup()).intent;
  if (model::is_question(intent) || intent == model::Intent::tidy) return;
  const bool prolongs = says(seen.items, model::Meaning::granted) ||
                        says(seen.items, model::Meaning::partial) ||
                        says(seen.items, model::Meaning::still_held) ||
                        says(seen.items, model::Meaning::renewed);
  const model::LockKind& kind = *facts.setup().kinds[seen.purpose.kind];
  const Holder holder{seen.lock, seen.purpose.thread, kind.mode};
  if (prolongs && processes_may_crash(facts.setup())) {
    Duration& lease = asked[holder];
    const bool longest = kind.promises.nested >= model::Nested::each;
    // On several masters a scheme counts on less than it asks each of them for (model/schemes/in_turn.h).
    const Duration stored = seen.purpose.lease + (kind.scheme != nullptr ? seen.purpose.wait : Duration{});
    lease = longest ? std::max(lease, stored) : stored;
  }
  if (facts.sender_dead(seen.purpose)) left.erase(holder);
}

/// A key dies at the end of a step of time: who still held it before a step that is longer than what was left
/// held it for too long, even if it is free now.
void FreeAfterCrash::pass(Duration passed, const Setup& setup, Findings& findings) {
  for (auto& [holder, wait_left] : left) {
    if (passed > wait_left.left) broken(holder, setup, findings);
    sim::pass(wait_left, sim::Passed::alike(passed));
  }
}

void FreeAfterCrash::broken(const Holder& holder, const Setup& setup, Findings& findings) const {
  findings.breaks(Property::free_after_crash, [&] {
    const auto lease = asked.find(holder);
    return fmt::format("{} is still held by {}, whose process crashed more than its lease of {} ms ago",
                       holder.lock, setup.thread_name(holder.thread),
                       lease == asked.end() ? longest_lease(setup).count() : lease->second.count());
  });
}

void FreeAfterCrash::see(const model::Observation& observation, const model::Facts& facts,
                         Findings& findings) {
  std::visit(sim::overloaded{
                 [&](const model::TimePassed& seen) { pass(seen.passed, facts.setup(), findings); },
                 [&](const model::Evaluated& seen) { note(seen, facts); },
                 [](const auto&) {},
             },
             observation);
}

FreeAfterCrash::Held FreeAfterCrash::held(const model::Facts& facts) {
  return {facts.all_holds(), facts.all_masters_up()};
}

void FreeAfterCrash::note(const Held& now, const Setup& setup, Findings& findings) {
  if (asked.empty()) return;  // nobody who may crash holds anything
  const auto held = [&](const Holder& holder, bool by_the_dead) {
    return std::any_of(now.holds.begin(), now.holds.end(), [&](const model::Facts::Holding& hold) {
      return hold.lock == holder.lock && hold.thread == holder.thread && hold.mode == holder.mode &&
             (hold.dead || !by_the_dead);
    });
  };
  if (now.is_sure) {
    std::erase_if(left, [&](const auto& one) { return !held(one.first, true); });
    std::erase_if(asked, [&](const auto& one) { return !held(one.first, false); });
  }
  for (const model::Facts::Holding& hold : now.holds) {
    if (!hold.dead) continue;
    const Holder holder{hold.lock, hold.thread, hold.mode};
    const auto lease = asked.find(holder);
    const Duration limit = lease == asked.end() ? longest_lease(setup) : lease->second;
    // One millisecond more than the lease: at the deadline itself the key is still alive.
    left.try_emplace(holder, sim::Countdown{limit + Duration{1}});
  }
  for (const auto& [holder, wait_left] : left)
    if (wait_left.over()) broken(holder, setup, findings);
}

void FreeAfterCrash::stay(Findings& findings) const {
  for (const auto& [holder, wait_left] : left)
    findings.breaks(Property::free_after_crash, [&, name = holder.lock] {
      return fmt::format("{} is held for ever by a thread of a process that crashed", name);
    });
}

void FreeAfterCrash::check(const model::Facts& facts, Findings& findings) {
  if (asked.empty()) return;
  note(held(facts), facts.setup(), findings);
  if (!left.empty() && facts.stuck()) stay(findings);
}

}  // namespace lockstep::properties
