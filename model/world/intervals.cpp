#include "model/world/intervals.h"

#include <algorithm>

namespace lockstep::model {

namespace {

constexpr std::uint16_t timers_max = 1'000;

}  // namespace

std::uint16_t number_of(LibraryTimer timer) {
  return static_cast<std::uint16_t>(timer.client * timers_max + timer.number);
}
LibraryTimer timer_of(std::uint16_t number) {
  return {static_cast<std::uint16_t>(number / timers_max), std::size_t{number} % timers_max};
}

namespace {

Duration left_of_message(const World& world, const Carried& on) {
  const Link& link = *world.link(on.link.process, on.link.node);
  if (on.lane == Lane::push) return link.down.front().transit.latest;
  if (on.lane == Lane::channel) return link.up.front().transit.latest;
  const auto flight = std::find_if(link.flights.begin(), link.flights.end(),
                                   [&](const Flight& one) { return one.connection == on.connection; });
  return flight == link.flights.end() ? Duration::zero() : flight->transit.latest;
}

Duration left_of_wait(const World& world, const Carried& awaited) {
  for (const Client& client : world.processes[awaited.link.process.index()]->clients)
    for (const Pending& pending : client.pending)
      if (pending.node == awaited.link.node && pending.connection == awaited.connection)
        return pending.at_latest.left;
  return Duration::zero();
}

Duration left_of(const World& world, const Setup& setup, const Move& move) {
  switch (move.verb.act) {
    case Act::deliver: return left_of_message(world, move.of<Carried>());
    case Act::time_out: return left_of_wait(world, move.of<Carried>());
    case Act::effects: return world.streams[move.of<StreamId>().to.index()]->batches.front().transit.latest;
    case Act::ack: return world.streams[move.of<StreamId>().from.index()]->acks.front().latest;
    case Act::run: {
      const ThreadSetup& its = setup.threads[move.of<ThreadId>().index()];
      const Process& process = *world.processes[its.process.index()];
      return latest(process, setup, move.of<ThreadId>()).value_or(sim::Timer{}).left;
    }
    case Act::renew: {
      const auto& [process, timer] = move.of<TimerId>();
      return latest(*world.processes[process.index()], setup, timer_of(timer)).value_or(sim::Timer{}).left;
    }
    case Act::learn: {
      const auto& [process, group] = move.of<Follower>();
      return world.group(group).learning.at(process).latest;
    }
    case Act::demote: {
      const NodeId node = move.of<NodeId>();
      return world.group(setup.group_of(node)).demotion.at(node).latest;
    }
    case Act::promote: {
      const GroupId group = setup.group_of(move.of<NodeId>());
      return world.watch->election[group.index()].value_or(Due{}).latest;
    }
    case Act::close: return world.watch->closing[move.of<NodeId>().index()].value_or(Due{}).latest;
    default: return Duration::zero();
  }
}

}  // namespace

std::optional<Duration> slack(const World& world, const Setup& setup, const Move& move) {
  const Duration left = left_of(world, setup, move);
  if (left <= Duration::zero() || left == sim::never) return std::nullopt;
  return left;
}

}  // namespace lockstep::model
