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

/// The server has nothing to publish before time passes, whatever the others do.
bool is_silent(const World& world, const Setup& setup, ProcessId p, NodeId n) {
  if (!world.streams[n.index()]->batches.empty() || setup.topology == Topology::cluster) return false;
  for (std::size_t q = 0; q < world.processes.size(); ++q)
    if (q != p.index() && may_publish_now(world, setup, sim::make_id<ProcessId>(q))) return false;
  return true;
}

/// Nothing that is pushed to it over this link from now on can be the next that it hears.
bool hears_nothing_new(const World& world, const Setup& setup, ProcessId p, NodeId n) {
  const Link& link = *world.link(p, n);
  if (!link.up.empty()) return false;
  if (!link.down.empty() || !link.listening || is_silent(world, setup, p, n)) return true;
  const std::size_t g = setup.group_of(n).index();
  const Client& client = world.processes[p.index()]->clients[g];
  return client.master == n && world.groups[g]->master == n && !setup.libraries[g]->subscribed(client);
}

bool is_anything_coming(const World& world, const Setup& setup, ProcessId p) {
  for (std::size_t n = 0; n < world.nodes.size(); ++n) {
    const auto node = sim::make_id<NodeId>(n);
    const Link& link = *world.link(p, node);
    const bool asks = std::any_of(link.flights.begin(), link.flights.end(),
                                  [](const Flight& flight) { return !flight.reply; });
    if (asks || link.cut || !hears_nothing_new(world, setup, p, node)) return true;
  }
  return false;
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

bool is_apart(const World& world, const Setup& setup, ProcessId p) {
  if (world.processes[p.index()]->life != Process::Life::running) return false;
  if (has(setup, p, StepKind::crash) || has(setup, p, StepKind::shutdown) || has(setup, p, StepKind::await))
    return false;
  return servers_are_settled(world, setup) && !is_anything_coming(world, setup, p) &&
         pace_of(world, setup, p).must;
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
