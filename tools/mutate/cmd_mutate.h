// cmd_mutate.h: `lockstep mutate SCENARIO…` says which mistakes in scripts these scenarios would notice.
//
// Exit code 0: each mutant is caught, or equivalent to the original; 1: some live; 3: of some a limit leaves
// it open, or a scenario was left out; 4: no scenario was selected, or none sends a script.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/time.h"
#include "tools/cli/verb.h"

namespace lockstep::tools {

struct MutateOptions {
  std::vector<std::string> scenarios;  // files, folders, built-in ones, patterns
  std::vector<std::string> scripts;    // SET, DIR or ROLE=FILE
  std::vector<std::string> roles;      // empty: all, and the client
  bool knobs = false;
  bool every = false;  // tell those that are caught, too
  std::optional<std::uint64_t> states_max, runs;
  std::uint64_t pairs_max = 50'000;
  std::uint64_t seed = 1;
  std::optional<sim::Duration> time_limit;  // for each search
  std::string cache;                        // a folder; empty: nothing is kept
  std::string markdown;  // a file for this form, too
  Format format = Format::human;
};

Verb mutate_verb();

}  // namespace lockstep::tools
