// roles.cpp: who is master settles after a failover or a restart (`lockstep help faults`).
#include <utility>

#include "model/world/acknowledging.h"
#include "model/world/faults/table.h"
#include "model/world/held.h"
#include "model/world/tracer.h"
#include "model/world/watch.h"

namespace lockstep::model {

namespace {

void connect(World& world, ProcessId p, NodeId to, StepReport& report) {
  step_process(world, p, report, [&](Process& process, Context& context) {
    learn_master(process, report.setup.group_of(to).value, to, context);
  });
}

}  // namespace

void learn(World& world, ProcessId p, GroupId g, StepReport& report) {
  Group& group = world.groups[g.index()].write();
  group.learning.erase(p);
  const NodeId old = world.processes[p.index()]->clients[g.index()].master;
  auto& link = world.link(p, old);
  if (link->listening || link->broken) {
    Link& left = link.write();
    left.up.clear();
    left.down.clear();
    left.listening = left.broken = false;
    report.setup.kind_of(old).disconnect(world.nodes[old.index()].write(), p);
  }
  connect(world, p, group.master, report);
}

void reconnect(World& world, ProcessId p, NodeId n, StepReport& report) {
  world.link(p, n).write().broken = false;
  connect(world, p, n, report);
}

/// The process finds out that its connections over a cut link are dead.
void time_out_link(World& world, LinkId id, StepReport& report) {
  break_link(world, id, "its connection timed out", report);
  world.link(id.process, id.node).write().timed_out = true;
  report.setup.kind_of(id.node).disconnect(world.nodes[id.node.index()].write(), id.process);
  close_held(world, id, report.setup);
}

void resynchronise(World& world, NodeId replica, StepReport& report) {
  Group& group = world.groups[report.setup.group_of(replica).index()].write();
  const NodeId master = group.master;
  const auto& offset = world.clocks->offset;
  report.setup.kind_of(replica).resynchronise(world.nodes[replica.index()].write(),
                                              *world.nodes[master.index()],
                                              offset[replica.index()] - offset[master.index()]);
  world.streams[replica.index()] = Stream{.master = master};
  acknowledge_all(world, replica, report);
  group.detached.erase(replica);
}

namespace {

/// All live processes will learn that the group has another master.
void let_learn(World& world, Group& group, const Setup& setup) {
  const Due due{setup.limits.learn.lo, setup.limits.learn.hi};
  for (std::size_t p = 0; p < world.processes.size(); ++p)
    if (world.processes[p]->life != Process::Life::dead)
      group.learning[sim::make_id<ProcessId>(p)] = due;
}

/// Its replicas have to follow another.
void let_go_of_replicas(World& world, Group& group, NodeId old) {
  for (std::size_t r = 0; r < world.streams.size(); ++r) {
    if (world.streams[r]->master != old) continue;
    world.streams[r] = Stream{};
    group.detached.insert(sim::make_id<NodeId>(r));
  }
}

}  // namespace

void take_slots(World& world, NodeId spare, StepReport& report) {
  Group& group = world.groups[report.setup.group_of(spare).index()].write();
  const NodeId old = std::exchange(group.master, spare);
  let_learn(world, group, report.setup);
  let_go_of_replicas(world, group, old);
  tell_of_slots(world, old, report);
}

void fail_over(World& world, NodeId replica, StepReport& report) {
  Group& group = world.groups[report.setup.group_of(replica).index()].write();
  const NodeId old = group.master;
  const bool lost_writes = misses_writes(world, report.setup, replica);
  if (report.tracer != nullptr && world.streams[replica.index()]->master)
    report.tracer->effects_lost(old, replica);
  world.streams[replica.index()] = Stream{};
  const ServerKind& kind = report.setup.kind_of(replica);
  Server& elected = world.nodes[replica.index()].write();
  if (kind.take_over != nullptr) kind.take_over(elected, *world.nodes[old.index()]);
  kind.promote(elected);
  group.master = replica;
  group.detached.erase(replica);
  let_learn(world, group, report.setup);
  const Interval& learn = report.setup.limits.learn;
  if (report.setup.is_watched()) tell_the_others(world, replica, report);
  else if (world.is_up(old)) group.demotion[old] = Due{learn.lo, learn.hi};
  let_go_of_replicas(world, group, old);
  observe(report, FailedOver{replica, lost_writes});
}

/// An old master becomes a replica. Sentinel cuts off its clients with that (CLIENT KILL); in a cluster they
/// are sent on by its answers.
void demote(World& world, NodeId n, StepReport& report) {
  world.groups[report.setup.group_of(n).index()].write().demotion.erase(n);
  if (report.setup.topology != Topology::cluster) {
    break_links_of_node(world, n, report);
    report.setup.kind_of(n).disconnect_all(world.nodes[n.index()].write());
  }
  resynchronise(world, n, report);
  observe(report, Demoted{n});
}

}  // namespace lockstep::model
