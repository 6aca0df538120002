// cmd_trace.h: `lockstep trace show|stat|verify|export FILE` prints a trace, counts it, checks its digest, or
// writes it in another format, or as a scenario that begins with its run.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "tools/cli/verb.h"

namespace lockstep::tools {

enum class TraceAction { show, stat, verify, convert };

struct TraceOptions {
  TraceAction action = TraceAction::show;
  std::string file;
  std::string as;                     // export: one of `lockstep list exporters`
  bool as_scenario = false;           // export: as a scenario (pinned.h)
  std::string scenario;               // then: the file of the scenario it was made from
  std::optional<std::uint64_t> from;  // first and last event, by index
  std::optional<std::uint64_t> to;
  std::string actor, key;   // show: only what is of them; empty: all
  bool changes = false;     // show: only what changes something that is stored
};

Verb trace_verb();

}  // namespace lockstep::tools
