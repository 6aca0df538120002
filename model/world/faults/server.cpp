// server.cpp: faults that only a Redis server knows.
#include "model/world/faults/table.h"
#include "model/world/tracer.h"

namespace lockstep::model {

namespace {

void list_keys(Listing& list) {
  for (const auto& group : list.world.groups) {
    const NodeId master = group->master;
    if (!list.world.is_up(master)) continue;
    for (std::size_t k = 0; k < list.world.nodes[master.index()]->db.size(); ++k)
      list.add(PartOfNode{master, static_cast<std::uint16_t>(k)});
  }
}

void evict(World& world, const Move& move, StepReport& report) {
  const auto& [n, number] = move.of<PartOfNode>();
  redis::Node& node = world.nodes[n.index()].write();
  const redis::Node before = node;
  const std::string key = std::next(node.db.entries().begin(), number)->first;
  node.db.erase(key);
  report.seen.push_back(KeyEvicted{n, key});
  if (report.tracer != nullptr) report.tracer->evicted(n, key, before, node);
  replicate(world, n, {redis::Effect{.words = {"DEL", key}}}, report);
}

}  // namespace

const FaultRow evict_key_fault{
    .key = "evict-key",
    .about = "a node drops a key, as when its memory is full",
    .begin = {.verb = {.word = "evict",
                       .form = Form::part,
                       .list = list_keys,
                       .touches =
                           [](const Move& move, Touching& touching) {
                             const NodeId n = move.of<PartOfNode>().node;
                             touching.writes(Part::node, n.index()).streams_from(n).reads(Part::lives);
                             touching.reads(Part::roles, touching.setup().group_of(n).index());
                           },
                       .apply = evict}},
    .end = {},
    .place = 12};

const FaultRow flush_scripts_fault{
    .key = "flush-scripts",
    .about = "a node forgets its script cache",
    .begin = {.verb = {.word = "flush-scripts",
                       .form = Form::node,
                       .event = sim::TraceKind::flush_scripts,
                       .list =
                           [](Listing& list) {
                             if (list.setup.reductions.identity && !reads_scripts(list.setup)) return;
                             for (std::size_t n = 0; n < list.world.nodes.size(); ++n)
                               if (!list.world.nodes[n]->scripts.empty()) list.add(sim::make_id<NodeId>(n));
                           },
                       .touches =
                           [](const Move& move, Touching& touching) {
                             touching.writes(Part::node, move.of<NodeId>().index());
                           },
                       .apply =
                           [](World& world, const Move& move, StepReport&) {
                             world.nodes[move.of<NodeId>().index()].write().scripts.clear();
                           }},
              .fixed = "flush-scripts",
              .befalls = [](const World&, const Subject&) { return true; }},
    .end = {},
    .place = 13};

}  // namespace lockstep::model
