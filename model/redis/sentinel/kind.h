// kind.h: a Sentinel as a kind of server of a world: it is up or down, reached or not, and stores nothing.
//
// What it knows of the nodes that it watches is kept by the world (model/world/watch.h), which leaves out all
// that Sentinels do while nothing is wrong; the machine itself is sentinel.h.
#pragma once

#include "model/server/server.h"

namespace lockstep::redis::sentinel {

extern const model::ServerKind server_kind;

}  // namespace lockstep::redis::sentinel
