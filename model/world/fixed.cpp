#include "model/world/fixed.h"

#include <algorithm>

#include "model/client/request.h"
#include "model/client/requests.h"
#include "model/world/faults/table.h"
#include "model/world/tracer.h"
#include "sim/base/verify.h"

namespace lockstep::model {

namespace {

using Kind = FaultEvent::Kind;

/// Whether `name` is what the event calls the lock: its key, also where each acquire takes a key of its own.
bool is_lock(const FaultEvent& event, const std::string& name) {
  return name == event.lock || name.starts_with(event.lock + "#") || name.starts_with(event.lock + " on ");
}

/// Locks that share a key share its channel.
bool is_channel(const FaultEvent& event, const std::string& channel, const Setup& setup) {
  std::string lock = event.lock;
  for (const LockObject& object : setup.objects)
    if (!object.key.empty() && object.name == event.lock) lock = object.key;
  return channel.ends_with("{" + lock + "}") || channel.ends_with(":" + lock) || channel == lock;
}

bool is_whose(const FaultEvent& event, ProcessId process) {
  return !event.process || *event.process == process;
}

bool is_whose(const FaultEvent& event, ThreadId thread, const Setup& setup) {
  return (!event.thread || *event.thread == thread) && is_whose(event, setup.threads[thread.index()].process);
}

/// A renewal may be of several locks. Where locks share a key: one of those that it is about, or all of them
/// as their object is called.
bool is_about(const FaultEvent& event, const Purpose& purpose, const Setup& setup) {
  if (!setup.kinds[purpose.kind]->shares_key)
    return is_lock(event, purpose.lock) ||
           std::any_of(purpose.also.begin(), purpose.also.end(),
                       [&](const AlsoRenewed& one) { return is_lock(event, one.lock); });
  const std::vector<Purpose> parts = judged_parts(purpose, setup);
  return is_lock(event, setup.objects[purpose.object].name) ||
         std::any_of(parts.begin(), parts.end(),
                     [&](const Purpose& one) { return is_lock(event, one.lock); });
}

bool is_request(const FaultEvent& event, const Request& request, const Setup& setup) {
  const Purpose& purpose = request.purpose;
  return !request.asks_count() && role_name(purpose, setup) == event.role &&
         is_about(event, purpose, setup) && is_whose(event, purpose.thread, setup);
}

const Flight* flight_on(const Link& link, ConnectionId connection) {
  for (const Flight& flight : link.flights)
    if (flight.connection == connection) return &flight;
  return nullptr;
}

/// A message of a channel, not a confirmation.
bool is_message(const FaultEvent& event, const Reply& push, const Setup& setup) {
  const Reply::Array* parts = push.array();
  if (parts == nullptr || parts->size() != 3) return false;
  return (*parts->at(0).bulk() == "message" || *parts->at(0).bulk() == "smessage") &&
         is_channel(event, *parts->at(1).bulk(), setup);
}

/// Thread and lock of what was seen, if it is an event of this kind.
std::optional<std::pair<ThreadId, std::string>> deed(Kind kind, const Observation& seen) {
  if (const auto* gained = std::get_if<Gained>(&seen); gained != nullptr && kind == Kind::acquires)
    return std::pair{gained->thread, gained->lock};
  if (const auto* yielded = std::get_if<Yielded>(&seen); yielded != nullptr && kind == Kind::releases)
    return std::pair{yielded->thread, yielded->lock};
  if (const auto* parked = std::get_if<ParkedThread>(&seen); parked != nullptr && kind == Kind::waits)
    return std::pair{parked->thread, parked->lock};
  return std::nullopt;
}

bool shows(const Observation& seen, const FaultEvent& event, const Setup& setup) {
  const auto done = deed(event.kind, seen);
  return done && is_lock(event, done->second) && is_whose(event, done->first, setup);
}

/// The part of a server that is this key, among those that the fault may choose.
std::optional<std::uint16_t> part_of(const FixedFault& fault, const World& world, const Setup& setup) {
  const OwnedFault owned = server_fault(fault.fault, setup);
  const Server& server = *world.nodes[fault.target];
  if (&setup.kind_of(NodeId{fault.target}) != owned.kind) return std::nullopt;
  for (std::size_t part = 0; part < owned.fault->choices(server); ++part) {
    Server copy = server;
    const auto gone = owned.fault->apply(copy, part);
    if (gone && gone->key == fault.key) return static_cast<std::uint16_t>(part);
  }
  return std::nullopt;
}

std::optional<Subject> subject_of(const FixedFault& fault, const World& world, const Setup& setup) {
  switch (fault.aim) {
    case Aim::process:
      return ProcessId{fault.target};
    case Aim::thread:
      return ThreadId{fault.target};
    case Aim::link:
      return LinkId{ProcessId{fault.target}, NodeId{fault.node}};
    case Aim::message:
      return std::nullopt;
    case Aim::node:
      break;
  }
  if (fault.key.empty()) return NodeId{fault.target};
  const auto part = part_of(fault, world, setup);
  if (!part) return std::nullopt;
  return PartOfNode{NodeId{fault.target}, *part};
}

bool is_part_of_crash(const FixedFault& fault, const Setup& setup) {
  return world_fault(fault.fault) == nullptr && server_fault(fault.fault, setup).fault->of_crash;
}

const FaultAct& act_of(const FaultRow& row, bool ends) { return ends ? row.end->act : row.begin; }

void note(std::size_t number, const Move& move, StepReport& report) {
  observe(report, FixedFaultCame{number});
  if (!report.setup.fixed[number].ends) observe(report, FaultBegan{report.setup.fixed[number].fault});
  if (report.tracer != nullptr) report.tracer->moved(move);
}

/// The messages that a fault of messages held back, and this one lets go.
void release(World& world, std::size_t number, StepReport& report) {
  const FixedFault& fault = report.setup.fixed[number];
  const FaultRow row = fault_row(fault.fault, report.setup);
  std::vector<Move> held;
  Listing list(world, report.setup, held);
  list.verb = {Act::end, fault.fault};
  list.as_fixed = true;
  row.end->act.verb.list(list);
  for (const Move& move : held) {
    if (!means(*fault.message, move.of<Carried>(), world, report.setup)) continue;
    note(number, move, report);
    row.end->act.verb.apply(world, move, report);
  }
}

}  // namespace

Duration left_at_start(const FixedFault& fault) {
  if (fault.event) return awaits_event;
  return left_after(fault, fault.at.value_or(sim::never), Duration::zero());
}

Duration left_after(const FixedFault& fault, Duration left, Duration passed) {
  if (left == sim::never && !fault.at && fault.message && passed == Duration::zero()) return awaits_message;
  if (left == awaits_crash && passed > Duration::zero()) return sim::never;
  if (!is_counting(left)) return left;
  left = sim::count_down(left, passed);
  const bool befalls_message = fault.message && !fault.ends;
  return befalls_message && left == Duration::zero() ? awaits_message : left;
}

std::optional<Move> move_of(const FixedFault& fault, const World& world, const Setup& setup) {
  const auto on = subject_of(fault, world, setup);
  if (!on) return std::nullopt;
  return Move{{fault.ends ? Act::end : Act::begin, fault.fault}, *on, fault.by.count()};
}

bool means(const FaultEvent& event, const Carried& carried, const World& world, const Setup& setup) {
  const auto& [id, lane, connection] = carried;
  const Link& link = *world.link(id.process, id.node);
  switch (event.kind) {
    case Kind::request: {
      const Flight* flight = lane == Lane::request ? flight_on(link, connection) : nullptr;
      return flight != nullptr && flight->request && is_request(event, *flight->request, setup);
    }
    case Kind::reply: {
      if (lane != Lane::reply) return false;
      const Pending* asked = awaited(*world.processes[id.process.index()], id.node, connection);
      return asked != nullptr && is_request(event, asked->request, setup);
    }
    case Kind::message:
      return lane == Lane::push && is_whose(event, id.process) &&
             is_message(event, link.down.front().message, setup);
    case Kind::subscription:
      return lane == Lane::channel && is_whose(event, id.process) && link.up.front().request.subscribe &&
             is_channel(event, link.up.front().request.channel, setup);
    default:
      return false;
  }
}

bool makes(const Move& move, const FaultEvent& event, const World& world, const Setup& setup) {
  if (move.verb.act == Act::deliver) return means(event, move.of<Carried>(), world, setup);
  return move.verb.act == Act::effects && event.kind == Kind::effects &&
         (!event.node || *event.node == move.of<StreamId>().to);
}

void give_way_to_fixed_faults(const World& world, const Setup& setup, std::vector<Move>& moves) {
  const std::vector<Duration>& left = *world.fixed_left;
  const auto now = std::find(left.begin(), left.end(), at_once);
  if (now != left.end()) {
    moves = {Move{{Act::fixed, {}}, FixedId{static_cast<std::uint16_t>(now - left.begin())}}};
    return;
  }
  std::vector<Move> kept;
  for (const Move& move : moves) {
    Move next = move;
    for (std::uint16_t f = 0; f < left.size() && next == move; ++f) {
      const FixedFault& fault = setup.fixed[f];
      if (left[f] == awaits_message && move.verb.act == Act::deliver &&
          means(*fault.message, move.of<Carried>(), world, setup))
        next = {{Act::fixed_message, {}}, FixedMessage{{f}, move.of<Carried>()}};
      else if (left[f] == awaits_event && fault.before && makes(move, *fault.event, world, setup))
        next = {{Act::fixed, {}}, FixedId{f}};
    }
    const bool again = next != move && std::find(kept.begin(), kept.end(), next) != kept.end();
    if (!again) kept.push_back(next);
  }
  moves = std::move(kept);
}

EventWatch::EventWatch(const World& before, const Move& move, const StepReport& report)
    : seen_before_(report.seen.size()) {
  for (std::size_t f = 0; f < before.fixed_left->size(); ++f) {
    const FixedFault& fault = report.setup.fixed[f];
    const bool waits = (*before.fixed_left)[f] == awaits_event && !fault.before;
    if (waits && makes(move, *fault.event, before, report.setup)) made_.push_back(f);
  }
}

void EventWatch::done(World& world, const StepReport& report) const {
  const auto due = [&](std::size_t f) {
    const bool befalls_message = report.setup.fixed[f].message && !report.setup.fixed[f].ends;
    world.fixed_left.write()[f] = befalls_message ? awaits_message : at_once;
  };
  for (const std::size_t f : made_) due(f);
  for (std::size_t f = 0; f < world.fixed_left->size(); ++f) {
    const FixedFault& fault = report.setup.fixed[f];
    if ((*world.fixed_left)[f] != awaits_event || fault.before) continue;
    for (std::size_t i = seen_before_; i < report.seen.size(); ++i)
      if (shows(report.seen[i], *fault.event, report.setup)) {
        due(f);
        break;
      }
  }
}

void make_due_by_crash(World& world, const Setup& setup, NodeId node) {
  for (std::size_t f = 0; f < setup.fixed.size(); ++f)
    if ((*world.fixed_left)[f] == awaits_crash && setup.fixed[f].befalls_node(node))
      world.fixed_left.write()[f] = at_once;
}

bool binds_events(const Setup& setup) {
  return std::any_of(setup.fixed.begin(), setup.fixed.end(),
                     [](const FixedFault& fault) { return fault.event || fault.message; });
}

void befall(World& world, FixedId which, StepReport& report) {
  world.fixed_left.write()[which.number] = sim::never;
  const FixedFault& fault = report.setup.fixed[which.number];
  if (fault.aim == Aim::message) return release(world, which.number, report);
  if (is_part_of_crash(fault, report.setup) && world.is_up(NodeId{fault.target})) {
    world.fixed_left.write()[which.number] = awaits_crash;
    return;
  }
  const auto move = move_of(fault, world, report.setup);
  if (!move) return;
  const FaultRow row = fault_row(fault.fault, report.setup);
  const FaultAct& act = act_of(row, fault.ends);
  const bool finds = act.befalls != nullptr ? act.befalls(world, report.setup, move->on)
                                            : befalls_server(world, report.setup, fault.fault, move->on);
  if (!finds) return;  // it befalls something that is gone already
  note(which.number, *move, report);
  act.verb.apply(world, *move, report);
}

void befall(World& world, const FixedMessage& which, StepReport& report) {
  world.fixed_left.write()[which.fault.number] = sim::never;
  const FixedFault& fault = report.setup.fixed[which.fault.number];
  const Move move{{Act::begin, fault.fault}, which.carried};
  note(which.fault.number, move, report);
  fault_row(fault.fault, report.setup).begin.verb.apply(world, move, report);
}

}  // namespace lockstep::model
