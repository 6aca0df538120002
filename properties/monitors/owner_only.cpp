// owner_only.cpp: no request but a forced unlock takes anything from anybody but the thread that it is for:
// neither a hold nor some of its time. A hold that has lapsed has nothing left to take.
#include <fmt/format.h>

#include "model/client/lock_kind.h"
#include "model/client/process.h"
#include "properties/monitors/monitors.h"

namespace lockstep::properties {

void see_owner_only(const model::Observation& observation, const Setup& setup, Findings& findings) {
  const auto* seen = std::get_if<model::Evaluated>(&observation);
  if (seen == nullptr || !seen->before || !seen->after) return;
  const model::Purpose& purpose = seen->purpose;
  const model::Intent intent = model::role_of(purpose, setup).intent;
  if (intent == model::Intent::force_release) return;
  const std::string mine = model::holder_of(purpose, setup);
  for (const model::Hold& hold : seen->before->holds) {
    if (hold.holder == mine || hold.lapsed) continue;
    if (intent == model::Intent::release) findings.shows(Witness::unlock_by_stranger);
    const model::Hold* after = seen->after->find(hold.holder, hold.mode);
    const bool same_count = after != nullptr && after->count == hold.count;
    const bool lasts = same_count && (!after->left || (hold.left && *after->left >= *hold.left));
    if (same_count && lasts) continue;
    findings.breaks(Property::owner_only, [&] {
      const std::string what = fmt::format("the {} of {}", model::role_of(purpose, setup).name,
                                           setup.thread_name(purpose.thread));
      if (same_count) return fmt::format("{} shortened the time of {} on {}", what, hold.holder, seen->lock);
      return fmt::format("{} changed the hold of {} on {} from {} to {}", what, hold.holder, seen->lock,
                         hold.count, after == nullptr ? 0 : after->count);
    });
  }
}

}  // namespace lockstep::properties
