#include "model/world/world.h"

#include <algorithm>

#include "model/client/requests.h"
#include "model/client/synced.h"
#include "model/world/asking.h"
#include "model/world/faults/table.h"
#include "model/world/fixed.h"
#include "model/world/held.h"
#include "model/world/tracer.h"
#include "model/world/unmentioned.h"
#include "model/world/watch.h"
#include "sim/base/verify.h"

namespace lockstep::model {

namespace {

bool may_come(const Setup& setup, std::string_view key) {
  const auto fault = find_fault(key, setup);
  return fault && (setup.faults[*fault] > 0 ||
                   std::any_of(setup.fixed.begin(), setup.fixed.end(),
                               [&](const FixedFault& fixed) { return fixed.fault == *fault; }));
}

/// What no outage can ask for, no server has to remember.
ServerSettings settings_of(const NodeSetup& node, const Setup& setup) {
  ServerSettings settings{node.role,          setup.expiry,  setup.persistence, setup.fsync,
                          setup.save,         node.fenced,   setup.min_replicas, setup.loading,
                          setup.notify,       setup.others};
  if (node.role == ServerRole::spare) settings.role = ServerRole::master;
  if (!may_come(setup, "power-loss")) settings.fsync = Fsync::always;
  if (!may_come(setup, "crash-node")) settings.save.clear();
  return settings;
}

}  // namespace

World initial_world(const Setup& setup) {
  World world;
  Clocks clocks;
  world.groups.resize(setup.group_count());
  for (std::size_t n = 0; n < setup.nodes.size(); ++n) {
    const NodeSetup& node = setup.nodes[n];
    if (node.role == ServerRole::master)
      world.groups[node.group.index()].write().master = sim::make_id<NodeId>(n);
    world.nodes.emplace_back(node.kind->make(settings_of(node, setup)));
    clocks.offset.push_back(setup.nodes[n].clock_offset);
    clocks.gained.push_back(0);
  }
  for (const NodeSetup& node : setup.nodes) {
    Stream stream;
    if (node.role == ServerRole::replica) stream.master = world.group(node.group).master;
    world.streams.emplace_back(std::move(stream));
  }
  for (std::size_t p = 0; p < setup.processes.size(); ++p) {
    world.processes.emplace_back(initial_process(setup, sim::make_id<ProcessId>(p)));
    for (std::size_t n = 0; n < setup.nodes.size(); ++n) world.links.emplace_back(Link{});
  }
  world.up = std::vector<bool>(setup.nodes.size(), true);
  world.pauses = std::vector<sim::Timer>(setup.nodes.size(), sim::Timer{sim::never});
  world.clocks = std::move(clocks);
  world.budget = setup.faults;
  world.signals = std::vector<bool>(setup.signals.size(), false);
  std::vector<Duration> fixed_left;
  for (const FixedFault& fault : setup.fixed) fixed_left.push_back(left_at_start(fault));
  world.fixed_left = std::move(fixed_left);
  begin_to_watch(world, setup);
  return world;
}

namespace {

template <class AnyWorld, class Visit>
void each_component(AnyWorld& world, Visit visit) {
  for (auto& node : world.nodes) visit(node);
  for (auto& process : world.processes) visit(process);
  for (auto& link : world.links) visit(link);
  for (auto& stream : world.streams) visit(stream);
  for (auto& group : world.groups) visit(group);
  visit(world.up);
  visit(world.pauses);
  visit(world.clocks);
  visit(world.budget);
  visit(world.signals);
  visit(world.fixed_left);
  if (world.isolation->empty()) return;
  visit(world.isolation);
  visit(world.watch);
}

}  // namespace

namespace {

/// Where a component lies stays: it may be watched there (sim/base/cow.h). What lies there changes.
template <class T>
void change_places(std::vector<sim::Cow<T>>& by_node, const sim::Renaming& renaming) {
  if (!renaming.renames_nodes()) return;
  const std::vector<sim::Cow<T>> before = by_node;
  for (std::size_t n = 0; n < before.size(); ++n)
    by_node[renaming.of(sim::make_id<NodeId>(n)).index()] = before[n];
}

}  // namespace

void Clocks::rename(const sim::Renaming& renaming) {
  sim::rename_places(offset, renaming);
  sim::rename_places(gained, renaming);
}

void Watch::rename(const sim::Renaming& renaming) {
  sim::rename_places(until_down, renaming);
  sim::rename_places(closing, renaming);
  sim::rename(informed, renaming);
  sim::rename(closed, renaming);
}

void World::rename(ProcessId p, const sim::Renaming& renaming) {
  const sim::Renaming inside = renaming.inside(p);
  processes[p.index()].rename(inside);
  const auto first = links.begin() + static_cast<std::ptrdiff_t>(p.index() * nodes.size());
  for (std::size_t n = 0; n < nodes.size(); ++n)
    if (auto& link = first[static_cast<std::ptrdiff_t>(n)]; !link->empty()) link.rename(inside);
  if (!renaming.renames_nodes()) return;
  const std::vector<sim::Cow<Link>> old(first, first + static_cast<std::ptrdiff_t>(nodes.size()));
  for (std::size_t n = 0; n < nodes.size(); ++n) link(p, renaming.of(sim::make_id<NodeId>(n))) = old[n];
}

void World::rename_others(const sim::Renaming& renaming) {
  const bool nodes_too = renaming.renames_nodes();
  for (auto& stream : streams)
    if (!stream->batches.empty() || nodes_too) stream.rename(renaming);
  for (auto& group : groups)
    if (!group->learning.empty() || nodes_too) group.rename(renaming);
  if (!nodes_too) return;
  change_places(streams, renaming);
  sim::rename_places(up.write(), renaming);
  sim::rename_places(pauses.write(), renaming);
  clocks.rename(renaming);
  if (isolation->empty()) return;
  sim::rename_places(isolation.write(), renaming);
  watch.rename(renaming);
}

/// Positions are names here: components change places.
void World::rename(const sim::Renaming& renaming) {
  for (auto& node : nodes) node.rename(renaming);
  for (std::size_t p = 0; p < processes.size(); ++p) rename(sim::make_id<ProcessId>(p), renaming);
  rename_others(renaming);
  change_places(nodes, renaming);
  const auto old_processes = std::exchange(processes, {});
  const auto old_links = std::exchange(links, {});
  processes.resize(old_processes.size());
  links.resize(old_links.size());
  for (std::size_t p = 0; p < old_processes.size(); ++p) {
    const std::size_t place = renaming.of(sim::make_id<ProcessId>(p)).index();
    processes[place] = old_processes[p];
    for (std::size_t n = 0; n < nodes.size(); ++n)
      links[place * nodes.size() + n] = old_links[p * nodes.size() + n];
  }
}

void freeze(World& world) {
  each_component(world, [](auto& component) { component.freeze(); });
}

void encode_world(const World& world, bool with_now, sim::Encoder& out) {
  each_component(world, [&](const auto& component) { encode(out, *component); });
  out.number(with_now ? static_cast<std::uint64_t>(world.now.since_start.count()) : 0);
}

sim::Digest digest_world(const World& world, bool with_now) {
  sim::Encoder out;
  each_component(world, [&](const auto& component) {
    const sim::Digest digest = component.digest();
    out.number(digest.high);
    out.number(digest.low);
  });
  out.number(with_now ? static_cast<std::uint64_t>(world.now.since_start.count()) : 0);
  return sim::digest_bytes(out.bytes());
}

/// A request leaves: it is under way if its node can be reached, and is waited for in any case.
void send_request(World& world, ProcessId p, Outgoing outgoing, StepReport& report) {
  Process& process = world.processes[p.index()].write();
  dress(process, outgoing, report.setup);
  const Client& client = process.clients[outgoing.request.purpose.client];
  if (!outgoing.node && outgoing.request.held) outgoing.node = outgoing.request.held->node;
  if (!outgoing.node) {
    const auto aims = aims_of(world, client, outgoing.request.purpose, report.setup);
    if (aims.size() > 1) return keep_unaimed(world, p, std::move(outgoing));
    outgoing.node = aims.front();
  }
  const NodeId to = *outgoing.node;
  Link& link = world.link(p, to).write();
  const bool has_connection = hold_connection(world, to, outgoing, report.setup);
  const std::string_view lost = !world.is_up(to)  ? "the node is down"
                                : link.timed_out  ? "the link is cut"
                                : !has_connection ? "the thread has no connection left"
                                                  : "";
  if (report.setup.kind_of(to).sessions && lost.empty()) link.listening = true;
  std::vector<ConnectionId> awaited;
  for (const Pending& pending : client.pending)
    if (pending.node == to) awaited.push_back(pending.connection);
  const ConnectionId connection = free_connection(link, awaited);
  if (report.tracer != nullptr) report.tracer->request_sent(p, to, connection, outgoing.request, lost);
  if (lost.empty()) {
    const Purpose& purpose = outgoing.request.purpose;
    const Intent intent = role_of(purpose, report.setup).intent;
    const bool leases = !outgoing.request.asks_count() &&
                        (intent == Intent::acquire || intent == Intent::renew || intent == Intent::extend);
    const Duration lease = leases ? purpose.lease : Duration::zero();
    link.flights.push_back({connection, depart(report.setup.network), outgoing.request, {lease}, {}});
  }
  await_answer(process, to, connection, std::move(outgoing), report.setup, lost.empty());
}

namespace {

void send(World& world, ProcessId p, std::uint16_t client, const ChannelRequest& request,
          StepReport& report) {
  const NodeId to = world.processes[p.index()]->clients[client].master;
  Link& link = world.link(p, to).write();
  if (!world.is_up(to) || link.timed_out) {
    link.broken = true;
    return;
  }
  link.listening = true;
  link.up.push_back({request, depart(report.setup.network)});
  if (report.tracer != nullptr) report.tracer->channel_sent(p, to, request);
}

}  // namespace

void tell(StepReport& report, const Observation& observation) {
  if (report.tracer != nullptr) report.tracer->observe(observation);
}

namespace {

/// In line where no connection is free; who stands first there may have found one in this step.
void send_all(World& world, ProcessId p, std::vector<Outgoing>& requests, StepReport& report) {
  const auto process = [&]() -> Process& { return world.processes[p.index()].write(); };
  for (Outgoing& outgoing : requests) {
    if (!outgoing.node) {
      const Client& client = world.processes[p.index()]->clients[outgoing.request.purpose.client];
      const auto aims = aims_of(world, client, outgoing.request.purpose, report.setup);
      if (aims.size() > 1) {
        send_request(world, p, std::move(outgoing), report);  // waits for its aim
        continue;
      }
      if (aims.front() != client.master) outgoing.node = aims.front();
    }
    if (must_queue(*world.processes[p.index()], outgoing, report.setup))
      queue(process(), std::move(outgoing), report.setup);
    else send_request(world, p, std::move(outgoing), report);
  }
  for (std::uint16_t c = 0; c < world.processes[p.index()]->clients.size(); ++c) {
    if (world.processes[p.index()]->clients[c].queue.empty()) continue;
    while (std::optional<Outgoing> next = next_in_line(process(), c, report.setup))
      send_request(world, p, *std::move(next), report);
  }
}

}  // namespace

Context context_of(const World& world, ProcessId p, Out& out, const StepReport& report) {
  return {report.setup, p, out, world.now,
          [&world, &setup = report.setup](ThreadId thread, const Out& about_to_send) {
            return unmentioned_number(world, setup, thread, about_to_send);
          }};
}

void carry_out(World& world, ProcessId p, Out& out, StepReport& report) {
  if (world.processes[p.index()]->shut_down) {
    Context context = context_of(world, p, out, report);
    fail_all(world.processes[p.index()].write(), context);
  }
  for (Observation& observation : out.seen) {
    tell(report, observation);
    report.seen.push_back(std::move(observation));
  }
  report.read_now = report.read_now || out.read_now;
  send_all(world, p, out.requests, report);
  for (const auto& [client, request] : out.channels) send(world, p, client, request, report);
  for (const std::uint16_t signal : out.signals) world.signals.write()[signal] = true;
  if (out.shut_down) close_connections(world, p, report);
  if (out.crash) crash_process(world, p, report);
}

}  // namespace lockstep::model
