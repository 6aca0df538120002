// idle.h: a trace without those who take no part in what is shown, so that diagrams have no lanes for them.
#pragma once

#include "reports/text/window.h"
#include "sim/trace.h"

namespace lockstep::reports {

/// Threads that do nothing, and nodes that nothing reaches, in the part that is shown, are left out of the
/// actors. Who owns a lock then is not idle.
sim::Trace without_idle(sim::Trace trace, const Window& window);

}  // namespace lockstep::reports
