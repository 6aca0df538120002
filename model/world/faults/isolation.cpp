// isolation.cpp: faults of deployments in which nodes judge each other: a node is cut off from all others,
// while clients still reach it; an election is in vain.
#include "model/world/faults/table.h"
#include "model/world/watch.h"

namespace lockstep::model {

namespace {

bool may_be_isolated(const World& world, NodeId n) {
  return !world.isolation->empty() && world.is_up(n) && !world.is_isolated(n);
}

void set_isolation(World& world, const Move& move, bool isolated, StepReport& report) {
  const Duration left = isolated ? report.setup.limits.isolate_max : sim::never;
  world.isolation.write()[move.of<NodeId>().index()] = {left};
}

void list_isolations(Listing& list) {
  for (std::size_t n = 0; n < list.world.isolation->size(); ++n)
    if (const auto node = sim::make_id<NodeId>(n);
        may_be_isolated(list.world, node) && !list.setup.nodes[n].kind->outside)
      list.add(node);
}

void list_isolated(Listing& list) {
  for (std::size_t n = 0; n < list.world.isolation->size(); ++n)
    if (const auto node = sim::make_id<NodeId>(n); list.world.is_isolated(node))
      list.add_ending(node, (*list.world.isolation)[n].left);
}

void touch_isolation(const Move&, Touching& touching) { touching.everything(); }

}  // namespace

const FaultRow isolate_node_fault{
    .key = "isolate-node",
    .about = "a node is cut off from all other nodes but not from clients, at most for isolate-max",
    .begin = {.verb = {.word = "isolate",
                       .form = Form::node,
                       .event = sim::TraceKind::isolate,
                       .list = list_isolations,
                       .touches = touch_isolation,
                       .apply = [](World& world, const Move& move,
                                   StepReport& report) { set_isolation(world, move, true, report); }},
              .fixed = "isolate",
              .befalls = [](const World& world, const Setup&,
                            const Subject& on) { return may_be_isolated(world, std::get<NodeId>(on)); }},
    .end = FaultEnd{.act = {.verb = {.word = "rejoin",
                                     .form = Form::node,
                                     .event = sim::TraceKind::rejoin,
                                     .list = list_isolated,
                                     .touches = touch_isolation,
                                     .apply =
                                         [](World& world, const Move& move, StepReport& report) {
                                           set_isolation(world, move, false, report);
                                         }},
                            .fixed = "rejoin",
                            .befalls = [](const World& world, const Setup&,
                                          const Subject& on) {
                              return world.is_isolated(std::get<NodeId>(on));
                            }},
                    .words = "rejoin",
                    .at_latest = &FaultLimits::isolate_max,
                    .limit_key = "isolate-max",
                    .place = 7},
    .place = 16,
    .watched = FaultRow::Watched::only};

const FaultRow split_votes_fault{
    .key = "split-votes",
    .about = "an election of a new master is in vain, and the next comes after twice failover-timeout",
    .begin = {.verb = {.word = "split-votes",
                       .form = Form::node,
                       .event = sim::TraceKind::split_votes,
                       .list =
                           [](Listing& list) {
                             for (std::size_t g = 0; g < list.world.watch->election.size(); ++g)
                               if (const auto& election = list.world.watch->election[g];
                                   election && election->may())
                                 list.add(list.world.groups[g]->master);
                           },
                       .touches = touch_isolation,
                       .apply =
                           [](World& world, const Move& move, StepReport& report) {
                             split_votes(world, report.setup, report.setup.group_of(move.of<NodeId>()));
                           }},
              .fixed = ""},
    .end = {},
    .place = 17,
    .at_any_time = false,
    .watched = FaultRow::Watched::only};

}  // namespace lockstep::model
