// server.cpp: rows for the faults that a kind of server owns (model/server/server.h).
#include "model/world/faults/table.h"
#include "model/world/identity.h"
#include "model/world/tracer.h"
#include "sim/base/verify.h"

namespace lockstep::model {

namespace {

NodeId node_of(const Move& move) {
  const auto* part = std::get_if<PartOfNode>(&move.on);
  return part != nullptr ? part->node : move.of<NodeId>();
}

/// It is the business of this server, as the world stands.
bool is_for(const World& world, const Setup& setup, const OwnedFault& owned, NodeId node) {
  const bool able = owned.fault->of_crash ? !world.is_up(node) : world.answers(node);
  const bool leads = world.group(setup.group_of(node)).master == node;
  return &setup.kind_of(node) == owned.kind && able && (leads || !owned.fault->of_masters);
}

void list_on(Listing& list, const OwnedFault& owned, NodeId node) {
  if (!is_for(list.world, list.setup, owned, node)) return;
  if (list.setup.reductions.identity && is_gone(list.world, list.setup, node)) return;
  const std::size_t choices = owned.fault->choices(*list.world.nodes[node.index()]);
  if (!owned.fault->of_parts && choices > 0) list.add(node);
  for (std::size_t i = 0; owned.fault->of_parts && i < choices; ++i)
    list.add(PartOfNode{node, static_cast<std::uint16_t>(i)});
}

void list_owned(Listing& list) {
  const OwnedFault owned = server_fault(list.verb.fault, list.setup);
  if (!matters(*owned.fault, list.setup)) return;
  for (std::size_t n = 0; n < list.world.nodes.size(); ++n) list_on(list, owned, sim::make_id<NodeId>(n));
}

void touch_owned(const Move& move, Touching& touching) {
  const NodeId node = node_of(move);
  const ServerFault& fault = *server_fault(move.verb.fault, touching.setup()).fault;
  touching.writes(Part::node, node.index()).reads(Part::lives);
  if (fault.of_what_is_stored) touching.streams_from(node);
  if (fault.of_masters) touching.reads(Part::roles, touching.setup().group_of(node).index());
}

void apply_owned(World& world, const Move& move, StepReport& report) {
  const NodeId node = node_of(move);
  const OwnedFault owned = server_fault(move.verb.fault, report.setup);
  const auto* part = std::get_if<PartOfNode>(&move.on);
  const Server before = before_step(world, node, report);
  const auto gone = owned.fault->apply(world.nodes[node.index()].write(), part != nullptr ? part->number : 0);
  if (!gone) return;
  report.seen.push_back(KeyEvicted{node, gone->key});
  if (report.tracer != nullptr) report.tracer->evicted(node, gone->key, before, *world.nodes[node.index()]);
  replicate(world, node, gone->effects, report);
}

}  // namespace

bool befalls_server(const World& world, const Setup& setup, FaultId fault, const Subject& on) {
  const OwnedFault owned = server_fault(fault, setup);
  const auto* part = std::get_if<PartOfNode>(&on);
  const NodeId node = part != nullptr ? part->node : std::get<NodeId>(on);
  if (!is_for(world, setup, owned, node) || !matters(*owned.fault, setup)) return false;
  const Server& server = *world.nodes[node.index()];
  return owned.fault->finds != nullptr ? owned.fault->finds(server) : owned.fault->choices(server) > 0;
}

bool matters(const ServerFault& fault, const Setup& setup) {
  return !setup.reductions.identity || fault.matters == nullptr || fault.matters(traffic_of(setup));
}

FaultRow row_of(const ServerFault& fault, FaultId number) {
  return {.key = fault.key,
          .about = fault.about,
          .begin = {.verb = {.word = fault.word,
                             .form = fault.of_parts ? Form::part : Form::node,
                             .event = fault.event,
                             .list = list_owned,
                             .touches = touch_owned,
                             .apply = apply_owned},
                    .fixed = fault.fixed},
          .end = {},
          .place = static_cast<std::uint8_t>(number.index())};
}

}  // namespace lockstep::model
