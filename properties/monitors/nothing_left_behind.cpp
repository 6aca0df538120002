// nothing_left_behind.cpp: when everybody is done, nothing is left of what nobody holds.
//
// At rest (all programs ended, all messages delivered, no timer armed, every TTL run out) no node stores a
// key or has a subscriber, and no process has a subscription entry. A renewal that goes on for ever never
// comes to rest, so it is looked for as soon as all programs have ended and all is silent. A thread that
// ended while it holds a lock is excused.
#include "properties/monitors/monitors.h"

namespace lockstep::properties {

void check_nothing_left_behind(const Beliefs& beliefs, const model::Facts& facts, Findings& findings) {
  if (!facts.all_threads_ended()) return;
  findings.shows(Witness::all_answered);
  if (!beliefs.nobody_believes() || !facts.all_masters_up()) return;  // without a master nobody can tidy up
  if (const auto renewal = facts.renewal_without_holder())
    findings.breaks(Property::nothing_left_behind, [&] { return *renewal; });
  if (!facts.at_rest()) return;
  findings.shows(Witness::at_rest);
  if (const auto left = facts.left_behind())
    findings.breaks(Property::nothing_left_behind, [&] { return *left; });
}

}  // namespace lockstep::properties
