#include "properties/monitors/on_request.h"

namespace lockstep::properties {

namespace {

constexpr sim::PropertyMask of_red_locks = bit(Property::red_majority) | bit(Property::red_validity);

}  // namespace

void OnRequest::see(const model::Observation& observation, const model::Facts& facts,
                    sim::PropertyMask watched, Findings& findings) {
  const Setup& setup = facts.setup();
  const auto watches = [&](sim::PropertyMask some) { return (watched & some) != 0; };
  if (watches(bit(Property::lease_kept))) lease_kept.see(observation, setup);
  if (watches(bit(Property::no_lost_wake_up))) lost_wake_up.see(observation, facts, findings);
  if (watches(bit(Property::busy_poll)) && setup.poll_bound) busy_poll.see(observation, setup, findings);
  if (watches(of_red_locks)) red_locks.see(observation, facts, findings);
}

void OnRequest::check(const Beliefs& beliefs, const model::Facts& facts, sim::PropertyMask watched,
                      Findings& findings) {
  const auto watches = [&](sim::PropertyMask some) { return (watched & some) != 0; };
  if (watches(bit(Property::lease_kept))) lease_kept.check(beliefs, facts, findings);
  if (watches(bit(Property::no_lost_wake_up))) lost_wake_up.check(facts, findings);
  if (watches(of_red_locks)) red_locks.check(beliefs, facts, findings);
}

void OnRequest::forget(sim::PropertyMask broken) {
  if ((broken & bit(Property::lease_kept)) != 0) lease_kept = {};
  if ((broken & bit(Property::no_lost_wake_up)) != 0) lost_wake_up = {};
  if ((broken & bit(Property::busy_poll)) != 0) busy_poll = {};
  if ((broken & of_red_locks) == of_red_locks) red_locks = {};
}

}  // namespace lockstep::properties
