// timeline_text.h: who holds and who believes to, over time, as a Gantt chart of Mermaid or a timing diagram
// of PlantUML. One section for each lock and each thread; what lasts no time is a milestone, or is left out.
#pragma once

#include <string>

#include "reports/text/window.h"
#include "sim/trace.h"

namespace lockstep::reports {

std::string mermaid_timeline(const sim::Trace& trace, const Window& window);
std::string plantuml_timeline(const sim::Trace& trace, const Window& window);

}  // namespace lockstep::reports
