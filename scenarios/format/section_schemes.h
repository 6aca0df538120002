// section_schemes.h: [scheme.NAME]: kinds of locks that a user describes (`lockstep help schemes`).
//
// They stand in a scenario, or in a file of their own that `schemes = ["FILE"]` names; a bare name is one
// that comes with the program (scenarios/schemes/NAME.scheme).
#pragma once

#include <string>

#include "model/client/scheme.h"
#include "model/setup/setup.h"
#include "scenarios/format/reader.h"
#include "scenarios/format/toml_reading.h"

namespace lockstep::scenarios {

/// `schemes` and [scheme]: the kinds of the program, and behind them these by their names.
void read_schemes(TomlReading& reading, const toml::table& document, const ScriptLibrary& library,
                  const ScenarioVocabulary& vocabulary, model::Setup& setup);

/// The schemes of a file of its own, by their names.
sim::Result<std::vector<const model::LockKind*>> schemes_in(std::string_view text, const std::string& file,
                                                            const ScriptLibrary& library);

/// [scheme.NAME] as it was read.
std::string print_scheme(const model::Scheme& scheme);
void print_schemes(std::string& out, const model::Setup& setup);

}  // namespace lockstep::scenarios
