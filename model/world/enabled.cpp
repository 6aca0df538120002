// enabled.cpp: what may happen next in a world, dullest first (the order of MoveKind).
#include <algorithm>

#include "model/world/world.h"

namespace lockstep::model {

namespace {

using redisson::Process;

struct Listing {
  const World& world;
  const Setup& setup;
  std::vector<Move>& moves;

  const Situation& situation() const { return *world.situation; }
  void add(MoveKind kind, std::size_t a = 0, std::size_t b = 0, std::size_t c = 0, std::int64_t amount = 0) {
    moves.push_back({kind, static_cast<std::uint16_t>(a), static_cast<std::uint16_t>(b),
                     static_cast<std::uint16_t>(c), amount});
  }
  bool running(std::size_t p) const { return world.processes[p]->life == Process::Life::running; }
  bool alive(std::size_t p) const { return world.processes[p]->life != Process::Life::dead; }

  template <class Visit>
  void each_link(Visit visit) const {
    for (std::size_t p = 0; p < world.processes.size(); ++p)
      for (std::size_t n = 0; n < world.nodes.size(); ++n)
        visit(p, n, *world.links[p * world.nodes.size() + n]);
  }
};

/// Deliveries: replies and pushes to processes that run, requests to nodes that are up, over links that are
/// whole.
void list_messages(Listing& list) {
  list.each_link([&](std::size_t p, std::size_t n, const Link& link) {
    if (link.cut || !list.running(p)) return;
    for (const Flight& flight : link.flights)
      if (flight.reply && flight.transit.deliverable())
        list.add(MoveKind::reply, p, n, flight.connection.value);
  });
  list.each_link([&](std::size_t p, std::size_t n, const Link& link) {
    if (link.cut || !list.situation().up[n]) return;
    for (const Flight& flight : link.flights)
      if (flight.request && flight.transit.deliverable())
        list.add(MoveKind::request, p, n, flight.connection.value);
  });
  list.each_link([&](std::size_t p, std::size_t n, const Link& link) {
    if (link.cut) return;
    if (!link.down.empty() && link.down.front().transit.deliverable() && list.running(p))
      list.add(MoveKind::push, p, n);
  });
  list.each_link([&](std::size_t p, std::size_t n, const Link& link) {
    if (link.cut) return;
    if (!link.up.empty() && link.up.front().transit.deliverable() && list.situation().up[n])
      list.add(MoveKind::channel, p, n);
  });
  for (std::size_t n = 0; n < list.world.streams.size(); ++n) {
    const Stream& stream = *list.world.streams[n];
    if (stream.batches.empty() || stream.lagging || !list.situation().up[n]) continue;
    if (stream.batches.front().transit.deliverable()) list.add(MoveKind::effects, stream.master->index(), n);
  }
}

void list_process_steps(Listing& list) {
  for (std::size_t t = 0; t < list.setup.threads.size(); ++t) {
    const std::size_t p = list.setup.threads[t].process.index();
    if (!list.running(p)) continue;
    if (redisson::runnable(*list.world.processes[p], list.setup, sim::make_id<ThreadId>(t),
                           list.situation().signals))
      list.add(MoveKind::run, t);
  }
  for (std::size_t p = 0; p < list.world.processes.size(); ++p) {
    if (!list.running(p)) continue;
    const auto& timers = list.world.processes[p]->watchdog.timers;
    for (std::size_t i = 0; i < timers.size(); ++i)
      if (timers[i].left <= Duration::zero()) list.add(MoveKind::renew, p, i);
  }
  for (std::size_t p = 0; p < list.world.processes.size(); ++p) {
    if (!list.running(p)) continue;
    for (const redisson::Pending& pending : list.world.processes[p]->pending)
      if (pending.left <= Duration::zero())
        list.add(MoveKind::time_out, p, pending.node.index(), pending.connection.value);
  }
}

/// Roles settle: nobody pays for these.
void list_settling(Listing& list) {
  const Situation& situation = list.situation();
  const auto may = [](const std::optional<Settling>& settling) {
    return settling && settling->earliest <= Duration::zero();
  };
  const bool master_up = situation.up[situation.master.index()];
  for (std::size_t p = 0; p < situation.learning.size(); ++p)
    if (may(situation.learning[p]) && list.running(p)) list.add(MoveKind::learn, p);
  for (std::size_t n = 0; n < situation.demotion.size(); ++n)
    if (may(situation.demotion[n]) && situation.up[n] && master_up) list.add(MoveKind::demote, n);
  for (std::size_t n = 0; n < situation.detached.size(); ++n)
    if (situation.detached[n] && situation.up[n] && master_up) list.add(MoveKind::resync, n);
  list.each_link([&](std::size_t p, std::size_t n, const Link& link) {
    const bool wanted = list.running(p) && list.world.processes[p]->master.index() == n;
    if (link.broken && wanted && !link.cut && situation.up[n]) list.add(MoveKind::reconnect, p, n);
  });
  for (std::size_t f = 0; f < situation.fixed_left.size(); ++f)
    if (situation.fixed_left[f] <= Duration::zero()) list.add(MoveKind::fixed, f);
}

void list_endings(Listing& list) {
  for (std::size_t p = 0; p < list.world.processes.size(); ++p)
    if (list.world.processes[p]->life == Process::Life::paused) list.add(MoveKind::resume, p);
  list.each_link([&](std::size_t p, std::size_t n, const Link& link) {
    if (link.cut) list.add(MoveKind::heal, p, n);
  });
  for (std::size_t n = 0; n < list.world.streams.size(); ++n)
    if (list.world.streams[n]->lagging) list.add(MoveKind::unlag, n);
  list.each_link([&](std::size_t p, std::size_t n, const Link& link) {
    for (const Flight& flight : link.flights)
      if (flight.transit.held)
        list.add(flight.reply ? MoveKind::release_reply : MoveKind::release_request, p, n,
                 flight.connection.value);
    if (!link.down.empty() && link.down.front().transit.held) list.add(MoveKind::release_push, p, n);
    if (!link.up.empty() && link.up.front().transit.held) list.add(MoveKind::release_channel, p, n);
  });
}

void list_node_faults(Listing& list) {
  const Situation& situation = list.situation();
  for (std::size_t n = 0; n < list.world.nodes.size(); ++n)
    if (situation.budget.crash_node > 0 && situation.up[n]) list.add(MoveKind::crash_node, n);
  const bool may_fail_over =
      !list.setup.limits.failover_needs_dead_master || !situation.up[situation.master.index()];
  for (std::size_t n = 0; n < list.world.nodes.size() && may_fail_over; ++n) {
    const bool attached = list.world.streams[n]->master == situation.master;
    if (situation.budget.failover > 0 && situation.up[n] && attached) list.add(MoveKind::failover, n);
  }
  for (std::size_t n = 0; n < list.world.nodes.size(); ++n)
    if (situation.budget.restart_node > 0 && !situation.up[n]) list.add(MoveKind::restart_node, n);
}

void list_process_faults(Listing& list) {
  const FaultBudget& budget = list.situation().budget;
  const auto has_work = [&](std::size_t p) {
    const Process& process = *list.world.processes[p];
    return std::any_of(process.threads.begin(), process.threads.end(),
                       [](const redisson::Thread& thread) {
                         return !std::holds_alternative<redisson::Ended>(thread.activity);
                       }) ||
           !process.watchdog.timers.empty() || !process.pending.empty();
  };
  for (std::size_t p = 0; p < list.world.processes.size(); ++p)
    if (budget.crash_process > 0 && list.alive(p) && has_work(p)) list.add(MoveKind::crash_process, p);
  for (std::size_t p = 0; p < list.world.processes.size(); ++p)
    if (budget.restart_process > 0 && !list.alive(p)) list.add(MoveKind::restart_process, p);
  for (std::size_t p = 0; p < list.world.processes.size(); ++p)
    if (budget.pause_process > 0 && list.running(p) && has_work(p)) list.add(MoveKind::pause, p);
}

/// Losing and holding, of every message that is under way and not held already. Only the head of a queue can
/// be held, since what follows it waits anyway.
void list_message_faults(Listing& list, bool lose) {
  list.each_link([&](std::size_t p, std::size_t n, const Link& link) {
    for (const Flight& flight : link.flights) {
      if (flight.transit.held) continue;
      const MoveKind reply = lose ? MoveKind::lose_reply : MoveKind::hold_reply;
      const MoveKind request = lose ? MoveKind::lose_request : MoveKind::hold_request;
      list.add(flight.reply ? reply : request, p, n, flight.connection.value);
    }
    if (!link.down.empty() && !link.down.front().transit.held)
      list.add(lose ? MoveKind::lose_push : MoveKind::hold_push, p, n);
    if (!link.up.empty() && !link.up.front().transit.held)
      list.add(lose ? MoveKind::lose_channel : MoveKind::hold_channel, p, n);
  });
}

void list_other_faults(Listing& list) {
  const FaultBudget& budget = list.situation().budget;
  if (budget.cut_link > 0)
    list.each_link([&](std::size_t p, std::size_t n, const Link& link) {
      if (!link.cut && list.alive(p)) list.add(MoveKind::cut, p, n);
    });
  for (std::size_t n = 0; n < list.world.streams.size(); ++n)
    if (budget.replica_lag > 0 && list.world.streams[n]->master && !list.world.streams[n]->lagging)
      list.add(MoveKind::lag, n);
  for (std::size_t n = 0; n < list.world.nodes.size(); ++n)
    if (budget.clock_jump > 0)
      for (const Duration jump : list.setup.limits.clock_jumps)
        list.add(MoveKind::jump, n, 0, 0, jump.count());
  for (std::size_t t = 0; t < list.setup.threads.size(); ++t) {
    const std::size_t p = list.setup.threads[t].process.index();
    if (budget.interrupt_thread == 0 || !list.running(p)) continue;
    if (redisson::interruptible(*list.world.processes[p], list.setup, sim::make_id<ThreadId>(t)))
      list.add(MoveKind::interrupt, t);
  }
  const std::size_t master = list.situation().master.index();
  if (budget.evict_key > 0 && list.situation().up[master])
    for (std::size_t k = 0; k < list.world.nodes[master]->db.size(); ++k)
      list.add(MoveKind::evict, master, k);
  for (std::size_t n = 0; n < list.world.nodes.size(); ++n)
    if (budget.flush_scripts > 0 && !list.world.nodes[n]->scripts.empty()) list.add(MoveKind::flush, n);
}

}  // namespace

void enabled(const World& world, const Setup& setup, std::vector<Move>& moves) {
  moves.clear();
  Listing list{world, setup, moves};
  list_messages(list);
  list_process_steps(list);
  list_settling(list);
  if (const auto step = time_step(world, setup)) list.add(MoveKind::pass, 0, 0, 0, step->count());
  list_endings(list);
  if (world.situation->budget.none()) return;
  list_node_faults(list);
  list_process_faults(list);
  if (world.situation->budget.lose_message > 0) list_message_faults(list, true);
  if (world.situation->budget.delay_message > 0) list_message_faults(list, false);
  list_other_faults(list);
}

}  // namespace lockstep::model
