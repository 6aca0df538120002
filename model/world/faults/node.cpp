// node.cpp: faults of servers, whatever they serve.
#include "model/world/faults/table.h"
#include "model/world/tracer.h"

namespace lockstep::model {

void break_links_of_node(World& world, NodeId n) {
  for (std::size_t p = 0; p < world.processes.size(); ++p) {
    auto& link = world.link(sim::make_id<ProcessId>(p), n);
    if (!link->empty() || link->listening) break_connections(link.write());
  }
}

namespace {

bool is_up(const World& world, const Subject& on) { return world.is_up(std::get<NodeId>(on)); }

void list_nodes(Listing& list, bool up) {
  for (std::size_t n = 0; n < list.world.nodes.size(); ++n)
    if (list.up(n) == up) list.add(sim::make_id<NodeId>(n));
}

void crash_node(World& world, const Move& move, StepReport& report) {
  const auto n = move.of<NodeId>();
  break_links_of_node(world, n);
  const ServerKind& kind = report.setup.kind_of(n);
  kind.disconnect_all(world.nodes[n.index()].write());
  if (kind.crash != nullptr) kind.crash(world.nodes[n.index()].write());
  for (std::size_t r = 0; r < world.streams.size(); ++r) {
    const bool from_it = world.streams[r]->master == n;
    if (!from_it && r != n.index()) continue;
    Stream& stream = world.streams[r].write();
    if (report.tracer != nullptr && stream.master)
      report.tracer->effects_lost(*stream.master, sim::make_id<NodeId>(r));
    stream.missed_writes = from_it && misses_writes(world, report.setup, sim::make_id<NodeId>(r));
    stream.batches.clear();  // sent, but lost with the link
    stream.lagging = false;
    if (r == n.index()) stream.master.reset();
  }
  world.up.write()[n.index()] = false;
  observe(report, NodeCrashed{n});
}

void restart_node(World& world, const Move& move, StepReport& report) {
  const auto n = move.of<NodeId>();
  world.up.write()[n.index()] = true;
  const ServerKind& kind = report.setup.kind_of(n);
  kind.restart(world.nodes[n.index()].write(), report.setup.persistence);
  Group& group = world.groups[report.setup.group_of(n).index()].write();
  if (n == group.master) {
    for (std::size_t r = 0; r < world.streams.size(); ++r)
      if (world.streams[r]->master == n) group.detached.insert(sim::make_id<NodeId>(r));
  } else if (kind.leads(*world.nodes[n.index()])) {
    const Interval& learn = report.setup.limits.learn;
    group.demotion[n] = Due{learn.lo, learn.hi};
  } else {
    group.detached.insert(n);
  }
  observe(report, NodeRestarted{n});
}

}  // namespace

const FaultRow crash_node_fault{
    .key = "crash-node",
    .about = "a node is down, its connections break, its data is as persistence kept it",
    .begin = {.verb = {.word = "crash-node",
                       .form = Form::node,
                       .list =
                           [](Listing& list) {
                             if (list.lazy.should_lose_nodes()) list_nodes(list, true);
                           },
                       .touches =
                           [](const Move& move, Touching& touching) {
                             const auto n = move.of<NodeId>();
                             touching.writes(Part::lives).writes(Part::node, n.index());
                             touching.links_of(n).pushes_of(n);
                             touching.writes(Part::stream, n.index()).streams_from(n);
                           },
                       .apply = crash_node},
              .fixed = "crash",
              .befalls = is_up},
    .end = {},
    .place = 6};

const FaultRow restart_node_fault{
    .key = "restart-node",
    .about = "a crashed node comes up again",
    .begin = {.verb = {.word = "restart-node",
                       .form = Form::node,
                       .list = [](Listing& list) { list_nodes(list, false); },
                       .touches =
                           [](const Move& move, Touching& touching) {
                             const auto n = move.of<NodeId>();
                             touching.writes(Part::lives).writes(Part::node, n.index());
                             touching.writes(Part::roles, touching.setup().group_of(n).index());
                             for (std::size_t r = 0; r < touching.setup().nodes.size(); ++r)
                               touching.reads(Part::stream, r);
                           },
                       .apply = restart_node},
              .fixed = "restart",
              .befalls = [](const World& world, const Subject& on) { return !is_up(world, on); }},
    .end = {},
    .place = 7};

}  // namespace lockstep::model
