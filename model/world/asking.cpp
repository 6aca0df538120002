#include "model/world/asking.h"

#include <algorithm>

#include "model/client/requests.h"
#include "model/world/verbs.h"
#include "sim/base/verify.h"

namespace lockstep::model {

std::vector<NodeId> aims_of(const World& world, const Client& client, const Purpose& purpose,
                            const Setup& setup) {
  const auto rule = setup.libraries[purpose.client]->asked;
  const Asked asked = rule == nullptr ? Asked::master : rule(setup, purpose);
  if (asked == Asked::master) return {client.master};
  std::vector<NodeId> aims;
  for (std::size_t n = 0; n < setup.nodes.size(); ++n) {
    const auto node = sim::make_id<NodeId>(n);
    const ServerRole role = setup.nodes[n].role;
    if (role == ServerRole::sentinel || role == ServerRole::spare) continue;
    const bool wanted = node == client.master ? asked == Asked::all : world.is_up(node);
    if (wanted && setup.group_of(node) == setup.group_of(client.master)) aims.push_back(node);
  }
  if (aims.empty()) aims.push_back(client.master);
  return aims;
}

void keep_unaimed(World& world, ProcessId p, Outgoing outgoing) {
  Client& client = world.processes[p.index()].write().clients[outgoing.request.purpose.client];
  std::vector<ConnectionId> awaited;
  for (const Pending& pending : client.pending)
    if (pending.node == client.master) awaited.push_back(pending.connection);
  const ConnectionId connection = free_connection(*world.link(p, client.master), awaited);
  client.pending.push_back({.connection = connection,
                            .node = client.master,
                            .request = std::move(outgoing.request),
                            .left = {sim::never},
                            .between = true,
                            .attempts = outgoing.attempts,
                            .caller_gone = outgoing.caller_gone,
                            .at_latest = {sim::never},
                            .stuck = false,
                            .unaimed = true});
}

bool has_unaimed(const Process& process) {
  return std::any_of(process.clients.begin(), process.clients.end(), [](const Client& client) {
    return std::any_of(client.pending.begin(), client.pending.end(),
                       [](const Pending& pending) { return pending.unaimed; });
  });
}

void aim(World& world, LinkId link, ConnectionId connection, StepReport& report) {
  auto& pending =
      world.processes[link.process.index()].write().clients[report.setup.group_of(link.node).index()].pending;
  const auto found = std::find_if(pending.begin(), pending.end(), [&](const Pending& one) {
    return one.unaimed && one.connection == connection;
  });
  VERIFY(found != pending.end());
  Outgoing outgoing{.request = std::move(found->request),
                    .attempts = found->attempts,
                    .caller_gone = found->caller_gone,
                    .dressed = true,
                    .node = link.node};
  pending.erase(found);
  Process& process = world.processes[link.process.index()].write();
  if (must_queue(process, outgoing, report.setup)) queue(process, std::move(outgoing), report.setup);
  else send_request(world, link.process, std::move(outgoing), report);
}

void list_aims(Listing& list) {
  for (std::size_t p = 0; p < list.world.processes.size(); ++p) {
    if (!list.lists(p) || !list.running(p)) continue;
    const auto process = sim::make_id<ProcessId>(p);
    for (const Client& client : list.world.processes[p]->clients)
      for (const Pending& pending : client.pending)
        if (pending.unaimed)
          for (const NodeId node : aims_of(list.world, client, pending.request.purpose, list.setup))
            list.add(Carried{{process, node}, Lane::request, pending.connection});
  }
}

}  // namespace lockstep::model
