// replication.cpp: a replica is promoted, or hears late of its master's writes.
#include "model/world/faults/table.h"
#include "model/world/tracer.h"

namespace lockstep::model {

namespace {

bool may_be_promoted(const World& world, NodeId n) {
  if (!world.answers(n)) return false;
  const auto& follows = world.streams[n.index()]->master;
  for (const auto& group : world.groups)
    if (follows == group->master) return true;
  return false;
}

void list_failovers(Listing& list) {
  if (!list.lazy.should_lose_nodes()) return;
  for (std::size_t n = 0; n < list.world.nodes.size(); ++n) {
    const auto node = sim::make_id<NodeId>(n);
    const bool master_up = list.world.answers(list.world.group(list.setup.group_of(node)).master);
    if (list.setup.limits.failover_needs_dead_master && master_up) continue;
    if (may_be_promoted(list.world, node)) list.add(node);
  }
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

const Stream& stream_on(const World& world, const Subject& on) {
  return *world.streams[std::get<NodeId>(on).index()];
}

/// Both ends are there: a link that is made anew does not lag.
bool may_lag(const World& world, NodeId replica) {
  const Stream& stream = *world.streams[replica.index()];
  return stream.master && !stream.lagging && !stream.cut && world.is_up(replica) &&
         world.is_up(*stream.master);
}

/// What is under way is lost; the replica follows nobody until it heals, and synchronises anew then.
void set_replica_cut(World& world, const Move& move, bool cut, StepReport& report) {
  const auto replica = move.of<NodeId>();
  Stream& stream = world.streams[replica.index()].write();
  stream.cut = cut;
  stream.cut_left = cut ? report.setup.limits.replica_cut_max : Duration::zero();
  if (!cut) {
    world.groups[report.setup.group_of(replica).index()].write().detached.insert(replica);
    return;
  }
  if (report.tracer != nullptr) report.tracer->effects_lost(*stream.master, replica);
  stream.batches.clear();
  stream.acks.clear();
  stream.lagging = false;
  stream.lag_left = Duration::zero();
}

void touch_replica_cut(const Move& move, Touching& touching) {
  touch_stream(move, touching);
  touching.reads(Part::lives).writes(Part::roles, touching.setup().group_of(move.of<NodeId>()).index());
}

bool may_be_cut(const World& world, NodeId replica) {
  const Stream& stream = *world.streams[replica.index()];
  return stream.master && !stream.cut && world.is_up(replica) && world.is_up(*stream.master);
}

}  // namespace

const FaultRow failover_fault{
    .key = "failover",
    .about = "a replica is promoted; each process learns of it by itself",
    .begin = {.verb = {.word = "failover",
                       .form = Form::node,
                       .list = list_failovers,
                       .touches = touch_failover,
                       .apply = [](World& world, const Move& move,
                                   StepReport& report) { fail_over(world, move.of<NodeId>(), report); }},
              .fixed = "failover",
              .befalls = [](const World& world, const Setup&,
                            const Subject& on) { return may_be_promoted(world, std::get<NodeId>(on)); }},
    .end = {},
    .place = 8,
    .needs_replica = true,
    .watched = FaultRow::Watched::no};

const FaultRow replica_lag_fault{
    .key = "replica-lag",
    .about = "the effects of writes wait, at most for lag-max",
    .begin = {.verb = {.word = "lag",
                       .form = Form::node,
                       .event = sim::TraceKind::lag,
                       .list =
                           [](Listing& list) {
                             for (std::size_t n = 0; n < list.world.streams.size(); ++n)
                               if (may_lag(list.world, sim::make_id<NodeId>(n)))
                                 list.add(sim::make_id<NodeId>(n));
                           },
                       .touches =
                           [](const Move& move, Touching& touching) {
                             touch_stream(move, touching);
                             touching.reads(Part::lives);
                           },
                       .apply = [](World& world, const Move& move,
                                   StepReport& report) { set_lag(world, move, true, report); }},
              .fixed = "lag",
              .befalls = [](const World& world, const Setup&,
                            const Subject& on) { return may_lag(world, std::get<NodeId>(on)); }},
    .end =
        FaultEnd{.act = {.verb = {.word = "unlag",
                                  .form = Form::node,
                                  .event = sim::TraceKind::unlag,
                                  .list = list_lagging,
                                  .touches = touch_stream,
                                  .apply = [](World& world, const Move& move,
                                              StepReport& report) { set_lag(world, move, false, report); }},
                         .fixed = "unlag",
                         .befalls = [](const World& world, const Setup&,
                                       const Subject& on) { return stream_on(world, on).lagging; }},
                 .words = "apply",
                 .at_latest = &FaultLimits::lag_max,
                 .limit_key = "lag-max",
                 .place = 2},
    .place = 9,
    .needs_replica = true};

const FaultRow cut_replica_fault{
    .key = "cut-replica",
    .about = "a replica loses its master; it synchronises anew after at most replica-cut-max",
    .begin = {.verb = {.word = "cut-replica",
                       .form = Form::node,
                       .event = sim::TraceKind::cut,
                       .list =
                           [](Listing& list) {
                             for (std::size_t n = 0; n < list.world.streams.size(); ++n)
                               if (may_be_cut(list.world, sim::make_id<NodeId>(n)))
                                 list.add(sim::make_id<NodeId>(n));
                           },
                       .touches = touch_replica_cut,
                       .apply = [](World& world, const Move& move,
                                   StepReport& report) { set_replica_cut(world, move, true, report); }},
              .fixed = "cut",
              .befalls = [](const World& world, const Setup&,
                            const Subject& on) { return may_be_cut(world, std::get<NodeId>(on)); }},
    .end = FaultEnd{.act = {.verb = {.word = "heal-replica",
                                     .form = Form::node,
                                     .event = sim::TraceKind::heal,
                                     .list =
                                         [](Listing& list) {
                                           for (std::size_t n = 0; n < list.world.streams.size(); ++n)
                                             if (const Stream& stream = *list.world.streams[n]; stream.cut)
                                               list.add_ending(sim::make_id<NodeId>(n), stream.cut_left);
                                         },
                                     .touches = touch_replica_cut,
                                     .apply =
                                         [](World& world, const Move& move, StepReport& report) {
                                           set_replica_cut(world, move, false, report);
                                         }},
                            .fixed = "heal",
                            .befalls = [](const World& world, const Setup&,
                                          const Subject& on) { return stream_on(world, on).cut; }},
                    .words = "heal",
                    .at_latest = &FaultLimits::replica_cut_max,
                    .limit_key = "replica-cut-max",
                    .place = 6},
    .place = 15,
    .needs_replica = true};

bool misses_writes(const World& world, const Setup& setup, NodeId replica) {
  const Stream& stream = *world.streams[replica.index()];
  if (!stream.master) return true;  // it has lost touch
  if (!world.is_up(*stream.master)) return stream.missed_writes;
  return !stream.batches.empty() || !setup.kind_of(replica).same_data(*world.nodes[replica.index()],
                                                                      *world.nodes[stream.master->index()]);
}

}  // namespace lockstep::model
