// kind.h: a resource outside of Redis, such as a file in a storage service, as a kind of server.
//
// It takes every write, whoever sends it, and stores nothing that a lock could be read from: that is the
// case in which a lock has to keep stale writes away all by itself. One that is fenced helps: it remembers
// the greatest token that came with a write, and refuses what comes with a smaller one, or with none (0). It
// is always up, and no fault befalls it.
#pragma once

#include "model/server/server.h"

namespace lockstep::resource {

extern const model::ServerKind server_kind;

}  // namespace lockstep::resource
