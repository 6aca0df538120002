// mermaid.h: diagrams as Mermaid text, for places that render it (job summaries, comments, Markdown pages).
//
// In texts `#`, `;`, `%`, `"`, `<`, `>` and `&` are written as entities: a raw `#` silently cuts a text, a
// raw `;` ends the statement. Renderers take 50 000 characters and 500 edges at most, and less is written.
#pragma once

#include <string>

#include "reports/diagrams/sequence_text.h"
#include "reports/diagrams/state_graph.h"
#include "sim/trace.h"

namespace lockstep::reports {

std::string mermaid(const sim::Trace& trace, const SequenceTextOptions& options = {});
std::string mermaid(const StateGraph& graph, const StateGraphOptions& options);

/// Text safe in a Mermaid message, note or label.
std::string mermaid_text(const std::string& text);

}  // namespace lockstep::reports
