#include "model/world/held.h"

#include <algorithm>

#include "model/client/requests.h"

namespace lockstep::model {

namespace {

using Connection = Described::Connection;

Connection connection_of_role(const Request& request, const Setup& setup) {
  const Described* described = role_of(request.purpose, setup).described;
  return described == nullptr ? Connection::any : described->connection;
}

bool is_under_way(const Link& link, ThreadId thread, std::size_t number) {
  return std::any_of(link.flights.begin(), link.flights.end(), [&](const Flight& flight) {
    return flight.request && flight.request->held && flight.request->purpose.thread == thread &&
           flight.request->held->number == number;
  });
}

/// Whether what it was answered leads to the next request of the list.
bool goes_on(const Items& items) { return says(items, Meaning::yes) != says(items, Meaning::partial); }

}  // namespace

bool hold_connection(const World& world, NodeId to, Outgoing& outgoing, const Setup& setup) {
  Request& request = outgoing.request;
  if (connection_of_role(request, setup) != Connection::opens) return true;
  const ThreadId thread = request.purpose.thread;
  const Link& link = *world.link(setup.process_of(thread), to);
  for (std::uint8_t number = 0; number < held_each; ++number) {
    if (is_under_way(link, thread, number)) continue;
    request.held = Held{to, number};
    return true;
  }
  return false;
}

Serving::Keeps keeps(const Request& request, const Setup& setup) {
  if (!request.held) return Serving::Keeps::nothing;
  return connection_of_role(request, setup) == Connection::opens ? Serving::Keeps::opens
                                                                 : Serving::Keeps::goes_on;
}

void hang_up(World& world, LinkId link, ConnectionId awaited_on, const Request& request, const Reply& reply,
             const Setup& setup) {
  if (!request.held) return;
  const Process& asker = *world.processes[link.process.index()];
  const bool is_read = asker.life != Process::Life::dead && awaited(asker, link.node, awaited_on) != nullptr;
  if (is_read && goes_on(read_reply(request, reply, setup))) return;
  setup.kind_of(link.node).hang_up(world.nodes[link.node.index()].write(),
                                   held_connection(request.purpose.thread, request.held->number));
}

void close_held(World& world, LinkId link, const Setup& setup) {
  const auto holds = [](const LockKind* kind) {
    return kind->scheme != nullptr && kind->scheme->holds_connections();
  };
  const auto hang_up = setup.kind_of(link.node).hang_up;
  if (hang_up == nullptr || std::none_of(setup.kinds.begin(), setup.kinds.end(), holds)) return;
  for (const ThreadId thread : setup.processes[link.process.index()].threads)
    for (std::size_t number = 0; number < held_each; ++number)
      if (!is_under_way(*world.link(link.process, link.node), thread, number))
        hang_up(world.nodes[link.node.index()].write(), held_connection(thread, number));
}

}  // namespace lockstep::model
