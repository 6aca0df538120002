// synced.h: which of Redisson's scripts wait for replicas, by version and settings (model/client/synced.h).
//
// All scripts of locks do (CommandAsyncService.syncedEval, since 3.12.5) where a master has replicas; what is
// only asked does not. A spin lock is not asked for anew, and what is asked for together with its token is
// neither taken back nor asked for anew.
#pragma once

#include "model/client/machine.h"

namespace lockstep::redisson {

model::Syncing syncing(const model::Setup& setup, const model::Purpose& purpose);

/// Questions that any node can answer go where `read-mode` says (readMode); whether the sender holds a lock
/// is asked of the master always.
model::Asked asked(const model::Setup& setup, const model::Purpose& purpose);

/// An unlock that takes back an acquire says the lease field of its lock object, and deletes its latch.
sim::Duration lease_of_undo(model::ClientStep step, const model::Purpose& acquire);
void undone(model::ClientStep step, const model::Purpose& undo, const model::Items& items);

}  // namespace lockstep::redisson
