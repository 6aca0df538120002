// granted_in_time.cpp: a free lock is granted to a live waiter within a stated bound: no wake-up is lost.
//
// The clock of a lock runs while it is free on the current master and some thread of a running, connected
// process is inside a call that waits for it. With a bound of zero, time must not pass at all in such a
// state. If nothing will happen any more, the waiter waits for ever.
#include <algorithm>

#include <fmt/format.h>

#include "properties/monitors/monitors.h"

namespace lockstep::properties {

Duration grant_bound(const Setup& setup) {
  if (setup.grant_bound) return *setup.grant_bound;
  if (!setup.faults.none() || !setup.fixed.empty()) {
    const auto sends = static_cast<std::int64_t>(setup.client.retry_attempts) + 1;
    return longest_lease(setup) + setup.client.response_timeout * sends + setup.limits.learn.hi;
  }
  if (setup.network.kind == model::NetworkKind::interval) return setup.network.delay.hi * 10;
  if (setup.network.kind == model::NetworkKind::any) return longest_lease(setup);
  return Duration::zero();
}

void GrantedInTime::see(const model::Observation& observation, const Setup& setup, Findings& findings) {
  const auto* seen = std::get_if<model::TimePassed>(&observation);
  if (seen == nullptr) return;
  for (auto& [lock, patience_left] : left) {
    if (seen->passed > patience_left) {
      findings.breaks(Property::granted_in_time, [&, name = lock] {
        return fmt::format("{} was free for more than {} ms while a thread waited for it", name,
                           grant_bound(setup).count());
      });
    }
    patience_left = sim::count_down(patience_left, seen->passed);
  }
}

void GrantedInTime::check(const model::Facts& facts, Findings& findings) {
  std::vector<std::string> wanted;
  for (const model::Facts::Wait& wait : facts.live_waiters())
    if (std::find(wanted.begin(), wanted.end(), wait.lock) == wanted.end()) wanted.push_back(wait.lock);
  std::erase_if(wanted, [&](const std::string& lock) { return !facts.lock_on_master(lock).holders.empty(); });
  std::erase_if(left, [&](const auto& one) {
    return std::find(wanted.begin(), wanted.end(), one.first) == wanted.end();
  });
  for (const std::string& lock : wanted) {
    findings.shows(Witness::free_with_waiter);
    left.try_emplace(lock, grant_bound(facts.setup()));
  }
  if (left.empty() || !facts.stuck()) return;
  findings.breaks(Property::granted_in_time, [&] {
    return fmt::format("{} is free, and the thread that waits for it will never know", wanted.front());
  });
}

}  // namespace lockstep::properties
