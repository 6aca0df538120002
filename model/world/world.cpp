#include "model/world/world.h"

#include <algorithm>

#include "model/world/tracer.h"
#include "sim/base/verify.h"

namespace lockstep::model {

World initial_world(const Setup& setup) {
  World world;
  Situation situation;
  for (std::size_t n = 0; n < setup.nodes.size(); ++n) {
    const auto id = sim::make_id<NodeId>(n);
    redis::Node node;
    node.role = setup.nodes[n].role;
    node.expiry = setup.expiry;
    if (node.role == redis::Role::master) situation.master = id;
    world.nodes.emplace_back(std::move(node));
    situation.up.push_back(true);
    situation.offset.push_back(setup.nodes[n].clock_offset);
    situation.gained.push_back(0);
    situation.demotion.emplace_back();
    situation.detached.push_back(false);
  }
  for (std::size_t n = 0; n < setup.nodes.size(); ++n) {
    Stream stream;
    if (setup.nodes[n].role == redis::Role::replica) stream.master = situation.master;
    world.streams.emplace_back(std::move(stream));
  }
  for (std::size_t p = 0; p < setup.processes.size(); ++p) {
    world.processes.emplace_back(redisson::initial_process(setup, sim::make_id<ProcessId>(p)));
    situation.learning.emplace_back();
    for (std::size_t n = 0; n < setup.nodes.size(); ++n) world.links.emplace_back(Link{});
  }
  situation.budget = setup.faults;
  situation.signals.assign(setup.signals.size(), false);
  for (const FixedFault& fault : setup.fixed) situation.fixed_left.push_back(fault.at.value_or(sim::never));
  world.situation = std::move(situation);
  return world;
}

namespace {

template <class Visit>
void each_component(const World& world, Visit visit) {
  for (const auto& node : world.nodes) visit(node);
  for (const auto& process : world.processes) visit(process);
  for (const auto& link : world.links) visit(link);
  for (const auto& stream : world.streams) visit(stream);
  visit(world.situation);
}

}  // namespace

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

namespace {

/// A request leaves: it is under way if its node can be reached, and is waited for in any case.
void send(World& world, ProcessId p, redisson::Outgoing& outgoing, StepReport& report) {
  redisson::Process& process = world.processes[p.index()].write();
  const NodeId to = process.master;
  Link& link = world.link(p, to).write();
  std::vector<ConnectionId> awaited;
  for (const redisson::Pending& pending : process.pending)
    if (pending.node == to) awaited.push_back(pending.connection);
  const ConnectionId connection = free_connection(link, awaited);
  if (report.tracer != nullptr)
    report.tracer->request_sent(p, to, connection, outgoing.request, world.up(to));
  if (world.up(to)) link.flights.push_back({connection, depart(report.setup.network), outgoing.request, {}});
  process.pending.push_back({connection, to, std::move(outgoing.request),
                             report.setup.client.response_timeout, outgoing.attempts, outgoing.caller_gone});
}

void send(World& world, ProcessId p, const redisson::ChannelRequest& request, StepReport& report) {
  const NodeId to = world.processes[p.index()]->master;
  Link& link = world.link(p, to).write();
  if (!world.up(to)) {
    link.broken = true;
    return;
  }
  link.listening = true;
  link.up.push_back({request, depart(report.setup.network)});
  if (report.tracer != nullptr) report.tracer->channel_sent(p, to, request);
}

}  // namespace

void carry_out(World& world, ProcessId p, redisson::Out& out, StepReport& report) {
  for (Observation& observation : out.seen) {
    if (report.tracer != nullptr) report.tracer->observe(observation);
    report.seen.push_back(std::move(observation));
  }
  for (redisson::Outgoing& outgoing : out.requests) send(world, p, outgoing, report);
  for (const redisson::ChannelRequest& request : out.channels) send(world, p, request, report);
  for (const std::uint16_t signal : out.signals) world.situation.write().signals[signal] = true;
  if (out.crash) crash_process(world, p, report);
}

}  // namespace lockstep::model
