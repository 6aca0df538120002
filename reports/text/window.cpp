#include "reports/text/window.h"

#include <algorithm>

namespace lockstep::reports {

Shown shown_events(const sim::Trace& trace, const Window& window) {
  const std::size_t size = trace.events.size();
  std::size_t end = size;
  if (window.to) {
    end = *window.to < 0 ? 0 : std::min(size, static_cast<std::size_t>(*window.to) + 1);
  } else {
    const auto broken =
        std::find_if(trace.events.begin(), trace.events.end(),
                     [](const sim::TraceEvent& event) { return event.kind == sim::TraceKind::prop; });
    if (broken != trace.events.end() && size > window.events_max) {
      end = static_cast<std::size_t>(broken - trace.events.begin()) + 1;
    }
  }
  std::size_t begin = end > window.events_max ? end - window.events_max : 0;
  if (window.from) begin = *window.from < 0 ? 0 : std::min(end, static_cast<std::size_t>(*window.from));
  return {begin, end};
}

}  // namespace lockstep::reports
