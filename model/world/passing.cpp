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

void Pace::add(const Pace& other) {
  must = must || other.must;
  late += other.late;
  next = std::min(next, other.next);
  inside = inside || other.inside;
}

namespace {

bool process_must_step(const World& world, const Setup& setup, ProcessId p) {
  const Process& process = *world.processes[p.index()];
  if (process.life != Process::Life::running) return false;
  for (const ThreadId thread : setup.processes[p.index()].threads)
    if (must_run(process, setup, thread, *world.signals)) return true;
  return must_fire(process, setup) || must_time_out(process) || has_unaimed(process);
}

/// Calls visit for the transit of each message that its receiver could take now, between a process and nodes.
template <class Visit>
void each_receivable(const World& world, ProcessId p, Visit visit) {
  for (std::size_t n = 0; n < world.nodes.size(); ++n) {
    const Link& link = *world.links[p.index() * world.nodes.size() + n];
    if (link.cut || link.empty()) continue;
    const bool process_runs = world.processes[p.index()]->life == Process::Life::running;
    const bool node_answers = world.answers(sim::make_id<NodeId>(n));
    for (const Flight& flight : link.flights)
      if (flight.travels() && (flight.reply ? process_runs : node_answers)) visit(flight.transit);
    if (!link.down.empty() && process_runs) visit(link.down.front().transit);
    if (!link.up.empty() && node_answers) visit(link.up.front().transit);
  }
}

/// The same between nodes.
template <class Visit>
void each_receivable_of_nodes(const World& world, Visit visit) {
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

bool wait_must_end(const World& world, ProcessId p) {
  for (std::size_t n = 0; n < world.nodes.size(); ++n) {
    const auto node = sim::make_id<NodeId>(n);
    for (const Flight& flight : world.link(p, node)->flights)
      if (flight.blocked && flight.blocked->left.due() && world.answers(node)) return true;
  }
  return false;
}

/// Runs, and is not done for good.
bool is_busy(const World& world, const Setup& setup, ProcessId p) {
  return world.processes[p.index()]->life == Process::Life::running &&
         !(setup.reductions.identity && is_done(world, setup, p));
}

/// It must learn who is master, give a connection up, or make one anew.
bool process_must_settle(const World& world, const Setup& setup, ProcessId p) {
  for (std::size_t g = 0; g < world.groups.size(); ++g) {
    const auto due = world.groups[g]->learning.find(p);
    if (due != world.groups[g]->learning.end() && due->second.must() && is_busy(world, setup, p) &&
        may_be_told(world, setup, p, sim::make_id<GroupId>(g)))
      return true;
  }
  for (std::size_t n = 0; n < world.nodes.size(); ++n) {
    const auto node = sim::make_id<NodeId>(n);
    const Link& link = *world.link(p, node);
    if (link.is_timing_out() && is_busy(world, setup, p)) return true;
    if (!link.broken || link.cut || !world.answers(node)) continue;
    const Process& process = *world.processes[p.index()];
    if (process.clients[setup.group_of(node).index()].master == node && is_busy(world, setup, p)) return true;
  }
  return false;
}

bool nodes_must_settle(const World& world, const Setup& setup) {
  for (std::size_t g = 0; g < world.groups.size(); ++g) {
    const Group& group = *world.groups[g];
    const bool master_answers = world.answers(group.master);
    const auto meets_master = [&](NodeId node) {
      return master_answers && world.answers(node) && world.reaches(node, group.master);
    };
    for (const auto& [node, due] : group.demotion)
      if (due.must() && meets_master(node)) return true;
    for (const NodeId node : group.detached)
      if (meets_master(node) && !world.streams[node.index()]->cut) return true;
  }
  if (watchers_must_act(world, setup)) return true;
  for (std::size_t n = 0; n < world.nodes.size(); ++n)
    if (has_due(world, setup, sim::make_id<NodeId>(n))) return true;
  return std::any_of(world.fixed_left->begin(), world.fixed_left->end(),
                     [](Duration left) { return left <= Duration::zero(); });
}

/// Something must happen before time may pass; else `late` says how many messages have not arrived.
Pace must_act(const World& world, const Setup& setup, ProcessId p) {
  Pace pace{.must = process_must_step(world, setup, p)};
  if (pace.must) return pace;
  each_receivable(world, p, [&](const Transit& transit) {
    pace.must = pace.must || transit.overdue();
    if (transit.deliverable()) ++pace.late;
  });
  pace.must = pace.must || process_must_settle(world, setup, p) || wait_must_end(world, p);
  return pace;
}

Pace others_must_act(const World& world, const Setup& setup) {
  Pace pace;
  each_receivable_of_nodes(world, [&](const Transit& transit) {
    pace.must = pace.must || transit.overdue();
    if (transit.deliverable()) ++pace.late;
  });
  pace.must = pace.must || nodes_must_settle(world, setup);
  return pace;
}

bool too_many_are_late(const Pace& all, const Setup& setup) {
  return setup.network.kind == NetworkKind::any && all.late > setup.network.held_max;
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
bool inside_interval(const World& world, const Setup& setup, ProcessId p) {
  bool inside = flexible(*world.processes[p.index()], setup);
  if (!inside) each_receivable(world, p, [&](const Transit& one) { inside = inside || one.deliverable(); });
  return inside;
}

bool inside_interval_of_nodes(const World& world) {
  bool inside = false;
  each_receivable_of_nodes(world, [&](const Transit& one) { inside = inside || one.deliverable(); });
  return inside;
}

bool inside_interval(const World& world, const Setup& setup) {
  for (std::size_t p = 0; p < world.processes.size(); ++p)
    if (inside_interval(world, setup, sim::make_id<ProcessId>(p))) return true;
  return inside_interval_of_nodes(world);
}

void consider(Duration& next, Duration left) {
  if (left > Duration::zero()) next = std::min(next, left);
}

Duration next_deadline(const World& world, const Setup& setup, ProcessId p) {
  Duration next = sim::never;
  consider(next, sim::next_deadline(*world.processes[p.index()]));
  for (std::size_t n = 0; n < world.nodes.size(); ++n)
    if (const auto& link = world.link(p, sim::make_id<NodeId>(n)); !link->empty() || link->cut)
      consider(next, model::next_deadline(*link));
  for (const auto& group : world.groups) {
    const auto due = group->learning.find(p);
    if (due == group->learning.end() || (setup.reductions.identity && is_done(world, setup, p))) continue;
    consider(next, due->second.earliest);
    consider(next, due->second.latest);
  }
  return next;
}

Duration next_deadline_of_others(const World& world, const Setup& setup) {
  Duration next = sim::never;
  for (std::size_t n = 0; n < world.nodes.size(); ++n)
    if ((*world.up)[n])
      consider(next, true_time_until(world, sim::make_id<NodeId>(n),
                                     setup.nodes[n].kind->next_change(*world.nodes[n]), setup));
  for (const auto& stream : world.streams) consider(next, model::next_deadline(*stream));
  for (const auto& group : world.groups)
    for (const auto& [node, due] : group->demotion) {
      consider(next, due.earliest);
      consider(next, due.latest);
    }
  for (const Duration left : *world.fixed_left)
    if (is_counting(left)) consider(next, left);
  for (const sim::Timer& pause : *world.pauses) consider(next, pause.left);
  for (const sim::Timer& one : *world.isolation) consider(next, one.left);
  consider(next, model::next_deadline(*world.watch));
  return next;
}

/// What begins some time may do so before, at, or behind an instant that a script compares its clock with.
Duration next_deadline(const World& world, const Setup& setup) {
  Duration next = next_deadline_of_others(world, setup);
  for (std::size_t p = 0; p < world.processes.size(); ++p)
    next = std::min(next, next_deadline(world, setup, sim::make_id<ProcessId>(p)));
  if (inside_interval(world, setup)) consider(next, next_instant(world, setup));
  return next;
}

}  // namespace

bool has_due(const World& world, const Setup& setup, NodeId node) {
  const ServerKind& kind = setup.kind_of(node);
  return kind.has_due != nullptr && world.answers(node) && kind.has_due(*world.nodes[node.index()]);
}

Pace pace_of(const World& world, const Setup& setup, ProcessId p) {
  Pace pace = must_act(world, setup, p);
  if (pace.must) return {.must = true};
  pace.next = next_deadline(world, setup, p);
  pace.inside = inside_interval(world, setup, p);
  return pace;
}

Pace pace_of_others(const World& world, const Setup& setup) {
  Pace pace = others_must_act(world, setup);
  if (pace.must) return {.must = true};
  pace.next = next_deadline_of_others(world, setup);
  pace.inside = inside_interval_of_nodes(world);
  return pace;
}

std::optional<Duration> time_step(const Pace& all, bool in_a_gap, bool at_deadline, const Setup& setup) {
  if (all.must || all.next == sim::never || too_many_are_late(all, setup)) return std::nullopt;
  Duration step = all.next;
  if (in_a_gap) step = std::min(step, setup.grain);
  if (!all.inside) return step;
  const Duration just_before = all.next - Duration{1};
  if (at_deadline) return Duration{1};
  if (just_before > Duration::zero()) step = std::min({step, just_before, setup.grain});
  return step;
}

namespace {

/// Without a lattice nothing stops it before the next deadline: who wants to act sooner says when.
std::optional<Duration> on_lattice(const World& world, const Pace& all, bool in_a_gap, const Setup& setup) {
  if (all.next == sim::never) return std::nullopt;
  if (!setup.lattice || !(in_a_gap || all.inside)) return all.next;
  return std::min(all.next, setup.lattice->until_next(world.now.since_start));
}

}  // namespace

std::optional<Duration> time_step(const World& world, const Setup& setup) {
  if (setup.horizon && world.now.since_start >= *setup.horizon) return std::nullopt;
  Pace all;
  for (std::size_t p = 0; p < world.processes.size(); ++p) {
    all.add(must_act(world, setup, sim::make_id<ProcessId>(p)));
    if (all.must) return std::nullopt;
  }
  all.add(others_must_act(world, setup));
  if (all.must || too_many_are_late(all, setup)) return std::nullopt;
  const Begun begun = begun_faults(world, setup);
  if (begun.soonest <= Duration::zero()) return std::nullopt;
  all.next = next_deadline(world, setup);
  all.inside = inside_interval(world, setup);
  const bool in_a_gap = begun.any || Lazy(world, setup).may_act_in_a_gap();
  auto step = setup.exact ? on_lattice(world, all, in_a_gap, setup)
                          : time_step(all, in_a_gap, world.clocks->at_deadline, setup);
  if (step && setup.horizon) step = std::min(*step, *setup.horizon - world.now.since_start);
  return step;
}

bool tracks_ties(const Pace& all, const Setup& setup) {
  return !setup.exact && (setup.network.kind != NetworkKind::no_delay || all.inside);
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

void pass_time(World& world, ProcessId p, Duration passed) {
  auto& process = world.processes[p.index()];
  if (process->life != Process::Life::dead && sim::next_deadline(*process) != sim::never)
    sim::pass(process.write(), sim::Passed::alike(passed));
  for (std::size_t n = 0; n < world.nodes.size(); ++n)
    if (auto& link = world.link(p, sim::make_id<NodeId>(n)); !link->empty() || link->cut)
      advance(link.write(), passed);
}

/// What dies on servers is told before anything else moves on.
void pass_time_of_others(World& world, Duration passed, bool at_deadline, StepReport& report) {
  world.now = world.now + passed;
  if (report.tracer != nullptr) report.tracer->time_is(world.now);
  std::vector<Duration> wall;
  for (std::size_t n = 0; n < world.nodes.size(); ++n)
    wall.push_back(pass_wall_clock(world, sim::make_id<NodeId>(n), passed, report.setup));
  age_servers(world, wall, report);
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
  for (std::size_t f = 0; f < world.fixed_left->size(); ++f) {
    Duration& left = world.fixed_left.write()[f];
    left = left_after(report.setup.fixed[f], left, passed);
  }
  for (std::size_t n = 0; n < world.nodes.size(); ++n)
    if (world.is_paused(sim::make_id<NodeId>(n)))
      world.pauses.write()[n].left = sim::count_down((*world.pauses)[n].left, passed);
  pass_for_watchers(world, passed);
  if (at_deadline != world.clocks->at_deadline) world.clocks.write().at_deadline = at_deadline;
  report.seen.push_back(TimePassed{passed});
}

void pass_time(World& world, Duration passed, StepReport& report) {
  const bool inside = inside_interval(world, report.setup);
  const bool reaches = next_deadline(world, report.setup) == passed;
  pass_time_of_others(world, passed, tracks_ties({.inside = inside}, report.setup) && reaches, report);
  for (std::size_t p = 0; p < world.processes.size(); ++p)
    pass_time(world, sim::make_id<ProcessId>(p), passed);
}

}  // namespace lockstep::model
