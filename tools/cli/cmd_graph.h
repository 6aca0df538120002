// cmd_graph.h: `lockstep graph SCENARIO|TRAIL|TRACE` draws a run, or the states of a scenario. -o says where
// it goes.
//
// Of a scenario the sequence, the timeline and the failover grid show the default schedule. The states are
// those of an exhaustive search; of a trail or a trace its scenario is searched. Scripts are counted in a
// whole search of a scenario, and in the one run of a trail or a trace. The machine of a lock kind is that
// of the client, and needs no scenario. A picture that could not be drawn leaves no file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tools/cli/verb.h"

namespace lockstep::tools {

enum class GraphKind { sequence, timeline, failover, states, script, machine };
enum class GraphType { automatic, svg, png, pdf, dot, mermaid, plantuml, text };
enum class GraphScale { automatic, order, time };
enum class GraphView { lock, holder, number, full };

struct GraphOptions {
  std::string file;
  GraphKind kind = GraphKind::sequence;
  GraphType type = GraphType::automatic;     // as the name of the file ends, else svg
  GraphScale scale = GraphScale::automatic;  // of a timeline: true time, or order if no time passes
  std::optional<std::uint64_t> from;  // first and last event, by index
  std::optional<std::uint64_t> to;
  std::uint64_t nodes_max = 300;             // of a state graph, after folding
  bool idle = true;                          // of a run: lanes of those who do nothing, too
  GraphView view = GraphView::lock;          // what makes two states one node
  std::uint64_t states_max = 100'000;        // of the search
  std::optional<std::uint64_t> memory_max{};  // of the search for states, in bytes
  std::string scenario;                      // of a trail or a trace: its file
  std::vector<std::string> against;          // of states, scripts: other scripts to compare with
  std::optional<sim::Duration> layout_timeout{};  // of Graphviz
  std::vector<std::string> scripts;          // SET, DIR or ROLE=FILE, in the order given
  std::string lock;                          // of a machine: the kind
  bool future = false;                       // of a machine: that of calls that return one
};

Verb graph_verb();

}  // namespace lockstep::tools
