#include "model/world/acknowledging.h"

#include <algorithm>

#include "model/world/tracer.h"
#include "model/world/verbs.h"
#include "sim/base/verify.h"

namespace lockstep::model {

namespace {

bool follows(const World& world, std::size_t replica, NodeId master) {
  const Stream& stream = *world.streams[replica];
  return stream.master == master && !stream.cut && world.is_up(sim::make_id<NodeId>(replica));
}

/// By a fault that lasts at most so long.
Duration silent_for(bool is_silent, Duration at_most, Duration left) {
  return is_silent ? at_most - left : Duration::zero();
}

/// 1.
bool has_acknowledged(const World& world, NodeId replica) {
  const Stream& stream = *world.streams[replica.index()];
  return stream.batches.empty() && stream.acks.empty();
}

/// 2.: how many acknowledgements of a replica must come until it has all that was sent so far.
std::uint16_t ask(World& world, NodeId replica) {
  const Stream& stream = *world.streams[replica.index()];
  if (!stream.batches.empty() && !stream.batches.back().asks)
    world.streams[replica.index()].write().batches.back().asks = true;
  const Stream& asked = *world.streams[replica.index()];
  const auto count = std::count_if(asked.batches.begin(), asked.batches.end(),
                                   [](const Stream::Batch& batch) { return batch.asks; });
  return static_cast<std::uint16_t>(static_cast<std::size_t>(count) + asked.acks.size());
}

std::int64_t acknowledged(const World& world, const Blocked& blocked, NodeId master) {
  return std::count_if(blocked.behind.begin(), blocked.behind.end(), [&](const auto& one) {
    return one.second == 0 && follows(world, one.first.index(), master);
  });
}

Blocked& open_blocked(World& world, LinkId id, ConnectionId c) {
  for (Flight& flight : world.link(id.process, id.node).write().flights)
    if (flight.connection == c && flight.blocked) return *flight.blocked;
  UNREACHABLE("a connection that is not blocked");
}

void answer_with_count(World& world, LinkId id, ConnectionId c, StepReport& report) {
  const Blocked blocked = open_blocked(world, id, c);
  const std::int64_t count = acknowledged(world, blocked, id.node);
  if (report.tracer != nullptr) report.tracer->waited(id.node, count);
  answer(world, id, c, blocked.reply, count, report);
}

/// Calls visit for every connection of a node that is blocked.
template <class Visit>
void each_blocked(const World& world, NodeId node, Visit visit) {
  for (std::size_t p = 0; p < world.processes.size(); ++p) {
    const LinkId id{sim::make_id<ProcessId>(p), node};
    std::vector<ConnectionId> connections;
    for (const Flight& flight : world.link(id.process, node)->flights)
      if (flight.blocked) connections.push_back(flight.connection);
    for (const ConnectionId connection : connections) visit(id, connection);
  }
}

/// Nobody waits for acknowledgements of this master any more.
void forget_acknowledgements(World& world, NodeId master) {
  bool any = false;
  each_blocked(world, master, [&](LinkId, ConnectionId) { any = true; });
  if (any) return;
  for (auto& stream : world.streams) {
    if (stream->master != master) continue;
    if (!stream->acks.empty()) stream.write().acks.clear();
    const auto& batches = stream->batches;
    if (std::any_of(batches.begin(), batches.end(), [](const Stream::Batch& batch) { return batch.asks; }))
      for (Stream::Batch& batch : stream.write().batches) batch.asks = false;
  }
}

}  // namespace

std::size_t connected_replicas(const World& world, NodeId node) {
  std::size_t count = 0;
  for (std::size_t r = 0; r < world.streams.size(); ++r)
    if (follows(world, r, node)) ++count;
  return count;
}

std::optional<std::int64_t> good_replicas(const World& world, NodeId node, const Setup& setup) {
  if (setup.min_replicas == 0) return std::nullopt;
  constexpr Duration second{1'000};
  std::int64_t count = 0;
  for (std::size_t r = 0; r < world.streams.size(); ++r) {
    if (!follows(world, r, node)) continue;
    const Duration pause = silent_for(world.is_paused(sim::make_id<NodeId>(r)), setup.limits.node_pause_max,
                                      (*world.pauses)[r].left);
    const auto cut_off = [&](NodeId one) {
      return world.is_isolated(one)
                 ? silent_for(true, setup.limits.isolate_max, (*world.isolation)[one.index()].left)
                 : Duration::zero();
    };
    const Duration silent = std::max({pause, cut_off(node), cut_off(sim::make_id<NodeId>(r))});
    if (silent <= setup.min_replicas_max_lag + second) ++count;
  }
  return count;
}

void tell_count(World& world, ProcessId p, NodeId n, ConnectionId c, const Request& request,
                StepReport& report) {
  const bool leads = report.setup.kind_of(n).leads(*world.nodes[n.index()]);
  const Reply reply = "role:" + std::string(leads ? "master" : "slave") +
                      "\r\nconnected_slaves:" + std::to_string(connected_replicas(world, n)) + "\r\n";
  const Server& server = *world.nodes[n.index()];
  if (report.tracer != nullptr)
    report.tracer->evaluated(p, n, c, request, words_of(request, report.setup), {}, reply, server, server);
  answer(world, {p, n}, c, reply, 0, report);
}

void wait_for_replicas(World& world, LinkId id, ConnectionId c, Reply reply, const Synced& wait,
                       StepReport& report) {
  if (report.tracer != nullptr) report.tracer->waiting(id.process, id.node, c, wait);
  if (!report.setup.kind_of(id.node).leads(*world.nodes[id.node.index()]))
    return answer(world, id, c, std::move(reply), -1, report);
  Blocked blocked{.reply = std::move(reply), .replicas = wait.replicas, .left = {wait.wait}, .behind = {}};
  for (std::size_t r = 0; r < world.streams.size(); ++r) {
    const auto replica = sim::make_id<NodeId>(r);
    if (follows(world, r, id.node)) blocked.behind[replica] = has_acknowledged(world, replica) ? 0 : 1;
  }
  const bool enough = acknowledged(world, blocked, id.node) >= wait.replicas;
  if (!enough)
    for (auto& [replica, behind] : blocked.behind) behind = ask(world, replica);
  for (Flight& flight : world.link(id.process, id.node).write().flights)
    if (flight.connection == c) flight.blocked = std::move(blocked);
  if (enough) answer_with_count(world, id, c, report);
}

void deliver_acknowledgement(World& world, NodeId replica, StepReport& report) {
  Stream& stream = world.streams[replica.index()].write();
  const NodeId master = *stream.master;
  stream.acks.erase(stream.acks.begin());
  if (report.tracer != nullptr) report.tracer->acknowledged(master, replica);
  each_blocked(world, master, [&](LinkId id, ConnectionId c) {
    Blocked& blocked = open_blocked(world, id, c);
    const auto found = blocked.behind.find(replica);
    if (found != blocked.behind.end() && found->second > 0) --found->second;
    if (acknowledged(world, blocked, master) >= blocked.replicas) answer_with_count(world, id, c, report);
  });
  forget_acknowledgements(world, master);
}

void stop_waiting(World& world, LinkId id, ConnectionId c, StepReport& report) {
  answer_with_count(world, id, c, report);
  forget_acknowledgements(world, id.node);
}

void acknowledge_all(World& world, NodeId replica, StepReport& report) {
  const NodeId master = *world.streams[replica.index()]->master;
  bool any = false;
  each_blocked(world, master, [&](LinkId id, ConnectionId c) {
    open_blocked(world, id, c).behind[replica] = 1;
    any = true;
  });
  if (any) world.streams[replica.index()].write().acks.push_back(depart(report.setup.network));
}

void list_acknowledgements(Listing& list) {
  for (std::size_t n = 0; n < list.world.streams.size(); ++n) {
    const Stream& stream = *list.world.streams[n];
    const auto replica = sim::make_id<NodeId>(n);
    if (!stream.acks.empty() && stream.acks.front().deliverable() && list.answers(stream.master->index()) &&
        list.world.reaches(replica, *stream.master))
      list.add(StreamId{replica, *stream.master});
  }
}

void touch_acknowledgement(const Move& move, Touching& touching) {
  const auto& [replica, master] = move.of<StreamId>();
  touching.writes(Part::stream, replica.index()).reads(Part::lives).links_of(master).streams_from(master);
  for (std::size_t p = 0; p < touching.setup().processes.size(); ++p) touching.reads(Part::process, p);
}

void list_unacknowledged(Listing& list) {
  list.each_link([&](LinkId id, const Link& link) {
    if (!list.answers(id.node.index())) return;
    for (const Flight& flight : link.flights)
      if (flight.blocked && flight.blocked->left.due())
        list.add(Carried{id, Lane::request, flight.connection});
  });
}

void touch_unacknowledged(const Move& move, Touching& touching) {
  const LinkId link = move.of<Carried>().link;
  touching.link_of(link).reads(Part::lives).reads(Part::process, link.process.index());
  touching.streams_from(link.node);
}

}  // namespace lockstep::model
