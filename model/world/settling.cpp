#include "model/world/settling.h"

#include "model/world/watch.h"

namespace lockstep::model {

namespace {

/// Nodes whose group says something of them, and whose master is there to be followed.
template <class Wanted>
void list_replicas_to_be(Listing& list, Wanted wanted) {
  for (std::size_t n = 0; n < list.world.nodes.size(); ++n) {
    const auto node = sim::make_id<NodeId>(n);
    const Group& group = list.world.group(list.setup.group_of(node));
    const bool both = list.answers(n) && list.world.answers(group.master);
    if (both && list.world.reaches(node, group.master) && wanted(group, node)) list.add(node);
  }
}

}  // namespace

void list_learning(Listing& list) {
  for (std::size_t p = 0; p < list.world.processes.size(); ++p)
    for (std::size_t g = 0; g < list.world.groups.size(); ++g) {
      if (!list.lists(p)) continue;
      const auto process = sim::make_id<ProcessId>(p);
      const auto& learning = list.world.groups[g]->learning;
      const auto due = learning.find(process);
      const auto group = sim::make_id<GroupId>(g);
      if (due != learning.end() && due->second.may() && list.busy(p) &&
          may_be_told(list.world, list.setup, process, group) && list.lazy.should_learn(process, group))
        list.add(Follower{process, group});
    }
}

void touch_learning(const Move& move, Touching& touching) {
  const auto& [process, group] = move.of<Follower>();
  touching.step_of(process).reads(Part::roles, group.index());
  touching.writes(Part::learning, process.index(), group.index());
  for (std::size_t n = 0; n < touching.setup().nodes.size(); ++n) {
    const auto node = sim::make_id<NodeId>(n);
    if (touching.setup().group_of(node) != group) continue;
    touching.writes(Part::node, n).writes(Part::pushes, process.index(), n);
  }
}

void list_demotions(Listing& list) {
  list_replicas_to_be(list, [](const Group& group, NodeId node) {
    const auto due = group.demotion.find(node);
    return due != group.demotion.end() && due->second.may();
  });
}

void list_resyncs(Listing& list) {
  list_replicas_to_be(list, [&](const Group& group, NodeId node) {
    return group.detached.contains(node) && !list.world.streams[node.index()]->cut;
  });
}

void touch_resync(const Move& move, Touching& touching) {
  const auto node = move.of<NodeId>();
  touching.writes(Part::node, node.index()).writes(Part::stream, node.index());
  touching.writes(Part::roles, touching.setup().group_of(node).index());
  touching.nodes_in_group_of(node).reads(Part::lives).reads(Part::clocks);
  if (!touching.setup().waits_for_replicas()) return;
  for (std::size_t n = 0; n < touching.setup().nodes.size(); ++n)
    if (const auto other = sim::make_id<NodeId>(n);
        touching.setup().group_of(other) == touching.setup().group_of(node))
      touching.links_of(other);
}

void touch_demotion(const Move& move, Touching& touching) {
  touch_resync(move, touching);
  touching.links_of(move.of<NodeId>()).pushes_of(move.of<NodeId>());
}

void list_giving_up(Listing& list) {
  list.each_link([&](LinkId id, const Link& link) {
    if (link.is_timing_out() && list.busy(id.process.index())) list.add(id);
  });
}

void touch_giving_up(const Move& move, Touching& touching) {
  const auto& [process, node] = move.of<LinkId>();
  touching.step_of(process).writes(Part::node, node.index());
  touching.writes(Part::pushes, process.index(), node.index());
}

void list_reconnects(Listing& list) {
  list.each_link([&](LinkId id, const Link& link) {
    if (!link.broken || link.cut || !list.busy(id.process.index()) || !list.answers(id.node.index())) return;
    const auto& clients = list.world.processes[id.process.index()]->clients;
    if (clients[list.setup.group_of(id.node).index()].master == id.node) list.add(id);
  });
}

void list_due(Listing& list) {
  for (std::size_t n = 0; n < list.world.nodes.size(); ++n)
    if (const auto node = sim::make_id<NodeId>(n); has_due(list.world, list.setup, node)) list.add(node);
}

void list_elections(Listing& list) {
  for (std::size_t g = 0; g < list.world.watch->election.size(); ++g) {
    const auto& election = list.world.watch->election[g];
    if (!election || !election->may()) continue;
    for (const NodeId replica : candidates(list.world, list.setup, sim::make_id<GroupId>(g)))
      list.add(replica);
  }
}

void list_closing(Listing& list) {
  for (std::size_t n = 0; n < list.world.watch->closing.size(); ++n)
    if (const auto node = sim::make_id<NodeId>(n); may_close(list.world, node)) list.add(node);
}

}  // namespace lockstep::model
