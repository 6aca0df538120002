// bare_library.h: a client that does nothing by itself: it sends what the calls of its threads say, and reads
// the answers.
#pragma once

#include "model/client/machine.h"

namespace lockstep::model {

extern const Library bare_library;

}  // namespace lockstep::model
