// look.h: what a node stores, as the shapes of locks look at it (model/server/look.h).
#pragma once

#include "model/redis/node.h"
#include "model/server/look.h"

namespace lockstep::redis {

model::Look look_at(const Node& node);

}  // namespace lockstep::redis
