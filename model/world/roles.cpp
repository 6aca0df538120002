// roles.cpp: who is master settles after a failover or a restart (`lockstep help faults`).
#include "model/world/acknowledging.h"
#include "model/world/faults/table.h"

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

/// Sentinel's reconfiguration of an old master: it becomes a replica, and its clients are cut off.
void demote(World& world, NodeId n, StepReport& report) {
  world.groups[report.setup.group_of(n).index()].write().demotion.erase(n);
  break_links_of_node(world, n, report);
  report.setup.kind_of(n).disconnect_all(world.nodes[n.index()].write());
  resynchronise(world, n, report);
  observe(report, Demoted{n});
}

}  // namespace lockstep::model
