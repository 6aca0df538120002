#include "model/world/apart.h"

#include <algorithm>

#include "model/client/machine.h"
#include "model/world/faults/table.h"
#include "model/world/publishing.h"
#include "model/world/rebasing.h"
#include "model/world/verbs.h"
#include "sim/base/overloaded.h"

namespace lockstep::model {

namespace {

/// Nothing may befall a server any more, and nothing that befell one goes on: each is up or down for good,
/// and in charge for good.
bool servers_are_settled(const World& world, const Setup& setup) {
  for (std::size_t f = 0; f < world.budget->counts.size(); ++f)
    if (const Verb begin{Act::begin, sim::make_id<FaultId>(f)};
        world.budget->counts[f] > 0 && !is_of_process(row_of(begin, setup).form))
      return false;
  const auto settles = [](const auto& group) { return !group->demotion.empty() || !group->detached.empty(); };
  const auto is_held_back = [](const auto& stream) { return stream->lagging || stream->cut; };
  const auto is_paused = [](const sim::Timer& pause) { return pause.left != sim::never; };
  return std::none_of(world.groups.begin(), world.groups.end(), settles) &&
         std::none_of(world.streams.begin(), world.streams.end(), is_held_back) &&
         std::none_of(world.pauses->begin(), world.pauses->end(), is_paused);
}

/// Whether the next that it hears over this link may be something that was not there yet. A SUBSCRIBE or
/// UNSUBSCRIBE that is to be served commutes with all that others do, but with what they publish.
Reach reach_over(const World& world, const Setup& setup, ProcessId p, NodeId n) {
  const Link& link = *world.link(p, n);
  const bool by_others_as_well =
      !world.streams[n.index()]->batches.empty() || setup.topology == Topology::cluster;
  const Reach by_publishing = by_others_as_well ? Reach::reached : Reach::by_publishing;
  if (!link.up.empty()) return by_publishing;
  if (!link.down.empty() || !link.listening) return Reach::apart;
  const std::size_t g = setup.group_of(n).index();
  const Client& client = world.processes[p.index()]->clients[g];
  const bool is_deaf =
      client.master == n && world.groups[g]->master == n && !setup.libraries[g]->subscribed(client);
  return is_deaf ? Reach::apart : by_publishing;
}

Reach reach_over_links(const World& world, const Setup& setup, ProcessId p) {
  Reach reach = Reach::apart;
  for (std::size_t n = 0; n < world.nodes.size(); ++n) {
    const auto node = sim::make_id<NodeId>(n);
    const Link& link = *world.link(p, node);
    const bool asks = std::any_of(link.flights.begin(), link.flights.end(),
                                  [](const Flight& flight) { return !flight.reply; });
    if (asks || link.cut) return Reach::reached;
    reach = std::max(reach, reach_over(world, setup, p, node));
  }
  return reach;
}

bool has(const Setup& setup, ProcessId p, StepKind kind) {
  return std::any_of(setup.threads.begin(), setup.threads.end(), [&](const ThreadSetup& thread) {
    return thread.process == p && std::any_of(thread.program.begin(), thread.program.end(),
                                              [&](const Step& step) { return step.kind == kind; });
  });
}

}  // namespace

std::optional<std::string> never_apart(const Setup& setup) {
  if (!setup.fixed.empty()) return "a fault is fixed";
  if (setup.exact) return "the grain is exact";
  if (setup.horizon) return "there is a horizon";
  if (setup.is_watched()) return "nodes judge each other";
  if (tells_instants(setup)) return "a script is told what time it is";
  const auto has_sessions = [](const NodeSetup& node) { return node.kind->sessions; };
  if (std::any_of(setup.nodes.begin(), setup.nodes.end(), has_sessions)) return "a server has sessions";
  return std::nullopt;
}

Reach reach_of(const World& world, const Setup& setup, ProcessId p) {
  if (world.processes[p.index()]->life != Process::Life::running) return Reach::reached;
  if (has(setup, p, StepKind::crash) || has(setup, p, StepKind::shutdown) || has(setup, p, StepKind::await))
    return Reach::reached;
  const Reach reach = servers_are_settled(world, setup) ? reach_over_links(world, setup, p) : Reach::reached;
  return reach == Reach::reached || pace_of(world, setup, p).must ? reach : Reach::reached;
}

bool is_apart(const World& world, const Setup& setup, ProcessId p) {
  const Reach reach = reach_of(world, setup, p);
  if (reach != Reach::by_publishing) return reach == Reach::apart;
  for (std::size_t q = 0; q < world.processes.size(); ++q)
    if (q != p.index() && may_publish_now(world, setup, sim::make_id<ProcessId>(q))) return false;
  return true;
}

bool is_about_channels(const Move& move) {
  const auto* carried = std::get_if<Carried>(&move.on);
  return move.verb.act == Act::deliver && carried != nullptr && carried->lane == Lane::channel;
}

bool is_of(const Move& move, const Setup& setup, ProcessId p) {
  return std::visit(sim::overloaded{[&](ThreadId on) { return setup.process_of(on) == p; },
                                    [&](ProcessId on) { return on == p; },
                                    [&](const LinkId& on) { return on.process == p; },
                                    [&](const Carried& on) { return on.link.process == p; },
                                    [&](const TimerId& on) { return on.process == p; },
                                    [&](const Follower& on) { return on.process == p; },
                                    [](const auto&) { return false; }},
                    move.on);
}

}  // namespace lockstep::model
