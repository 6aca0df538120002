#include "properties/check/renaming.h"

#include <algorithm>

#include "sim/base/overloaded.h"

namespace lockstep::properties {

using model::Reply;

Renaming::Renaming(const Setup& setup, sim::Permutation permutation) : setup_(setup) {
  for (std::size_t p = 0; p < setup.processes.size(); ++p)
    processes_.push_back(p < permutation.size() ? permutation[p] : static_cast<std::uint16_t>(p));
  for (const model::ThreadSetup& thread : setup.threads)
    threads_.push_back(setup.processes[processes_[thread.process.index()]].threads[thread.index_in_process]);
  for (const model::ProcessSetup& process : setup.processes)
    shortest_id_ = std::min(shortest_id_, process.client_id.size());
}

model::ProcessId Renaming::of(model::ProcessId process) const {
  return sim::make_id<model::ProcessId>(processes_[process.index()]);
}

/// A holder name is a client id and what follows it; scripts may put it anywhere, so it is looked for
/// anywhere. A name that were missed would make two different situations look alike.
std::string Renaming::of(const std::string& text) const {
  std::string renamed;
  std::size_t done = 0;
  const auto replace_at = [&](std::size_t at) {
    for (std::size_t p = 0; p < processes_.size(); ++p) {
      const std::string& id = setup_.processes[p].client_id;
      if (processes_[p] == p || text.compare(at, id.size(), id) != 0) continue;
      const char next = at + id.size() < text.size() ? text[at + id.size()] : ':';
      if (next != ':' && next != '-') continue;
      renamed += text.substr(done, at - done) + setup_.processes[processes_[p]].client_id;
      done = at + id.size();
      return;
    }
  };
  for (std::size_t at = 0; at + shortest_id_ <= text.size(); ++at)
    if (at >= done) replace_at(at);
  return done == 0 ? text : renamed + text.substr(done);
}

Reply Renaming::of(const Reply& reply) const {
  if (const std::string* bulk = reply.bulk()) return of(*bulk);
  const Reply::Array* items = reply.array();
  if (items == nullptr) return reply;
  Reply::Array renamed;
  for (const Reply& item : *items) renamed.push_back(of(item));
  return renamed;
}

redis::Value Renaming::of(redis::Value value) const {
  std::visit(sim::overloaded{
                 [&](redis::String& string) { string.bytes = of(string.bytes); },
                 [&](redis::List& list) {
                   for (std::string& item : list.items) item = of(item);
                 },
                 [&](redis::Set& set) {
                   for (std::string& member : set.members) member = of(member);
                   if (!set.integers) std::sort(set.members.begin(), set.members.end());
                 },
                 [&](redis::Hash& hash) {
                   for (auto& [field, text] : hash.pairs) field = of(field), text = of(text);
                   if (!hash.compact) std::sort(hash.pairs.begin(), hash.pairs.end());
                 },
                 [&](redis::SortedSet& set) {
                   for (redis::Scored& scored : set.entries) scored.member = of(scored.member);
                   std::sort(set.entries.begin(), set.entries.end(), [](const auto& a, const auto& b) {
                     return std::tie(a.score, a.member) < std::tie(b.score, b.member);
                   });
                 },
             },
             value);
  return value;
}

void Renaming::rename(std::vector<ThreadId>& threads) const {
  for (ThreadId& thread : threads) thread = of(thread);
}

void Renaming::rename(model::Request& request) const {
  request.purpose.thread = of(request.purpose.thread);
  if (request.purpose.role == model::Role::renew) request.purpose.owner = of(request.purpose.owner);
  for (std::string& key : request.keys) key = of(key);
  for (std::string& arg : request.args) arg = of(arg);
}

redis::Node Renaming::node(redis::Node original) const {
  redis::Keyspace db;
  for (const auto& [key, entry] : original.db.entries())
    db.put(of(key), of(entry.value)).remaining = entry.remaining;
  original.db = std::move(db);
  redis::PubSub::Listeners channels;
  for (auto& [channel, listeners] : original.pubsub.channels) {
    for (model::ConnectionId& listener : listeners)
      listener =
          sim::make_id<model::ConnectionId>(of(sim::make_id<model::ProcessId>(listener.index())).index());
    std::sort(listeners.begin(), listeners.end());
    channels[of(channel)] = std::move(listeners);
  }
  original.pubsub.channels = std::move(channels);
  return original;
}

redisson::Process Renaming::process(redisson::Process original) const {
  for (redisson::Pending& pending : original.pending) rename(pending.request);
  for (auto& [lock, entry] : original.pub_sub.entries) {
    rename(entry.waiting);
    rename(entry.abandoned);
    rename(entry.parked);
    rename(entry.behind);
  }
  for (auto& [lock, entry] : original.watchdog.entries)
    for (auto& [thread, count] : entry.holds) thread = of(thread);
  for (redisson::RenewalTimer& timer : original.watchdog.timers) timer.owner = of(timer.owner);
  std::map<std::pair<std::uint16_t, std::uint16_t>, Duration> leases;
  for (const auto& [key, lease] : original.leases) {
    const bool of_one_thread = setup_.objects[key.first].fresh;
    const std::uint16_t thread = of_one_thread ? of(ThreadId{key.second}).value : key.second;
    leases[{key.first, thread}] = lease;
  }
  original.leases = std::move(leases);
  return original;
}

model::World Renaming::world(const model::World& original) const {
  model::World renamed = original;
  for (auto& node_ : renamed.nodes)
    if (node_->db.size() > 0 || !node_->pubsub.empty()) node_ = node(*node_);
  for (std::size_t p = 0; p < original.processes.size(); ++p) {
    if (processes_[p] == p && original.processes.size() == 1) continue;
    renamed.processes[processes_[p]] = process(*original.processes[p]);
    for (std::size_t n = 0; n < original.nodes.size(); ++n) {
      model::Link link = *original.links[p * original.nodes.size() + n];
      for (model::Flight& flight : link.flights) {
        if (flight.request) rename(*flight.request);
        if (flight.reply) flight.reply = of(*flight.reply);
      }
      renamed.links[processes_[p] * original.nodes.size() + n] = std::move(link);
    }
  }
  for (auto& group : renamed.groups) {
    if (group->learning.empty()) continue;
    std::map<model::ProcessId, model::Due> learning;
    for (const auto& [process_, due] : group->learning) learning[of(process_)] = due;
    group.write().learning = std::move(learning);
  }
  for (auto& stream : renamed.streams) {
    if (stream->batches.empty()) continue;
    for (auto& batch : stream.write().batches)
      for (redis::Effect& effect : batch.effects)
        for (std::string& word : effect.words) word = of(word);
  }
  return renamed;
}

Monitors Renaming::monitors(const Monitors& original) const {
  Monitors renamed = original;
  renamed.beliefs.held.clear();
  for (const auto& [key, belief] : original.beliefs.held)
    renamed.beliefs.held[{key.first, of(key.second)}] = belief;
  return renamed;
}

sim::Digest signature_of(const model::World& world, const Monitors& monitors, const Setup& setup,
                         model::ProcessId process) {
  const redisson::Process& its = *world.processes[process.index()];
  sim::Encoder out;
  encode(out, its.life);
  encode(out, its.pause_left);
  encode(out, its.masters);
  encode(out, its.threads);
  for (const redisson::Pending& pending : its.pending) {
    encode(out, pending.request.purpose.role);
    encode(out, pending.left);
  }
  for (const auto& [lock, entry] : its.pub_sub.entries) {
    encode(out, entry.phase);
    encode(out, entry.permits);
  }
  for (const redisson::RenewalTimer& timer : its.watchdog.timers) encode(out, timer.left);
  for (std::size_t n = 0; n < world.nodes.size(); ++n) {
    const model::Link& link = *world.link(process, sim::make_id<model::NodeId>(n));
    for (const model::Flight& flight : link.flights) encode(out, flight.reply.has_value());
    out.number(link.up.size() * 16 + link.down.size());
  }
  for (const ThreadId thread : setup.processes[process.index()].threads)
    for (const auto& [key, belief] : monitors.beliefs.held)
      if (key.second == thread) encode(out, belief);
  return sim::digest_bytes(out.bytes());
}

}  // namespace lockstep::properties
