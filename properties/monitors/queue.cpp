// queue.cpp: who asked first gets it first, of locks that keep a queue.
//
// first-come-first-served: a thread that gets such a lock leaves nobody behind who was ahead of it in the
// queue, lives, still waits, and whose deadline is not over by the winner's clock. Judged by what was stored
// right before the grant, so a place that was lost before is no longer one.
// bounded-overtaking: from its first place in the queue until its call ends, no more than the bound of those
// who arrived later get the lock before a thread, whatever became of its place.
// queue-in-step: no request of a lock client leaves a place without a deadline, or a deadline without a
// place, where each had its other before.
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "model/client/lock_kind.h"
#include "model/client/process.h"
#include "properties/monitors/monitors.h"
#include "sim/base/overloaded.h"

namespace lockstep::properties {

namespace {

/// Takes the lock for a thread that did not hold it.
bool is_first_grant(const model::Evaluated& seen, const std::string& holder) {
  return says(seen.items, model::Meaning::granted) && seen.before && seen.before->find(holder) == nullptr;
}

bool is_in_step(const model::Truth& truth) {
  const std::set<std::string> places(truth.queue.begin(), truth.queue.end());
  if (places.size() != truth.queue.size() || places.size() != truth.deadlines.size()) return false;
  return std::all_of(places.begin(), places.end(),
                     [&](const std::string& holder) { return truth.deadlines.contains(holder); });
}

void check_in_step(const model::Evaluated& seen, const Setup& setup, Findings& findings) {
  if (!is_in_step(*seen.before) || is_in_step(*seen.after)) return;
  findings.breaks(Property::queue_in_step, [&] {
    return fmt::format("the {} of {} leaves {} with {} in its queue and {} deadlines",
                       model::role_of(seen.purpose, setup).name, setup.thread_name(seen.purpose.thread),
                       seen.lock, seen.after->queue.size(), seen.after->deadlines.size());
  });
}

void check_order(const model::Evaluated& seen, const std::string& winner, const model::Facts& facts,
                 Findings& findings) {
  const Setup& setup = facts.setup();
  const auto& queue = seen.before->queue;
  const auto mine = std::find(queue.begin(), queue.end(), winner);
  const std::int64_t now = facts.clock_of(setup.process_of(seen.purpose.thread));
  for (auto other = queue.begin(); other != mine; ++other) {
    const auto deadline = seen.before->deadlines.find(*other);
    const bool over = deadline != seen.before->deadlines.end() && deadline->second <= now;
    if (over || !facts.waits_as(*other, seen.lock)) continue;
    findings.breaks(Property::first_come_first_served, [&] {
      return fmt::format("{} gets {} before {}, which is ahead of it in the queue",
                         setup.thread_name(seen.purpose.thread), seen.lock, facts.who(*other));
    });
  }
}

}  // namespace

bool has_queues(const Setup& setup) {
  return std::any_of(setup.objects.begin(), setup.objects.end(),
                     [&](const model::LockObject& object) { return setup.kinds[object.kind]->queues; });
}

void see_queue(const model::Observation& observation, const model::Facts& facts, Findings& findings) {
  const auto* seen = std::get_if<model::Evaluated>(&observation);
  const Setup& setup = facts.setup();
  if (seen == nullptr || !setup.kinds[seen->purpose.kind]->queues || !seen->on_master) return;
  if (!seen->before || !seen->after) return;
  const std::string holder = model::holder_of(seen->purpose, setup);
  if (!seen->after->queue.empty()) findings.shows(Witness::queued);
  check_in_step(*seen, setup, findings);
  if (!is_first_grant(*seen, holder)) return;
  const auto& queue = seen->before->queue;
  if (std::any_of(queue.begin(), queue.end(), [&](const auto& other) { return other != holder; }))
    findings.shows(Witness::granted_before_others);
  check_order(*seen, holder, facts, findings);
}

void Overtaking::leave(const std::string& lock, ThreadId thread) {
  const auto line = lines.find(lock);
  if (line == lines.end()) return;
  std::erase_if(line->second, [&](const Waiter& waiter) { return waiter.thread == thread; });
  if (line->second.empty()) lines.erase(line);
}

void Overtaking::granted(const model::Evaluated& seen, const Setup& setup, Findings& findings) {
  const auto line = lines.find(seen.lock);
  if (line == lines.end()) return;
  if (std::any_of(line->second.begin(), line->second.end(),
                  [&](const Waiter& waiter) { return waiter.thread != seen.purpose.thread; }))
    findings.shows(Witness::granted_before_others);
  for (Waiter& waiter : line->second) {
    if (waiter.thread == seen.purpose.thread) break;
    if (++waiter.overtaken <= setup.overtaking_bound) continue;
    findings.breaks(Property::bounded_overtaking, [&] {
      return fmt::format("{} gets {} before {}, which came earlier: its overtaking number {}",
                         setup.thread_name(seen.purpose.thread), seen.lock,
                         setup.thread_name(waiter.thread), waiter.overtaken);
    });
  }
  leave(seen.lock, seen.purpose.thread);
}

void Overtaking::see(const model::Observation& observation, const Setup& setup, Findings& findings) {
  const auto evaluated = [&](const model::Evaluated& seen) {
    if (!setup.kinds[seen.purpose.kind]->queues || !seen.on_master || !seen.after) return;
    const std::string holder = model::holder_of(seen.purpose, setup);
    if (is_first_grant(seen, holder)) return granted(seen, setup, findings);
    const auto& queue = seen.after->queue;
    if (!says(seen.items, model::Meaning::refused)) return;
    if (std::find(queue.begin(), queue.end(), holder) == queue.end()) return;
    auto& line = lines[seen.lock];
    if (std::none_of(line.begin(), line.end(),
                     [&](const Waiter& waiter) { return waiter.thread == seen.purpose.thread; }))
      line.push_back({seen.purpose.thread});
  };
  const auto crashed = [&](const model::ProcessCrashed& seen) {
    for (auto& [lock, line] : lines)
      std::erase_if(line, [&](const Waiter& one) { return setup.process_of(one.thread) == seen.process; });
    std::erase_if(lines, [](const auto& one) { return one.second.empty(); });
  };
  std::visit(sim::overloaded{evaluated, crashed,
                             [&](const model::Returned& seen) { leave(seen.lock, seen.thread); },
                             [](const auto&) {}},
             observation);
}

}  // namespace lockstep::properties
