// reentrancy.cpp: n acquires need n releases, and the stored count says so.
//
// Judged where scripts run on the current master. An acquire that is granted to a thread which believes
// within lease to hold the lock n times (n may be 0) leaves the count n+1. An unlock of a thread that after
// it still believes n times within lease leaves n; its last unlock leaves nothing of it.
#include <fmt/format.h>

#include "properties/monitors/monitors.h"

namespace lockstep::properties {

void see_reentrancy(const Beliefs& beliefs, const model::Observation& observation, const Setup& setup,
                    Findings& findings) {
  const auto* seen = std::get_if<model::Evaluated>(&observation);
  if (seen == nullptr || !seen->on_master || seen->reply.error() != nullptr) return;
  const model::Purpose& purpose = seen->purpose;
  const std::int64_t count = seen->after.count_of(setup.holder_name(purpose.thread, purpose.incarnation));
  const Belief* belief = beliefs.find(purpose.lock, purpose.thread);
  const std::int64_t depth = belief == nullptr ? 0 : belief->depth;
  const bool sure = depth == 0 || belief->lease_left > Duration::zero();
  std::int64_t expected = 0;
  if (purpose.role == model::Role::lock && seen->reply.is_nil() && sure) expected = depth + 1;
  else if (purpose.role == model::Role::unlock && seen->reply.integer() != nullptr && sure) expected = depth;
  else return;
  if (count == expected) return;
  findings.breaks(Property::reentrancy, [&] {
    return fmt::format("{} stores the count {} for {}, which believes to hold it {} times", purpose.lock,
                       count, setup.thread_name(purpose.thread), expected);
  });
}

}  // namespace lockstep::properties
