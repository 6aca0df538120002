#include "scenarios/format/normalise.h"
#include "scenarios/format/reader.h"
#include "sim/base/verify.h"
#include "tools/fuzz/fuzz.h"
#include "tools/cli/load.h"

namespace lockstep::tools::fuzz {

void scenario(std::string_view input) {
  static const scenarios::ScriptLibrary scripts = *script_library();
  static const scenarios::ScenarioVocabulary names = vocabulary();
  const auto setup = scenarios::read_scenario(input, "fuzz.toml", scripts, names);
  if (!setup.ok()) {
    VERIFY(!setup.problem().text.empty());
    return;
  }
  const std::string printed = scenarios::normalised(*setup);
  const auto again = scenarios::read_scenario(printed, "fuzz.toml", scripts, names);
  VERIFY(again.ok());
  VERIFY(scenarios::normalised(*again) == printed);
}

}  // namespace lockstep::tools::fuzz
