// own_scripts.h: the scripts that kinds of locks bring along which are made of schemes; they are in no set.
#pragma once

#include <vector>

#include "model/client/lock_kind.h"

namespace lockstep::model {

struct OwnScript {
  const LockKind* kind = nullptr;
  const lua::Script* script = nullptr;
};
std::vector<OwnScript> scripts_of_schemes(const Setup& setup);

}  // namespace lockstep::model
