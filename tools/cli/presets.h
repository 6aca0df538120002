// presets.h: options that are set before anything is typed: in the environment, and in a file lockstep.toml.
//
// What is typed wins over the environment, and that over the file. LOCKSTEP_MAX_STATES=500 is what
// `--max-states 500` would be, for each command that has such an option. The file is the first lockstep.toml
// found from the folder of the command upwards, or what --config names:
//
//   out-dir = "build/out"         # options of every command
//   [check]                       # options of `lockstep check`
//   max-states = 500_000
//
// Nothing is passed over in silence but variables that name no option of the command: a word in the file that
// is no option, or a value that an option does not take, is a mistake with its place.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/result.h"

namespace lockstep::tools {

/// Where presets come from.
struct PresetsAround {
  std::function<std::optional<std::string>(const std::string& name)> variable;  // absent: no presets at all
};

/// Those of the process.
PresetsAround presets_around();

struct PresetOption {
  std::string name;  // "max-states"
  bool is_flag = false, is_many = false;
  bool given = false;  // by what was typed
};
using PresetOptions = std::vector<PresetOption>;

struct Preset {
  std::string origin;  // "LOCKSTEP_SEED", "lockstep.toml:3:1"
  std::string word;    // "--seed=7", "--all"
};

struct PresetsAsked {
  std::string verb;
  PresetOptions of_all;                         // commands
  std::map<std::string, PresetOptions> of_each;  // by its name
  std::string directory;  // of the command
  std::string file;       // --config; empty: looked for, "none": none is read
};

/// What is set for this verb and was not typed.
sim::Result<std::vector<Preset>> presets(const PresetsAsked& asked, const PresetsAround& around);

}  // namespace lockstep::tools
