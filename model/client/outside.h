// outside.h: what calls are about that are about no lock. These kinds have no shape: nobody holds them.
#pragma once

#include "model/client/lock_kind.h"

namespace lockstep::model {

/// `redis DEL orders`: a plain command to the masters of a group, sent once, as by redis-cli.
extern const LockKind operator_commands;
/// `write ledger`: a write to a resource outside of Redis, sent once; each resource is a server of its own.
extern const LockKind resources;

}  // namespace lockstep::model
