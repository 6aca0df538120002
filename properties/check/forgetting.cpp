#include "properties/check/forgetting.h"

#include <algorithm>

#include "model/client/machine.h"
#include "model/program/interpreter.h"
#include "model/world/faults/table.h"

namespace lockstep::properties {

namespace {

/// On its way, or held back until replicas have acknowledged what was done.
const model::Reply* reply_of(const model::Flight& flight) {
  if (flight.blocked) return &flight.blocked->reply;
  return flight.reply ? &*flight.reply : nullptr;
}

/// The thread is inside an acquire of this lock that was granted, and whose grant the thread will be told:
/// the answer has been read, or is there to be sent.
bool was_granted(const model::World& world, const Setup& setup, const model::Claim& claim) {
  const ThreadId id = claim.thread;
  const model::ThreadSetup& its = setup.threads[id.index()];
  const model::Process& process = *world.processes[its.process.index()];
  for (const auto& [task, future] : process.threads[its.place].futures)
    if (model::is_acquire(future.call.verb)) return true;
  const auto& call = process.threads[its.place].call;
  if (!call || !model::is_acquire(call->verb) || model::mode_of(setup, call->object) != claim.mode)
    return false;
  const std::vector<std::string> locks = model::resources_of(*call, setup);
  if (std::find(locks.begin(), locks.end(), claim.lock) == locks.end()) return false;
  const model::Machine& machine = *model::kind_of(setup, call->object).machine;
  if (machine.granted == nullptr || machine.granted(*call)) return true;
  for (const model::Client& client : process.clients)
    for (const model::Pending& pending : client.pending) {
      if (pending.request.purpose.thread != id || pending.caller_gone) continue;
      for (const model::Flight& flight : world.link(its.process, pending.node)->flights) {
        const model::Reply* reply = reply_of(flight);
        if (flight.connection != pending.connection || reply == nullptr) continue;
        const model::Items read = model::read_reply(pending.request, *reply, setup);
        if (says(read, model::Meaning::granted) || says(read, model::Meaning::partial)) return true;
      }
    }
  return false;
}

}  // namespace

// A belief of depth zero holds the lease of a grant until the call returns, which is when it is read. If no
// grant is on its way to the thread, a call that returns with the lock was granted later, and that grant
// overwrites what is remembered now. Only an interrupted lock() returns as if it had the lock without a
// grant.
void forget_unread_beliefs(Monitors& monitors, const model::World& world, const Setup& setup) {
  const auto clients = setup.clients();
  const bool returns = std::any_of(clients.begin(), clients.end(), [](const redisson::Settings* client) {
    return client->lock_returns_on_interrupt;
  });
  if (model::budget_for(setup, "interrupt-thread") > 0 && returns) return;
  std::erase_if(monitors.beliefs.held, [&](const auto& one) {
    return one.second.depth == 0 && !was_granted(world, setup, one.first);
  });
}

// The clocks of leases, in beliefs and in requests under way, are read by mutual-exclusion-within-lease, by
// reentrancy and by what judges red locks, and set nothing off by themselves. red-majority is among these,
// for what it knows of a taking is forgotten when the time of the taking is over.
bool leases_are_decided(sim::PropertyMask decided) {
  const sim::PropertyMask readers = bit(Property::mutual_exclusion_within_lease) | bit(Property::reentrancy) |
                                    bit(Property::red_majority) | bit(Property::red_validity);
  return (readers & ~decided) == 0;
}

void forget_leases(Monitors& monitors) {
  std::erase_if(monitors.beliefs.held, [](const auto& one) { return one.second.depth == 0; });
  for (auto& [key, belief] : monitors.beliefs.held) belief.lease_left = {};
}

void forget_leases(model::World& world, model::ProcessId p) {
  for (std::size_t n = 0; n < world.nodes.size(); ++n) {
    auto& link = world.link(p, sim::make_id<model::NodeId>(n));
    if (std::none_of(link->flights.begin(), link->flights.end(), [](const auto& f) { return f.request; }))
      continue;
    for (model::Flight& flight : link.write().flights)
      if (flight.request) flight.lease_left = {};
  }
}

}  // namespace lockstep::properties
