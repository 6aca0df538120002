// written.h: schemes that are written, since a session or another server than Redis demands it; all others
// are described (kind.h).
#pragma once

#include <span>

#include "model/client/lock_kind.h"

namespace lockstep::schemes {

/// By their names, which `schemes` of a scenario may say.
std::span<const model::LockKind* const> kinds_of_servers();

}  // namespace lockstep::schemes
