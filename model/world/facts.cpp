#include "model/world/facts.h"

#include <algorithm>

#include <fmt/format.h>

#include "model/client/lock_kind.h"
#include "model/client/machine.h"
#include "model/redis/look.h"

namespace lockstep::model {

namespace {

using Looks = std::vector<std::optional<Look>>;

/// By group: the data of its master, if that is up.
Looks masters(const World& world) {
  Looks looks;
  for (const auto& group : world.groups) {
    looks.emplace_back();
    if (world.is_up(group->master)) looks.back() = redis::look_at(*world.nodes[group->master.index()]);
  }
  return looks;
}

/// The object, on these servers, that a key belongs to.
std::optional<std::uint16_t> object_of(const std::string& key, GroupId group, const Setup& setup) {
  for (std::uint16_t o = 0; o < setup.objects.size(); ++o) {
    const LockObject& object = setup.objects[o];
    const bool its = object.fresh ? key.starts_with(object.name + "#") : key == object.name;
    if (its && lies_on(setup, o, group)) return o;
  }
  return std::nullopt;
}

/// The process sends to the masters on which an object is stored, and can.
bool reaches_masters(const World& world, const Setup& setup, ProcessId process, std::uint16_t object) {
  for (std::size_t g = 0; g < world.groups.size(); ++g) {
    if (!lies_on(setup, object, sim::make_id<GroupId>(g))) continue;
    const NodeId master = world.groups[g]->master;
    if (!world.is_up(master) || world.processes[process.index()]->clients[g].master != master) return false;
    if (world.link(process, master)->cut) return false;
  }
  return true;
}

/// A key that a kind of lock leaves where nobody holds it.
bool stays(const std::string& key, const Setup& setup) {
  return std::any_of(setup.objects.begin(), setup.objects.end(), [&](const LockObject& object) {
    const LockKind& kind = *setup.kinds[object.kind];
    return kind.stays != nullptr && kind.stays(key);
  });
}

}  // namespace

std::optional<Truth> truth_served_by(const World& world, const Setup& setup, NodeId node,
                                     const Purpose& purpose) {
  Looks looks = masters(world);
  looks[setup.group_of(node).index()] = redis::look_at(*world.nodes[node.index()]);
  return kind_of(setup, purpose.object).shape->truth(looks, setup, purpose.object, purpose.lock);
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
  return kind_of(setup_, object).shape->truth(masters(world_), setup_, object, lock);
}

bool Facts::held_by(std::uint16_t object, const std::string& lock, ThreadId thread) const {
  const std::uint16_t incarnation =
      world_.processes[setup_.threads[thread.index()].process.index()]->incarnation;
  const auto now = truth(object, lock);
  return now && now->count_of(holder_name(setup_, thread, incarnation, client_of(setup_, object))) > 0;
}

/// What lies on all groups is looked at on this node and on the masters of the others.
std::optional<std::string> Facts::lock_without_ttl() const {
  const Looks of_masters = masters(world_);
  for (std::size_t n = 0; n < world_.nodes.size(); ++n) {
    if (!(*world_.up)[n]) continue;
    const GroupId group = setup_.nodes[n].group;
    const Look look = redis::look_at(*world_.nodes[n]);
    Looks looks = of_masters;
    looks[group.index()] = look;
    for (const std::string& key : look.all()) {
      const auto object = object_of(key, group, setup_);
      if (!object || !kind_of(setup_, *object).promises.expires) continue;
      const auto truth = kind_of(setup_, *object).shape->truth(looks, setup_, *object, key);
      if (truth && std::any_of(truth->holds.begin(), truth->holds.end(),
                               [](const Hold& hold) { return !hold.left.has_value(); }))
        return key;
    }
  }
  return std::nullopt;
}

std::vector<Facts::Wait> Facts::live_waiters() const {
  std::vector<Wait> waits;
  for (std::size_t t = 0; t < setup_.threads.size(); ++t) {
    const ThreadSetup& thread = setup_.threads[t];
    const Process& process = *world_.processes[thread.process.index()];
    const Call* call = waiting_call(process.threads[thread.place]);
    if (process.life != Process::Life::running || call == nullptr) continue;
    if (!reaches_masters(world_, setup_, thread.process, call->object)) continue;
    waits.push_back({sim::make_id<ThreadId>(t), call->object, call->lock, resource_of(*call, setup_)});
  }
  return waits;
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

bool Facts::request_pending(ThreadId thread) const {
  const ProcessId process = setup_.threads[thread.index()].process;
  const auto its = [&](const Request& request) { return request.purpose.thread == thread; };
  for (const Client& client : world_.processes[process.index()]->clients)
    for (const Pending& pending : client.pending)
      if (its(pending.request)) return true;
  for (std::size_t n = 0; n < world_.nodes.size(); ++n)
    for (const Flight& flight : world_.link(process, sim::make_id<NodeId>(n))->flights)
      if (flight.request && its(*flight.request)) return true;
  return false;
}

bool Facts::all_threads_ended() const {
  return std::all_of(world_.processes.begin(), world_.processes.end(),
                     [](const auto& process) { return all_ended(*process); });
}

bool Facts::silent() const {
  for (const auto& link : world_.links)
    if (!link->empty()) return false;
  for (const auto& process : world_.processes)
    for (const Client& client : process->clients)
      if (!client.pending.empty()) return false;
  return true;
}

bool Facts::at_rest() const {
  if (!all_threads_ended() || !silent()) return false;
  for (const auto& process : world_.processes)
    if (has_work(*process, setup_) || process->life == Process::Life::paused) return false;
  for (const auto& stream : world_.streams)
    if (!stream->batches.empty()) return false;
  for (const auto& group : world_.groups) {
    if (!group->demotion.empty()) return false;
    for (const NodeId node : group->detached)
      if (world_.is_up(node)) return false;
  }
  for (std::size_t n = 0; n < world_.nodes.size(); ++n)
    if ((*world_.up)[n] && redis::next_change(*world_.nodes[n]) != sim::never) return false;
  return true;
}

bool Facts::stuck() const {
  if (!silent() || (setup_.horizon && world_.now.since_start >= *setup_.horizon)) return false;
  std::vector<Move> moves;
  enabled(world_, setup_, moves);
  return std::all_of(moves.begin(), moves.end(), [](const Move& move) { return move.is_fault(); });
}

std::optional<std::string> Facts::renewal_without_holder() const {
  if (!all_threads_ended() || !silent()) return std::nullopt;
  for (std::size_t p = 0; p < world_.processes.size(); ++p)
    for (std::size_t c = 0; c < world_.processes[p]->clients.size(); ++c)
      for (const auto& [thread, lock] : setup_.libraries[c]->renewing(world_.processes[p]->clients[c]))
        return fmt::format("process {} still has {} registered for the renewal of {}",
                           setup_.processes[p].name, setup_.thread_name(thread), lock);
  return std::nullopt;
}

std::optional<std::string> Facts::left_behind() const {
  for (std::size_t n = 0; n < world_.nodes.size(); ++n) {
    if (!(*world_.up)[n]) continue;
    const redis::Node& node = *world_.nodes[n];
    for (const auto& [key, entry] : node.db.entries())
      if (!entry.dead() && !stays(key, setup_))
        return fmt::format("{} still stores the key {}", setup_.nodes[n].name, key);
    if (!node.pubsub.channels.empty())
      return fmt::format("{} still has a subscriber of {}", setup_.nodes[n].name,
                         node.pubsub.channels.begin()->first);
  }
  for (std::size_t p = 0; p < world_.processes.size(); ++p)
    for (std::size_t c = 0; c < world_.processes[p]->clients.size(); ++c)
      if (const auto lock = setup_.libraries[c]->subscribed(world_.processes[p]->clients[c]))
        return fmt::format("process {} still has a subscription for {}", setup_.processes[p].name, *lock);
  return std::nullopt;
}

}  // namespace lockstep::model
