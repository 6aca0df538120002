// unreturned.cpp: the part of Facts that is about calls that have not returned.
//
// A request may be served long after its call has sent another copy of it and had that one answered. Such a
// late copy is nobody's any more.
#include <algorithm>
#include <set>

#include "model/client/lock_kind.h"
#include "model/client/synced.h"
#include "model/program/interpreter.h"
#include "model/world/facts.h"

namespace lockstep::model {

namespace {

/// Calls visit(request, pending) for each request of a process without an answer; those that wait for a
/// connection have no Pending.
template <class Visit>
void each_unanswered(const Process& process, Visit visit) {
  for (const Client& client : process.clients) {
    for (const Pending& pending : client.pending) visit(pending.request, &pending, pending.caller_gone);
    for (const Queued& queued : client.queue)
      visit(queued.request, static_cast<const Pending*>(nullptr), queued.caller_gone);
  }
}

/// A request is about the hold that was judged as a part of it.
bool about_one_hold(const Purpose& request, const Purpose& judged, const Setup& setup) {
  const bool of_thread = request.thread == judged.thread && request.incarnation == judged.incarnation &&
                         request.client == judged.client;
  if (!of_thread || mode_of(request, setup) != mode_of(judged, setup)) return false;
  if (!setup.kinds[request.kind]->shares_key) return request.lock == judged.lock;
  const std::vector<Purpose> parts = judged_parts(request, setup);
  return std::any_of(parts.begin(), parts.end(), [&](const Purpose& one) { return one.lock == judged.lock; });
}

Intent intent(const Purpose& purpose, const Setup& setup) { return role_of(purpose, setup).intent; }

/// The flight on which the last copy of a request is, or its answer.
const Flight* flight_of(const World& world, ProcessId process, const Pending& pending) {
  for (const Flight& flight : world.link(process, pending.node)->flights)
    if (flight.connection == pending.connection) return &flight;
  return nullptr;
}

const Reply* answer_on(const Flight* flight) {
  if (flight == nullptr) return nullptr;
  if (flight->blocked) return &flight->blocked->reply;  // held back by WAIT
  return flight->reply ? &*flight->reply : nullptr;
}

bool acquires(const Call& call, const Purpose& purpose, const Setup& setup) {
  const bool alike = is_acquire(call.verb) && client_of(setup, call.object) == purpose.client &&
                     mode_of(setup, call.object) == mode_of(purpose, setup);
  if (!alike || !kind_of(setup, call.object).shares_key) return alike && call.lock == purpose.lock;
  const std::vector<std::uint16_t> locks = locks_of(setup, call.object);
  return std::any_of(locks.begin(), locks.end(),
                     [&](std::uint16_t lock) { return setup.objects[lock].name == purpose.lock; });
}

/// It has read that it is granted, and has not returned.
bool knows_of_grant(const Call& call, const Setup& setup) {
  const Machine& machine = *kind_of(setup, call.object).machine;
  return is_acquire(call.verb) && machine.granted != nullptr && machine.granted(call);
}

}  // namespace

bool Facts::still_asks(const Purpose& purpose) const {
  bool asks = false;
  each_unanswered(*world_.processes[setup_.process_of(purpose.thread).index()],
                  [&](const Request& request, const Pending*, bool) {
                    asks = asks || (about_one_hold(request.purpose, purpose, setup_) &&
                                    intent(request.purpose, setup_) == intent(purpose, setup_) &&
                                    request.purpose.task == purpose.task && is_of_call(purpose, request));
                  });
  return asks;
}

Facts::Unreturned Facts::unreturned_beside(const Purpose& purpose) const {
  const ThreadSetup& its = setup_.threads[purpose.thread.index()];
  const Process& process = *world_.processes[its.process.index()];
  const Thread& thread = process.threads[its.place];
  const Intent own = intent(purpose, setup_);
  const bool asks = still_asks(purpose);
  const auto is_own = [&](std::uint16_t task, Intent one) {
    return asks && task == purpose.task && one == own;
  };
  Unreturned found;
  const auto add = [&](std::uint16_t task, const Call& call, bool granted) {
    if (!acquires(call, purpose, setup_) || is_own(task, Intent::acquire)) return;
    ++found.acquires;
    if (granted) ++found.granted;
  };
  std::set<std::uint16_t> told;  // calls whose grant is on its way
  each_unanswered(process, [&](const Request& request, const Pending* pending, bool caller_gone) {
    if (!about_one_hold(request.purpose, purpose, setup_)) return;
    const Intent its_intent = intent(request.purpose, setup_);
    const Reply* answer = pending == nullptr ? nullptr : answer_on(flight_of(world_, its.process, *pending));
    const bool released = its_intent == Intent::release && answer == nullptr;
    if (released && !is_own(request.purpose.task, Intent::release)) ++found.releases;
    if (its_intent == Intent::acquire && !caller_gone && answer != nullptr &&
        says(read_reply(request, *answer, setup_), Meaning::granted))
      told.insert(request.purpose.task);
  });
  if (thread.call) add(0, *thread.call, told.contains(0) || knows_of_grant(*thread.call, setup_));
  for (const auto& [task, future] : thread.futures)
    if (!future.answer || *future.answer == Answer::yes)
      add(task, future.call, future.answer || told.contains(task));
  return found;
}

}  // namespace lockstep::model
