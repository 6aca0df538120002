// clock.cpp: the wall clock of a node jumps.
#include "model/world/faults/table.h"

namespace lockstep::model {

namespace {

/// One that anybody reads: a Sentinel measures how long ago something was, and is trusted to.
bool has_wall_clock(const NodeSetup& node) {
  return !node.kind->outside && node.role != ServerRole::sentinel;
}

void jump(World& world, const Move& move, StepReport& report) {
  const Duration by{move.by};
  const auto n = move.of<NodeId>();
  world.clocks.write().offset[n.index()] += by;
  for (auto& stream : world.streams)
    if (stream->master == n && !stream->batches.empty()) shift_deadlines(stream.write(), by);
  const Server before = before_step(world, n, report);
  const Unasked unasked = report.setup.kind_of(n).jump(world.nodes[n.index()].write(), by);
  carry_out(world, n, unasked, before, report);
}

}  // namespace

const FaultRow clock_jump_fault{
    .key = "clock-jump",
    .about = "the wall clock of a node jumps by one of clock-jumps",
    .begin = {.verb = {.word = "jump",
                       .form = Form::node_by_time,
                       .event = sim::TraceKind::clock,
                       .list =
                           [](Listing& list) {
                             for (std::size_t n = 0; n < list.world.nodes.size(); ++n)
                               for (const Duration by : list.setup.limits.clock_jumps)
                                 if (has_wall_clock(list.setup.nodes[n]))
                                   list.add(sim::make_id<NodeId>(n), by.count());
                           },
                       .touches =
                           [](const Move& move, Touching& touching) {
                             const auto n = move.of<NodeId>();
                             touching.writes(Part::clocks).writes(Part::node, n.index()).streams_from(n);
                           },
                       .apply = jump},
              .fixed = "jump",
              .befalls = [](const World&, const Setup&, const Subject&) { return true; }},
    .end = {},
    .place = 10};

}  // namespace lockstep::model
