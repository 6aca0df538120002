// cmd_graph.h: `lockstep graph SCENARIO|TRAIL|TRACE` draws a run, or the states of a scenario. -o says where
// it goes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "tools/session.h"

namespace lockstep::tools {

enum class GraphKind { sequence, timeline, states };
enum class GraphType { svg, png, pdf, dot, mermaid };
enum class GraphScale { order, time };

struct GraphOptions {
  std::string file;
  GraphKind kind = GraphKind::sequence;
  GraphType type = GraphType::svg;
  GraphScale scale = GraphScale::order;
  std::optional<std::uint64_t> from;  // first and last event, by index
  std::optional<std::uint64_t> to;
  std::uint64_t nodes_max = 300;
};

ExitCode run_graph(const GraphOptions& options, Session& session);

}  // namespace lockstep::tools
