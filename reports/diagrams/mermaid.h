// mermaid.h: a sequence diagram as Mermaid text, for places that render it (job summaries, comments, Markdown
// pages).
//
// Participants are aliases P0, P1, … with the labels of the actors, because ids like "end" or "a:b" break the
// grammar. In texts `#`, `;`, `%`, `"`, `<`, `>` and `&` are written as entities: a raw `#` silently cuts a
// text, a raw `;` ends the statement. The text stays within the limits that renderers have: at most
// `messages_max` messages and 40 kB, then a note says what was left out.
#pragma once

#include <string>

#include "reports/text/window.h"
#include "sim/trace.h"

namespace lockstep::reports {

struct MermaidOptions {
  Window window;
  std::size_t messages_max = 200;
  std::size_t bytes_max = 40'000;
};

std::string mermaid(const sim::Trace& trace, const MermaidOptions& options = {});

/// Text safe in a Mermaid message, note or label.
std::string mermaid_text(const std::string& text);

}  // namespace lockstep::reports
