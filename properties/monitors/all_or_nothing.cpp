// all_or_nothing.cpp: a lock made of others is given with enough of them, and refused with none.
//
// Judged where a call that takes it returns, by what is stored then on the masters. Given: the thread holds
// all of its members, or of a red lock a majority; one whose server is down does not count. Refused, or with
// an exception: the thread holds no member more often than before.
#include <algorithm>

#include <fmt/format.h>

#include "model/client/lock_kind.h"
#include "model/client/process.h"
#include "model/program/interpreter.h"
#include "properties/monitors/monitors.h"

namespace lockstep::properties {

std::optional<std::int64_t> holds_in_truth(ThreadId thread, std::uint16_t object, const std::string& key,
                                           const model::Facts& facts) {
  const Setup& setup = facts.setup();
  const auto truth = facts.truth(object, key);
  if (!truth) return std::nullopt;
  const std::string holder = model::holder_name(setup, thread, facts.incarnation(thread),
                                                model::client_of(setup, object));
  const model::Hold* hold = truth->find(holder, model::mode_of(setup, object));
  return hold == nullptr || hold->lapsed ? 0 : hold->count;
}

std::size_t members_held(ThreadId thread, const model::LockObject& whole, const model::Facts& facts) {
  return static_cast<std::size_t>(
      std::count_if(whole.members.begin(), whole.members.end(), [&](std::uint16_t member) {
        return holds_in_truth(thread, member, facts.setup().objects[member].name, facts).value_or(0) > 0;
      }));
}

void see_all_or_nothing(const model::Observation& observation, const Beliefs& beliefs,
                        const model::Facts& facts, Findings& findings) {
  const auto* seen = std::get_if<model::Returned>(&observation);
  if (seen == nullptr || !model::is_acquire(seen->call)) return;
  const Setup& setup = facts.setup();
  const model::LockObject* whole = setup.made_of_others(seen->lock);
  if (whole == nullptr) return;
  const std::string who = setup.thread_name(seen->thread);
  findings.shows(Witness::gathered);
  if (seen->answer == model::Answer::yes) {
    const std::size_t held = members_held(seen->thread, *whole, facts);
    const auto needed =
        model::members_needed(setup, static_cast<std::uint16_t>(whole - setup.objects.data()));
    if (held >= needed) return;
    return findings.breaks(Property::all_or_nothing, [&] {
      return fmt::format("{} was given {} while it held {} of {}", who, whole->name, held,
                         whole->members.size());
    });
  }
  for (const std::uint16_t member : whole->members) {
    const model::LockObject& its = setup.objects[member];
    const std::string name = model::resource_name(its.group, its.name);
    const model::Mode mode = model::mode_of(setup, member);
    const std::int64_t before = beliefs.depth(its.part ? model::Claim{whole->name, seen->thread}
                                                       : model::Claim{name, seen->thread, mode});
    if (holds_in_truth(seen->thread, member, its.name, facts).value_or(0) <= before) continue;
    findings.breaks(Property::all_or_nothing, [&] {
      return fmt::format("{} was refused {} and holds {}", who, whole->name, name);
    });
  }
}

bool has_locks_made_of_others(const Setup& setup) {
  return std::any_of(setup.objects.begin(), setup.objects.end(),
                     [](const model::LockObject& object) { return !object.members.empty(); });
}

}  // namespace lockstep::properties
