// cmd_run.h: `lockstep run SCENARIO` plays one schedule: the default one, or a random one with --seed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/time.h"
#include "tools/cli/prefix.h"
#include "tools/cli/verb.h"

namespace lockstep::tools {

struct RunOptions {
  std::string scenario;
  std::optional<std::uint64_t> seed;     // absent: always the first move
  std::optional<sim::Duration> until;    // virtual time at which the run is cut
  std::vector<std::string> scripts;      // SET, DIR or ROLE=FILE, in the order given
  BeginsWith begins;                     // what it begins with
  std::string trace;                     // where to write the trace; empty: nowhere
  bool monitor = false;                  // print the commands as MONITOR shows them
  bool story = false;                    // print one line a step
};

Verb run_verb();

}  // namespace lockstep::tools
