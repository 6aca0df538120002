// window.h: the part of a trace that a diagram or a table shows.
#pragma once

#include <cstdint>
#include <optional>

#include "sim/trace.h"

namespace lockstep::reports {

/// Which events of a trace are shown: positions, both included. Without limits: the last `events_max` up to
/// and with the first violation, or up to the end where there is none; a trace that fits is shown whole.
struct Window {
  std::optional<std::int64_t> from, to;
  std::size_t events_max = 60;
};

struct Shown {
  std::size_t begin = 0, end = 0;  // [begin, end) of Trace::events
};
Shown shown_events(const sim::Trace& trace, const Window& window);

}  // namespace lockstep::reports
