// slots.cpp: the slots of a master of a cluster move to another, as an operator moves them (redis-cli
// --cluster reshard): the two agree that they do, then key after key goes over, and at last the slots.
//
// Of a key that is gone already the old master says ASK; of a request whose keys are here in part, or partly
// new, TRYAGAIN; when the slots have moved, MOVED. To where they move is a master of the same group that has
// none: who knew only the old one has one client for both.
#include "model/world/faults/table.h"
#include "model/world/tracer.h"
#include "model/world/watch.h"

namespace lockstep::model {

namespace {

/// Where slots may move to, and from where.
bool may_take_slots(const World& world, const Setup& setup, NodeId n) {
  const GroupId group = setup.group_of(n);
  return spare_of(setup, group) == n && world.watch->slots[group.index()] == Watch::Slots::here &&
         world.answers(n) && world.answers(world.group(group).master) &&
         world.reaches(n, world.group(group).master);
}

/// The slots of all keys that programs may use.
void begin_moving(World& world, const Move& move, StepReport& report) {
  const auto to = move.of<NodeId>();
  const GroupId group = report.setup.group_of(to);
  Watch& watch = world.watch.write();
  watch.slots[group.index()] = Watch::Slots::moving;
  watch.moving_left = {report.setup.limits.move_max};
  std::vector<std::string> keys;
  for (const LockObject& object : report.setup.objects)
    if (object.group == group) keys.push_back(object.fresh ? object.name + "#1" : object.name);
  report.setup.kind_of(to).begin_to_move(world.nodes[world.group(group).master.index()].write(),
                                         world.nodes[to.index()].write(), keys);
}

void list_moving(Listing& list) {
  for (std::size_t g = 0; g < list.world.watch->slots.size(); ++g) {
    const auto to = moves_to(list.world, list.setup, sim::make_id<GroupId>(g));
    if (to && list.world.answers(*to) && list.world.answers(list.world.groups[g]->master))
      list.add_ending(*to, list.world.watch->moving_left.left);
  }
}

/// One key moves, or, when none is left, the slots are the other's.
void go_on_moving(World& world, const Move& move, StepReport& report) {
  const auto to = move.of<NodeId>();
  const GroupId g = report.setup.group_of(to);
  const NodeId from = world.group(g).master;
  const Server before_from = before_step(world, from, report), before_to = before_step(world, to, report);
  const auto gone = report.setup.kind_of(to).move_next(world.nodes[from.index()].write(),
                                                       world.nodes[to.index()].write());
  if (gone) {
    if (report.tracer != nullptr) {
      report.tracer->add_changes(from, before_from, *world.nodes[from.index()]);
      report.tracer->add_changes(to, before_to, *world.nodes[to.index()]);
    }
    replicate(world, from, gone->effects, report);
    return;
  }
  take_slots(world, to, report);
}

void touch_moving(const Move&, Touching& touching) { touching.everything(); }

}  // namespace

const FaultRow move_slots_fault{
    .key = "move-slots",
    .about = "the slots of a master move, key by key, to its spare one, at most in move-max",
    .begin = {.verb = {.word = "move-slots",
                       .form = Form::node,
                       .event = sim::TraceKind::move_slots,
                       .list =
                           [](Listing& list) {
                             for (std::size_t n = 0; n < list.world.nodes.size(); ++n)
                               if (const auto node = sim::make_id<NodeId>(n);
                                   may_take_slots(list.world, list.setup, node))
                                 list.add(node);
                           },
                       .touches = touch_moving,
                       .apply = begin_moving},
              .fixed = "move-slots",
              .befalls =
                  [](const World& world, const Setup& setup, const Subject& on) {
                    return may_take_slots(world, setup, std::get<NodeId>(on));
                  }},
    .end = FaultEnd{.act = {.verb = {.word = "take",
                                     .form = Form::node,
                                     .event = sim::TraceKind::take,
                                     .list = list_moving,
                                     .touches = touch_moving,
                                     .apply = go_on_moving},
                            .fixed = ""},
                    .words = "take a key, and the slots at last",
                    .at_latest = &FaultLimits::move_max,
                    .limit_key = "move-max",
                    .place = 8},
    .place = 18,
    .needs_spare = true,
    .watched = FaultRow::Watched::only};

}  // namespace lockstep::model
