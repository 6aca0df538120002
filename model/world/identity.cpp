#include "model/world/identity.h"

#include <algorithm>
#include <map>

#include "model/client/machine.h"
#include "model/world/faults/table.h"
#include "model/world/lazy.h"
#include "model/world/watch.h"
#include "sim/base/content_order.h"

namespace lockstep::model {

namespace {

/// Such a fault, which the scenario fixes for this node, has not come yet.
template <class Such>
bool will_happen(const World& world, const Setup& setup, Such such, std::size_t node) {
  for (std::size_t f = 0; f < setup.fixed.size(); ++f)
    if ((*world.fixed_left)[f] != sim::never && setup.fixed[f].befalls_node(sim::make_id<NodeId>(node)) &&
        such(setup.fixed[f].fault))
      return true;
  return false;
}

/// No fault is fixed to happen any more.
bool all_happened(const World& world) {
  const auto happened = [](Duration left) { return left == sim::never; };
  return std::all_of(world.fixed_left->begin(), world.fixed_left->end(), happened);
}

bool is_failover(FaultId fault) { return world_fault(fault) == &failover_fault; }

std::uint16_t left_of(const World& world, const FaultRow& fault) { return (*world.budget)[fault_id(fault)]; }

bool has_ended(const Thread& thread) { return std::holds_alternative<Ended>(thread.cursor.activity); }

/// Where a thread that has ended was in its program, and what it was answered: it takes no step any more, and
/// everybody else only asks whether it has ended. Its futures go on.
void forget_ended_threads(World& world, ProcessId p) {
  const auto ended = [](const Thread& thread) {
    return Thread{.cursor = {.activity = Ended{}}, .call = {}, .token = {}, .futures = thread.futures};
  };
  const auto& threads = world.processes[p.index()]->threads;
  if (std::none_of(threads.begin(), threads.end(), [&](const Thread& thread) {
        return has_ended(thread) && !(thread == ended(thread));
      }))
    return;
  for (Thread& thread : world.processes[p.index()].write().threads)
    if (has_ended(thread)) thread = ended(thread);
}

/// Whom a process that is done takes for the master, whether its pub/sub connection stands, and what its
/// libraries keep for steps of the process: it has none (`enabled` offers it neither learning nor a new
/// connection). It takes the master for it then, since any other node would be one of several equal ones.
/// One that is started again begins with new ones.
void forget_clients(World& world, const Setup& setup, ProcessId p) {
  const bool done = is_done(world, setup, p);
  if (!done && world.processes[p.index()]->life == Process::Life::dead) return;
  Process& process = world.processes[p.index()].write();
  for (std::size_t c = 0; c < process.clients.size(); ++c) {
    setup.libraries[c]->forget(process.clients[c], setup, done);
    if (done) process.clients[c].master = world.groups[c]->master;
  }
  if (!done) return;
  for (auto& group : world.groups)
    if (group->learning.contains(p)) group.write().learning.erase(p);
  for (std::size_t n = 0; n < world.nodes.size(); ++n) {
    auto& link = world.link(p, sim::make_id<NodeId>(n));
    if (link->listening || link->broken) link.write().listening = link.write().broken = false;
  }
}

/// The owner of a renewal under way is read as that of a timer (Library::forget).
void forget_owners(World& world, const Setup& setup, ProcessId p) {
  const auto renews = [&](const Request& request) {
    return request.purpose.owner.has_value() && !setup.objects[request.purpose.object].fresh;
  };
  auto& process = world.processes[p.index()];
  bool waits_for_one = false;
  for (const Client& client : process->clients)
    for_each_unanswered(client, [&](const auto& one) { waits_for_one |= renews(one.request); });
  if (waits_for_one)
    for (Client& client : process.write().clients)
      for_each_unanswered(client, [&](auto& one) {
        if (renews(one.request)) one.request.purpose.owner = sim::no_thread;
      });
  for (std::size_t n = 0; n < world.nodes.size(); ++n) {
    auto& link = world.link(p, sim::make_id<NodeId>(n));
    const auto renewal = [&](const Flight& flight) { return flight.request && renews(*flight.request); };
    if (std::none_of(link->flights.begin(), link->flights.end(), renewal)) continue;
    for (Flight& flight : link.write().flights)
      if (renewal(flight)) flight.request->purpose.owner = sim::no_thread;
  }
}

/// What a server keeps and cannot be asked for by what clients send: its kind knows.
void forget_in_server(World& world, const Setup& setup, NodeId n, const Traffic& traffic) {
  auto& node = world.nodes[n.index()];
  if (const auto forget = setup.kind_of(n).forget_unread)
    if (auto forgetful = forget(*node, traffic)) node = *std::move(forgetful);
}

/// A pub/sub connection that nobody is subscribed on is only read when it breaks or is closed, and nothing
/// can do that any more: no fault is left, no link is cut, the node is and stays the master of its group, and
/// the server knows no sessions.
void forget_idle_connections(World& world, const Setup& setup, ProcessId p) {
  if (!world.budget->counts.empty() || !all_happened(world) || election_may_come(world, setup)) return;
  for (std::size_t c = 0; c < world.groups.size(); ++c) {
    const Group& group = *world.groups[c];
    const Client& client = world.processes[p.index()]->clients[c];
    auto& link = world.link(p, client.master);
    if (client.master != group.master || group.learning.contains(p) || !link->listening || link->cut ||
        !link->up.empty() || !link->down.empty() || setup.kind_of(client.master).sessions ||
        setup.libraries[c]->subscribed(client))
      continue;
    link.write().listening = false;
  }
}

/// All is over: no process will do anything again, nobody is started anew, nothing is fixed to happen, and no
/// master is left that could write by itself. If no failover is offered now (Lazy), none ever is.
bool is_over(const World& world, const Setup& setup) {
  if (left_of(world, restart_process_fault) > 0 || left_of(world, restart_node_fault) > 0) return false;
  const auto follows = [&](const auto& stream) { return stream->master && world.is_up(*stream->master); };
  if (!all_happened(world)) return false;
  if (std::any_of(world.streams.begin(), world.streams.end(), follows)) return false;
  for (std::size_t p = 0; p < world.processes.size(); ++p)
    if (!is_done(world, setup, sim::make_id<ProcessId>(p))) return false;
  return !Lazy(world, setup).should_lose_nodes();
}

/// What is under way on one command connection, and what is awaited on it.
struct Exchange {
  ConnectionId connection;
  Flight* flight = nullptr;
  Pending* pending = nullptr;
  std::string content;
};

/// As the encoding of an optional one whose connection is the first.
template <class Part>
void encode_content(sim::Encoder& out, const Part* part) {
  out.number(part != nullptr ? 1 : 0);
  if (part == nullptr) return;
  const auto all_but_connection = [&](const ConnectionId&, const auto&... rest) {
    encode(out, ConnectionId{});
    (encode(out, rest), ...);
  };
  std::apply(all_but_connection, Part::fields(*part));
}

/// With one node, in the order of their contents; `awaited` may be of others, too.
std::vector<Exchange> exchanges_of(std::vector<Flight>& flights, std::vector<Pending>& awaited, NodeId node) {
  std::vector<Exchange> exchanges;
  const auto on = [&](ConnectionId connection) -> Exchange& {
    for (Exchange& exchange : exchanges)
      if (exchange.connection == connection) return exchange;
    return exchanges.emplace_back(Exchange{.connection = connection});
  };
  for (Flight& flight : flights) on(flight.connection).flight = &flight;
  for (Pending& pending : awaited)
    if (pending.node == node) on(pending.connection).pending = &pending;
  if (exchanges.size() < 2) return exchanges;
  for (Exchange& exchange : exchanges) {
    sim::Encoder out;
    encode_content(out, exchange.flight);
    encode_content(out, exchange.pending);
    exchange.content = out.bytes();
  }
  std::sort(exchanges.begin(), exchanges.end(),
            [](const Exchange& one, const Exchange& other) { return one.content < other.content; });
  return exchanges;
}

/// At most one exchange with each node, the first by its number, and what is awaited in the order of nodes.
bool exchanges_are_ordered(const World& world, const Setup& setup, ProcessId p) {
  const ConnectionId first{};
  for (std::size_t n = 0; n < world.nodes.size(); ++n) {
    const std::vector<Flight>& flights = world.link(p, sim::make_id<NodeId>(n))->flights;
    if (flights.size() > 1 || (!flights.empty() && flights.front().connection != first)) return false;
  }
  const std::vector<Client>& clients = world.processes[p.index()]->clients;
  for (std::size_t c = 0; c < clients.size(); ++c) {
    const std::vector<Pending>& pending = clients[c].pending;
    for (std::size_t i = 0; i < pending.size(); ++i) {
      if (pending[i].connection != first || setup.group_of(pending[i].node).index() != c) return false;
      if (i > 0 && pending[i].node <= pending[i - 1].node) return false;
    }
  }
  return true;
}

/// A connection's number only joins a request and its answer: no guard compares numbers or reads their order,
/// and the number that is taken next is only required to be free. The same holds for the order in which
/// requests were sent: each has a countdown of its own. So each node's exchanges with a process are put into
/// the order of their contents, and numbered so.
void order_exchanges(World& world, const Setup& setup, ProcessId p) {
  if (exchanges_are_ordered(world, setup, p)) return;
  Process& process = world.processes[p.index()].write();
  std::vector<std::vector<Pending>> awaited(process.clients.size());
  for (std::size_t n = 0; n < world.nodes.size(); ++n) {
    const auto node = sim::make_id<NodeId>(n);
    const std::size_t group = setup.group_of(node).index();
    std::vector<Flight> none, flights;
    auto& link = world.link(p, node);
    std::vector<Flight>& before = link->flights.empty() ? none : link.write().flights;
    std::size_t number = 0;
    for (const Exchange& exchange : exchanges_of(before, process.clients[group].pending, node)) {
      const auto connection = sim::make_id<ConnectionId>(number++);
      if (exchange.flight != nullptr)
        flights.emplace_back(std::move(*exchange.flight)).connection = connection;
      if (exchange.pending != nullptr)
        awaited[group].emplace_back(std::move(*exchange.pending)).connection = connection;
    }
    before = std::move(flights);
  }
  for (std::size_t c = 0; c < process.clients.size(); ++c) process.clients[c].pending = std::move(awaited[c]);
}

}  // namespace

bool is_done(const World& world, const Setup& setup, ProcessId p) {
  const Process& process = *world.processes[p.index()];
  if (has_work(process, setup)) return false;
  for (std::size_t c = 0; c < process.clients.size(); ++c)
    if (setup.libraries[c]->subscribed(process.clients[c])) return false;
  for (std::size_t n = 0; n < world.nodes.size(); ++n) {
    const auto& link = world.link(p, sim::make_id<NodeId>(n));
    if (!link->empty() || (link->listening && setup.nodes[n].kind->sessions)) return false;
  }
  return true;
}

Traffic traffic_of(const Setup& setup) { return {setup.script_sets(), setup.use_script_cache}; }

bool is_gone(const World& world, const Setup& setup, NodeId n) {
  // A jump of its clock, or what befalls its data by a fixed fault, would be told to its replicas even now.
  const auto revives = [&](FaultId fault) {
    const FaultRow* row = world_fault(fault);
    return row == nullptr ? server_fault(fault, setup).fault->of_what_is_stored
                          : row == &restart_node_fault || row == &clock_jump_fault;
  };
  return !world.is_up(n) && left_of(world, restart_node_fault) == 0 &&
         left_of(world, clock_jump_fault) == 0 &&
         !will_happen(world, setup, revives, n.index());
}

void forget_unread(World& world, const Setup& setup, ProcessId p) {
  forget_ended_threads(world, p);
  forget_clients(world, setup, p);
  forget_owners(world, setup, p);
  forget_idle_connections(world, setup, p);
}

void forget_unread(World& world, const Setup& setup, NodeId n) {
  forget_in_server(world, setup, n, traffic_of(setup));
}

/// Who is elected after this master will have what it has (ServerKind::take_over).
bool is_handed_over(const World& world, const Setup& setup, std::size_t n) {
  return setup.nodes[n].kind->take_over != nullptr && world.group(setup.nodes[n].group).master.index() == n;
}

/// What a node stores that is down for good is never read again. What its replicas had not seen was noted
/// when it crashed; only a failover reads that.
void forget_gone_nodes(World& world, const Setup& setup) {
  for (std::size_t n = 0; n < world.nodes.size(); ++n)
    if (is_gone(world, setup, sim::make_id<NodeId>(n)) && !is_handed_over(world, setup, n))
      world.nodes[n] = setup.nodes[n].kind->make({});
  for (std::size_t r = 0; r < world.streams.size(); ++r) {
    if (!world.streams[r]->missed_writes) continue;
    const bool may_come = left_of(world, failover_fault) > 0 || will_happen(world, setup, is_failover, r) ||
                          election_may_come(world, setup);
    if (!may_come || is_over(world, setup)) world.streams[r].write().missed_writes = false;
  }
}

void forget_unread(World& world, const Setup& setup) {
  for (std::size_t p = 0; p < world.processes.size(); ++p)
    forget_unread(world, setup, sim::make_id<ProcessId>(p));
  const Traffic traffic = traffic_of(setup);
  for (std::size_t n = 0; n < world.nodes.size(); ++n)
    forget_in_server(world, setup, sim::make_id<NodeId>(n), traffic);
  forget_gone_nodes(world, setup);
}

void put_in_order(World& world, const Setup& setup, ProcessId p) {
  order_exchanges(world, setup, p);
  Process& process = world.processes[p.index()].write();
  for (std::size_t c = 0; c < process.clients.size(); ++c)
    setup.libraries[c]->put_in_order(process.clients[c]);
}

void put_in_order(World& world, const Setup& setup) {
  for (std::size_t p = 0; p < world.processes.size(); ++p)
    put_in_order(world, setup, sim::make_id<ProcessId>(p));
}

}  // namespace lockstep::model
