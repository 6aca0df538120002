// event_window.h: --from and --to, held against the trace that they are to cut.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>

#include "reports/text/window.h"
#include "sim/base/result.h"

namespace lockstep::tools {

/// Positions of events, both included. A window that shows nothing is a mistake of the one who asked for it.
inline sim::Result<reports::Window> event_window(std::optional<std::uint64_t> from,
                                                 std::optional<std::uint64_t> to, const sim::Trace& trace) {
  const std::uint64_t size = trace.events.size();
  if (from && *from >= size)
    return sim::Problem{fmt::format("--from {} is behind the last event; there are {}", *from, size)};
  if (from && to && *from > *to)
    return sim::Problem{fmt::format("--from {} is behind --to {}", *from, *to)};
  reports::Window window;
  if (from) window.from = static_cast<std::int64_t>(*from);
  if (to) window.to = static_cast<std::int64_t>(std::min(*to, size));
  return window;
}

}  // namespace lockstep::tools
