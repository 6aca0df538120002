// lock_has_ttl.cpp: no lock that promises to expire is stored without a time to live, on any node, after any
// command.
#include <fmt/format.h>

#include "properties/monitors/monitors.h"

namespace lockstep::properties {

void check_lock_has_ttl(const model::Facts& facts, Findings& findings) {
  const auto key = facts.lock_without_ttl();
  if (!key) return;
  findings.breaks(Property::lock_has_ttl,
                  [&] { return fmt::format("{} is stored without a time to live", *key); });
}

}  // namespace lockstep::properties
