#include "model/world/facts.h"

#include <algorithm>

#include <fmt/format.h>

#include "model/client/lock_kind.h"
#include "model/client/machine.h"
#include "model/program/interpreter.h"
#include "model/world/identity.h"
#include "model/world/locks_under.h"
#include "model/world/watch.h"

namespace lockstep::model {

namespace {

using Looks = std::vector<std::optional<Look>>;

/// While keys move between two servers, one look is at both.
Look look_at(const World& world, const Setup& setup, NodeId node) {
  Look look = setup.kind_of(node).look(*world.nodes[node.index()]);
  look.now_ms = setup.epoch_ms + world.now.since_start.count();
  const GroupId group = setup.group_of(node);
  const auto target = moves_to(world, setup, group);
  if (!target || !is_in_charge(world, setup, node)) return look;
  const NodeId other = node == *target ? world.group(group).master : *target;
  look.other = setup.kind_of(other).look(*world.nodes[other.index()]).server;
  return look;
}

/// By group: the data of its master, if that is up.
Looks masters(const World& world, const Setup& setup) {
  Looks looks;
  for (const auto& group : world.groups) {
    looks.emplace_back();
    if (world.is_up(group->master)) looks.back() = look_at(world, setup, group->master);
  }
  return looks;
}

/// The process sends to the masters on which an object is stored, and can.
bool reaches_masters(const World& world, const Setup& setup, ProcessId process, std::uint16_t object) {
  for (std::size_t g = 0; g < world.groups.size(); ++g) {
    if (!lies_on(setup, object, sim::make_id<GroupId>(g))) continue;
    const NodeId master = world.groups[g]->master;
    if (!world.answers(master) || world.processes[process.index()]->clients[g].master != master) return false;
    if (world.link(process, master)->cut) return false;
  }
  return true;
}

}  // namespace

std::optional<Truth> truth_served_by(const World& world, const Setup& setup, NodeId node,
                                     const Purpose& purpose) {
  Looks looks = masters(world, setup);
  looks[setup.group_of(node).index()] = look_at(world, setup, node);
  return shape_of(setup, purpose.object).truth(looks, setup, purpose.object, purpose.lock);
}

std::vector<StoredLock> locks_served_by(const World& world, const Setup& setup, NodeId node) {
  Looks looks = masters(world, setup);
  const GroupId group = setup.group_of(node);
  const Look look = look_at(world, setup, node);
  looks[group.index()] = look;
  std::vector<StoredLock> found;
  for (const std::string& key : look.all())
    for (const Lying& one : locks_under(key, group, setup)) {
      auto truth = shape_of(setup, one.object).truth(looks, setup, one.object, one.lock);
      if (truth) found.push_back({one.object, one.lock, *std::move(truth)});
    }
  return found;
}

std::optional<NodeId> Facts::master(GroupId group) const {
  const NodeId master = world_.group(group).master;
  if (!world_.is_up(master)) return std::nullopt;
  return master;
}

bool Facts::all_masters_up() const {
  return std::all_of(world_.groups.begin(), world_.groups.end(),
                     [&](const auto& group) { return world_.is_up(group->master); });
}

std::optional<Truth> Facts::truth(std::uint16_t object, const std::string& lock) const {
  return shape_of(setup_, object).truth(masters(world_, setup_), setup_, object, lock);
}

bool Facts::held_by(std::uint16_t object, const std::string& lock, ThreadId thread) const {
  const auto now = truth(object, lock);
  const std::string holder = holder_name(setup_, thread, incarnation(thread), client_of(setup_, object));
  return now && (now->find(holder) != nullptr || now->find(holder, Mode::shared) != nullptr);
}

/// What lies on all groups is looked at on this node and on the masters of the others.
std::optional<std::string> Facts::lock_without_ttl() const {
  const Looks of_masters = masters(world_, setup_);
  for (std::size_t n = 0; n < world_.nodes.size(); ++n) {
    if (!(*world_.up)[n]) continue;
    const GroupId group = setup_.nodes[n].group;
    const Look look = look_at(world_, setup_, sim::make_id<NodeId>(n));
    Looks looks = of_masters;
    looks[group.index()] = look;
    for (const std::string& key : look.all()) {
      for (const Lying& one : locks_under(key, group, setup_)) {
        if (!kind_of(setup_, one.object).promises.expires) continue;
        const auto truth = shape_of(setup_, one.object).truth(looks, setup_, one.object, one.lock);
        if (truth && std::any_of(truth->holds.begin(), truth->holds.end(),
                                 [](const Hold& hold) { return !hold.left.has_value(); }))
          return key;
      }
    }
  }
  return std::nullopt;
}

/// A future waits on where its thread takes no step.
template <class Visit>
void Facts::for_each_wait(ThreadId thread, bool in_force, Visit visit) const {
  const ThreadSetup& its = setup_.threads[thread.index()];
  const Process& process = *world_.processes[its.process.index()];
  if (in_force && process.life != Process::Life::running) return;
  for_each_waiting_call(process.threads[its.place], [&](const Call& call, bool lived_through) {
    if (!kind_of(setup_, call.object).is_lock()) return;
    if (in_force && lived_through && is_stalled(process, setup_, thread)) return;
    if (in_force && !reaches_masters(world_, setup_, its.process, call.object)) return;
    visit(Wait{thread, call.object, call.lock, resource_of(call, setup_)});
  });
}

namespace {

void add_once(std::vector<Facts::Wait>& waits, Facts::Wait wait) {
  if (std::find(waits.begin(), waits.end(), wait) == waits.end()) waits.push_back(std::move(wait));
}

}  // namespace

std::vector<std::string> Facts::Wait::locks(const Setup& setup) const {
  if (!kind_of(setup, object).shares_key) return {lock};
  std::vector<std::string> names;
  for (const std::uint16_t one : locks_of(setup, object))
    names.push_back(resource_name(setup.objects[one].group, setup.objects[one].name));
  return names;
}

std::vector<Facts::Wait> Facts::waiters() const {
  std::vector<Wait> waits;
  for (std::size_t t = 0; t < setup_.threads.size(); ++t)
    if (!process_dead(setup_.threads[t].process))
      for_each_wait(sim::make_id<ThreadId>(t), false, [&](Wait wait) { add_once(waits, std::move(wait)); });
  return waits;
}

std::vector<Facts::Wait> Facts::live_waiters() const {
  std::vector<Wait> waits;
  for (std::size_t t = 0; t < setup_.threads.size(); ++t)
    for_each_wait(sim::make_id<ThreadId>(t), true, [&](Wait wait) { add_once(waits, std::move(wait)); });
  return waits;
}

std::vector<Facts::Wait> Facts::waited_for(ProcessId id) const {
  std::vector<Wait> waits;
  for (const ThreadId thread : setup_.processes[id.index()].threads)
    for_each_wait(thread, true, [&](Wait wait) {
      const bool known = std::any_of(waits.begin(), waits.end(), [&](const Wait& one) {
        return one.object == wait.object && one.key == wait.key;
      });
      if (!known) waits.push_back(std::move(wait));
    });
  return waits;
}

std::vector<Purpose> Facts::awaited(ProcessId process) const {
  std::vector<Purpose> all;
  for (const Client& client : world_.processes[process.index()]->clients)
    for (const Pending& pending : client.pending)
      for (Purpose& part : judged_parts(pending.request.purpose, setup_)) all.push_back(std::move(part));
  return all;
}

bool Facts::links_whole(ProcessId process, GroupId group) const {
  for (std::size_t n = 0; n < world_.nodes.size(); ++n)
    if (setup_.nodes[n].group == group && world_.link(process, sim::make_id<NodeId>(n))->cut) return false;
  return true;
}

bool Facts::hears(ProcessId process, NodeId node) const {
  const std::size_t group = setup_.group_of(node).index();
  const Client& client = world_.processes[process.index()]->clients[group];
  const Link& link = *world_.link(process, node);
  // A connection that nobody is subscribed on may be forgotten (identity.cpp): it must not be told from none.
  if (!setup_.kind_of(node).sessions && !setup_.libraries[group]->subscribed(client)) return false;
  return client.master == node && link.listening && !link.broken && !link.cut && link.up.empty();
}

bool Facts::message_under_way(ProcessId process) const {
  for (std::size_t n = 0; n < world_.nodes.size(); ++n)
    if (!world_.link(process, sim::make_id<NodeId>(n))->down.empty()) return true;
  return false;
}

Duration Facts::lease_of_call(ThreadId thread) const {
  const ThreadSetup& its = setup_.threads[thread.index()];
  const auto& call = world_.processes[its.process.index()]->threads[its.place].call;
  const Duration watchdog = setup_.client_of(its.process).watchdog;
  if (!call) return watchdog;
  const auto* outer = call->outer.get_if<Outer>();
  return (outer != nullptr ? outer->call : *call).lease.value_or(watchdog);
}

bool Facts::waits_as(const std::string& holder, const std::string& lock) const {
  const std::optional<Known> known = thread_of(holder);
  if (!known || known->dead) return false;
  bool any = false;
  for_each_wait(known->thread, false, [&](const Wait& wait) { any = any || wait.lock == lock; });
  return any;
}

bool Facts::waits(ThreadId thread) const {
  bool any = false;
  for_each_wait(thread, false, [&](const Wait&) { any = true; });
  return any;
}

std::int64_t Facts::clock_of(ProcessId process) const {
  const Duration wall = world_.now.since_start + setup_.processes[process.index()].clock_offset;
  return setup_.epoch_ms + wall.count();
}

std::uint16_t Facts::incarnation(ThreadId thread) const {
  return world_.processes[setup_.process_of(thread).index()]->incarnation;
}

bool Facts::process_dead(ProcessId process) const {
  return world_.processes[process.index()]->life == Process::Life::dead;
}

bool Facts::sender_dead(const Purpose& purpose) const {
  const ProcessId process = setup_.threads[purpose.thread.index()].process;
  return process_dead(process) || world_.processes[process.index()]->incarnation != purpose.incarnation;
}

bool Facts::process_paused(ProcessId process) const {
  return world_.processes[process.index()]->life == Process::Life::paused;
}

bool Facts::knows_master(ProcessId process) const {
  for (std::size_t g = 0; g < world_.groups.size(); ++g)
    if (world_.processes[process.index()]->clients[g].master != world_.groups[g]->master) return false;
  return true;
}

bool Facts::all_threads_ended() const {
  return std::all_of(world_.processes.begin(), world_.processes.end(),
                     [](const auto& process) { return all_ended(*process); });
}

bool Facts::silent(ProcessId process) const {
  for (std::size_t n = 0; n < world_.nodes.size(); ++n)
    if (!world_.link(process, sim::make_id<NodeId>(n))->empty()) return false;
  const auto& clients = world_.processes[process.index()]->clients;
  return std::all_of(clients.begin(), clients.end(),
                     [](const Client& client) { return client.pending.empty() && client.queue.empty(); });
}

bool Facts::silent() const {
  for (std::size_t p = 0; p < world_.processes.size(); ++p)
    if (!silent(sim::make_id<ProcessId>(p))) return false;
  return true;
}

bool Facts::at_rest() const {
  if (!all_threads_ended() || !silent()) return false;
  for (const auto& process : world_.processes)
    if (has_work(*process, setup_) || process->life == Process::Life::paused) return false;
  for (std::size_t i = 0; i < world_.links.size(); ++i) {
    const auto p = sim::make_id<ProcessId>(i / world_.nodes.size());
    const auto n = sim::make_id<NodeId>(i % world_.nodes.size());
    const Client& client = world_.processes[p.index()]->clients[setup_.group_of(n).index()];
    const bool connects_again = world_.links[i]->broken && client.master == n && world_.is_up(n);
    if (connects_again && !process_dead(p) && !is_done(world_, setup_, p)) return false;
  }
  for (const auto& stream : world_.streams)
    if (!stream->batches.empty() || !stream->acks.empty()) return false;
  for (const auto& group : world_.groups) {
    if (!group->demotion.empty()) return false;
    for (const auto& [process, due] : group->learning)
      if (!process_dead(process) && !is_done(world_, setup_, process)) return false;
    for (const NodeId node : group->detached)
      if (world_.is_up(node)) return false;
  }
  for (std::size_t n = 0; n < world_.nodes.size(); ++n)
    if ((*world_.up)[n] && setup_.nodes[n].kind->next_change(*world_.nodes[n]) != sim::never) return false;
  return true;
}

bool Facts::stuck() const {
  if (!silent() || (setup_.horizon && world_.now.since_start >= *setup_.horizon)) return false;
  std::vector<Move> moves;
  enabled(world_, setup_, moves);
  return std::all_of(moves.begin(), moves.end(), [](const Move& move) { return move.is_fault(); });
}

std::string Facts::unended() const {
  std::string text;
  for (std::size_t t = 0; t < setup_.threads.size(); ++t) {
    const auto thread = sim::make_id<ThreadId>(t);
    if (has_ended(thread)) continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : "; ", setup_.threads[t].name, what_it_does(thread));
  }
  return text;
}

std::string Facts::what_it_does(ThreadId id) const {
  const ThreadSetup& its = setup_.threads[id.index()];
  const Process& process = *world_.processes[its.process.index()];
  const Thread& thread = process.threads[its.place];
  if (const auto* awaiting = std::get_if<AwaitingSignal>(&thread.cursor.activity))
    return fmt::format("waits for the signal {}", setup_.signals[awaiting->signal]);
  const Future* open = open_future(process, thread);
  if (!thread.call && open == nullptr) return "goes on";
  const Call& call = thread.call ? *thread.call : open->call;
  const std::string lock = resource_of(call, setup_);
  if (!is_acquire(call.verb)) return fmt::format("is inside an unlock of {}", lock);
  if (!kind_of(setup_, call.object).is_lock()) return fmt::format("is inside a lock of {}", lock);
  const auto now = truth(call.object, call.lock);
  if (!now) return fmt::format("waits for {}, of which no server is in charge", lock);
  if (now->free()) return fmt::format("waits for {}, which nobody holds", lock);
  const Hold& hold = now->holds.front();
  const std::optional<Known> known = thread_of(hold.holder);
  // It is never refused a lock that it holds in this mode.
  const LockKind& kind = kind_of(setup_, call.object);
  if (known && known->thread == id && kind.promises.reentrant && kind.mode == hold.mode)
    return fmt::format("is about to learn that it has {}", lock);
  if (!known) return fmt::format("waits for {}, which {} holds", lock, hold.holder);
  return fmt::format("waits for {}, which {} holds{}", lock, setup_.thread_name(known->thread),
                     has_ended(known->thread) ? ", whose program has ended" : "");
}

bool Facts::has_ended(ThreadId thread) const {
  const ThreadSetup& its = setup_.threads[thread.index()];
  const Process& process = *world_.processes[its.process.index()];
  return std::holds_alternative<Ended>(process.threads[its.place].cursor.activity);
}

/// Of all processes only that of the holder is looked at, unless it was started again: the answer changes
/// with few others then (sim/search/recall.h).
std::optional<Facts::Known> Facts::thread_of(const std::string& holder) const {
  const auto process_of = [&](std::size_t t) -> const Process& {
    return *world_.processes[setup_.threads[t].process.index()];
  };
  const auto is_called = [&](std::size_t t, std::uint16_t incarnation) {
    for (std::uint16_t client = 0; client < setup_.libraries.size(); ++client)
      if (holder_name(setup_, sim::make_id<ThreadId>(t), incarnation, client) == holder) return true;
    return false;
  };
  const auto known = [&](std::size_t t, std::uint16_t incarnation) {
    const Process& process = process_of(t);
    return Known{sim::make_id<ThreadId>(t),
                 process.life == Process::Life::dead || incarnation < process.incarnation};
  };
  for (std::size_t t = 0; t < setup_.threads.size(); ++t)
    if (is_called(t, 0)) return known(t, 0);
  for (std::size_t t = 0; t < setup_.threads.size(); ++t)
    for (std::uint16_t incarnation = 1; incarnation <= process_of(t).incarnation; ++incarnation)
      if (is_called(t, incarnation)) return known(t, incarnation);
  return std::nullopt;
}

std::vector<Facts::Held> Facts::truths() const {
  std::vector<Held> found;
  const Looks looks = masters(world_, setup_);
  for (std::size_t g = 0; g < looks.size(); ++g) {
    if (!looks[g]) continue;
    for (const std::string& key : looks[g]->all()) {
      for (const Lying& one : locks_under(key, sim::make_id<GroupId>(g), setup_)) {
        auto truth = shape_of(setup_, one.object).truth(looks, setup_, one.object, one.lock);
        const GroupId group = setup_.objects[one.object].group;
        if (truth) found.push_back({resource_name(group, one.lock), one.lock, group, *std::move(truth)});
      }
    }
  }
  return found;
}

std::string Facts::who(const std::string& holder) const {
  const auto known = thread_of(holder);
  return known ? setup_.thread_name(known->thread) : holder;
}

std::vector<Facts::Holding> Facts::all_holds() const {
  std::vector<Holding> found;
  for (const Held& held : truths())
    for (const Hold& hold : held.truth.holds)
      if (const auto known = hold.lapsed ? std::nullopt : thread_of(hold.holder))
        found.push_back({held.lock, known->thread, hold.mode, known->dead});
  return found;
}

}  // namespace lockstep::model
