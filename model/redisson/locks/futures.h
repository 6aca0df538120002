// futures.h: what calls that return a future have in common, however they wait.
#pragma once

#include "model/redisson/library.h"

namespace lockstep::redisson {

/// It was cancelled. A multi lock does not look at the futures of its members.
bool is_cancelled(Caller caller);
/// Unlocks what it was granted all the same; nobody awaits the answer.
void give_back(Caller caller);

}  // namespace lockstep::redisson
