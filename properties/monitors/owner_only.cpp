// owner_only.cpp: an unlock script takes nothing from anybody but the thread it runs for.
#include <fmt/format.h>

#include "properties/monitors/monitors.h"

namespace lockstep::properties {

void see_owner_only(const model::Observation& observation, const Setup& setup, Findings& findings) {
  const auto* seen = std::get_if<model::Evaluated>(&observation);
  if (seen == nullptr || seen->purpose.role != model::Role::unlock) return;
  const std::string mine = setup.holder_name(seen->purpose.thread, seen->purpose.incarnation);
  for (const auto& before : seen->before.holders) {
    const std::string& holder = before.first;
    const std::int64_t count = before.second;
    if (holder == mine) continue;
    findings.shows(Witness::unlock_by_stranger);
    if (seen->after.count_of(holder) == count) continue;
    findings.breaks(Property::owner_only, [&] {
      return fmt::format("the unlock of {} changed the hold of {} on {} from {} to {}",
                         setup.thread_name(seen->purpose.thread), holder, seen->purpose.lock, count,
                         seen->after.count_of(holder));
    });
  }
}

}  // namespace lockstep::properties
