#include "model/world/link.h"

#include <algorithm>

#include "sim/base/passing.h"

namespace lockstep::model {

namespace {

void shrink(Transit& transit, Duration passed) {
  transit.earliest = sim::count_down(transit.earliest, passed);
  transit.latest = sim::count_down(transit.latest, passed);
}

/// The lowest countdown above zero among those seen.
struct Next {
  Duration least = sim::never;
  void consider(Duration left) {
    if (left > Duration::zero()) least = std::min(least, left);
  }
  void consider(const Transit& transit) {
    consider(transit.earliest);
    if (!transit.held) consider(transit.latest);
  }
};

}  // namespace

Transit depart(const Network& network) {
  switch (network.kind) {
    case NetworkKind::no_delay: return {};
    case NetworkKind::interval: return {network.delay.lo, network.delay.hi};
    case NetworkKind::any: return {Duration::zero(), sim::never};
  }
  return {};
}

ConnectionId free_connection(const Link& link, const std::vector<ConnectionId>& awaited) {
  for (std::size_t number = 0;; ++number) {
    const auto connection = sim::make_id<ConnectionId>(number);
    const bool used = std::any_of(link.flights.begin(), link.flights.end(),
                                  [&](const Flight& flight) { return flight.connection == connection; });
    if (!used && std::find(awaited.begin(), awaited.end(), connection) == awaited.end()) return connection;
  }
}

void break_connections(Link& link) {
  link.flights.clear();
  link.up.clear();
  link.down.clear();
  link.broken = link.broken || link.listening;
  link.listening = false;
}

void advance(Link& link, Duration passed) {
  if (link.cut) {
    link.cut_left = sim::count_down(link.cut_left, passed);
    link.time_out_left = sim::count_down(link.time_out_left, passed);
  }
  for (Flight& flight : link.flights) {
    shrink(flight.transit, passed);
    if (flight.blocked) sim::pass(flight.blocked->left, sim::Passed::alike(passed));
    if (flight.request) sim::pass(flight.lease_left, sim::Passed::alike(passed));
  }
  for (ChannelFlight& flight : link.up) shrink(flight.transit, passed);
  for (PushFlight& flight : link.down) shrink(flight.transit, passed);
}

Duration next_deadline(const Link& link) {
  Next next;
  if (link.cut) next.consider(link.cut_left), next.consider(link.time_out_left);
  for (const Flight& flight : link.flights) {
    next.consider(flight.transit);
    if (flight.blocked) next.consider(flight.blocked->left.left);
  }
  for (const ChannelFlight& flight : link.up) next.consider(flight.transit);
  for (const PushFlight& flight : link.down) next.consider(flight.transit);
  return next.least;
}

void advance(Stream& stream, Duration passed, Duration by_master) {
  if (stream.lagging) stream.lag_left = sim::count_down(stream.lag_left, passed);
  if (stream.cut) stream.cut_left = sim::count_down(stream.cut_left, passed);
  for (Stream::Batch& batch : stream.batches) shrink(batch.transit, passed);
  for (Transit& ack : stream.acks) shrink(ack, passed);
  shift_deadlines(stream, by_master);
}

void shift_deadlines(Stream& stream, Duration by) {
  for (Stream::Batch& batch : stream.batches)
    for (Effect& effect : batch.effects)
      if (effect.time_word) effect.remaining = std::max(effect.remaining - by, long_dead);
}

Duration next_deadline(const Stream& stream) {
  Next next;
  if (stream.cut) next.consider(stream.cut_left);
  else if (stream.lagging) next.consider(stream.lag_left);
  else
    for (const Stream::Batch& batch : stream.batches) next.consider(batch.transit);
  for (const Transit& ack : stream.acks) next.consider(ack);
  return next.least;
}

}  // namespace lockstep::model
