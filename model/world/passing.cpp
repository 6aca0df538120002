// passing.cpp: when time may pass, how far, and what that does (`lockstep help time-and-network`).
#include <algorithm>

#include "model/client/requests.h"
#include "model/world/asking.h"
#include "model/world/clock.h"
#include "model/world/faults/table.h"
#include "model/world/fixed.h"
#include "model/world/identity.h"
#include "model/world/lazy.h"
#include "model/world/rebasing.h"
#include "model/world/tracer.h"
#include "model/world/watch.h"

namespace lockstep::model {

namespace {


bool process_must_step(const World& world, const Setup& setup) {
  for (std::size_t p = 0; p < world.processes.size(); ++p) {
    const Process& process = *world.processes[p];
    if (process.life != Process::Life::running) continue;
    for (const ThreadId thread : setup.processes[p].threads)
      if (must_run(process, setup, thread, *world.signals)) return true;
    if (!due_timers(process, setup).empty() || must_time_out(process) || has_unaimed(process)) return true;
  }
  return false;
}

/// Calls visit for the transit of each message that its receiver could take now.
template <class Visit>
void each_receivable(const World& world, Visit visit) {
  for (std::size_t i = 0; i < world.links.size(); ++i) {
    const Link& link = *world.links[i];
    if (link.cut) continue;
    const bool process_runs = world.processes[i / world.nodes.size()]->life == Process::Life::running;
    const bool node_answers = world.answers(sim::make_id<NodeId>(i % world.nodes.size()));
    for (const Flight& flight : link.flights)
      if (flight.travels() && (flight.reply ? process_runs : node_answers)) visit(flight.transit);
    if (!link.down.empty() && process_runs) visit(link.down.front().transit);
    if (!link.up.empty() && node_answers) visit(link.up.front().transit);
  }
  for (std::size_t n = 0; n < world.streams.size(); ++n) {
    const Stream& stream = *world.streams[n];
    const auto replica = sim::make_id<NodeId>(n);
    if (!stream.batches.empty() && !stream.lagging && world.answers(replica) &&
        world.reaches(*stream.master, replica))
      visit(stream.batches.front().transit);
    if (!stream.acks.empty() && world.answers(*stream.master) && world.reaches(replica, *stream.master))
      visit(stream.acks.front());
  }
}

bool wait_must_end(const World& world) {
  for (std::size_t i = 0; i < world.links.size(); ++i) {
    if (!world.answers(sim::make_id<NodeId>(i % world.nodes.size()))) continue;
    for (const Flight& flight : world.links[i]->flights)
      if (flight.blocked && flight.blocked->left.due()) return true;
  }
  return false;
}

bool message_must_arrive(const World& world, const Setup& setup) {
  bool overdue = false;
  std::size_t late = 0;
  each_receivable(world, [&](const Transit& transit) {
    overdue = overdue || transit.overdue();
    if (transit.deliverable()) ++late;
  });
  return overdue || (setup.network.kind == NetworkKind::any && late > setup.network.held_max);
}

/// Runs, and is not done for good.
bool is_busy(const World& world, const Setup& setup, ProcessId p) {
  return world.processes[p.index()]->life == Process::Life::running &&
         !(setup.reductions.identity && is_done(world, setup, p));
}

bool roles_must_settle(const World& world, const Setup& setup) {
  for (std::size_t g = 0; g < world.groups.size(); ++g) {
    const Group& group = *world.groups[g];
    const bool master_answers = world.answers(group.master);
    const auto meets_master = [&](NodeId node) {
      return master_answers && world.answers(node) && world.reaches(node, group.master);
    };
    for (const auto& [process, due] : group.learning)
      if (due.must() && is_busy(world, setup, process) &&
          may_be_told(world, setup, process, sim::make_id<GroupId>(g)))
        return true;
    for (const auto& [node, due] : group.demotion)
      if (due.must() && meets_master(node)) return true;
    for (const NodeId node : group.detached)
      if (meets_master(node) && !world.streams[node.index()]->cut) return true;
  }
  if (watchers_must_act(world, setup)) return true;
  for (std::size_t i = 0; i < world.links.size(); ++i) {
    const auto n = sim::make_id<NodeId>(i % world.nodes.size());
    const Process& process = *world.processes[i / world.nodes.size()];
    const auto p = sim::make_id<ProcessId>(i / world.nodes.size());
    if (world.links[i]->is_timing_out() && is_busy(world, setup, p)) return true;
    if (!world.links[i]->broken || world.links[i]->cut || !world.answers(n)) continue;
    if (process.clients[setup.group_of(n).index()].master == n && is_busy(world, setup, p)) return true;
  }
  for (std::size_t n = 0; n < world.nodes.size(); ++n)
    if (has_due(world, setup, sim::make_id<NodeId>(n))) return true;
  return std::any_of(world.fixed_left->begin(), world.fixed_left->end(),
                     [](Duration left) { return left <= Duration::zero(); });
}

/// The faults that have begun: whether there are any, and how soon one must end.
struct Begun {
  bool any = false;
  Duration soonest = sim::never;
};
Begun begun_faults(const World& world, const Setup& setup) {
  std::vector<Move> ends;
  Listing list(world, setup, ends);
  for (const FaultId fault : faults_with_end()) {
    list.verb = {Act::end, fault};
    world_fault(fault)->end->act.verb.list(list);
  }
  return {!ends.empty(), list.soonest};
}

/// Something is inside an interval lo..hi and may happen now or later: ties within a millisecond matter.
bool inside_interval(const World& world, const Setup& setup) {
  for (const auto& process : world.processes)
    if (flexible(*process, setup)) return true;
  bool inside = false;
  each_receivable(world, [&](const Transit& transit) { inside = inside || transit.deliverable(); });
  return inside;
}

Duration next_deadline(const World& world, const Setup& setup) {
  Duration next = sim::never;
  const auto consider = [&next](Duration left) {
    if (left > Duration::zero()) next = std::min(next, left);
  };
  for (std::size_t n = 0; n < world.nodes.size(); ++n)
    if ((*world.up)[n])
      consider(true_time_until(world, sim::make_id<NodeId>(n),
                               setup.nodes[n].kind->next_change(*world.nodes[n]), setup));
  for (const auto& process : world.processes) consider(sim::next_deadline(*process));
  for (const auto& link : world.links)
    if (!link->empty() || link->cut) consider(model::next_deadline(*link));
  for (const auto& stream : world.streams) consider(model::next_deadline(*stream));
  for (const auto& group : world.groups) {
    for (const auto& [process, due] : group->learning)
      if (!setup.reductions.identity || !is_done(world, setup, process))
        consider(due.earliest), consider(due.latest);
    for (const auto& [node, due] : group->demotion) consider(due.earliest), consider(due.latest);
  }
  for (const Duration left : *world.fixed_left)
    if (is_counting(left)) consider(left);
  for (const sim::Timer& pause : *world.pauses) consider(pause.left);
  for (const sim::Timer& one : *world.isolation) consider(one.left);
  consider(model::next_deadline(*world.watch));
  // What begins some time may do so before, at, or behind an instant that a script compares its clock with.
  if (inside_interval(world, setup)) consider(next_instant(world, setup));
  return next;
}

}  // namespace

bool has_due(const World& world, const Setup& setup, NodeId node) {
  const ServerKind& kind = setup.kind_of(node);
  return kind.has_due != nullptr && world.answers(node) && kind.has_due(*world.nodes[node.index()]);
}

std::optional<Duration> time_step(const World& world, const Setup& setup) {
  if (setup.horizon && world.now.since_start >= *setup.horizon) return std::nullopt;
  if (process_must_step(world, setup) || message_must_arrive(world, setup) ||
      roles_must_settle(world, setup) || wait_must_end(world))
    return std::nullopt;
  const Begun begun = begun_faults(world, setup);
  if (begun.soonest <= Duration::zero()) return std::nullopt;
  const Duration deadline = next_deadline(world, setup);
  if (deadline == sim::never) return std::nullopt;
  Duration step = deadline;
  if (begun.any || Lazy(world, setup).may_act_in_a_gap()) step = std::min(step, setup.grain);
  if (inside_interval(world, setup)) {
    const Duration just_before = deadline - Duration{1};
    if (world.clocks->at_deadline) step = Duration{1};
    else if (just_before > Duration::zero()) step = std::min({step, just_before, setup.grain});
  }
  if (setup.horizon) step = std::min(step, *setup.horizon - world.now.since_start);
  return step;
}

namespace {

/// What servers store ages by their clocks, and what dies of it has effects.
void age_servers(World& world, const std::vector<Duration>& wall, StepReport& report) {
  for (std::size_t n = 0; n < world.nodes.size(); ++n) {
    const auto node = sim::make_id<NodeId>(n);
    const ServerKind& kind = report.setup.kind_of(node);
    if (!kind.counts_down(*world.nodes[n])) continue;
    const Server before = before_step(world, node, report);
    const Unasked unasked = kind.pass(world.nodes[n].write(), wall[n]);
    // One that is down ages as well, but is not there to tell anybody.
    if ((*world.up)[n]) carry_out(world, node, unasked, before, report);
  }
}

}  // namespace

void pass_time(World& world, Duration passed, StepReport& report) {
  const bool track_ties =
      report.setup.network.kind != NetworkKind::no_delay || inside_interval(world, report.setup);
  const bool reaches = next_deadline(world, report.setup) == passed;
  world.now = world.now + passed;
  if (report.tracer != nullptr) report.tracer->time_is(world.now);
  std::vector<Duration> wall;
  for (std::size_t n = 0; n < world.nodes.size(); ++n)
    wall.push_back(pass_wall_clock(world, sim::make_id<NodeId>(n), passed, report.setup));
  age_servers(world, wall, report);
  for (auto& process : world.processes)
    if (process->life != Process::Life::dead && sim::next_deadline(*process) != sim::never)
      sim::pass(process.write(), sim::Passed::alike(passed));
  for (auto& link : world.links)
    if (!link->empty() || link->cut) advance(link.write(), passed);
  for (auto& stream : world.streams)
    if (!stream->batches.empty() || !stream->acks.empty() || stream->lagging || stream->cut)
      advance(stream.write(), passed, stream->master ? wall[stream->master->index()] : passed);
  const auto shrink = [passed](Due& due) {
    due.earliest = sim::count_down(due.earliest, passed);
    due.latest = sim::count_down(due.latest, passed);
  };
  for (auto& group : world.groups) {
    if (group->learning.empty() && group->demotion.empty()) continue;
    for (auto& [process, due] : group.write().learning) shrink(due);
    for (auto& [node, due] : group.write().demotion) shrink(due);
  }
  if (!world.fixed_left->empty())
    for (std::size_t f = 0; f < world.fixed_left->size(); ++f) {
      Duration& left = world.fixed_left.write()[f];
      left = left_after(report.setup.fixed[f], left, passed);
    }
  for (std::size_t n = 0; n < world.nodes.size(); ++n)
    if (world.is_paused(sim::make_id<NodeId>(n)))
      world.pauses.write()[n].left = sim::count_down((*world.pauses)[n].left, passed);
  pass_for_watchers(world, passed);
  if (const bool at_deadline = track_ties && reaches; at_deadline != world.clocks->at_deadline)
    world.clocks.write().at_deadline = at_deadline;
  report.seen.push_back(TimePassed{passed});
}

}  // namespace lockstep::model
