// matrix.h: `[matrix]`: one file, a scenario for each combination of values.
//
//   [matrix]
//   "time.watchdog" = ["30s", "10s"]          the key of a value, as in changed.h, and what it is by turns
//   [expect."time.watchdog=10s"]              only where it is that; a more exact one counts more
//   mutual-exclusion = "violated"
//
// Each is called by its values behind the name of the scenario: `name[time.watchdog=10s]`, in the order of
// the keys. A mistake in a value has its place in the matrix.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scenarios/format/toml_reading.h"

namespace lockstep::scenarios {

inline constexpr std::size_t instances_max = 1'000;

/// What stands behind the name of each: "[time.watchdog=10s]"; one empty text without a [matrix].
std::vector<std::string> instances_in(TomlReading& reading, toml::table& document);

/// Puts the values of one into the document, which has no [matrix] then. False after a mistake.
bool choose_instance(TomlReading& reading, toml::table& document, std::string_view instance);

}  // namespace lockstep::scenarios
