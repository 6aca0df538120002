// reentrancy.cpp: n acquires need n releases, and the stored count says so.
//
// Judged where scripts run on the current master. An acquire that is granted to a thread which believes
// within lease to hold the lock n times (n may be 0) leaves the count n+1. An unlock of a thread that after
// it still believes n times within lease leaves n; its last unlock leaves nothing of it.
#include <fmt/format.h>

#include "model/client/lock_kind.h"
#include "model/client/process.h"
#include "properties/monitors/monitors.h"

namespace lockstep::properties {

void see_reentrancy(const Beliefs& beliefs, const model::Observation& observation, const Setup& setup,
                    Findings& findings) {
  const auto* seen = std::get_if<model::Evaluated>(&observation);
  if (seen == nullptr || !seen->on_master || !seen->after) return;
  const model::Purpose& purpose = seen->purpose;
  if (!setup.kinds[purpose.kind]->promises.reentrant) return;
  const std::string holder = model::holder_of(purpose, setup);
  const std::int64_t count = seen->after->count_of(holder);
  const model::Belief* belief = beliefs.find(seen->lock, purpose.thread);
  const std::int64_t depth = belief == nullptr ? 0 : belief->depth;
  if (depth != 0 && belief->lease_left.over()) return;
  std::int64_t expected = 0;
  if (says(seen->items, model::Meaning::granted)) expected = depth + 1;
  else if (says(seen->items, model::Meaning::released) || says(seen->items, model::Meaning::still_held))
    expected = depth;
  else return;
  if (model::role_of(purpose, setup).intent == model::Intent::force_release || count == expected) return;
  findings.breaks(Property::reentrancy, [&] {
    return fmt::format("{} stores the count {} for {}, which believes it holds it {} times", seen->lock,
                       count, setup.thread_name(purpose.thread), expected);
  });
}

}  // namespace lockstep::properties
