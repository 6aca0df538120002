// changed.h: the text of a scenario with one value changed, for sweeps over it.
//
//   time.watchdog        a key of a table
//   process.W.count
//   step.lease           an option in all steps that have it: "lock orders lease=10s"
//
// A value that TOML reads as one is that value (5, true, ["a"]), anything else is a text (9s). Whether the
// key exists and takes such a value is for the reader of the result to say.
#pragma once

#include <toml++/toml.h>

#include <optional>
#include <string>
#include <string_view>

#include "sim/base/result.h"

namespace lockstep::scenarios {

sim::Result<std::string> changed_scenario(std::string_view text, std::string_view file_name,
                                          std::string_view key, std::string_view value);

/// The same of a document; the node is moved from, and a key that is new is blamed where `blamed` stands. A
/// problem is a clause without a place.
std::optional<sim::Problem> change_value(toml::table& document, std::string_view key, const toml::key& blamed,
                                         toml::node& value);

}  // namespace lockstep::scenarios
