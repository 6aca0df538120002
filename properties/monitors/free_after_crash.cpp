// free_after_crash.cpp: a lock that a dead thread holds is free when more than the longest lease has passed
// since the crash, or since the last of its requests that still arrived. It is also late if nothing will
// happen any more: without a TTL and with nobody who has a timer, time itself stands still.
#include <algorithm>

#include <fmt/format.h>

#include "properties/monitors/monitors.h"
#include "sim/base/overloaded.h"
#include "sim/base/passing.h"

namespace lockstep::properties {

namespace {

/// One millisecond more than the lease: at the deadline itself the key is still alive.
Duration wait_limit(const Setup& setup) { return longest_lease(setup) + Duration{1}; }

std::vector<std::string> locks_of_the_dead(const model::Facts& facts) {
  std::vector<std::string> locks;
  const Setup& setup = facts.setup();
  for (std::size_t t = 0; t < setup.threads.size(); ++t) {
    if (!facts.process_dead(setup.threads[t].process)) continue;
    for (std::uint16_t o = 0; o < setup.objects.size(); ++o) {
      const model::LockObject& object = setup.objects[o];
      if (!object.fresh && facts.held_by(o, object.name, sim::make_id<ThreadId>(t)))
        locks.push_back(model::resource_name(object.group, object.name));
    }
  }
  return locks;
}

}  // namespace

Duration longest_lease(const Setup& setup) {
  Duration longest = setup.client.watchdog;
  for (const model::ThreadSetup& thread : setup.threads)
    for (const model::Step& step : thread.program)
      if (step.lease) longest = std::max(longest, *step.lease);
  return longest;
}

void FreeAfterCrash::see(const model::Observation& observation, const model::Facts& facts) {
  std::visit(sim::overloaded{
                 [&](const model::TimePassed& seen) {
                   for (auto& [lock, wait_left] : left)
                     sim::pass(wait_left, sim::Passed::alike(seen.passed));
                 },
                 [&](const model::Evaluated& seen) {
                   const auto process = facts.setup().threads[seen.purpose.thread.index()].process;
                   if (facts.process_dead(process)) left.erase(seen.lock);
                 },
                 [](const auto&) {},
             },
             observation);
}

void FreeAfterCrash::check(const model::Facts& facts, Findings& findings) {
  const std::vector<std::string> locks = locks_of_the_dead(facts);
  std::erase_if(
      left, [&](const auto& one) { return std::find(locks.begin(), locks.end(), one.first) == locks.end(); });
  for (const std::string& lock : locks) left.try_emplace(lock, sim::Countdown{wait_limit(facts.setup())});
  if (left.empty()) return;
  const bool for_ever = facts.stuck();
  for (const auto& [lock, wait_left] : left) {
    if (!wait_left.over() && !for_ever) continue;
    findings.breaks(Property::free_after_crash, [&, name = lock] {
      if (for_ever) return fmt::format("{} is held for ever by a thread of a process that crashed", name);
      return fmt::format("{} is still held by a thread of a process that crashed more than {} ms ago", name,
                         longest_lease(facts.setup()).count());
    });
  }
}

}  // namespace lockstep::properties
