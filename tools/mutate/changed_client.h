// changed_client.h: one knob of the client set otherwise, as a change of a scenario's text.
#pragma once

#include <string>
#include <vector>

#include "model/redisson/versions.h"
#include "tools/cli/load.h"

namespace lockstep::tools {

/// The value by which the knob is known to act, and one for clients that have that by themselves; of a mutant
/// there is but one.
std::vector<std::string> values_of(const redisson::Knob& knob);
/// "spin-late-grant-refused = true"; a mutant by its name alone.
std::string name_with(const redisson::Knob& knob, const std::string& value);
ValueChange change_to(const redisson::Knob& knob, const std::string& value);

}  // namespace lockstep::tools
