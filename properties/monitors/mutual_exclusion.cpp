// mutual_exclusion.cpp: at most one believer; and at most one within its lease.
//
// A pause past the lease breaks the first only: the lock is free in truth, and the paused thread cannot know.
// Losing the lock in a failover breaks both: within the lease that Redis granted, another thread is let in.
#include <fmt/format.h>

#include "properties/monitors/monitors.h"

namespace lockstep::properties {

void check_mutual_exclusion(const Beliefs& beliefs, const Setup& setup, Findings& findings) {
  const auto report = [&](Property property, bool within_lease) {
    const auto clashes = beliefs.clashes(within_lease, setup);
    if (clashes.empty()) return;
    findings.breaks(property, [&] {
      return fmt::format("{} and {} both believe they hold {}{}", setup.thread_name(clashes.front().first),
                         setup.thread_name(clashes.front().second), clashes.front().lock,
                         within_lease ? ", both within the lease they asked for" : "");
    });
  };
  if (beliefs.held.size() < 2) return;
  report(Property::mutual_exclusion, false);
  report(Property::mutual_exclusion_within_lease, true);
}

}  // namespace lockstep::properties
