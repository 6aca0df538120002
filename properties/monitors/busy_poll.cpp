// busy_poll.cpp: nobody asks in vain again and again while nothing changes.
//
// A thread that is refused waits: for a message, or until the lease that it was told runs out. What counts is
// how often it has read a refusal since its call began and since what the server in charge stores for the
// lock changed last, deadlines included: a renewal is a change, and so are a key that expires, another node
// in charge, and what an operator stores or deletes there. A copy of a request is no request of its own.
// Locks without messages poll by design (spin.cpp): for them the bound says how often is too often.
#include <fmt/format.h>

#include "model/client/lock_kind.h"
#include "properties/monitors/on_request.h"
#include "sim/base/overloaded.h"

namespace lockstep::properties {

namespace {

bool differs(const std::optional<model::Truth>& before, const std::optional<model::Truth>& after) {
  return before != after;
}

}  // namespace

/// What lies under one key is stored together.
void BusyPoll::changed(const std::string& lock, const Setup& setup) {
  const std::optional<std::uint16_t> shared = model::lock_called(setup, lock);
  std::erase_if(in_vain, [&](const auto& one) {
    return one.first.first == lock ||
           (shared && one.first.first.starts_with(setup.objects[*shared].key + "/"));
  });
}

void BusyPoll::refused(const model::Refused& seen, const Setup& setup, Findings& findings) {
  std::uint32_t& times = in_vain[{seen.lock, seen.thread}];
  if (++times <= *setup.poll_bound) return;
  findings.breaks(Property::busy_poll, [&, often = times] {
    return fmt::format(
        "{} was refused {} {} times in one call, more often than {}, and nobody had changed or renewed what "
        "is stored for it",
        setup.thread_name(seen.thread), seen.lock, often, *setup.poll_bound);
  });
}

void BusyPoll::see(const model::Observation& observation, const Setup& setup, Findings& findings) {
  const auto evaluated = [&](const model::Evaluated& seen) {
    if (seen.on_master && differs(seen.before, seen.after)) changed(seen.lock, setup);
    for (const model::LockChange& other : seen.others)
      if (differs(other.before, other.after)) changed(other.lock, setup);
  };
  const auto commanded = [&](const model::Commanded& seen) {
    for (const model::LockChange& change : seen.changes)
      if (differs(change.before, change.after)) changed(change.lock, setup);
  };
  // Also the keys that a lock has beside its own, such as the time of one read hold.
  const auto expired = [&](const model::KeyExpired& seen) {
    std::erase_if(in_vain, [&](const auto& one) {
      const std::string& lock = one.first.first;
      if (const auto shared = model::lock_called(setup, lock)) return setup.objects[*shared].key == seen.key;
      return seen.key.find(lock.substr(0, lock.find(" on R"))) != std::string::npos;
    });
  };
  const auto crashed = [&](const model::ProcessCrashed& seen) {
    std::erase_if(in_vain,
                  [&](const auto& one) { return setup.process_of(one.first.second) == seen.process; });
  };
  const auto returned = [&](const model::Returned& seen) {
    std::erase_if(in_vain, [&](const auto& one) { return one.first.second == seen.thread; });
  };
  std::visit(sim::overloaded{evaluated, commanded, expired, crashed, returned,
                             [&](const model::Refused& seen) { refused(seen, setup, findings); },
                             [&](const model::NodeCrashed&) { in_vain.clear(); },
                             [&](const model::NodeRestarted&) { in_vain.clear(); },
                             [&](const model::FailedOver&) { in_vain.clear(); },
                             [&](const model::KeyEvicted&) { in_vain.clear(); }, [](const auto&) {}},
             observation);
}

}  // namespace lockstep::properties
