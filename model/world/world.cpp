#include "model/world/world.h"

#include <algorithm>

#include "model/world/tracer.h"
#include "sim/base/verify.h"

namespace lockstep::model {

World initial_world(const Setup& setup) {
  World world;
  Clocks clocks;
  world.groups.resize(setup.group_count());
  for (std::size_t n = 0; n < setup.nodes.size(); ++n) {
    redis::Node node;
    node.role = setup.nodes[n].role;
    node.expiry = setup.expiry;
    if (node.role == redis::Role::master)
      world.groups[setup.nodes[n].group.index()].write().master = sim::make_id<NodeId>(n);
    world.nodes.emplace_back(std::move(node));
    clocks.offset.push_back(setup.nodes[n].clock_offset);
    clocks.gained.push_back(0);
  }
  for (const NodeSetup& node : setup.nodes) {
    Stream stream;
    if (node.role == redis::Role::replica) stream.master = world.group(node.group).master;
    world.streams.emplace_back(std::move(stream));
  }
  for (std::size_t p = 0; p < setup.processes.size(); ++p) {
    world.processes.emplace_back(redisson::initial_process(setup, sim::make_id<ProcessId>(p)));
    for (std::size_t n = 0; n < setup.nodes.size(); ++n) world.links.emplace_back(Link{});
  }
  world.up = std::vector<bool>(setup.nodes.size(), true);
  world.clocks = std::move(clocks);
  world.budget = setup.faults;
  world.signals = std::vector<bool>(setup.signals.size(), false);
  std::vector<Duration> fixed_left;
  for (const FixedFault& fault : setup.fixed) fixed_left.push_back(fault.at.value_or(sim::never));
  world.fixed_left = std::move(fixed_left);
  return world;
}

namespace {

template <class Visit>
void each_component(const World& world, Visit visit) {
  for (const auto& node : world.nodes) visit(node);
  for (const auto& process : world.processes) visit(process);
  for (const auto& link : world.links) visit(link);
  for (const auto& stream : world.streams) visit(stream);
  for (const auto& group : world.groups) visit(group);
  visit(world.up);
  visit(world.clocks);
  visit(world.budget);
  visit(world.signals);
  visit(world.fixed_left);
}

}  // namespace

void encode_world(const World& world, bool with_now, sim::Encoder& out) {
  each_component(world, [&](const auto& component) { encode(out, *component); });
  out.number(with_now ? static_cast<std::uint64_t>(world.now.since_start.count()) : 0);
}

sim::Digest digest_world(const World& world, bool with_now) {
  sim::Encoder out;
  each_component(world, [&](const auto& component) {
    out.number(component.digest().high);
    out.number(component.digest().low);
  });
  out.number(with_now ? static_cast<std::uint64_t>(world.now.since_start.count()) : 0);
  return sim::digest_bytes(out.bytes());
}

namespace {

/// A request leaves: it is under way if its node can be reached, and is waited for in any case.
void send(World& world, ProcessId p, redisson::Outgoing& outgoing, StepReport& report) {
  redisson::Process& process = world.processes[p.index()].write();
  const GroupId group = report.setup.objects[outgoing.request.purpose.object].group;
  const NodeId to = process.masters[group.index()];
  Link& link = world.link(p, to).write();
  std::vector<ConnectionId> awaited;
  for (const redisson::Pending& pending : process.pending)
    if (pending.node == to) awaited.push_back(pending.connection);
  const ConnectionId connection = free_connection(link, awaited);
  if (report.tracer != nullptr)
    report.tracer->request_sent(p, to, connection, outgoing.request, world.is_up(to));
  if (world.is_up(to)) link.flights.push_back({connection, depart(report.setup.network), outgoing.request, {}});
  process.pending.push_back({connection, to, std::move(outgoing.request),
                             report.setup.client.response_timeout, outgoing.attempts, outgoing.caller_gone});
}

void send(World& world, ProcessId p, const redisson::ChannelRequest& request, StepReport& report) {
  const GroupId group = report.setup.group_of_channel(request.channel);
  const NodeId to = world.processes[p.index()]->masters[group.index()];
  Link& link = world.link(p, to).write();
  if (!world.is_up(to)) {
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

void carry_out(World& world, ProcessId p, redisson::Out& out, StepReport& report) {
  for (Observation& observation : out.seen) {
    tell(report, observation);
    report.seen.push_back(std::move(observation));
  }
  for (redisson::Outgoing& outgoing : out.requests) send(world, p, outgoing, report);
  for (const redisson::ChannelRequest& request : out.channels) send(world, p, request, report);
  for (const std::uint16_t signal : out.signals) world.signals.write()[signal] = true;
  if (out.crash) crash_process(world, p, report);
}

}  // namespace lockstep::model
