#include "reports/diagrams/idle.h"

#include <algorithm>
#include <set>

#include "reports/diagrams/ownership.h"

namespace lockstep::reports {

sim::Trace without_idle(sim::Trace trace, const Window& window) {
  const Shown shown = shown_events(trace, window);
  std::set<std::string> busy;
  for (std::size_t at = shown.begin; at < shown.end; ++at) {
    const sim::TraceEvent& event = trace.events[at];
    if (event.kind == sim::TraceKind::prop) continue;
    for (const std::string* who : {&event.who, &event.from, &event.to}) busy.insert(*who);
  }
  for (const Band& band : ownership(trace).bands)
    if (band.begin < shown.end && band.end > shown.begin) busy.insert(band.thread);
  for (const sim::TraceActor& actor : trace.actors)
    if (busy.contains(actor.id) && !actor.of.empty()) busy.insert(actor.of);
  std::erase_if(trace.actors, [&](const sim::TraceActor& actor) { return !busy.contains(actor.id); });
  return trace;
}

}  // namespace lockstep::reports
