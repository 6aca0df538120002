#include "model/redisson/unlock_answers.h"

#include "model/client/lock_kind.h"
#include "model/redisson/library.h"

namespace lockstep::redisson {

namespace {

bool resets_lease(const Settings& settings, const model::LockKind& kind) {
  return settings.unlock_resets_lease && !kind.keeps_lease_field;
}

bool looks_for_holds_left(const Settings& settings, const model::LockKind& kind) {
  return settings.watchdog_generation == 1 ||
         (settings.inner_unlock_keeps_lease && resets_lease(settings, kind));
}

}  // namespace

bool resets_lease(const model::Context& context, std::uint16_t object) {
  return resets_lease(settings_of(context), model::kind_of(context.setup, object));
}

model::Items taken_by(const Settings& settings, const model::LockKind& kind, model::Items items) {
  if (looks_for_holds_left(settings, kind)) return items;
  for (model::Item& item : items)
    if (item.what == model::Meaning::still_held) item.what = model::Meaning::released;
  return items;
}

}  // namespace lockstep::redisson
