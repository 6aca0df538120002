#include "properties/check/reduced.h"

#include <algorithm>

#include "properties/monitors/on_request.h"

namespace lockstep::properties {

std::optional<std::string> not_reduced(const Setup& setup, sim::PropertyMask watched) {
  if (auto why = model::never_apart(setup)) return why;
  if (!setup.predicates.empty()) return "a property of the scenario looks at every state";
  if (has_queues(setup)) return "a lock has a queue";
  if (!initial_monitors(setup, watched).on_request.empty())
    return "a property that is checked on request looks at every state";
  return std::nullopt;
}

namespace {

/// These neither read beliefs, nor are their premises shown by them.
constexpr sim::PropertyMask without_beliefs =
    bit(Property::lock_has_ttl) | bit(Property::granted_in_time) | bit(Property::told_once) |
    bit(Property::expectations) | bit(Property::answers) | bit(Property::no_script_error) |
    bit(Property::no_uncaught_exception) | bit(Property::calls_return) | bit(Property::no_zeno);

}  // namespace

bool is_known_alike(const Monitors& before, const Monitors& after, sim::PropertyMask watched) {
  constexpr sim::PropertyMask its_own = bit(Property::no_uncaught_exception) | bit(Property::expectations);
  if ((before.broken ^ after.broken) & ~its_own) return false;
  Monitors same = after;
  same.broken = before.broken;
  if ((watched & ~without_beliefs) == 0) same.beliefs = before.beliefs;
  return same == before;
}

bool minds_who_waits(sim::PropertyMask watched) { return (watched & bit(Property::granted_in_time)) != 0; }

bool changes_more(const Checked::State& before, const Checked::State& after, const Move& move,
                  const Setup& setup, sim::PropertyMask watched, model::ProcessId p) {
  const model::World &old = before.world, &now = after.world;
  if (!is_known_alike(*before.monitors, *after.monitors, watched)) return true;
  if (old.nodes != now.nodes && !model::is_about_channels(move)) return true;
  for (std::size_t q = 0; q < setup.processes.size(); ++q) {
    if (q == p.index()) continue;
    if (old.processes[q] != now.processes[q]) return true;
    for (std::size_t n = q * setup.nodes.size(); n < (q + 1) * setup.nodes.size(); ++n)
      if (old.links[n] != now.links[n]) return true;
  }
  const bool may_change_what_is_nobodys = move.is_fault() || std::holds_alternative<model::Follower>(move.on);
  return !may_change_what_is_nobodys &&
         (old.streams != now.streams || old.groups != now.groups || old.up != now.up ||
          old.pauses != now.pauses || old.clocks != now.clocks || old.budget != now.budget ||
          old.signals != now.signals || old.fixed_left != now.fixed_left);
}

}  // namespace lockstep::properties
