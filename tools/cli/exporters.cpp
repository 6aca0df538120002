#include "tools/cli/exporters.h"

#include <nlohmann/json.hpp>

#include <array>
#include <limits>

#include "reports/diagrams/drawing.h"
#include "reports/diagrams/mermaid.h"
#include "reports/diagrams/sequence.h"
#include "reports/text/story.h"
#include "reports/diagrams/timeline.h"
#include "reports/exports/exports.h"
#include "reports/files/trace_file.h"

namespace lockstep::tools {

namespace {

using reports::Window;

/// Only a diagram has too little room for a whole trace.
Window whole(Window window) {
  window.events_max = std::numeric_limits<std::size_t>::max();
  return window;
}

/// The lines of the trace file, as the members of one document.
std::string json(const sim::Trace& trace, const Window& window) {
  nlohmann::ordered_json document, events = nlohmann::ordered_json::array();
  const reports::Shown shown = reports::shown_events(trace, whole(window));
  const std::string text = reports::write_trace(trace);
  std::size_t number = 0;
  for (std::size_t at = 0; at < text.size(); ++number) {
    const std::size_t end = text.find('\n', at);
    auto line = nlohmann::ordered_json::parse(text.substr(at, end - at));
    at = end + 1;
    const bool is_event = number > 0 && number <= trace.events.size();
    if (number == 0) document["header"] = std::move(line);
    else if (!is_event) document["end"] = std::move(line);
    else if (number - 1 >= shown.begin && number - 1 < shown.end) events.push_back(std::move(line));
  }
  document["events"] = std::move(events);
  return document.dump(2) + "\n";
}

std::string jsonl(const sim::Trace& trace, const Window&) { return reports::write_trace(trace); }

std::string trail(const sim::Trace& trace, const Window&) { return trace.trail; }

std::string story(const sim::Trace& trace, const Window& window) {
  return reports::story(trace, {.window = whole(window), .everything = true});
}

std::string mermaid(const sim::Trace& trace, const Window& window) {
  return reports::mermaid(trace, {.window = window});
}

std::string dot(const sim::Trace& trace, const Window& window) {
  return reports::to_dot(reports::sequence_diagram(trace, window));
}

std::string timeline_dot(const sim::Trace& trace, const Window& window) {
  reports::TimelineOptions options;
  options.window.from = window.from;
  options.window.to = window.to;
  return reports::to_dot(reports::timeline_diagram(trace, options));
}

/// What other tools read is whole.
template <auto write>
std::string all_of(const sim::Trace& trace, const Window&) {
  return write(trace);
}

constexpr std::array table{
    Exporter{"jsonl", "the trace itself, one event a line", false, jsonl},
    Exporter{"json", "one JSON document: header, events, end", true, json},
    Exporter{"story", "a table of everything that happened, one line an event", true, story},
    Exporter{"trail", "the decisions that the trace was made from", false, trail},
    Exporter{"mermaid", "a sequence diagram as Mermaid text, for Markdown pages", true, mermaid},
    Exporter{"dot", "a sequence diagram as DOT, for `neato -n2`", true, dot},
    Exporter{"timeline-dot", "a timeline as DOT, for `neato -n2`", true, timeline_dot},
    Exporter{"perfetto", "Chrome's JSON, for ui.perfetto.dev", false, all_of<reports::perfetto>},
    Exporter{"shiviz", "a log with vector clocks, for ShiViz", false, all_of<reports::shiviz>},
    Exporter{"itf", "states in the Informal Trace Format, for its viewers", false,
             all_of<reports::itf>},
    Exporter{"edn", "a history of calls and faults, as Jepsen keeps it", false,
             all_of<reports::jepsen_history>},
};

}  // namespace

std::span<const Exporter> exporters() { return table; }

const Exporter* find_exporter(std::string_view name) {
  for (const Exporter& one : table)
    if (one.name == name) return &one;
  return nullptr;
}

}  // namespace lockstep::tools
