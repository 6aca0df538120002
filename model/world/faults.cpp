// faults.cpp: what the adversary does and how it ends, and the roles that settle after it
// (`lockstep help faults`).
#include <algorithm>

#include "model/world/tracer.h"
#include "model/world/world.h"
#include "sim/base/verify.h"

namespace lockstep::model {

namespace {

using redisson::Process;

ProcessId process_of(const Move& move) { return sim::make_id<ProcessId>(move.a); }
NodeId node_of(const Move& move) { return sim::make_id<NodeId>(move.a); }

template <class Observed>
void observe(StepReport& report, Observed observed) {
  if (report.tracer != nullptr) report.tracer->observe(observed);
  report.seen.push_back(std::move(observed));
}

void break_links_of_node(World& world, NodeId n) {
  for (std::size_t p = 0; p < world.processes.size(); ++p) {
    auto& link = world.link(sim::make_id<ProcessId>(p), n);
    if (!link->empty() || link->listening) break_connections(link.write());
  }
}

void crash_node(World& world, NodeId n, StepReport& report) {
  Situation& situation = world.situation.write();
  situation.up[n.index()] = false;
  break_links_of_node(world, n);
  world.nodes[n.index()].write().pubsub = {};
  for (std::size_t r = 0; r < world.streams.size(); ++r) {
    const bool from_it = world.streams[r]->master == n;
    if (!from_it && r != n.index()) continue;
    Stream& stream = world.streams[r].write();
    if (report.tracer != nullptr && stream.master)
      report.tracer->effects_lost(*stream.master, sim::make_id<NodeId>(r));
    stream.batches.clear();  // sent, but lost with the link
    stream.lagging = false;
    if (r == n.index()) stream.master.reset();
  }
  observe(report, NodeCrashed{n});
}

void restart_node(World& world, NodeId n, StepReport& report) {
  Situation& situation = world.situation.write();
  situation.up[n.index()] = true;
  redis::restart(world.nodes[n.index()].write(), report.setup.persistence);
  if (n == situation.master) {
    for (std::size_t r = 0; r < world.streams.size(); ++r)
      if (world.streams[r]->master == n) situation.detached[r] = true;
  } else if (world.nodes[n.index()]->role == redis::Role::master) {
    const Interval& learn = report.setup.limits.learn;
    situation.demotion[n.index()] = Settling{learn.lo, learn.hi};
  } else {
    situation.detached[n.index()] = true;
  }
  observe(report, NodeRestarted{n});
}

void fail_over(World& world, NodeId replica, StepReport& report) {
  Situation& situation = world.situation.write();
  const NodeId old = situation.master;
  const bool behind = !world.streams[replica.index()]->batches.empty();
  const bool differs =
      !(world.nodes[replica.index()]->db.entries() == world.nodes[old.index()]->db.entries());
  if (report.tracer != nullptr) report.tracer->effects_lost(old, replica);
  world.streams[replica.index()].write() = Stream{};
  redis::promote(world.nodes[replica.index()].write());
  situation.master = replica;
  situation.detached[replica.index()] = false;
  const Interval& learn = report.setup.limits.learn;
  for (std::size_t p = 0; p < world.processes.size(); ++p)
    if (world.processes[p]->life != Process::Life::dead) situation.learning[p] = Settling{learn.lo, learn.hi};
  if (situation.up[old.index()]) situation.demotion[old.index()] = Settling{learn.lo, learn.hi};
  for (std::size_t r = 0; r < world.streams.size(); ++r) {
    if (world.streams[r]->master != old) continue;
    world.streams[r].write() = Stream{};
    situation.detached[r] = true;
  }
  observe(report, FailedOver{replica, behind || differs});
}

void attach(World& world, NodeId replica) {
  const NodeId master = world.situation->master;
  const Situation& situation = *world.situation;
  const Duration skew = situation.offset[replica.index()] - situation.offset[master.index()];
  redis::resynchronise(world.nodes[replica.index()].write(), *world.nodes[master.index()], skew);
  world.streams[replica.index()].write() = Stream{.master = master};
  world.situation.write().detached[replica.index()] = false;
}

/// Sentinel's reconfiguration of an old master: it becomes a replica, and its clients are cut off.
void demote(World& world, NodeId n, StepReport& report) {
  world.situation.write().demotion[n.index()].reset();
  break_links_of_node(world, n);
  world.nodes[n.index()].write().pubsub = {};
  attach(world, n);
  observe(report, Demoted{n});
}

void connect(World& world, ProcessId p, NodeId to, StepReport& report) {
  redisson::Out out;
  redisson::Context context{report.setup, p, out};
  redisson::learn_master(world.processes[p.index()].write(), to, context);
  carry_out(world, p, out, report);
}

void learn(World& world, ProcessId p, StepReport& report) {
  Situation& situation = world.situation.write();
  situation.learning[p.index()].reset();
  const NodeId old = world.processes[p.index()]->master;
  auto& link = world.link(p, old);
  if (link->listening || link->broken) {
    Link& left = link.write();
    left.up.clear();
    left.down.clear();
    left.listening = left.broken = false;
    redis::disconnect(world.nodes[old.index()].write(), sim::make_id<ConnectionId>(p.index()));
  }
  connect(world, p, situation.master, report);
}

void restart_process(World& world, ProcessId p, StepReport& report) {
  const std::uint16_t incarnation = world.processes[p.index()]->incarnation;
  Process fresh = redisson::initial_process(report.setup, p);
  fresh.master = world.situation->master;
  fresh.incarnation = static_cast<std::uint16_t>(incarnation + 1);
  world.processes[p.index()] = std::move(fresh);
}

Transit* transit_of(Link& link, const Move& move) {
  switch (move.kind) {
    case MoveKind::hold_push:
    case MoveKind::release_push:
      return &link.down.front().transit;
    case MoveKind::hold_channel:
    case MoveKind::release_channel:
      return &link.up.front().transit;
    default:
      break;
  }
  for (Flight& flight : link.flights)
    if (flight.connection.value == move.c) return &flight.transit;
  return nullptr;
}

void hold(World& world, const Move& move, bool held) {
  Transit* transit = transit_of(world.link(process_of(move), sim::make_id<NodeId>(move.b)).write(), move);
  VERIFY(transit != nullptr);
  transit->held = held;
  transit->earliest = transit->latest = Duration::zero();
}

void lose(World& world, const Move& move, StepReport& report) {
  Link& link = world.link(process_of(move), sim::make_id<NodeId>(move.b)).write();
  if (report.tracer != nullptr) report.tracer->lost(move);
  if (move.kind == MoveKind::lose_push) link.down.erase(link.down.begin());
  else if (move.kind == MoveKind::lose_channel) link.up.erase(link.up.begin());
  else std::erase_if(link.flights, [&](const Flight& flight) { return flight.connection.value == move.c; });
  report.seen.push_back(MessageLost{process_of(move)});
}

void jump(World& world, const Move& move, StepReport& report) {
  const Duration by{move.amount};
  world.situation.write().offset[move.a] += by;
  for (auto& stream : world.streams)
    if (stream->master == node_of(move) && !stream->batches.empty()) shift_deadlines(stream.write(), by);
  redis::Node& node = world.nodes[move.a].write();
  const redis::Node before = node;
  node.db.age(by);
  for (const redis::Effects& effects : redis::advance(node, Duration::zero())) {
    const std::string key = effects.front().words.back();
    report.seen.push_back(KeyExpired{node_of(move), key});
    if (report.tracer != nullptr) report.tracer->expired(node_of(move), key, before, node);
    replicate(world, node_of(move), effects, report);
  }
}

void evict(World& world, const Move& move, StepReport& report) {
  redis::Node& node = world.nodes[move.a].write();
  const redis::Node before = node;
  const std::string key = std::next(node.db.entries().begin(), move.b)->first;
  node.db.erase(key);
  report.seen.push_back(KeyEvicted{node_of(move), key});
  if (report.tracer != nullptr) report.tracer->evicted(node_of(move), key, before, node);
  replicate(world, node_of(move), {redis::Effect{.words = {"DEL", key}}}, report);
}

void set_pause(World& world, ProcessId p, bool paused, StepReport& report) {
  Process& process = world.processes[p.index()].write();
  process.life = paused ? Process::Life::paused : Process::Life::running;
  process.pause_left = paused ? report.setup.limits.pause_max : Duration::zero();
  if (paused) observe(report, ProcessPaused{p});
  else observe(report, ProcessResumed{p});
}

void set_cut(World& world, const Move& move, bool cut, StepReport& report) {
  Link& link = world.link(process_of(move), sim::make_id<NodeId>(move.b)).write();
  link.cut = cut;
  link.cut_left = cut ? report.setup.limits.cut_max : Duration::zero();
}

void set_lag(World& world, const Move& move, bool lagging, StepReport& report) {
  Stream& stream = world.streams[move.a].write();
  stream.lagging = lagging;
  stream.lag_left = lagging ? report.setup.limits.lag_max : Duration::zero();
}

void pay(World& world, MoveKind kind) {
  FaultBudget& budget = world.situation.write().budget;
  switch (kind) {
    case MoveKind::crash_node:
      --budget.crash_node;
      return;
    case MoveKind::failover:
      --budget.failover;
      return;
    case MoveKind::restart_node:
      --budget.restart_node;
      return;
    case MoveKind::crash_process:
      --budget.crash_process;
      return;
    case MoveKind::restart_process:
      --budget.restart_process;
      return;
    case MoveKind::pause:
      --budget.pause_process;
      return;
    case MoveKind::lose_reply:
    case MoveKind::lose_request:
    case MoveKind::lose_push:
    case MoveKind::lose_channel:
      --budget.lose_message;
      return;
    case MoveKind::hold_reply:
    case MoveKind::hold_request:
    case MoveKind::hold_push:
    case MoveKind::hold_channel:
      --budget.delay_message;
      return;
    case MoveKind::cut:
      --budget.cut_link;
      return;
    case MoveKind::lag:
      --budget.replica_lag;
      return;
    case MoveKind::jump:
      --budget.clock_jump;
      return;
    case MoveKind::interrupt:
      --budget.interrupt_thread;
      return;
    case MoveKind::evict:
      --budget.evict_key;
      return;
    case MoveKind::flush:
      --budget.flush_scripts;
      return;
    default:
      return;
  }
}

void interrupt(World& world, ThreadId thread, StepReport& report) {
  const ProcessId p = report.setup.threads[thread.index()].process;
  redisson::Out out;
  redisson::Context context{report.setup, p, out};
  redisson::interrupt(world.processes[p.index()].write(), thread, context);
  carry_out(world, p, out, report);
}

void carry_out_message_fault(World& world, const Move& move, StepReport& report) {
  switch (move.kind) {
    case MoveKind::lose_reply:
    case MoveKind::lose_request:
    case MoveKind::lose_push:
    case MoveKind::lose_channel: return lose(world, move, report);
    case MoveKind::hold_reply:
    case MoveKind::hold_request:
    case MoveKind::hold_push:
    case MoveKind::hold_channel: return hold(world, move, true);
    case MoveKind::release_reply:
    case MoveKind::release_request:
    case MoveKind::release_push:
    case MoveKind::release_channel: return hold(world, move, false);
    default: UNREACHABLE("a move of this family");
  }
}

void carry_out_fault(World& world, const Move& move, StepReport& report) {
  switch (move.kind) {
    case MoveKind::crash_node:
      return crash_node(world, node_of(move), report);
    case MoveKind::restart_node:
      return restart_node(world, node_of(move), report);
    case MoveKind::failover:
      return fail_over(world, node_of(move), report);
    case MoveKind::demote:
      return demote(world, node_of(move), report);
    case MoveKind::resync:
      return attach(world, node_of(move));
    case MoveKind::learn:
      return learn(world, process_of(move), report);
    case MoveKind::reconnect:
      world.link(process_of(move), sim::make_id<NodeId>(move.b)).write().broken = false;
      return connect(world, process_of(move), sim::make_id<NodeId>(move.b), report);
    case MoveKind::crash_process:
      return crash_process(world, process_of(move), report);
    case MoveKind::restart_process:
      return restart_process(world, process_of(move), report);
    case MoveKind::pause:
      return set_pause(world, process_of(move), true, report);
    case MoveKind::resume:
      return set_pause(world, process_of(move), false, report);
    case MoveKind::cut:
      return set_cut(world, move, true, report);
    case MoveKind::heal:
      return set_cut(world, move, false, report);
    case MoveKind::lag:
      return set_lag(world, move, true, report);
    case MoveKind::unlag:
      return set_lag(world, move, false, report);
    case MoveKind::jump:
      return jump(world, move, report);
    case MoveKind::evict:
      return evict(world, move, report);
    case MoveKind::flush:
      world.nodes[move.a].write().scripts.clear();
      return;
    case MoveKind::interrupt:
      return interrupt(world, sim::make_id<ThreadId>(move.a), report);
    default:
      return carry_out_message_fault(world, move, report);
  }
}

}  // namespace

void crash_process(World& world, ProcessId p, StepReport& report) {
  redisson::crash(world.processes[p.index()].write());
  world.situation.write().learning[p.index()].reset();
  for (std::size_t n = 0; n < world.nodes.size(); ++n) {
    auto& link = world.link(p, sim::make_id<NodeId>(n));
    if (link->empty() && !link->listening && !link->broken) continue;
    Link& left = link.write();
    std::erase_if(left.flights, [](const Flight& flight) { return flight.reply.has_value(); });
    left.up.clear();
    left.down.clear();
    left.listening = left.broken = false;
    redis::disconnect(world.nodes[n].write(), sim::make_id<ConnectionId>(p.index()));
  }
  observe(report, ProcessCrashed{p});
}

void apply_fault(World& world, const Move& move, StepReport& report) {
  if (report.tracer != nullptr) report.tracer->fault(move);
  if (move.is_fault()) pay(world, move.kind);
  carry_out_fault(world, move, report);
}

void apply_fixed(World& world, std::size_t fixed, StepReport& report) {
  world.situation.write().fixed_left[fixed] = sim::never;
  const FixedFault& fault = report.setup.fixed[fixed];
  const auto kind_of = [](FixedFault::Kind kind) {
    switch (kind) {
      case FixedFault::Kind::pause:
        return MoveKind::pause;
      case FixedFault::Kind::resume:
        return MoveKind::resume;
      case FixedFault::Kind::crash_process:
        return MoveKind::crash_process;
      case FixedFault::Kind::crash_node:
        return MoveKind::crash_node;
      case FixedFault::Kind::restart_node:
        return MoveKind::restart_node;
      case FixedFault::Kind::failover:
        return MoveKind::failover;
      case FixedFault::Kind::flush_scripts:
        return MoveKind::flush;
      case FixedFault::Kind::evict_key:
        return MoveKind::evict;
    }
    return MoveKind::pass;
  };
  const Move move{.kind = kind_of(fault.kind), .a = fault.target};
  if (!applicable(world, move)) return;  // it befalls something that is gone already
  if (report.tracer != nullptr) report.tracer->fault(move);
  carry_out_fault(world, move, report);
}

bool applicable(const World& world, const Move& move) {
  const auto life = [&] { return world.processes[move.a]->life; };
  switch (move.kind) {
    case MoveKind::pause:
      return life() == Process::Life::running;
    case MoveKind::resume:
      return life() == Process::Life::paused;
    case MoveKind::crash_process:
      return life() != Process::Life::dead;
    case MoveKind::crash_node:
      return world.situation->up[move.a];
    case MoveKind::restart_node:
      return !world.situation->up[move.a];
    case MoveKind::failover:
      return world.situation->up[move.a] && world.streams[move.a]->master == world.situation->master;
    case MoveKind::evict:
      return move.b < world.nodes[move.a]->db.size();
    default:
      return true;
  }
}

}  // namespace lockstep::model
