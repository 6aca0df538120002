// sequence.h: messages between threads and servers, with bands that show who owned what.
//
// One lifeline for each thread, each process whose watchdog acts, and each node. Messages are arrows from the
// row where they were sent to the row where they arrived: requests solid blue, granted replies dashed green,
// refused ones dashed ochre, errors dashed red, pushes violet, replication dotted grey, lost messages red
// with a cross. Bands on the lifelines of threads: green believes and holds, hatched red believes but the
// current master says otherwise, yellow waits. Faults are strips across the picture; a violation is a red
// line across those who believe. The order is that of the events, and the time is printed at the left
// wherever it changes.
#pragma once

#include "reports/diagrams/drawing.h"
#include "reports/text/window.h"
#include "sim/trace.h"

namespace lockstep::reports {

Drawing sequence_diagram(const sim::Trace& trace, const Window& window = {});

}  // namespace lockstep::reports
