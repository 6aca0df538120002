// queue.cpp: who asked first gets it first, of locks that keep a queue.
//
// first-come-first-served: a thread that gets such a lock leaves nobody behind who was ahead of it in the
// queue, lives, still waits, and whose deadline is not over by the winner's clock. Judged by what was stored
// right before the grant, so a place that was lost before is no longer one.
// bounded-overtaking: from its first place in the queue until its call ends, no more than the bound of those
// who arrived later get the lock before a thread, whatever became of its place. A place outlives the call
// that made it: who asks again there, or is granted what it asked for in its last moments, came as early.
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

namespace {

std::string name_of(const Overtaking::Waiter& waiter, const Setup& setup) {
  return model::holder_name(setup, waiter.thread, waiter.incarnation, waiter.client);
}

}  // namespace

void Overtaking::granted(const model::Evaluated& seen, const model::Facts& facts, Findings& findings) {
  const auto line = lines.find(seen.lock);
  if (line == lines.end()) return;
  const Setup& setup = facts.setup();
  const std::string winner = model::holder_of(seen.purpose, setup);
  std::vector<Waiter>& waiters = line->second;
  const auto mine = std::find_if(waiters.begin(), waiters.end(),
                                 [&](const Waiter& waiter) { return name_of(waiter, setup) == winner; });
  if (waiters.size() > (mine == waiters.end() ? 0U : 1U)) findings.shows(Witness::granted_before_others);
  for (auto waiter = waiters.begin(); waiter != mine; ++waiter) {
    if (!waiter->lives || !facts.waits_as(name_of(*waiter, setup), seen.lock)) continue;
    if (++waiter->overtaken <= setup.overtaking_bound) continue;
    findings.breaks(Property::bounded_overtaking, [&] {
      return fmt::format("{} gets {} before {}, which came earlier: its overtaking number {}",
                         setup.thread_name(seen.purpose.thread), seen.lock, setup.thread_name(waiter->thread),
                         waiter->overtaken);
    });
  }
  if (mine != waiters.end()) waiters.erase(mine);
}

/// Who comes is put down even if its call is over by then: its place is ahead of those of later ones.
void Overtaking::evaluated(const model::Evaluated& seen, const model::Facts& facts, Findings& findings) {
  const Setup& setup = facts.setup();
  if (!setup.kinds[seen.purpose.kind]->queues || !seen.on_master || !seen.after) return;
  const std::string holder = model::holder_of(seen.purpose, setup);
  const auto is_placed = [&](const std::string& name) {
    const auto& queue = seen.after->queue;
    return std::find(queue.begin(), queue.end(), name) != queue.end();
  };
  if (is_first_grant(seen, holder)) {
    granted(seen, facts, findings);
  } else if (says(seen.items, model::Meaning::refused) && is_placed(holder)) {
    auto& line = lines[seen.lock];
    auto mine = std::find_if(line.begin(), line.end(),
                             [&](const Waiter& waiter) { return name_of(waiter, setup) == holder; });
    if (mine == line.end())
      mine = line.insert(mine, {seen.purpose.thread, seen.purpose.incarnation,
                                model::client_of(setup, seen.purpose.object)});
    mine->lives = facts.waits_as(holder, seen.lock);
  }
  if (const auto line = lines.find(seen.lock); line != lines.end())
    for (Waiter& waiter : line->second) waiter.placed = is_placed(name_of(waiter, setup));
  end([&](const std::string& lock, const Waiter& waiter) {
    return !waiter.placed && !facts.waits_as(name_of(waiter, setup), lock);
  });
}

/// Those whose calls are over leave, unless their places are stored; then they are overtaken no more.
template <class IsOver>
void Overtaking::end(const IsOver& is_over) {
  for (auto& [lock, line] : lines) {
    for (Waiter& waiter : line) {
      waiter.lives = waiter.lives && !is_over(lock, waiter);
      if (!waiter.lives) waiter.overtaken = 0;
    }
    std::erase_if(line, [](const Waiter& waiter) { return !waiter.placed && !waiter.lives; });
  }
  std::erase_if(lines, [](const auto& one) { return one.second.empty(); });
}

void Overtaking::see(const model::Observation& observation, const model::Facts& facts, Findings& findings) {
  const Setup& setup = facts.setup();
  const auto crashed = [&](const model::ProcessCrashed& seen) {
    end([&](const std::string&, const Waiter& one) { return setup.process_of(one.thread) == seen.process; });
  };
  // Of a future whose reader was interrupted the call goes on.
  const auto returned = [&](const model::Returned& seen) {
    end([&](const std::string& lock, const Waiter& one) {
      return one.thread == seen.thread && lock == seen.lock && !facts.waits_as(name_of(one, setup), lock);
    });
  };
  std::visit(sim::overloaded{[&](const model::Evaluated& seen) { evaluated(seen, facts, findings); }, crashed,
                             returned, [](const auto&) {}},
             observation);
}

}  // namespace lockstep::properties
