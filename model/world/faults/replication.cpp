// replication.cpp: a replica is promoted, or hears late of its master's writes.
#include "model/world/faults/table.h"
#include "model/world/tracer.h"

namespace lockstep::model {

namespace {

bool may_be_promoted(const World& world, NodeId n) {
  if (!world.is_up(n)) return false;
  const auto& follows = world.streams[n.index()]->master;
  for (const auto& group : world.groups)
    if (follows == group->master) return true;
  return false;
}

void list_failovers(Listing& list) {
  if (!list.lazy.should_lose_nodes()) return;
  for (std::size_t n = 0; n < list.world.nodes.size(); ++n) {
    const auto node = sim::make_id<NodeId>(n);
    const bool master_up = list.world.is_up(list.world.group(list.setup.group_of(node)).master);
    if (list.setup.limits.failover_needs_dead_master && master_up) continue;
    if (may_be_promoted(list.world, node)) list.add(node);
  }
}

void fail_over(World& world, const Move& move, StepReport& report) {
  const auto replica = move.of<NodeId>();
  Group& group = world.groups[report.setup.group_of(replica).index()].write();
  const NodeId old = group.master;
  const bool lost_writes = misses_writes(world, replica);
  if (report.tracer != nullptr) report.tracer->effects_lost(old, replica);
  world.streams[replica.index()] = Stream{};
  redis::promote(world.nodes[replica.index()].write());
  group.master = replica;
  group.detached.erase(replica);
  const Interval& learn = report.setup.limits.learn;
  const Due due{learn.lo, learn.hi};
  for (std::size_t p = 0; p < world.processes.size(); ++p)
    if (world.processes[p]->life != Process::Life::dead)
      group.learning[sim::make_id<ProcessId>(p)] = due;
  if (world.is_up(old)) group.demotion[old] = due;
  for (std::size_t r = 0; r < world.streams.size(); ++r) {
    if (world.streams[r]->master != old) continue;
    world.streams[r] = Stream{};
    group.detached.insert(sim::make_id<NodeId>(r));
  }
  observe(report, FailedOver{replica, lost_writes});
}

void touch_failover(const Move& move, Touching& touching) {
  const auto replica = move.of<NodeId>();
  const std::size_t group = touching.setup().group_of(replica).index();
  touching.reads(Part::lives).writes(Part::roles, group);
  touching.nodes_in_group_of(replica).writes(Part::node, replica.index());
  touching.writes(Part::stream, replica.index()).streams_from(replica);
  for (std::size_t p = 0; p < touching.setup().processes.size(); ++p)
    touching.reads(Part::process, p).writes(Part::learning, p, group);
}

void set_lag(World& world, const Move& move, bool lagging, StepReport& report) {
  Stream& stream = world.streams[move.of<NodeId>().index()].write();
  stream.lagging = lagging;
  stream.lag_left = lagging ? report.setup.limits.lag_max : Duration::zero();
}

void touch_stream(const Move& move, Touching& touching) {
  touching.writes(Part::stream, move.of<NodeId>().index());
}

void list_lagging(Listing& list) {
  for (std::size_t n = 0; n < list.world.streams.size(); ++n)
    if (const Stream& stream = *list.world.streams[n]; stream.lagging)
      list.add_ending(sim::make_id<NodeId>(n), stream.lag_left);
}

}  // namespace

const FaultRow failover_fault{
    .key = "failover",
    .about = "a replica is promoted; each process learns of it by itself",
    .begin = {.verb = {.word = "failover",
                       .form = Form::node,
                       .list = list_failovers,
                       .touches = touch_failover,
                       .apply = fail_over},
              .fixed = "failover",
              .befalls = [](const World& world,
                            const Subject& on) { return may_be_promoted(world, std::get<NodeId>(on)); }},
    .end = {},
    .place = 8,
    .needs_replica = true};

const FaultRow replica_lag_fault{
    .key = "replica-lag",
    .about = "the effects of writes wait, at most for lag-max",
    .begin = {.verb = {.word = "lag",
                       .form = Form::node,
                       .event = sim::TraceKind::lag,
                       .list =
                           [](Listing& list) {
                             for (std::size_t n = 0; n < list.world.streams.size(); ++n)
                               if (list.world.streams[n]->master && !list.world.streams[n]->lagging)
                                 list.add(sim::make_id<NodeId>(n));
                           },
                       .touches = touch_stream,
                       .apply = [](World& world, const Move& move,
                                   StepReport& report) { set_lag(world, move, true, report); }}},
    .end = FaultEnd{.act = {.verb = {.word = "unlag",
                                     .form = Form::node,
                                     .event = sim::TraceKind::unlag,
                                     .list = list_lagging,
                                     .touches = touch_stream,
                                     .apply = [](World& world, const Move& move,
                                                 StepReport& report) {
                                       set_lag(world, move, false, report);
                                     }}},
                    .words = "apply",
                    .at_latest = &FaultLimits::lag_max,
                    .limit_key = "lag-max",
                    .place = 2},
    .place = 9,
    .needs_replica = true};

bool misses_writes(const World& world, NodeId replica) {
  const Stream& stream = *world.streams[replica.index()];
  if (!world.is_up(*stream.master)) return stream.missed_writes;
  return !stream.batches.empty() ||
         !(world.nodes[replica.index()]->db.entries() == world.nodes[stream.master->index()]->db.entries());
}

}  // namespace lockstep::model
