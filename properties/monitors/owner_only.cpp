// owner_only.cpp: no request but a forced unlock takes anything from anybody but the thread that it is for:
// neither a hold nor some of its time, and none takes anything of another lock. A hold that has lapsed has
// nothing left to take. An operator's command is a stranger's to every lock.
#include <fmt/format.h>

#include "model/client/lock_kind.h"
#include "model/client/process.h"
#include "properties/monitors/monitors.h"

namespace lockstep::properties {

namespace {

/// One hold, before and after a request of somebody else.
template <class Whose>
void compare(const model::Hold& hold, const model::Truth& later, const std::string& lock, Whose whose,
             Findings& findings) {
  const model::Hold* after = later.find(hold.holder, hold.mode);
  const bool same_count = after != nullptr && after->count == hold.count;
  const bool lasts = same_count && (!after->left || (hold.left && *after->left >= *hold.left));
  if (same_count && lasts) return;
  findings.breaks(Property::owner_only, [&] {
    if (same_count) return fmt::format("{} shortened the time of {} on {}", whose(), hold.holder, lock);
    return fmt::format("{} changed the hold of {} on {} from {} to {}", whose(), hold.holder, lock,
                       hold.count, after == nullptr ? 0 : after->count);
  });
}

/// A request about one lock takes nothing of another, from nobody.
void see_other_locks(const model::Evaluated& seen, const Setup& setup, Findings& findings) {
  const auto whose = [&] {
    return fmt::format("the {} of {} on {}", model::role_of(seen.purpose, setup).name,
                       setup.thread_name(seen.purpose.thread), seen.lock);
  };
  for (const model::LockChange& change : seen.others)
    for (const model::Hold& hold : change.before.holds)
      if (!hold.lapsed) compare(hold, change.after, change.lock, whose, findings);
}

void see_request(const model::Evaluated& seen, const Setup& setup, Findings& findings) {
  see_other_locks(seen, setup, findings);
  if (!seen.before || !seen.after) return;
  const model::Purpose& purpose = seen.purpose;
  const model::Intent intent = model::role_of(purpose, setup).intent;
  if (intent == model::Intent::force_release) return;
  const std::string mine = model::holder_of(purpose, setup);
  for (const model::Hold& hold : seen.before->holds) {
    if (hold.holder == mine || hold.lapsed) continue;
    if (intent == model::Intent::release) findings.shows(Witness::unlock_by_stranger);
    const auto whose = [&] {
      return fmt::format("the {} of {}", model::role_of(purpose, setup).name,
                         setup.thread_name(purpose.thread));
    };
    compare(hold, *seen.after, seen.lock, whose, findings);
  }
}

void see_command(const model::Commanded& seen, const Setup& setup, Findings& findings) {
  const auto whose = [&] { return fmt::format("`{}` of {}", seen.command, setup.thread_name(seen.thread)); };
  for (const model::LockChange& change : seen.changes)
    for (const model::Hold& hold : change.before.holds) {
      if (hold.lapsed) continue;
      if (!(change.before == change.after)) findings.shows(Witness::unlock_by_stranger);
      compare(hold, change.after, change.lock, whose, findings);
    }
}

}  // namespace

void see_owner_only(const model::Observation& observation, const Setup& setup, Findings& findings) {
  if (const auto* seen = std::get_if<model::Evaluated>(&observation)) see_request(*seen, setup, findings);
  if (const auto* seen = std::get_if<model::Commanded>(&observation)) see_command(*seen, setup, findings);
}

}  // namespace lockstep::properties
