// embedded.h: the scenarios that come with the program, as bytes inside it: every .toml file below scenarios.
//
// The name of a scenario is its path without ".toml": "plain/two-clients".
#pragma once

#include "sim/base/embedded.h"

namespace lockstep::scenarios {

using sim::EmbeddedFile;

/// In the order of their names.
std::span<const EmbeddedFile> embedded_scenarios();

/// The schemes that come with the program, "set-nx-px.scheme" …, in the order of their names, and behind them
/// the scripts that only they send.
std::span<const EmbeddedFile> embedded_schemes();

/// The one of this name (a trailing ".toml" is allowed), or null.
const EmbeddedFile* find_embedded_scenario(std::string_view name);

}  // namespace lockstep::scenarios
