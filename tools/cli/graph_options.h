// graph_options.h: the options of `lockstep graph`, and which of them go together.
#pragma once

#include <string>

#include "tools/cli/cmd_graph.h"
#include "tools/cli/grammar.h"

namespace lockstep::tools {

const Choices<GraphType>& graph_types();
inline bool is_text_form(GraphType type) { return type == GraphType::mermaid || type == GraphType::plantuml; }

void declare_graph(Grammar& grammar, GraphOptions& options);
/// One sentence, or nothing.
std::string complaint_about_graph(const GraphOptions& graph);

}  // namespace lockstep::tools
