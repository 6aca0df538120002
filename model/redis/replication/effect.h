// effect.h: what a write does, as servers tell it (model/server/effect.h).
#pragma once

#include "model/server/effect.h"

namespace lockstep::redis {

using model::Command;
using model::Effect;
using model::Effects;
using model::Target;
using sim::Duration;

}  // namespace lockstep::redis
