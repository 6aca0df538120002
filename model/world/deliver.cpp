// deliver.cpp: a message arrives. Requests run on their node, replies and pushes wake the event loop of their
// process, effects change a replica.
#include <algorithm>

#include "model/client/requests.h"
#include "model/world/acknowledging.h"
#include "model/world/facts.h"
#include "model/world/held.h"
#include "model/world/publishing.h"
#include "model/world/tracer.h"
#include "model/world/watch.h"
#include "model/world/world.h"
#include "sim/base/verify.h"

namespace lockstep::model {

namespace {

/// On which a server sees a request: a pooled one never subscribes, so its number only has to differ from
/// those of standing ones.
ConnectionId connection_for(const ServerKind& kind, ProcessId p, ConnectionId c, const Request& request) {
  if (request.held) return held_connection(request.purpose.thread, request.held->number);
  return kind.sessions ? connection_of(p) : ConnectionId{static_cast<std::uint16_t>(pooled | c.value)};
}

std::vector<Flight>::iterator find_flight(Link& link, ConnectionId c) {
  const auto found = std::find_if(link.flights.begin(), link.flights.end(),
                                  [&](const Flight& flight) { return flight.connection == c; });
  VERIFY(found != link.flights.end());
  return found;
}

/// A server ends sessions: their clients learn of it when the end arrives behind what was pushed to them.
/// What they have sent is still served, as that of strangers.
void close_all(World& world, NodeId from, const std::vector<ProcessId>& closed, StepReport& report) {
  for (const ProcessId process : closed) push_all(world, from, {Push{connection_of(process), {}}}, report);
}

/// What a command on this node may use.
Serving serving(const World& world, NodeId node, StepReport& report) {
  const Duration wall = world.now.since_start + world.clocks->offset[node.index()];
  return {.engine = report.engine,
          .wall_ms = report.setup.epoch_ms + wall.count(),
          .calls = nullptr,
          .want_effects = report.setup.replicates(report.setup.group_of(node)),
          .good_replicas = good_replicas(world, node, report.setup)};
}

/// In a cluster what is PUBLISHed on one node reaches those who listen on others; replicas hear of it as of a
/// write, and nobody listens to a channel on nodes of another group.
void publish_elsewhere(World& world, NodeId from, const Effects& effects, StepReport& report) {
  if (report.setup.topology != Topology::cluster) return;
  Effects published;
  for (const Effect& effect : effects)
    if (effect.words.front() == "publish" || effect.words.front() == "PUBLISH") published.push_back(effect);
  for (std::size_t n = 0; !published.empty() && n < world.nodes.size(); ++n) {
    const auto node = sim::make_id<NodeId>(n);
    const bool is_elsewhere = node != from && world.streams[n]->master != from &&
                              report.setup.group_of(node) == report.setup.group_of(from);
    if (!is_elsewhere || !world.answers(node) || !world.reaches(from, node)) continue;
    const ServerKind& kind = report.setup.kind_of(node);
    const auto pushes = kind.apply(world.nodes[n].write(), published, {}, serving(world, node, report));
    push_all(world, node, pushes, report);
  }
}

/// What became of the locks that were stored on the node. Of a request that is about some of them: of the
/// others, and only if it changed them.
std::vector<LockChange> changes_of(const std::vector<StoredLock>& before, const World& world, NodeId n,
                                   const std::vector<std::string>& about, const Setup& setup) {
  std::vector<LockChange> changes;
  if (before.empty()) return changes;
  const std::vector<StoredLock> after = locks_served_by(world, setup, n);
  for (const StoredLock& lock : before) {
    if (std::find(about.begin(), about.end(), lock.key) != about.end()) continue;
    const auto same =
        std::find_if(after.begin(), after.end(), [&](const StoredLock& one) { return one.key == lock.key; });
    const Truth now = same == after.end() ? Truth{} : same->truth;
    if (!about.empty() && now == lock.truth) continue;
    changes.push_back({.lock = resource_name(setup.objects[lock.object].group, lock.key),
                       .before = lock.truth,
                       .after = now});
  }
  return changes;
}

/// A world in which locks can lie under more than one key.
bool has_other_locks(const Setup& setup) {
  return setup.objects.size() > 1 || (!setup.objects.empty() && setup.objects.front().fresh);
}

/// Looks at what a request is about before it is carried out, and tells afterwards what it did.
class Witnessing {
 public:
  Witnessing(const World& world, const Setup& setup, NodeId n, const Request& request)
      : world_(world),
        setup_(setup),
        node_(n),
        request_(request),
        intent_(role_of(request.purpose, setup).intent) {
    if (intent_ == Intent::write) return;
    if (intent_ == Intent::command || has_other_locks(setup))
      locks_before_ = locks_served_by(world, setup, n);
    if (intent_ == Intent::command) return;
    for (Purpose& part : judged_parts(request.purpose, setup)) {
      before_.push_back(truth_served_by(world, setup, n, part));
      parts_.push_back(std::move(part));
    }
  }

  /// One observation for each lock that it is about.
  std::vector<Observation> seen(const Served& outcome, Duration lease_left) const {
    const Reply& reply = outcome.reply;
    const Purpose& purpose = request_.purpose;
    if (intent_ == Intent::command)
      return {Commanded{.node = node_,
                        .thread = purpose.thread,
                        .incarnation = purpose.incarnation,
                        .command = purpose.lock,
                        .changes = changes_of(locks_before_, world_, node_, {}, setup_)}};
    if (intent_ == Intent::write)
      return {Written{purpose.thread, purpose.lock, purpose.number.value,
                      !says(read_reply(request_, reply, setup_), Meaning::no)}};
    std::vector<std::string> about;
    for (const Purpose& part : parts_) about.push_back(part.lock);
    const Items items = read_reply(request_, reply, setup_);
    std::vector<Observation> seen;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      const Purpose& part = parts_[i];
      seen.push_back(Evaluated{.node = node_,
                               .purpose = part,
                               .lock = resource_name(setup_.objects[part.object].group, part.lock),
                               .items = items_about(items, parts_, i),
                               .error = reply.error() != nullptr ? reply.error()->text : std::string(),
                               .lease_left = lease_left,
                               .before = before_[i],
                               .after = truth_served_by(world_, setup_, node_, part),
                               .on_master = is_in_charge(world_, setup_, node_),
                               .others = changes_of(locks_before_, world_, node_, about, setup_),
                               .told = told_most(outcome.pushes)});
    }
    return seen;
  }

 private:
  const World& world_;
  const Setup& setup_;
  NodeId node_;
  const Request& request_;
  Intent intent_;
  std::vector<Purpose> parts_;
  std::vector<std::optional<Truth>> before_;
  std::vector<StoredLock> locks_before_;
};

}  // namespace

void push_all(World& world, NodeId from, const std::vector<Push>& pushes, StepReport& report) {
  for (const Push& push : pushes) {
    const ProcessId to = process_of(push.to);
    world.link(to, from).write().down.push_back({push.message, depart(report.setup.network)});
    if (report.tracer != nullptr) report.tracer->push_sent(from, to, push.message);
  }
}

Server before_step(const World& world, NodeId node, const StepReport& report) {
  return report.tracer != nullptr ? *world.nodes[node.index()] : Server{};
}

void carry_out(World& world, NodeId node, const Unasked& unasked, const Server& before, StepReport& report) {
  for (const Gone& one : unasked.gone) {
    report.seen.push_back(KeyExpired{node, one.key});
    if (report.tracer != nullptr) report.tracer->expired(node, one.key, before, *world.nodes[node.index()]);
    replicate(world, node, one.effects, report);
  }
  push_all(world, node, unasked.pushes, report);
  close_all(world, node, unasked.closed, report);
}

void replicate(World& world, NodeId master, const Effects& effects, StepReport& report) {
  if (effects.empty()) return;
  for (std::size_t r = 0; r < world.streams.size(); ++r) {
    if (world.streams[r]->master != master || world.streams[r]->cut) continue;
    world.streams[r].write().batches.push_back({effects, depart(report.setup.network)});
    if (report.tracer != nullptr) report.tracer->effects_sent(master, sim::make_id<NodeId>(r));
  }
}

void deliver_request(World& world, ProcessId p, NodeId n, ConnectionId c, StepReport& report) {
  Link& link = world.link(p, n).write();
  const auto flight = find_flight(link, c);
  const Request request = *std::exchange(flight->request, std::nullopt);
  if (request.asks_count()) return tell_count(world, p, n, c, request, report);
  const Duration lease_left = std::exchange(flight->lease_left, {}).left;
  const Command words = words_of(request, report.setup);
  const Server before = before_step(world, n, report);
  const Witnessing witnessing(world, report.setup, n, request);
  Serving using_what = serving(world, n, report);
  using_what.asking = is_asking(request);
  using_what.keeps = keeps(request, report.setup);
  std::vector<ScriptCall> calls;
  if (report.tracer != nullptr) using_what.calls = &calls;
  const ServerKind& kind = report.setup.kind_of(n);
  Served outcome =
      kind.serve(world.nodes[n.index()].write(), connection_for(kind, p, c, request), words, using_what);
  hang_up(world, {p, n}, c, request, outcome.reply, report.setup);
  report.read_now = report.read_now || outcome.read_now;
  for (Observation& one : witnessing.seen(outcome, lease_left)) report.seen.push_back(std::move(one));
  if (report.tracer != nullptr)
    report.tracer->evaluated(p, n, c, request, words, calls, outcome.reply, before, *world.nodes[n.index()]);
  if (std::holds_alternative<Written>(report.seen.back())) tell(report, report.seen.back());
  replicate(world, n, outcome.effects, report);
  push_all(world, n, outcome.pushes, report);
  publish_elsewhere(world, n, outcome.effects, report);
  close_all(world, n, outcome.closed, report);
  if (request.waits())
    return wait_for_replicas(world, {p, n}, c, std::move(outcome.reply), *request.synced, report);
  answer(world, {p, n}, c, std::move(outcome.reply), 0, report);
  // The end of its connection comes behind the last request of who died.
  if (kind.sessions && kind.disconnect != nullptr && world.processes[p.index()]->life == Process::Life::dead)
    kind.disconnect(world.nodes[n.index()].write(), p);
}

void answer(World& world, LinkId id, ConnectionId c, Reply reply, std::int64_t acks, StepReport& report) {
  Link& link = world.link(id.process, id.node).write();
  const auto flight = find_flight(link, c);
  const Process& asker = *world.processes[id.process.index()];
  if (asker.life == Process::Life::dead) {
    link.flights.erase(flight);  // nobody is left to read the answer
    return;
  }
  flight->transit = depart(report.setup.network);
  flight->blocked.reset();
  flight->reply = std::move(reply);
  flight->acks = acks;
  if (awaited(asker, id.node, c) == nullptr) drop_reply(world, id.process, id.node, c, report);
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
  const std::int64_t acks = flight->acks;
  link.flights.erase(flight);
  Process& process = world.processes[p.index()].write();
  if (report.tracer != nullptr) report.tracer->reply_received(p, n, c, reply, awaited(process, n, c));
  Out out;
  Context context = context_of(world, p, out, report);
  receive_reply(process, n, c, reply, context, acks);
  carry_out(world, p, out, report);
}

void deliver_channel(World& world, ProcessId p, NodeId n, StepReport& report) {
  Link& link = world.link(p, n).write();
  const ChannelRequest request = link.up.front().request;
  link.up.erase(link.up.begin());
  const Command words = words_of(request);
  const ServerKind& kind = report.setup.kind_of(n);
  const Served outcome =
      kind.serve(world.nodes[n.index()].write(), connection_of(p), words, serving(world, n, report));
  if (report.tracer != nullptr) report.tracer->channel_served(p, n, request);
  push_all(world, n, {Push{connection_of(p), outcome.reply}}, report);
}

void deliver_push(World& world, ProcessId p, NodeId n, StepReport& report) {
  Link& link = world.link(p, n).write();
  const Reply message = link.down.front().message;
  link.down.erase(link.down.begin());
  if (report.tracer != nullptr) report.tracer->push_received(p, n, message);
  const std::uint16_t client = report.setup.group_of(n).value;
  const bool closes = message.is_nil();
  if (closes) {
    link.listening = false;
    link.broken = report.setup.libraries[client]->closed == nullptr;  // it connects again, and asks no more
  }
  step_process(world, p, report, [&](Process& process, Context& context) {
    if (closes) receive_close(process, client, context);
    else receive_push(process, client, message, context);
  });
}

void deliver_effects(World& world, NodeId replica, StepReport& report) {
  Stream& stream = world.streams[replica.index()].write();
  const Effects effects = stream.batches.front().effects;
  if (stream.batches.front().asks) stream.acks.push_back(depart(report.setup.network));
  stream.batches.erase(stream.batches.begin());
  const auto& offset = world.clocks->offset;
  const Duration skew = offset[replica.index()] - offset[stream.master->index()];
  const Server before = before_step(world, replica, report);
  Server& node = world.nodes[replica.index()].write();
  const std::vector<Push> pushes =
      report.setup.kind_of(replica).apply(node, effects, skew, serving(world, replica, report));
  if (report.tracer != nullptr) report.tracer->applied(*stream.master, replica, before, node);
  push_all(world, replica, pushes, report);
}

}  // namespace lockstep::model
