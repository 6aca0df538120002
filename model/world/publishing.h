// publishing.h: who can make a server publish something before time passes.
#pragma once

#include "model/world/world.h"

namespace lockstep::model {

/// Whether a process, or what is under way from it, may do so by any moves that take no time. It may say so
/// of one that cannot, never the other way round.
bool may_publish_now(const World& world, const Setup& setup, ProcessId p);

}  // namespace lockstep::model
