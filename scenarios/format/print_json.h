// print_json.h: the canonical text of a scenario as JSON, for generators and other programs.
//
// The same keys and values as the canonical TOML (normalise.h), by their names, two spaces a level, with a
// newline at the end. It is read as a scenario again, and is then equal to the one it was printed of.
#pragma once

#include <string>

#include "model/setup/setup.h"

namespace lockstep::scenarios {

std::string normalised_json(const model::Setup& setup);

}  // namespace lockstep::scenarios
