#include "model/world/facts.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

namespace lockstep::model {

namespace {

std::int64_t number_in(const std::string& text) {
  std::int64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

}  // namespace

LockHash lock_hash(const redis::Node& node, const std::string& lock) {
  LockHash found;
  const redis::Entry* entry = node.db.find(lock);
  if (entry == nullptr || entry->dead()) return found;
  const auto* hash = std::get_if<redis::Hash>(&entry->value);
  if (hash == nullptr) return found;
  found.has_ttl = entry->remaining.has_value();
  for (const auto& [field, value] : hash->pairs) found.holders.emplace_back(field, number_in(value));
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

LockHash Facts::lock_on_master(const std::string& lock) const {
  const auto node = master(setup_.group_of_lock(lock));
  return node ? lock_hash(*world_.nodes[node->index()], lock) : LockHash{};
}

bool Facts::held_by(const std::string& lock, ThreadId thread) const {
  const std::uint16_t incarnation =
      world_.processes[setup_.threads[thread.index()].process.index()]->incarnation;
  return lock_on_master(lock).count_of(setup_.holder_name(thread, incarnation)) > 0;
}

std::optional<std::string> Facts::hash_without_ttl() const {
  for (std::size_t n = 0; n < world_.nodes.size(); ++n) {
    if (!(*world_.up)[n]) continue;
    for (const auto& [key, entry] : world_.nodes[n]->db.entries())
      if (!entry.remaining && std::holds_alternative<redis::Hash>(entry.value)) return key;
  }
  return std::nullopt;
}

std::vector<Facts::Wait> Facts::live_waiters() const {
  std::vector<Wait> waits;
  for (std::size_t t = 0; t < setup_.threads.size(); ++t) {
    const ThreadSetup& thread = setup_.threads[t];
    const redisson::Process& process = *world_.processes[thread.process.index()];
    const redisson::Call* call = redisson::waiting_call(process.threads[thread.index_in_process]);
    if (process.life != redisson::Process::Life::running || call == nullptr) continue;
    const GroupId group = setup_.objects[call->object].group;
    const auto node = master(group);
    if (!node || process.masters[group.index()] != *node || world_.link(thread.process, *node)->cut) continue;
    if (call->kind != StepKind::try_lock || call->time_left)
      waits.push_back({sim::make_id<ThreadId>(t), call->lock});
  }
  return waits;
}

bool Facts::process_dead(ProcessId process) const {
  return world_.processes[process.index()]->life == redisson::Process::Life::dead;
}

bool Facts::sender_dead(const Purpose& purpose) const {
  const ProcessId process = setup_.threads[purpose.thread.index()].process;
  return process_dead(process) || world_.processes[process.index()]->incarnation != purpose.incarnation;
}

bool Facts::process_paused(ProcessId process) const {
  return world_.processes[process.index()]->life == redisson::Process::Life::paused;
}

bool Facts::knows_master(ProcessId process) const {
  for (std::size_t g = 0; g < world_.groups.size(); ++g)
    if (world_.processes[process.index()]->masters[g] != world_.groups[g]->master) return false;
  return true;
}

bool Facts::request_pending(ThreadId thread) const {
  const ProcessId process = setup_.threads[thread.index()].process;
  const auto its = [&](const Request& request) { return request.purpose.thread == thread; };
  for (const redisson::Pending& pending : world_.processes[process.index()]->pending)
    if (its(pending.request)) return true;
  for (std::size_t n = 0; n < world_.nodes.size(); ++n)
    for (const Flight& flight : world_.link(process, sim::make_id<NodeId>(n))->flights)
      if (flight.request && its(*flight.request)) return true;
  return false;
}

bool Facts::all_threads_ended() const {
  for (const auto& process : world_.processes)
    for (const redisson::Thread& thread : process->threads)
      if (!std::holds_alternative<redisson::Ended>(thread.activity)) return false;
  return true;
}

bool Facts::silent() const {
  for (const auto& link : world_.links)
    if (!link->empty()) return false;
  for (const auto& process : world_.processes)
    if (!process->pending.empty()) return false;
  return true;
}

bool Facts::at_rest() const {
  if (!all_threads_ended() || !silent()) return false;
  for (const auto& process : world_.processes)
    if (!process->watchdog.timers.empty() || process->life == redisson::Process::Life::paused) return false;
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
    for (const auto& [lock, entry] : world_.processes[p]->watchdog.entries)
      for (const auto& [thread, count] : entry.holds)
        return fmt::format("process {} still has {} registered for the renewal of {}",
                           setup_.processes[p].name, setup_.thread_name(thread), lock);
  return std::nullopt;
}

std::optional<std::string> Facts::left_behind() const {
  for (std::size_t n = 0; n < world_.nodes.size(); ++n) {
    if (!(*world_.up)[n]) continue;
    const redis::Node& node = *world_.nodes[n];
    for (const auto& [key, entry] : node.db.entries())
      if (!entry.dead()) return fmt::format("{} still stores the key {}", setup_.nodes[n].name, key);
    if (!node.pubsub.channels.empty())
      return fmt::format("{} still has a subscriber of {}", setup_.nodes[n].name,
                         node.pubsub.channels.begin()->first);
  }
  for (std::size_t p = 0; p < world_.processes.size(); ++p)
    if (!world_.processes[p]->pub_sub.entries.empty())
      return fmt::format("process {} still has a subscription for {}", setup_.processes[p].name,
                         world_.processes[p]->pub_sub.entries.begin()->first);
  return std::nullopt;
}

}  // namespace lockstep::model
