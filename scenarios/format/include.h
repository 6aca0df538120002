// include.h: `include = "base.toml"`: the tables of another file, below those of the one that includes it.
//
// What both say, the including file says: tables are merged key by key, everything else is replaced. The path
// is relative to the file, as are the scripts that the included file names. `name` is not taken over. One
// level only: an included file that includes something is refused, a cycle above all.
#pragma once

#include <toml++/toml.h>

#include <string>

#include "scenarios/format/script_reader.h"
#include "scenarios/format/toml_reading.h"

namespace lockstep::scenarios {

/// The bytes of the included file; it must live as long as the reading.
struct IncludedFile {
  std::string path, text;
};

/// False after a mistake that leaves nothing to read.
bool merge_included(TomlReading& reading, toml::table& document, const FileLoader& load, IncludedFile& file);

}  // namespace lockstep::scenarios
