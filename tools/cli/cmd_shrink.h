// cmd_shrink.h: `lockstep shrink TRAIL` looks for a smaller schedule that breaks the same property. -o says
// where it goes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tools/cli/verb.h"

namespace lockstep::tools {

enum class ShrinkWanted { faults, steps, time, actors };

struct ShrinkOptions {
  std::string file;
  std::string scenario;              // the scenario's file, if it is not found by its name
  std::vector<std::string> scripts;       // SET, DIR or ROLE=FILE, in the order given
  std::optional<std::uint64_t> budget;    // replays to spend
  ShrinkWanted by = ShrinkWanted::faults;  // what there is to be little of
};

Verb shrink_verb();

}  // namespace lockstep::tools
