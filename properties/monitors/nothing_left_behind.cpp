// nothing_left_behind.cpp: when everybody is done, nothing is left of what nobody holds.
//
// At rest (all programs ended, all messages delivered, no timer armed, every TTL run out) no node stores a
// key or has a subscriber, and no process has a subscription entry. A renewal that goes on for ever never
// comes to rest, so it is looked for as soon as all programs have ended and all is silent; so is a key that
// will never die. What belongs to a lock that a thread kept when it ended is excused, and nothing else.
#include <set>

#include "properties/monitors/monitors.h"

namespace lockstep::properties {

void check_nothing_left_behind(const Beliefs& beliefs, const model::Facts& facts, Findings& findings) {
  if (!facts.all_threads_ended()) return;
  findings.shows(Witness::all_answered);
  if (!facts.all_masters_up()) return;  // without a master nobody can tidy up
  const Setup& setup = facts.setup();
  std::set<std::string> kept;
  for (const auto& [claim, belief] : beliefs.held) {
    if (belief.depth == 0 || setup.is_part(claim.lock)) continue;  // a part belongs to its whole
    kept.insert(claim.lock);
    if (const model::LockObject* whole = setup.made_of_others(claim.lock))
      for (const std::uint16_t member : whole->members)
        kept.insert(model::resource_name(setup.objects[member].group, setup.objects[member].name));
  }
  if (const auto renewal = facts.renewal_without_holder(kept))
    findings.breaks(Property::nothing_left_behind, [&] { return *renewal; });
  if (const auto key = facts.left_for_good(kept))
    findings.breaks(Property::nothing_left_behind, [&] { return *key; });
  if (!facts.at_rest()) return;
  findings.shows(Witness::at_rest);
  if (const auto left = facts.left_behind(kept))
    findings.breaks(Property::nothing_left_behind, [&] { return *left; });
}

}  // namespace lockstep::properties
