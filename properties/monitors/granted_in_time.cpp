// granted_in_time.cpp: a free lock is granted to a live waiter within a stated bound: no wake-up is lost.
//
// The clock of a lock runs while it is free on the current master, or held in a mode that lets the waiter in,
// and some thread of a running, connected process is inside a call that waits for it. With a bound of zero,
// time must not pass at all in such a state. If nothing will happen any more, the waiter waits for ever.
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "model/client/lock_kind.h"
#include "properties/monitors/monitors.h"
#include "sim/base/passing.h"

namespace lockstep::properties {

namespace {

Duration usual_bound(const Setup& setup) {
  if (!setup.faults.none() || !setup.fixed.empty()) {
    Duration longest{};
    for (const redisson::Settings* client : setup.clients()) {
      const std::int64_t resends = client->retry_attempts;
      const Duration between = client->retry_jitter ? redisson::longest_delay : client->retry_interval;
      longest = std::max(longest, client->response_timeout * (resends + 1) + between * resends);
    }
    return longest_lease(setup) + longest + setup.limits.learn.hi;
  }
  if (setup.network.kind == model::NetworkKind::interval) return setup.network.delay.hi * 10;
  if (setup.network.kind == model::NetworkKind::any) return longest_lease(setup);
  return Duration::zero();
}

/// For how long the place of a thread that died is kept in a queue, and others wait behind it.
Duration longest_place(const Setup& setup) {
  Duration longest{};
  for (const redisson::Settings* client : setup.clients()) longest = std::max(longest, client->fair_wait);
  for (const model::ThreadSetup& thread : setup.threads)
    for (const model::Step& step : thread.program)
      if (step.wait) longest = std::max(longest, *step.wait);
  return longest;
}

}  // namespace

Duration grant_bound(const Setup& setup, std::uint16_t object) {
  if (setup.grant_bound) return *setup.grant_bound;
  const model::LockKind& kind = model::kind_of(setup, object);
  const bool calm = setup.faults.none() && setup.fixed.empty();
  return usual_bound(setup) + kind.promises.notices +
         (kind.queues && !calm ? longest_place(setup) : Duration::zero());
}

void GrantedInTime::see(const model::Observation& observation, Findings& findings) {
  const auto* seen = std::get_if<model::TimePassed>(&observation);
  if (seen == nullptr) return;
  for (auto& [lock, wait_left] : left) {
    if (seen->passed > wait_left.left) {
      findings.breaks(Property::granted_in_time, [&, name = lock] {
        return fmt::format("{} was free for longer than its bound while a thread waited for it", name);
      });
    }
    sim::pass(wait_left, sim::Passed::alike(seen->passed));
  }
}

void GrantedInTime::check(const model::Facts& facts, Findings& findings) {
  std::vector<model::Facts::Wait> waits;
  for (std::size_t p = 0; p < facts.setup().processes.size(); ++p)
    for (model::Facts::Wait& wait : facts.waited_for(sim::make_id<model::ProcessId>(p)))
      waits.push_back(std::move(wait));
  const Wanted free = wanted(waits, facts);
  note(free, facts.setup(), findings);
  if (left.empty() || !facts.stuck()) return;
  findings.breaks(Property::granted_in_time, [&] {
    return fmt::format("{} is free, and the thread that waits for it will never know", free.begin()->first);
  });
}

GrantedInTime::Wanted GrantedInTime::wanted(const std::vector<model::Facts::Wait>& waits,
                                            const model::Facts& facts) {
  Wanted wanted;
  std::set<std::pair<std::uint16_t, std::string>> asked;  // processes may wait for one lock
  for (const model::Facts::Wait& wait : waits) {
    if (!asked.emplace(wait.object, wait.key).second) continue;
    const auto truth = facts.truth(wait.object, wait.key);
    if (truth && truth->open_to(model::mode_of(facts.setup(), wait.object)))
      wanted.emplace(wait.lock, wait.object);
  }
  return wanted;
}

void GrantedInTime::note(const Wanted& wanted, const Setup& setup, Findings& findings) {
  std::erase_if(left, [&](const auto& one) { return !wanted.contains(one.first); });
  for (const auto& [lock, object] : wanted) {
    findings.shows(Witness::free_with_waiter);
    left.try_emplace(lock, sim::Countdown{grant_bound(setup, object)});
  }
}

}  // namespace lockstep::properties
