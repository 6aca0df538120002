// timeline.h: lanes over time: who owned each lock until when, what the threads believed, renewals, nodes,
// faults.
//
// Two scales. `time`: distances are true time, except that events at one instant are moved apart so that each
// can be seen; such an instant is a thick piece of the axis. `order`: one step for each event that matters,
// with times printed where they change. `automatic` takes `time` if any time passes, else `order`: a failover
// may happen entirely at 0 s.
#pragma once

#include "reports/diagrams/drawing.h"
#include "reports/text/window.h"
#include "sim/trace.h"

namespace lockstep::reports {

enum class Scale { automatic, time, order };

struct TimelineOptions {
  Scale scale = Scale::automatic;
  Window window = {{}, {}, 2000};
  int width = 900;  // of the axis, in points, before instants are stretched
};

Drawing timeline_diagram(const sim::Trace& trace, const TimelineOptions& options = {});

}  // namespace lockstep::reports
