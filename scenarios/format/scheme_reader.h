// scheme_reader.h: one [scheme.NAME] as it is read; used by section_schemes.cpp only.
#pragma once

#include <string>
#include <vector>

#include "model/client/scheme.h"
#include "scenarios/format/reader.h"
#include "scenarios/format/toml_reading.h"

namespace lockstep::scenarios {

/// What a scheme may name: scripts, and properties, if it is known which there are.
struct Sources {
  const ScriptLibrary& library;
  const std::vector<std::string>* properties = nullptr;
};

/// What is wrong is told to the reading, with its place.
model::Scheme read_scheme(TomlReading& reading, const Sources& sources, const toml::key& key,
                          const toml::table& table);

}  // namespace lockstep::scenarios
