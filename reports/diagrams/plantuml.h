// plantuml.h: diagrams as PlantUML text. Lockstep writes it and never runs PlantUML.
//
// Signs that PlantUML or its markup give a meaning are written as code points (`<U+003C>`), so no name
// becomes markup, a line of its own, or the name of a file to include.
#pragma once

#include <string>

#include "reports/diagrams/sequence_text.h"
#include "reports/diagrams/state_graph.h"
#include "sim/trace.h"

namespace lockstep::reports {

std::string plantuml(const sim::Trace& trace, const SequenceTextOptions& options = {});
std::string plantuml(const StateGraph& graph, const StateGraphOptions& options);

/// Text safe in a PlantUML message, note or label.
std::string plantuml_text(const std::string& text);

}  // namespace lockstep::reports
