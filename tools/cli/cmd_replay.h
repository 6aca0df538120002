// cmd_replay.h: `lockstep replay TRAIL|TRACE` runs a stored schedule again; it succeeds if the trail's own
// verdict comes out.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tools/cli/verb.h"

namespace lockstep::tools {

struct ReplayOptions {
  std::string file;                  // a trail, or a trace that carries its trail
  std::string scenario;              // the scenario's file, if it is not found by its name
  std::vector<std::string> scripts;  // SET, DIR or ROLE=FILE, in the order given
  std::string trace;                 // where to write the trace; empty: nowhere
  bool lenient = false;              // match moves by their text, skip those that are gone
  std::optional<std::uint64_t> to;   // stop after this decision
};

Verb replay_verb();

}  // namespace lockstep::tools
