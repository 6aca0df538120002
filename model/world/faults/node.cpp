// node.cpp: faults of servers, whatever they serve.
#include "model/world/faults/table.h"
#include "model/world/fixed.h"
#include "model/world/tracer.h"

namespace lockstep::model {

void break_links_of_node(World& world, NodeId n, StepReport& report) {
  for (std::size_t p = 0; p < world.processes.size(); ++p)
    break_link(world, {sim::make_id<ProcessId>(p), n}, "its connection broke", report);
}

namespace {

bool is_up(const World& world, const Setup&, const Subject& on) { return world.is_up(std::get<NodeId>(on)); }

void set_node_pause(World& world, const Move& move, bool paused, StepReport& report) {
  const Duration left = paused ? report.setup.limits.node_pause_max : sim::never;
  world.pauses.write()[move.of<NodeId>().index()] = {left};
}

void touch_node_pause(const Move&, Touching& touching) { touching.writes(Part::lives); }

void list_nodes(Listing& list, bool up) {
  for (std::size_t n = 0; n < list.world.nodes.size(); ++n)
    if (list.up(n) == up && !list.setup.nodes[n].kind->outside) list.add(sim::make_id<NodeId>(n));
}

/// Who waits for an answer on a session sees that its connection ends; members of an ensemble are looked for
/// anew by their clients themselves.
std::vector<Push> ends_of_sessions(const World& world, NodeId n, const Setup& setup) {
  std::vector<Push> ends;
  if (!setup.kind_of(n).sessions || setup.is_watched()) return ends;
  const std::size_t client = setup.group_of(n).index();
  const Library& library = *setup.libraries[client];
  for (std::size_t p = 0; p < world.processes.size(); ++p) {
    const auto process = sim::make_id<ProcessId>(p);
    const bool hears = library.closed != nullptr && world.link(process, n)->listening;
    if (hears && library.subscribed(world.processes[p]->clients[client]))
      ends.push_back({connection_of(process), {}});
  }
  return ends;
}

void crash_node(World& world, const Move& move, StepReport& report) {
  const auto n = move.of<NodeId>();
  const std::vector<Push> ends = ends_of_sessions(world, n, report.setup);
  break_links_of_node(world, n, report);
  push_all(world, n, ends, report);
  const ServerKind& kind = report.setup.kind_of(n);
  kind.disconnect_all(world.nodes[n.index()].write());
  if (kind.crash != nullptr) kind.crash(world.nodes[n.index()].write());
  make_due_by_crash(world, report.setup, n);
  for (std::size_t r = 0; r < world.streams.size(); ++r) {
    const bool from_it = world.streams[r]->master == n;
    if (!from_it && r != n.index()) continue;
    Stream& stream = world.streams[r].write();
    if (report.tracer != nullptr && stream.master)
      report.tracer->effects_lost(*stream.master, sim::make_id<NodeId>(r));
    stream.missed_writes = from_it && misses_writes(world, report.setup, sim::make_id<NodeId>(r));
    stream.batches.clear();  // sent, but lost with the link
    stream.acks.clear();
    stream.lagging = stream.cut = false;
    stream.lag_left = stream.cut_left = Duration::zero();
    if (r == n.index()) stream.master.reset();
  }
  world.up.write()[n.index()] = false;
  if (world.is_paused(n)) world.pauses.write()[n.index()] = {sim::never};
  observe(report, NodeCrashed{n});
}

void restart_node(World& world, const Move& move, StepReport& report) {
  const auto n = move.of<NodeId>();
  world.up.write()[n.index()] = true;
  const ServerKind& kind = report.setup.kind_of(n);
  kind.restart(world.nodes[n.index()].write(), report.setup.persistence);
  Group& group = world.groups[report.setup.group_of(n).index()].write();
  if (report.setup.nodes[n.index()].role == ServerRole::sentinel) {
    // It knows what it knew.
  } else if (n == group.master) {
    for (std::size_t r = 0; r < world.streams.size(); ++r)
      if (world.streams[r]->master == n) group.detached.insert(sim::make_id<NodeId>(r));
  } else if (kind.leads(*world.nodes[n.index()])) {
    if (report.setup.is_watched()) return observe(report, NodeRestarted{n});
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
                             touching.links_of(n).pushes_of(n).writes(Part::fixed);
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
              .befalls = [](const World& world, const Setup&,
                            const Subject& on) { return !world.is_up(std::get<NodeId>(on)); }},
    .end = {},
    .place = 7};

const FaultRow pause_node_fault{
    .key = "pause-node",
    .about = "a node answers nothing and its clock runs on, at most for node-pause-max",
    .begin = {.verb = {.word = "pause-node",
                       .form = Form::node,
                       .event = sim::TraceKind::pause,
                       .list =
                           [](Listing& list) {
                             for (std::size_t n = 0; n < list.world.nodes.size(); ++n)
                               if (list.answers(n) && list.lazy.should_pause_node(n))
                                 list.add(sim::make_id<NodeId>(n));
                           },
                       .touches = touch_node_pause,
                       .apply = [](World& world, const Move& move,
                                   StepReport& report) { set_node_pause(world, move, true, report); }},
              .fixed = "pause",
              .befalls = [](const World& world, const Setup&,
                            const Subject& on) { return world.answers(std::get<NodeId>(on)); }},
    .end =
        FaultEnd{
            .act = {.verb = {.word = "resume-node",
                             .form = Form::node,
                             .event = sim::TraceKind::resume,
                             .list =
                                 [](Listing& list) {
                                   for (std::size_t n = 0; n < list.world.nodes.size(); ++n) {
                                     const auto node = sim::make_id<NodeId>(n);
                                     if (list.world.is_paused(node) && list.lazy.should_resume_node(n))
                                       list.add_ending(node, (*list.world.pauses)[n].left);
                                   }
                                 },
                             .touches = touch_node_pause,
                             .apply = [](World& world, const Move& move,
                                         StepReport& report) { set_node_pause(world, move, false, report); }},
                    .fixed = "resume",
                    .befalls = [](const World& world, const Setup&,
                                  const Subject& on) { return world.is_paused(std::get<NodeId>(on)); }},
            .words = "resume",
            .at_latest = &FaultLimits::node_pause_max,
            .limit_key = "node-pause-max",
            .place = 4},
    .place = 12};

}  // namespace lockstep::model
