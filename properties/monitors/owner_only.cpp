// owner_only.cpp: an unlock takes nothing from anybody but the thread that it is for.
#include <fmt/format.h>

#include "model/client/lock_kind.h"
#include "model/client/process.h"
#include "properties/monitors/monitors.h"

namespace lockstep::properties {

void see_owner_only(const model::Observation& observation, const Setup& setup, Findings& findings) {
  const auto* seen = std::get_if<model::Evaluated>(&observation);
  if (seen == nullptr || !seen->before || !seen->after) return;
  const model::Purpose& purpose = seen->purpose;
  if (model::role_of(purpose, setup).intent != model::Intent::release) return;
  const std::string mine = model::holder_of(purpose, setup);
  for (const model::Hold& hold : seen->before->holds) {
    if (hold.holder == mine) continue;
    findings.shows(Witness::unlock_by_stranger);
    const std::int64_t left = seen->after->count_of(hold.holder);
    if (left == hold.count) continue;
    findings.breaks(Property::owner_only, [&, holder = hold.holder, count = hold.count] {
      return fmt::format("the unlock of {} changed the hold of {} on {} from {} to {}",
                         setup.thread_name(purpose.thread), holder, seen->lock, count, left);
    });
  }
}

}  // namespace lockstep::properties
