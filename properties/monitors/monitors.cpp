#include "properties/monitors/monitors.h"

#include <algorithm>

#include "model/client/lock_kind.h"
#include "model/world/faults/table.h"
#include "properties/monitors/on_request.h"
#include "sim/base/overloaded.h"

namespace lockstep::properties {

namespace {

/// Whether a thread believes it holds a lock, of those claims that fit.
template <class Fits>
bool believed(const Beliefs& beliefs, Fits fits) {
  return std::any_of(beliefs.held.begin(), beliefs.held.end(),
                     [&](const auto& one) { return one.second.depth > 0 && fits(one.first); });
}

sim::WitnessMask shown_by(model::FaultId fault, const Setup& setup) {
  const auto witness = witness_of_fault(model::fault_row(fault, setup).key);
  return witness ? bit(*witness) : sim::WitnessMask{0};
}

/// The lock is the one with this key on that server, or one of several under it.
bool lies_under(const std::string& lock, const std::string& key, model::NodeId node, const Setup& setup) {
  const model::GroupId group = setup.nodes[node.index()].group;
  if (lock == resource_name(group, key)) return true;
  const std::optional<std::uint16_t> object = model::lock_called(setup, lock);
  return object && setup.objects[*object].key == key && setup.objects[*object].group == group;
}

bool reads_beside_another(const model::Gained& seen, const Beliefs& beliefs) {
  return seen.mode == model::Mode::shared && believed(beliefs, [&](const model::Claim& claim) {
           return claim.lock == seen.lock && claim.thread != seen.thread && claim.mode == seen.mode;
         });
}

/// Witnesses that one observation shows, given what was believed before it.
sim::WitnessMask shown_by(const model::Observation& observation, const Beliefs& beliefs, const Setup& setup) {
  using namespace model;
  return std::visit(sim::overloaded{
                        [](const Refused&) { return bit(Witness::contention); },
                        [](const ParkedThread&) { return bit(Witness::parked); },
                        [](const Woken& seen) {
                          return bit(seen.by_message ? Witness::woken_by_message : Witness::woken_by_timer);
                        },
                        [&](const Evaluated& seen) {
                          const bool freed = role_of(seen.purpose, setup).intent == Intent::release &&
                                             seen.before && !seen.before->free() && seen.after &&
                                             seen.after->free();
                          return bit(Witness::answered) | (freed ? bit(Witness::released) : 0);
                        },
                        [&](const Gained& seen) {
                          const bool again = beliefs.depth({seen.lock, seen.thread, seen.mode}) > 0;
                          return bit(Witness::lock_held) | (again ? bit(Witness::reentry) : 0) |
                                 (reads_beside_another(seen, beliefs) ? bit(Witness::shared) : 0);
                        },
                        [&](const ProcessCrashed& seen) {
                          const bool held = believed(beliefs, [&](const Claim& claim) {
                            return setup.threads[claim.thread.index()].process == seen.process;
                          });
                          return bit(Witness::process_crashed) |
                                 (held ? bit(Witness::crashed_while_holding) : 0);
                        },
                        [&](const KeyExpired& seen) {
                          const bool held = believed(beliefs, [&](const Claim& claim) {
                            return lies_under(claim.lock, seen.key, seen.node, setup);
                          });
                          return bit(Witness::expired) | (held ? bit(Witness::expired_while_believed) : 0);
                        },
                        [](const Returned& seen) -> sim::WitnessMask {
                          if (seen.call == StepKind::unlock && seen.answer == Answer::exception)
                            return bit(Witness::not_the_owner);
                          if (seen.call == StepKind::try_lock && seen.answer == Answer::no)
                            return bit(Witness::refused_in_time);
                          return 0;
                        },
                        [](const RenewalAnswered& seen) {
                          return bit(seen.renewed ? Witness::renewed : Witness::renewal_refused);
                        },
                        [](const FailedOver& seen) {
                          return bit(Witness::failover) | (seen.lost_writes ? bit(Witness::writes_lost) : 0);
                        },
                        [](const Demoted&) { return bit(Witness::demoted); },
                        [](const RequestTimedOut& seen) {
                          return seen.resent ? bit(Witness::resent) : sim::WitnessMask{0};
                        },
                        [&](const FaultBegan& seen) { return shown_by(seen.fault, setup); },
                        [](const DueDone&) { return bit(Witness::saved); },
                        [](const model::FixedFaultCame& seen) { return fixed_fault_bit(seen.number); },
                        [](const auto&) { return sim::WitnessMask{0}; },
                    },
                    observation);
}

/// A request that arrives after its process died: nobody believes anything because of it.
bool sent_by_the_dead(const model::Observation& observation, const model::Facts& facts) {
  const auto* seen = std::get_if<model::Evaluated>(&observation);
  return seen != nullptr && facts.sender_dead(seen->purpose);
}

/// What a monitor knows of a property that is broken already makes no difference any more.
void forget(Monitors& monitors) {
  if ((monitors.broken & bit(Property::free_after_crash)) != 0) monitors.free_after_crash = {};
  if ((monitors.broken & bit(Property::granted_in_time)) != 0) monitors.granted_in_time = {};
  if ((monitors.broken & bit(Property::writes_in_turn)) != 0) monitors.writes_in_turn = {};
  if ((monitors.broken & bit(Property::bounded_overtaking)) != 0) monitors.overtaking = {};
  if ((monitors.broken & bit(Property::tokens_grow)) != 0) monitors.tokens_grow = {};
  if (!monitors.on_request.empty()) monitors.on_request.write<OnRequest>().forget(monitors.broken);
}

}  // namespace

void Monitors::see(const std::vector<model::Observation>& seen, const model::Facts& facts,
                   sim::PropertyMask watched, Findings& findings) {
  watch(seen, facts, watched, findings);
  check(facts, watched, findings);
  settle(watched, findings);
}

void Monitors::watch(const std::vector<model::Observation>& seen, const model::Facts& facts,
                     sim::PropertyMask watched, Findings& findings) {
  const Setup& setup = facts.setup();
  const auto watches = [&](Property property) { return (watched & ~broken & bit(property)) != 0; };
  const bool writes = watches(Property::writes_in_turn) && has_resources(setup);
  const bool queues = has_queues(setup);
  OnRequest* requested = on_request.empty() ? nullptr : &on_request.write<OnRequest>();
  const bool made_of_others = watches(Property::all_or_nothing) && has_locks_made_of_others(setup);
  for (const model::Observation& observation : seen) {
    see_owner_only(observation, facts, findings);
    see_told_once(observation, setup, findings);
    see_expectation(observation, setup, findings);
    see_errors(observation, setup, findings);
    findings.shown |= shown_by(observation, beliefs, setup);
    if (!sent_by_the_dead(observation, facts)) {
      if (writes) writes_in_turn.see(observation, beliefs, setup, findings);
      see_reentrancy(beliefs, observation, facts, findings);
      beliefs.see(observation, setup);
    }
    if (watches(Property::free_after_crash)) free_after_crash.see(observation, facts, findings);
    if (watches(Property::granted_in_time)) granted_in_time.see(observation, findings);
    if (watches(Property::tokens_grow)) tokens_grow.see(observation, facts, findings);
    answers.see(observation, setup);
    if (queues) see_queue(observation, facts, findings);
    if (queues && watches(Property::bounded_overtaking)) overtaking.see(observation, facts, findings);
    if (requested != nullptr) requested->see(observation, facts, watched & ~broken, findings);
    check_mutual_exclusion(beliefs, setup, findings);
    if (made_of_others) see_all_or_nothing(observation, beliefs, facts, findings);
  }
}

void Monitors::check(const model::Facts& facts, sim::PropertyMask watched, Findings& findings) {
  for (std::size_t i = 0; i < fact_checks; ++i) check(static_cast<FactCheck>(i), facts, watched, findings);
}

void Monitors::check(FactCheck which, const model::Facts& facts, sim::PropertyMask watched,
                     Findings& findings) {
  const auto watches = [&](Property property) { return (watched & ~broken & bit(property)) != 0; };
  switch (which) {
    case FactCheck::lock_has_ttl: return check_lock_has_ttl(facts, findings);
    case FactCheck::free_after_crash:
      if (watches(Property::free_after_crash)) free_after_crash.check(facts, findings);
      return;
    case FactCheck::granted_in_time:
      if (watches(Property::granted_in_time)) granted_in_time.check(facts, findings);
      return;
    case FactCheck::nothing_left_behind:
      if (watches(Property::nothing_left_behind)) check_nothing_left_behind(beliefs, facts, findings);
      return;
    case FactCheck::on_request:
      if (!on_request.empty())
        on_request.write<OnRequest>().check(beliefs, facts, watched & ~broken, findings);
      return;
    case FactCheck::answers: return answers.check(facts, findings);
  }
}

void Monitors::settle(sim::PropertyMask watched, Findings& findings) {
  findings.broken &= watched & ~broken;
  broken |= findings.broken;
  forget(*this);
}

bool concerns(Property property, const Setup& setup) {
  switch (property) {
    case Property::writes_in_turn:
      return has_resources(setup);
    case Property::first_come_first_served:
    case Property::bounded_overtaking:
    case Property::queue_in_step:
      return has_queues(setup);
    case Property::all_or_nothing:
      return has_locks_made_of_others(setup);
    case Property::tokens_grow:
      return has_tokens(setup);
    case Property::busy_poll:
      return setup.poll_bound.has_value();
    case Property::red_majority:
    case Property::red_validity:
      return has_red_locks(setup);
    case Property::answers:
      return !setup.answers.empty();
    default:
      return true;
  }
}

sim::PropertyMask watched_in(const Setup& setup, sim::PropertyMask asked) {
  if (asked != all_usual) return asked;
  for (const PropertyInfo& one : catalog)
    if (one.on_request && !setup.expect.contains(std::string(one.name))) asked &= ~bit(one.property);
  if (setup.poll_bound) asked |= bit(Property::busy_poll);
  return asked;
}

Monitors initial_monitors(const Setup& setup, sim::PropertyMask watched) {
  Monitors monitors;
  const bool requested = std::any_of(catalog.begin(), catalog.end(), [&](const PropertyInfo& one) {
    return one.on_request && (watched & bit(one.property)) != 0;
  });
  const bool lasting =
      std::any_of(setup.predicates.begin(), setup.predicates.end(), [](const model::Predicate& one) {
        return one.kind == model::PredicateKind::eventually;
      });
  if (requested || lasting) monitors.on_request = OnRequest{};
  monitors.answers.counts.assign(setup.answers.size(), 0);
  return monitors;
}

}  // namespace lockstep::properties
