// load.h: from words on the command line to a scenario that can be run.
//
// A scenario is a file, or the name of one that comes with the program ("plain/two-clients"); a file of that
// name wins. `WORD[KEY=VALUE]` is one of those that its [matrix] makes. `scripts` are the words of --scripts,
// applied in the order given; the scenario's digest is then taken anew.
#pragma once

#include <string>
#include <vector>

#include "model/setup/setup.h"
#include "scenarios/format/reader.h"
#include "sim/base/result.h"
#include "sim/trail/trail.h"

namespace lockstep::tools {

/// A value of the scenario that is another one for this once (scenarios/format/changed.h).
struct ValueChange {
  std::string key, value;
};

sim::Result<model::Setup> load_scenario(const std::string& word, const std::vector<std::string>& scripts,
                                        const std::vector<ValueChange>& changes = {});

/// The scenario that a word names; all that its [matrix] makes, each as a word. What cannot be read is left
/// as it is: loading it says why.
std::vector<std::string> instances_of(const std::string& word);

/// The text of a scenario as it stands in its file; an instance of a matrix has none.
sim::Result<std::string> scenario_text(const std::string& word);

/// The file that holds the scenario of a word; empty: it is built in.
std::string scenario_file(const std::string& word);

/// A trail file, or the trail that a trace carries.
sim::Result<sim::Trail> load_trail(const std::string& path);

/// The names that [expect] may use.
scenarios::ScenarioVocabulary vocabulary();

/// The built-in scripts, and files of the user's.
sim::Result<scenarios::ScriptLibrary> script_library();
/// What a scenario names lies beside it; what the command line names, where the command is given.
scenarios::ScriptLibrary beside(scenarios::ScriptLibrary library, const std::string& scenario);

inline constexpr std::uint64_t scenario_bytes_max = 2u << 20;

}  // namespace lockstep::tools
