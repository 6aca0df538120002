// red.cpp: what a red lock promises beyond that its members were granted.
//
// red-majority: when a call gives a red lock to its caller, there was an instant in it at which the thread
// held a majority of the members in truth. Members that are granted one after the other, each with a lease of
// its own, may never have been held together.
// red-validity: the thread holds a majority when the call returns with the lock, and goes on to hold one for
// the lease less the time that the taking took: from when the first of the members it holds was asked for.
// It is judged until the thread gives the lock back or dies. A member whose server is down does not count.
// Redisson computes no such time: who is given a lock with nothing left of its lease is not told.
#include <algorithm>

#include <fmt/format.h>

#include "model/client/lock_kind.h"
#include "model/program/interpreter.h"
#include "properties/monitors/on_request.h"
#include "sim/base/overloaded.h"
#include "sim/base/passing.h"

namespace lockstep::properties {

namespace {

bool is_red(const model::LockObject& object, const Setup& setup) {
  return setup.kinds[object.kind]->needs == model::Needs::majority;
}

std::size_t needed(const model::LockObject& whole, const Setup& setup) {
  return model::members_needed(setup, static_cast<std::uint16_t>(&whole - setup.objects.data()));
}

const model::LockObject* red_lock(const std::string& lock, const Setup& setup) {
  const model::LockObject* whole = setup.made_of_others(lock);
  return whole != nullptr && is_red(*whole, setup) ? whole : nullptr;
}

}  // namespace

bool has_red_locks(const Setup& setup) {
  return std::any_of(setup.objects.begin(), setup.objects.end(),
                     [&](const model::LockObject& object) { return is_red(object, setup); });
}

void RedLocks::granted(const model::Evaluated& seen, const model::Facts& facts) {
  const Setup& setup = facts.setup();
  if (!seen.on_master || !says(seen.items, model::Meaning::granted)) return;
  for (auto& [key, taking] : takings) {
    const model::LockObject& whole = *setup.made_of_others(key.first);
    const auto& members = whole.members;
    const bool its = std::any_of(members.begin(), members.end(), [&](std::uint16_t member) {
      return model::resource_name(setup.objects[member].group, setup.objects[member].name) == seen.lock;
    });
    if (!its || key.second != seen.purpose.thread || taking.given) continue;
    const std::size_t held = members_held(key.second, whole, facts);
    const Duration travelled = seen.purpose.lease - seen.lease_left;
    if (held <= 1) taking.left = sim::Countdown{facts.lease_of_call(key.second) - travelled};
    taking.majority = taking.majority || held >= needed(whole, setup);
  }
}

void RedLocks::given(const model::Gained& seen, const model::Facts& facts, Findings& findings) {
  const Setup& setup = facts.setup();
  const model::LockObject* whole = red_lock(seen.lock, setup);
  if (whole == nullptr) return;
  Taking& taking = takings[{seen.lock, seen.thread}];
  taking.given = true;
  if (!taking.majority)
    findings.breaks(Property::red_majority, [&] {
      return fmt::format("{} was given {} and never held a majority of it at one time",
                         setup.thread_name(seen.thread), seen.lock);
    });
  const std::size_t held = members_held(seen.thread, *whole, facts);
  if (held >= needed(*whole, setup)) return;
  findings.breaks(Property::red_validity, [&] {
    return fmt::format("{} was given {} while it held {} of {}", setup.thread_name(seen.thread), seen.lock,
                       held, whole->members.size());
  });
}

void RedLocks::see(const model::Observation& observation, const model::Facts& facts, Findings& findings) {
  const Setup& setup = facts.setup();
  const auto invoked = [&](const model::Invoked& seen) {
    if (!model::is_acquire(seen.call) || red_lock(seen.lock, setup) == nullptr) return;
    Taking fresh{.left = {facts.lease_of_call(seen.thread)}};
    takings.try_emplace({seen.lock, seen.thread}, fresh);  // what is taken once more is judged as it was
  };
  const auto returned = [&](const model::Returned& seen) {
    if (model::is_acquire(seen.call) && red_lock(seen.lock, setup) != nullptr)
      findings.shows(Witness::gathered);
    const auto taking = takings.find({seen.lock, seen.thread});
    const bool refused = seen.answer != model::Answer::yes;
    if (refused && taking != takings.end() && !taking->second.given) takings.erase(taking);
  };
  const auto passed = [&](const model::TimePassed& seen) {
    for (auto& [key, taking] : takings) sim::pass(taking.left, sim::Passed::alike(seen.passed));
  };
  std::visit(sim::overloaded{invoked, returned, passed,
                             [&](const model::Evaluated& seen) { granted(seen, facts); },
                             [&](const model::Gained& seen) { given(seen, facts, findings); },
                             [&](const model::Yielded& seen) { takings.erase({seen.lock, seen.thread}); },
                             [](const auto&) {}},
             observation);
}

void RedLocks::check(const Beliefs& beliefs, const model::Facts& facts, Findings& findings) {
  const Setup& setup = facts.setup();
  std::erase_if(takings, [&](const auto& one) {
    const auto& [key, taking] = one;
    if (facts.process_dead(setup.process_of(key.second))) return true;
    return taking.given && (taking.left.over() || beliefs.depth({key.first, key.second}) == 0);
  });
  for (const auto& [key, taking] : takings) {
    if (!taking.given) continue;
    const std::string& lock = key.first;
    const ThreadId thread = key.second;
    const model::LockObject& whole = *setup.made_of_others(lock);
    const std::size_t held = members_held(thread, whole, facts);
    if (held >= needed(whole, setup)) continue;
    findings.breaks(Property::red_validity, [&, left = taking.left.left] {
      return fmt::format("{} holds {} of {} members of {}, with {} ms left of its lease",
                         setup.thread_name(thread), held, whole.members.size(), lock, left.count());
    });
  }
}

}  // namespace lockstep::properties
