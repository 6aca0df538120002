// deliver.cpp: a message arrives. Requests run on their node, replies and pushes wake the event loop of their
// process, effects change a replica.
#include <algorithm>

#include "model/client/requests.h"
#include "model/world/facts.h"
#include "model/world/tracer.h"
#include "model/world/world.h"
#include "sim/base/verify.h"

namespace lockstep::model {

namespace {

/// A process has one pub/sub connection to each node; servers know it by the number of the process.
ConnectionId pub_sub_connection(ProcessId p) { return sim::make_id<ConnectionId>(p.index()); }

/// Command connections never subscribe, so their numbers only have to differ from those above.
ConnectionId command_connection(ConnectionId c) {
  return ConnectionId{static_cast<std::uint16_t>(0x8000U | c.value)};
}

std::vector<Flight>::iterator find_flight(Link& link, ConnectionId c) {
  const auto found = std::find_if(link.flights.begin(), link.flights.end(),
                                  [&](const Flight& flight) { return flight.connection == c; });
  VERIFY(found != link.flights.end());
  return found;
}

void push_all(World& world, NodeId from, const std::vector<redis::Push>& pushes, StepReport& report) {
  for (const redis::Push& push : pushes) {
    const ProcessId to = sim::make_id<ProcessId>(push.to.index());
    world.link(to, from).write().down.push_back({push.message, depart(report.setup.network)});
    if (report.tracer != nullptr) report.tracer->push_sent(from, to, push.message);
  }
}

/// The order of subscribers is not observable: each is reached over a link of its own. Sorted, it makes no
/// new states.
void sort_listeners(redis::PubSub& pubsub) {
  for (auto& [channel, listeners] : pubsub.channels) std::sort(listeners.begin(), listeners.end());
}

}  // namespace

redis::Environment environment(const World& world, NodeId node, StepReport& report) {
  const Duration wall = world.now.since_start + world.clocks->offset[node.index()];
  return {.engine = report.engine,
          .wall_ms = report.setup.epoch_ms + wall.count(),
          .want_effects = report.setup.replicates(report.setup.group_of(node))};
}

void replicate(World& world, NodeId master, const redis::Effects& effects, StepReport& report) {
  if (effects.empty()) return;
  for (std::size_t r = 0; r < world.streams.size(); ++r) {
    if (world.streams[r]->master != master) continue;
    world.streams[r].write().batches.push_back({effects, depart(report.setup.network)});
    if (report.tracer != nullptr) report.tracer->effects_sent(master, sim::make_id<NodeId>(r));
  }
}

void deliver_request(World& world, ProcessId p, NodeId n, ConnectionId c, StepReport& report) {
  Link& link = world.link(p, n).write();
  const auto flight = find_flight(link, c);
  const Request request = *std::exchange(flight->request, std::nullopt);
  const Duration lease_left = std::exchange(flight->lease_left, {}).left;
  const Command words = words_of(request, report.setup);
  const redis::Node before = report.tracer != nullptr ? *world.nodes[n.index()] : redis::Node{};
  const auto truth_before = truth_served_by(world, report.setup, n, request.purpose);
  redis::Environment using_what = environment(world, n, report);
  std::vector<Command> calls;
  if (report.tracer != nullptr) using_what.calls = &calls;
  redis::Outcome outcome =
      redis::execute(world.nodes[n.index()].write(), command_connection(c), words, using_what);
  report.read_now = report.read_now || outcome.read_now;
  const GroupId group = report.setup.group_of(n);
  report.seen.push_back(Evaluated{
      .node = n,
      .purpose = request.purpose,
      .lock = resource_name(report.setup.objects[request.purpose.object].group, request.purpose.lock),
      .items = read_reply(request, outcome.reply, report.setup),
      .error = outcome.reply.error() != nullptr ? outcome.reply.error()->text : std::string(),
      .lease_left = lease_left,
      .before = truth_before,
      .after = truth_served_by(world, report.setup, n, request.purpose),
      .on_master = world.group(group).master == n});
  if (report.tracer != nullptr)
    report.tracer->evaluated(p, n, c, request, words, calls, outcome.reply, before, *world.nodes[n.index()]);
  replicate(world, n, outcome.effects, report);
  push_all(world, n, outcome.pushes, report);
  const Process& asker = *world.processes[p.index()];
  if (asker.life == Process::Life::dead) {
    link.flights.erase(flight);  // nobody is left to read the answer
    return;
  }
  flight->transit = depart(report.setup.network);
  flight->reply = std::move(outcome.reply);
  if (awaited(asker, n, c) == nullptr) drop_reply(world, p, n, c, report);
}

/// The process would ignore it when it arrives.
void drop_reply(World& world, ProcessId p, NodeId n, ConnectionId c, StepReport& report) {
  if (!report.setup.reductions.identity) return;
  const auto is_it = [c](const Flight& flight) { return flight.connection == c && flight.reply; };
  const auto& flights = world.link(p, n)->flights;
  const auto flight = std::find_if(flights.begin(), flights.end(), is_it);
  if (flight == flights.end()) return;
  const bool arrives = !world.link(p, n)->cut && world.processes[p.index()]->life == Process::Life::running;
  if (report.tracer != nullptr && arrives) report.tracer->reply_received(p, n, c, *flight->reply, nullptr);
  std::erase_if(world.link(p, n).write().flights, is_it);
}

void deliver_reply(World& world, ProcessId p, NodeId n, ConnectionId c, StepReport& report) {
  Link& link = world.link(p, n).write();
  const auto flight = find_flight(link, c);
  const Reply reply = *std::exchange(flight->reply, std::nullopt);
  link.flights.erase(flight);
  Process& process = world.processes[p.index()].write();
  if (report.tracer != nullptr) report.tracer->reply_received(p, n, c, reply, awaited(process, n, c));
  Out out;
  Context context{report.setup, p, out, world.now};
  receive_reply(process, n, c, reply, context);
  carry_out(world, p, out, report);
}

void deliver_channel(World& world, ProcessId p, NodeId n, StepReport& report) {
  Link& link = world.link(p, n).write();
  const ChannelRequest request = link.up.front().request;
  link.up.erase(link.up.begin());
  const Command words{request.subscribe ? "SUBSCRIBE" : "UNSUBSCRIBE", request.channel};
  redis::Node& node = world.nodes[n.index()].write();
  const redis::Outcome outcome =
      redis::execute(node, pub_sub_connection(p), words, environment(world, n, report));
  sort_listeners(node.pubsub);
  if (report.tracer != nullptr) report.tracer->channel_served(p, n, request);
  push_all(world, n, {redis::Push{pub_sub_connection(p), outcome.reply}}, report);
}

void deliver_push(World& world, ProcessId p, NodeId n, StepReport& report) {
  Link& link = world.link(p, n).write();
  const Reply message = link.down.front().message;
  link.down.erase(link.down.begin());
  if (report.tracer != nullptr) report.tracer->push_received(p, n, message);
  Out out;
  Context context{report.setup, p, out, world.now};
  receive_push(world.processes[p.index()].write(), report.setup.group_of(n).value, message, context);
  carry_out(world, p, out, report);
}

void deliver_effects(World& world, NodeId replica, StepReport& report) {
  Stream& stream = world.streams[replica.index()].write();
  const redis::Effects effects = stream.batches.front().effects;
  stream.batches.erase(stream.batches.begin());
  const auto& offset = world.clocks->offset;
  const Duration skew = offset[replica.index()] - offset[stream.master->index()];
  const redis::Node before = report.tracer != nullptr ? *world.nodes[replica.index()] : redis::Node{};
  redis::Node& node = world.nodes[replica.index()].write();
  const std::vector<redis::Push> pushes =
      redis::apply_effects(node, effects, skew, environment(world, replica, report));
  if (report.tracer != nullptr) report.tracer->applied(*stream.master, replica, before, node);
  push_all(world, replica, pushes, report);
}

}  // namespace lockstep::model
