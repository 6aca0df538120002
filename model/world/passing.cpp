// passing.cpp: when time may pass, how far, and what that does (`lockstep help time-and-network`).
#include <algorithm>

#include "model/world/clock.h"
#include "model/world/tracer.h"
#include "model/world/world.h"

namespace lockstep::model {

namespace {

using redisson::Process;

/// Whether the thread must take its step before time goes on. One that is busy for lo..hi need not until hi
/// is over.
bool must_run(const Process& process, const Setup& setup, ThreadId id, const std::vector<bool>& signals) {
  const redisson::Thread& thread = process.threads[setup.threads[id.index()].index_in_process];
  if (const auto* busy = std::get_if<redisson::Busy>(&thread.activity)) return busy->hi <= Duration::zero();
  return redisson::runnable(process, setup, id, signals);
}

bool process_must_step(const World& world, const Setup& setup) {
  const auto due = [](const auto& timer) { return timer.left <= Duration::zero(); };
  for (std::size_t p = 0; p < world.processes.size(); ++p) {
    const Process& process = *world.processes[p];
    if (process.life == Process::Life::paused && process.pause_left <= Duration::zero()) return true;
    if (process.life != Process::Life::running) continue;
    for (const ThreadId thread : setup.processes[p].threads)
      if (must_run(process, setup, thread, world.situation->signals)) return true;
    if (std::any_of(process.watchdog.timers.begin(), process.watchdog.timers.end(), due)) return true;
    if (std::any_of(process.pending.begin(), process.pending.end(), due)) return true;
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
    const bool node_up = world.situation->up[i % world.nodes.size()];
    for (const Flight& flight : link.flights)
      if (flight.reply ? process_runs : node_up) visit(flight.transit);
    if (!link.down.empty() && process_runs) visit(link.down.front().transit);
    if (!link.up.empty() && node_up) visit(link.up.front().transit);
  }
  for (std::size_t n = 0; n < world.streams.size(); ++n) {
    const Stream& stream = *world.streams[n];
    if (!stream.batches.empty() && !stream.lagging && world.situation->up[n])
      visit(stream.batches.front().transit);
  }
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

bool situation_must_settle(const World& world) {
  const Situation& situation = *world.situation;
  const auto overdue = [](const std::optional<Settling>& settling) {
    return settling && settling->latest <= Duration::zero();
  };
  const bool master_up = situation.up[situation.master.index()];
  for (std::size_t p = 0; p < situation.learning.size(); ++p)
    if (overdue(situation.learning[p]) && world.processes[p]->life == Process::Life::running) return true;
  for (std::size_t n = 0; n < situation.up.size(); ++n) {
    if (!situation.up[n] || !master_up) continue;
    if (overdue(situation.demotion[n]) || situation.detached[n]) return true;
  }
  for (std::size_t i = 0; i < world.links.size(); ++i) {
    const Link& link = *world.links[i];
    const Process& process = *world.processes[i / world.nodes.size()];
    const std::size_t n = i % world.nodes.size();
    if (link.cut && link.cut_left <= Duration::zero()) return true;
    const bool wanted = process.life == Process::Life::running && process.master.index() == n;
    if (link.broken && wanted && !link.cut && situation.up[n]) return true;
  }
  for (const auto& stream : world.streams)
    if (stream->lagging && stream->lag_left <= Duration::zero()) return true;
  return std::any_of(situation.fixed_left.begin(), situation.fixed_left.end(),
                     [](Duration left) { return left <= Duration::zero(); });
}

Duration next_deadline(const World& world, const Setup& setup) {
  Duration next = sim::never;
  const auto consider = [&next](Duration left) {
    if (left > Duration::zero()) next = std::min(next, left);
  };
  for (std::size_t n = 0; n < world.nodes.size(); ++n)
    if (world.situation->up[n])
      consider(true_time_until(world, sim::make_id<NodeId>(n), redis::next_change(*world.nodes[n]), setup));
  for (const auto& process : world.processes) consider(redisson::next_deadline(*process));
  for (const auto& link : world.links)
    if (!link->empty() || link->cut) consider(model::next_deadline(*link));
  for (const auto& stream : world.streams) consider(model::next_deadline(*stream));
  for (const auto& settling : world.situation->learning)
    if (settling) consider(settling->earliest), consider(settling->latest);
  for (const auto& settling : world.situation->demotion)
    if (settling) consider(settling->earliest), consider(settling->latest);
  for (const Duration left : world.situation->fixed_left) consider(left);
  return next;
}

/// The adversary may act between deadlines, or end what it began.
bool adversary_may_act(const World& world) {
  const FaultBudget& left = world.situation->budget;
  const bool may_begin = left.pause_process > 0 || left.crash_process > 0 || left.restart_process > 0 ||
                         left.cut_link > 0 || left.crash_node > 0 || left.restart_node > 0 ||
                         left.failover > 0 || left.replica_lag > 0 || left.clock_jump > 0 ||
                         left.interrupt_thread > 0 || left.evict_key > 0 || left.flush_scripts > 0;
  if (may_begin) return true;
  for (const auto& process : world.processes)
    if (process->life == Process::Life::paused) return true;
  for (const auto& link : world.links) {
    if (link->cut) return true;
    for (const Flight& flight : link->flights)
      if (flight.transit.held) return true;
    if (!link->down.empty() && link->down.front().transit.held) return true;
    if (!link->up.empty() && link->up.front().transit.held) return true;
  }
  for (const auto& stream : world.streams)
    if (stream->lagging) return true;
  const auto settling = [](const auto& one) { return one.has_value(); };
  const Situation& situation = *world.situation;
  return std::any_of(situation.learning.begin(), situation.learning.end(), settling) ||
         std::any_of(situation.demotion.begin(), situation.demotion.end(), settling);
}

/// Something is inside an interval lo..hi and may happen now or later: ties within a millisecond matter.
bool inside_interval(const World& world) {
  for (const auto& process : world.processes)
    if (redisson::flexible(*process)) return true;
  bool inside = false;
  each_receivable(world, [&](const Transit& transit) { inside = inside || transit.deliverable(); });
  return inside;
}

}  // namespace

std::optional<Duration> time_step(const World& world, const Setup& setup) {
  if (setup.horizon && world.now.since_start >= *setup.horizon) return std::nullopt;
  if (process_must_step(world, setup) || message_must_arrive(world, setup) || situation_must_settle(world))
    return std::nullopt;
  const Duration deadline = next_deadline(world, setup);
  if (deadline == sim::never) return std::nullopt;
  Duration step = deadline;
  if (adversary_may_act(world)) step = std::min(step, setup.grain);
  if (inside_interval(world)) {
    const Duration just_before = deadline - Duration{1};
    if (world.situation->at_deadline) step = Duration{1};
    else if (just_before > Duration::zero()) step = std::min({step, just_before, setup.grain});
  }
  if (setup.horizon) step = std::min(step, *setup.horizon - world.now.since_start);
  return step;
}

namespace {

/// Keys age by their nodes' clocks, and those that die make effects.
void age_keys(World& world, const std::vector<Duration>& wall, StepReport& report) {
  for (std::size_t n = 0; n < world.nodes.size(); ++n) {
    if (world.nodes[n]->db.size() == 0 && !world.nodes[n]->snapshot) continue;
    const redis::Node before = report.tracer != nullptr ? *world.nodes[n] : redis::Node{};
    const std::vector<redis::Effects> dels = redis::advance(world.nodes[n].write(), wall[n]);
    if (!world.situation->up[n]) continue;  // its keys age, but it is not there to tell anybody
    for (const redis::Effects& effects : dels) {
      const auto id = sim::make_id<NodeId>(n);
      report.seen.push_back(KeyExpired{id, effects.front().words.back()});
      if (report.tracer != nullptr)
        report.tracer->expired(id, effects.front().words.back(), before, *world.nodes[n]);
      replicate(world, id, effects, report);
    }
  }
}

}  // namespace

void pass_time(World& world, Duration passed, StepReport& report) {
  const bool track_ties = report.setup.network.kind != NetworkKind::prompt || inside_interval(world);
  const bool reaches = next_deadline(world, report.setup) == passed;
  world.now = world.now + passed;
  if (report.tracer != nullptr) report.tracer->time_is(world.now);
  std::vector<Duration> wall;
  for (std::size_t n = 0; n < world.nodes.size(); ++n)
    wall.push_back(pass_wall_clock(world, sim::make_id<NodeId>(n), passed, report.setup));
  age_keys(world, wall, report);
  for (auto& process : world.processes)
    if (process->life != Process::Life::dead && redisson::next_deadline(*process) != sim::never)
      redisson::advance(process.write(), passed);
  for (auto& link : world.links)
    if (!link->empty() || link->cut) advance(link.write(), passed);
  for (auto& stream : world.streams)
    if (!stream->batches.empty() || stream->lagging)
      advance(stream.write(), passed, stream->master ? wall[stream->master->index()] : passed);
  Situation& situation = world.situation.write();
  const auto settle = [passed](std::optional<Settling>& settling) {
    if (!settling) return;
    settling->earliest = sim::count_down(settling->earliest, passed);
    settling->latest = sim::count_down(settling->latest, passed);
  };
  for (auto& settling : situation.learning) settle(settling);
  for (auto& settling : situation.demotion) settle(settling);
  for (Duration& left : situation.fixed_left) left = sim::count_down(left, passed);
  situation.at_deadline = track_ties && reaches;
  report.seen.push_back(TimePassed{passed});
}

}  // namespace lockstep::model
