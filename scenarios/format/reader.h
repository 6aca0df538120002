// reader.h: turns a scenario file (TOML; `lockstep help scenario`) into the Setup that the model runs.
//
// Everything has a default but `format = 1` and one [process.NAME] with its threads. Unknown keys, tables,
// steps and options are errors with a suggestion. Of several mistakes the one that stands first in the file
// is reported, as one sentence with its place and a caret (place.h).
//
// A file may include another (include.h), be JSON (json_text.h), or stand for several scenarios (matrix.h).
//
// Naming: process A has the threads A1, A2 …; a name that ends in a digit is followed by a dot (P1.1, P1.2).
// With `count = 3` process W becomes W-1, W-2, W-3 with the threads W-1.1 …. Nodes are R0, R1 …. Processes
// are numbered in the natural order of their names (W-2 before W-10), so the order in the file does not
// matter. Without `id` the n-th process has the client id 00000000-0000-4000-8000-00000000000a, …b, counting
// on; the n-th thread of a process has the Java id n.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/setup/setup.h"
#include "scenarios/format/script_reader.h"
#include "sim/base/result.h"

namespace lockstep::scenarios {

/// A decision of [schedule] or a [[property]] that cannot be, by its place among them, and why.
struct Unfit {
  std::size_t index = 0;
  std::string why;
};
using FindUnfit = std::function<std::optional<Unfit>(const model::Setup&)>;

/// The names that [expect] may use, and what fits; the owner of the monitors knows that. What cannot be asked
/// here is taken as it is.
struct ScenarioVocabulary {
  std::vector<std::string> properties, witnesses;
  std::size_t predicates_max = 16, sometimes_max = 4;
  FindUnfit unfit_decision{}, unfit_predicate{};
};

/// Reads one scenario. `file_name` is for messages, and names a scenario that does not name itself.
/// `instance` is one of those that the file's [matrix] makes.
sim::Result<model::Setup> read_scenario(std::string_view text, std::string_view file_name,
                                        const ScriptLibrary& scripts, const ScenarioVocabulary& vocabulary,
                                        std::string_view instance = {});

/// All that its [matrix] makes, "[time.watchdog=10s]" and so on; without one, one empty text.
sim::Result<std::vector<std::string>> scenario_instances(std::string_view text, std::string_view file_name,
                                                         const ScriptLibrary& scripts);

/// Who asks for that property has to say how often is too often.
inline constexpr std::string_view busy_poll_has_no_bound =
    "`busy-poll` needs its bound: `[bounds]` `busy-poll = 3`";

/// The client id of the n-th process (from 0) that has none of its own.
std::string default_client_id(std::size_t index);

/// Gives processes the same `alike` if their programs, clients and clock offsets are the same and no fixed
/// fault is aimed at them.
void number_alike(model::Setup& setup);

/// Numbers inside names compare as numbers: "W-2" comes before "W-10".
bool natural_less(std::string_view a, std::string_view b);

}  // namespace lockstep::scenarios
