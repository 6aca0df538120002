// sequence.h: messages between threads and servers, with bands that show who owned what.
//
// One lifeline for each thread, each process whose watchdog acts, and each node. Messages are arrows from the row where
// they were sent to the row where they arrived: requests solid blue, granted replies dashed green, refused ones dashed
// ochre, errors dashed red, pushes violet, replication dotted grey, lost messages red with a cross. Bands on the lifelines
// of threads: green believes and holds, hatched red believes but the current master says otherwise, yellow waits. Faults
// are strips across the picture; a violation is a red line across those who believe. The order is that of the events, and
// the time is printed at the left wherever it changes.
#pragma once

#include <optional>

#include "reports/drawing.h"
#include "sim/trace.h"

namespace lockstep::reports {

/// Which events of a trace are shown: positions, both included. Without limits: the last `events_max` up to and with
/// the first violation, or up to the end where there is none; a trace that fits is shown whole.
struct Window {
  std::optional<std::int64_t> from, to;
  std::size_t events_max = 60;
};

struct Shown {
  std::size_t begin = 0, end = 0;  // [begin, end) of Trace::events
};
Shown shown_events(const sim::Trace& trace, const Window& window);

Drawing sequence_diagram(const sim::Trace& trace, const Window& window = {});

}  // namespace lockstep::reports
