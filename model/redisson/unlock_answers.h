// unlock_answers.h: what a client makes of the answer to an unlock.
//
// The answer tells whether holds are left, but most clients count holds themselves and do not look. Who does:
//
//   1. One of the first generation of the watchdog (up to 3.10.4): it renews until nothing is left.
//   2. One that sets the lease field back, but not where a hold is left (from 3.27.2 on): of kinds whose
//      unlocks do so at all.
//
// All others are given one and the same meaning, so that they cannot look.
#pragma once

#include "model/client/machine.h"
#include "model/redisson/settings.h"

namespace lockstep::redisson {

/// Whether an unlock sets the lease field of an object back to the watchdog's time.
bool resets_lease(const model::Context& context, std::uint16_t object);

/// What the client is told by the answer to an unlock: of holds that are left only if it looks.
model::Items taken_by(const Settings& settings, const model::LockKind& kind, model::Items items);

}  // namespace lockstep::redisson
