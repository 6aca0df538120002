#include "model/world/lazy.h"

#include <algorithm>

#include "model/client/machine.h"
#include "model/client/requests.h"
#include "model/world/asking.h"
#include "model/world/faults/table.h"
#include "model/world/fixed.h"
#include "model/world/identity.h"
#include "model/world/watch.h"
#include "sim/base/passing.h"

namespace lockstep::model {

namespace {

bool is_due(Duration left) { return left <= Duration::zero(); }

bool in_one_of(const std::vector<bool>& all, bool value) {
  return std::find(all.begin(), all.end(), value) != all.end();
}

}  // namespace

/// The process could take a step now if it ran: a thread, a timer, an answer, a message, a new connection, or
/// what it must learn at last. Steps of a process begin here, and nowhere else.
bool Lazy::is_ready(std::size_t p) const {
  const Process& process = *world_.processes[p];
  if (process.life == Process::Life::dead || counts_as_done(p)) return false;
  for (const ThreadId thread : setup_.processes[p].threads)
    if (runnable(process, setup_, thread, *world_.signals)) return true;
  if (!due_timers(process, setup_).empty() || !due_requests(process).empty() || has_unaimed(process))
    return true;
  for (std::size_t n = 0; n < world_.nodes.size(); ++n) {
    const Link& link = *world_.links[p * world_.nodes.size() + n];
    if (link.is_timing_out()) return true;
    if (link.cut) continue;
    const auto arrives = [](const Flight& flight) { return flight.reply && flight.transit.deliverable(); };
    if (std::any_of(link.flights.begin(), link.flights.end(), arrives)) return true;
    if (!link.down.empty() && link.down.front().transit.deliverable()) return true;
  }
  const auto id = sim::make_id<ProcessId>(p);
  return is_reconnecting(p) ||
         std::any_of(world_.groups.begin(), world_.groups.end(), [&](const auto& group) {
           const auto window = group->learning.find(id);
           return window != group->learning.end() && window->second.must();
         });
}

bool Lazy::counts_as_done(std::size_t p) const {
  return setup_.reductions.identity && is_done(world_, setup_, sim::make_id<ProcessId>(p));
}

bool Lazy::is_reconnecting(std::size_t p) const {
  const auto& clients = world_.processes[p]->clients;
  return std::any_of(clients.begin(), clients.end(), [&](const Client& client) {
    const Link& link = *world_.link(sim::make_id<ProcessId>(p), client.master);
    return link.broken && !link.cut && world_.answers(client.master);
  });
}

std::uint16_t Lazy::left(const FaultRow& fault) const { return (*world_.budget)[fault_id(fault)]; }

bool Lazy::has_traffic(std::size_t p) const {
  for (std::size_t n = 0; n < world_.nodes.size(); ++n)
    if (!world_.links[p * world_.nodes.size() + n]->empty()) return true;
  return false;
}

/// For something that no clock brings.
bool Lazy::waits_for_ever(std::size_t p) const {
  return sim::next_deadline(*world_.processes[p]) == sim::never;
}

bool Lazy::is_request_under_way() const {
  for (const auto& link : world_.links)
    if (std::any_of(link->flights.begin(), link->flights.end(),
                    [](const Flight& flight) { return flight.request.has_value(); }))
      return true;
  return std::any_of(world_.streams.begin(), world_.streams.end(),
                     [](const auto& stream) { return !stream->batches.empty(); });
}

/// Or may become due with any move.
bool Lazy::fixed_fault_is_due() const {
  return std::any_of(world_.fixed_left->begin(), world_.fixed_left->end(),
                     [](Duration left) { return is_due(left) || left == awaits_event; });
}

/// Roles of nodes settle.
bool Lazy::is_settling() const {
  return std::any_of(world_.groups.begin(), world_.groups.end(), [&](const auto& group) {
    return std::any_of(group->demotion.begin(), group->demotion.end(),
                       [&](const auto& one) { return world_.is_up(one.first); }) ||
           std::any_of(group->detached.begin(), group->detached.end(),
                       [&](NodeId node) { return world_.is_up(node); });
  });
}

/// Nothing is under way, and nobody who runs can do anything: all that may happen is that time passes.
bool Lazy::is_quiet() const {
  if (fixed_fault_is_due() || is_settling()) return false;
  for (const auto& link : world_.links)
    if (!link->empty()) return false;
  for (const auto& stream : world_.streams)
    if (!stream->batches.empty() || !stream->acks.empty()) return false;
  for (std::size_t p = 0; p < world_.processes.size(); ++p)
    if (world_.processes[p]->life == Process::Life::running && is_ready(p)) return false;
  return true;
}

bool Lazy::another_failover_may_come() const {
  if (left(failover_fault) > 0 || election_may_come(world_, setup_)) return true;
  for (std::size_t f = 0; f < setup_.fixed.size(); ++f)
    if (setup_.fixed[f].fault == fault_id(failover_fault) && (*world_.fixed_left)[f] != sim::never)
      return true;
  return false;
}

bool Lazy::is_resubscribing(ProcessId p) const {
  const Process& process = *world_.processes[p.index()];
  for (std::size_t c = 0; c < process.clients.size(); ++c)
    if (setup_.libraries[c]->settling(process.clients[c])) return true;
  return false;
}

// Learning redirects what the process sends later, and moves its subscriptions. What it sends later it sends
// in a step of its own, before which learning is offered. A subscription that stands only matters once
// somebody publishes, which takes a request or an effect under way; one that opens or closes may let threads
// go on, so when matters as well. Waiters count as live for granted-in-time once they know the master, at
// the earliest when the window opens. If another failover may come, the process may have learned of this one
// before.
bool Lazy::should_learn(ProcessId p, GroupId group) const {
  const Due& window = world_.group(group).learning.at(p);
  if (!setup_.reductions.learning || window.must() || is_ready(p.index()) || fixed_fault_is_due())
    return true;
  if (another_failover_may_come() || is_resubscribing(p)) return true;
  const Process& process = *world_.processes[p.index()];
  const Interval& learn = setup_.limits.learn;
  if (window.latest == learn.hi - learn.lo && std::any_of(process.threads.begin(), process.threads.end(),
                                                          [](const Thread& thread) { return waits(thread); }))
    return true;
  const bool listens =
      setup_.libraries[group.index()]->subscribed(process.clients[group.index()]).has_value();
  return listens && (is_request_under_way() || has_traffic(p.index()));
}

// A pause holds the steps of its process back, and nothing else.
bool Lazy::should_pause(std::size_t p) const {
  return !setup_.reductions.faults || is_ready(p) || fixed_fault_is_due();
}

bool Lazy::should_resume(std::size_t p) const {
  if (!setup_.reductions.faults || is_ready(p) || fixed_fault_is_due()) return true;
  const auto id = sim::make_id<ProcessId>(p);
  for (std::size_t g = 0; g < world_.groups.size(); ++g) {
    const auto window = world_.groups[g]->learning.find(id);
    if (window == world_.groups[g]->learning.end() || !window->second.may()) continue;
    if (should_learn(id, sim::make_id<GroupId>(g))) return true;
  }
  return world_.processes[p]->pause_left.due();
}

// A crash ends the steps of its process and drops what is under way to it; a process that still listens to a
// node is noticed there when a message is published to it, which is then under way. One whose next step is
// brought by no clock may have none, so for it there may be no later moment. A server notices at once that a
// session has lost its client.
bool Lazy::should_crash(std::size_t p) const {
  return !setup_.reductions.faults || is_ready(p) || has_traffic(p) || waits_for_ever(p) ||
         fixed_fault_is_due() || is_in_session(p);
}

bool Lazy::is_in_session(std::size_t p) const {
  for (std::size_t n = 0; n < world_.nodes.size(); ++n)
    if (setup_.nodes[n].kind->sessions && world_.links[p * world_.nodes.size() + n]->listening) return true;
  return false;
}

// A cut holds back what is under way on its link, and a new connection over it. What is sent over a link that
// is cut is under way on it. If it may last until connections time out, its beginning says when that is.
bool Lazy::should_cut(LinkId id) const {
  const bool done = counts_as_done(id.process.index());
  return holds_something_back(id) || (cuts_may_time_out(setup_) && !done);
}

bool Lazy::holds_something_back(LinkId id) const {
  const Link& link = *world_.link(id.process, id.node);
  return !setup_.reductions.faults || !link.empty() || (link.broken && !counts_as_done(id.process.index())) ||
         fixed_fault_is_due();
}

// Over a link whose connections have timed out nothing is sent, so it matters in a step of the process. If
// there may be another cut, that one may begin when this one has ended.
bool Lazy::should_heal(LinkId id) const {
  const Link& link = *world_.link(id.process, id.node);
  if (holds_something_back(id) || is_due(link.cut_left) || link.is_timing_out()) return true;
  return (link.timed_out && is_ready(id.process.index())) ||
         (cuts_may_time_out(setup_) && left(cut_link_fault) > 0);
}

// Where nodes judge each other, a crash begins a countdown, so when it comes is felt. Elsewhere a failover
// opens the windows for learning, which would open later with a later failover; that is no loss if
// they open at once. A jump or an eviction has effects at a time of its own, and on the current master; a
// server that saves by itself has other data to come back with, and one that loads them serves later.
bool Lazy::nodes_are_lazy() const {
  return setup_.reductions.faults && !setup_.is_watched() && setup_.limits.learn.lo == Duration::zero() &&
         left(clock_jump_fault) == 0 && setup_.save.empty() && setup_.loading == Duration::zero() &&
         !servers_may_change();
}

// The connection is made anew at once, and without delays so is what went over it: that it was not there is
// felt by what somebody publishes, and by what was under way on it. Who is done does not care.
bool Lazy::should_break(LinkId id) const {
  if (counts_as_done(id.process.index())) return false;
  const Link& link = *world_.link(id.process, id.node);
  return !setup_.reductions.faults || setup_.network.kind != NetworkKind::no_delay || !link.up.empty() ||
         !link.down.empty() || is_request_under_way() || is_ready(id.process.index()) || fixed_fault_is_due();
}

// A stall holds the steps of its thread back, and nothing else.
bool Lazy::should_stall(ThreadId thread) const {
  const Process& process = *world_.processes[setup_.threads[thread.index()].process.index()];
  return !setup_.reductions.faults || has_step(process, setup_, thread, *world_.signals) ||
         fixed_fault_is_due();
}

bool Lazy::should_unstall(ThreadId thread) const {
  const ThreadSetup& its = setup_.threads[thread.index()];
  return should_stall(thread) || world_.processes[its.process.index()]->stalled.at(its.place).due();
}

// The pause of a node holds back what arrives there, new connections, and what it does by itself; and the
// node may be replaced meanwhile.
bool Lazy::should_pause_node(std::size_t n) const {
  if (!setup_.reductions.faults || fixed_fault_is_due() || is_settling() || another_failover_may_come())
    return true;
  const auto due = setup_.nodes[n].kind->has_due;
  if (due != nullptr && due(*world_.nodes[n])) return true;
  if (!world_.streams[n]->batches.empty()) return true;
  const auto acknowledges = [&](const auto& stream) {
    return !stream->acks.empty() && stream->master->index() == n;
  };
  if (std::any_of(world_.streams.begin(), world_.streams.end(), acknowledges)) return true;
  for (std::size_t p = 0; p < world_.processes.size(); ++p) {
    const Link& link = *world_.links[p * world_.nodes.size() + n];
    if (!link.empty() || (link.broken && !counts_as_done(p))) return true;
  }
  return false;
}

bool Lazy::should_resume_node(std::size_t n) const {
  return should_pause_node(n) || (*world_.pauses)[n].due();
}

/// By faults of their kind that befall what they store.
bool Lazy::servers_may_change() const {
  for (std::size_t f = 0; f < world_.budget->counts.size(); ++f) {
    const auto fault = sim::make_id<FaultId>(f);
    if (world_.budget->counts[f] == 0 || world_fault(fault) != nullptr) continue;
    if (server_fault(fault, setup_).fault->of_what_is_stored) return true;
  }
  return false;
}

// A node that crashes drops what is under way to it, from it and to its replicas, and breaks connections; a
// failover chooses between what the master and the replica know. If all is quiet, the next event changes
// neither but by keys that die, and of those both know. Where no time passes any more there is no next event.
bool Lazy::should_lose_nodes() const {
  if (!nodes_are_lazy() || !is_quiet()) return true;
  const auto ended = [](const auto& process) { return all_ended(*process); };
  return !std::all_of(world_.processes.begin(), world_.processes.end(), ended) && !time_step(world_, setup_);
}

bool Lazy::may_begin_in_a_gap() const {
  for (std::size_t f = 0; f < world_.budget->counts.size(); ++f) {
    const auto fault = sim::make_id<FaultId>(f);
    if (world_.budget->counts[f] == 0) continue;
    const FaultRow* row = world_fault(fault);
    if (row == nullptr) {
      if (matters(*server_fault(fault, setup_).fault, setup_)) return true;
    } else if (!row->at_any_time) {
      continue;
    } else if (row == &crash_node_fault || row == &failover_fault) {
      if (!nodes_are_lazy()) return true;
    } else if (!setup_.reductions.faults) {
      return true;
    } else if (row == &restart_node_fault) {
      if (in_one_of(*world_.up, false)) return true;
    } else if (row == &restart_process_fault) {
      if (std::any_of(world_.processes.begin(), world_.processes.end(),
                      [](const auto& process) { return process->life == Process::Life::dead; }))
        return true;
    } else if (row == &cut_link_fault) {
      if (cuts_may_time_out(setup_)) return true;
    } else if (row == &pause_node_fault) {
      if (another_failover_may_come()) return true;
    } else if (row == &break_connection_fault) {
      if (setup_.network.kind != NetworkKind::no_delay) return true;
    } else if (row != &pause_process_fault && row != &crash_process_fault && row != &stall_thread_fault) {
      return true;
    }
  }
  return false;
}

bool Lazy::may_settle_in_a_gap() const {
  if (is_electing(world_)) return true;
  for (const auto& group : world_.groups) {
    if (!group->demotion.empty()) return true;
    for (const auto& [process, window] : group->learning) {
      if (counts_as_done(process.index())) continue;
      if (!setup_.reductions.learning || another_failover_may_come() || is_resubscribing(process))
        return true;
    }
  }
  return false;
}

bool Lazy::may_act_in_a_gap() const { return may_begin_in_a_gap() || may_settle_in_a_gap(); }

}  // namespace lockstep::model
