// reentrancy.cpp: n acquires need n releases, and the stored count says so.
//
// Judged where scripts run on the current master. An acquire that is granted to a thread which believes
// within lease to hold the lock n times (n may be 0) leaves the count n+1, and for n > 0 the lease that this
// call asked for, neither more nor less. An unlock of a thread that after it still believes n times within
// lease leaves n, and the time that was left or the lease anew; its last unlock leaves nothing of it. What a
// thread holds in two modes counts apart.
//
// A request counts for the call that sent it. While other calls for the same hold have not returned, as
// futures may not, what is stored may count any of them. A copy of a release that comes when its call has its
// answer takes nothing, unless it takes what that call failed to take; a copy of a nested acquire that comes
// so late adds nothing.
//
// Of a kind that is not reentrant only the last part is judged, where it is kept on one master: an unlock
// that succeeds leaves nothing.
//
// A kind may promise another time (model::Nested): the lease is added to what was left; or each acquire has a
// time of its own, so the last leaves no less than its lease, counted from when it is served or was sent, and
// what an unlock leaves is not judged.
#include <fmt/format.h>

#include "model/client/lock_kind.h"
#include "model/client/process.h"
#include "properties/monitors/monitors.h"

namespace lockstep::properties {

namespace {

bool keeps_its_time(const model::Evaluated& seen, const model::Hold* before, const model::Hold& after,
                    bool granted, model::Nested nested) {
  const Duration lease = seen.purpose.lease;
  if (!after.left) return true;  // no time at all: lock-has-ttl
  if (nested == model::Nested::each_since_sent) return !granted || *after.left >= seen.lease_left;
  if (nested == model::Nested::each) return !granted || *after.left >= lease;
  if (nested == model::Nested::added && granted)
    return before != nullptr && before->left && after.left == *before->left + lease;
  return after.left == lease || (!granted && before != nullptr && after.left == before->left);
}

std::string wrong_count(const std::string& lock, const model::Hold* after, const std::string& thread,
                        std::int64_t expected) {
  const auto times = [](std::int64_t n) { return n == 1 ? "once" : fmt::format("{} times", n); };
  if (expected == 0)
    return fmt::format("{} still stores {}, with the count {}, after its last unlock", lock, thread,
                       after->count);
  if (after == nullptr)
    return fmt::format("{} does not store {}, which holds it {} by its own account", lock, thread,
                       times(expected));
  return fmt::format("{} stores the count {} for {}, which holds it {} by its own account", lock,
                     after->count, thread, times(expected));
}

std::int64_t count_of(const model::Hold* hold) { return hold == nullptr ? 0 : hold->count; }

/// What may be stored for a thread; if that is nothing, its name must not be stored either.
struct Counts {
  std::int64_t least = 0, most = 0;
  bool allow(const model::Hold* hold) const {
    const std::int64_t count = count_of(hold);
    return count >= least && count <= most && (hold == nullptr || most > 0);
  }
};

/// Of a thread that holds the lock so often by its own account.
Counts expected_after(bool granted, bool asked, std::int64_t depth, const model::Facts::Unreturned& others) {
  const std::int64_t more = others.acquires + others.releases;
  if (granted) {
    const std::int64_t own = asked || depth == 0 ? depth + 1 : depth;
    return {own, own + more};
  }
  return {asked ? depth : depth + others.granted, depth + more};
}

}  // namespace

void see_reentrancy(const Beliefs& beliefs, const model::Observation& observation, const model::Facts& facts,
                    Findings& findings) {
  const Setup& setup = facts.setup();
  const auto* seen = std::get_if<model::Evaluated>(&observation);
  if (seen == nullptr || !seen->on_master || !seen->after) return;
  const model::Purpose& purpose = seen->purpose;
  const model::LockKind& kind = *setup.kinds[purpose.kind];
  if (setup.objects[purpose.object].part) return;
  const std::string holder = model::holder_of(purpose, setup);
  const model::Hold* after = seen->after->find(holder, kind.mode);
  const model::Belief* belief = beliefs.find({seen->lock, purpose.thread, kind.mode});
  const std::int64_t depth = belief == nullptr ? 0 : belief->depth;
  if (depth != 0 && belief->lease_left.over()) return;
  const bool granted = says(seen->items, model::Meaning::granted);
  const bool gives_back =
      says(seen->items, model::Meaning::released) || says(seen->items, model::Meaning::still_held);
  if (!granted && !gives_back) return;
  if (!kind.promises.reentrant && (granted || depth != 0 || kind.spread != model::Spread::one_group)) return;
  if (model::role_of(purpose, setup).intent == model::Intent::force_release) return;
  const model::Hold* before = seen->before ? seen->before->find(holder, kind.mode) : nullptr;
  const bool asked = facts.still_asks(purpose);
  if (gives_back && !asked && count_of(before) == count_of(after)) return;
  const Counts expected = expected_after(granted, asked, depth, facts.unreturned_beside(purpose));
  if (!expected.allow(after))
    return findings.breaks(Property::reentrancy, [&] {
      return wrong_count(seen->lock, after, setup.thread_name(purpose.thread), expected.least);
    });
  if (depth == 0 || keeps_its_time(*seen, before, *after, granted, kind.promises.nested)) return;
  findings.breaks(Property::reentrancy, [&] {
    return fmt::format("after the {} of {} for {} ms, {} expires in {} ms",
                       model::role_of(purpose, setup).name, setup.thread_name(purpose.thread),
                       purpose.lease.count(), seen->lock, after->left ? after->left->count() : -1);
  });
}

}  // namespace lockstep::properties
