// normalise.h: the one canonical text of a scenario.
//
// Equal Setups have equal texts, whatever the order, spacing, spelling of times and comments of the files
// they came from; reading the text gives an equal Setup again. The digest that trails name is taken of this
// text without `about`, which is prose, and of the SHA1 of every script, so that a changed script file is
// another scenario.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "model/redisson/versions.h"
#include "model/setup/setup.h"

namespace lockstep::scenarios {

/// The scenario as TOML, every value written out, with a newline at the end.
std::string normalised(const model::Setup& setup);

/// XXH3-128, 32 hexadecimal digits.
std::string scenario_digest(const model::Setup& setup);

/// The text as TOML writes it, in double quotes.
std::string toml_text(std::string_view text);

/// As a scenario would say it: `"1s500ms"`, `true`, `3`.
std::string knob_value(const redisson::Settings& settings, const redisson::Knob& knob);

/// "trylock orders": the call that an expectation counts.
std::string print_call(const model::AnswerCount& count,
                       std::span<const model::LockKind* const> kinds);

}  // namespace lockstep::scenarios
