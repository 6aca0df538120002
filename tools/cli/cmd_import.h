// cmd_import.h: `lockstep import --from java PATH -o DIR` makes a script set of the scripts in Java sources.
#pragma once

#include <string>

#include "tools/cli/verb.h"

namespace lockstep::tools {

enum class ImportFrom { nothing, java };

struct ImportOptions {
  ImportFrom from = ImportFrom::nothing;
  std::string path;
  std::string name = "imported";  // of the set
  Format format = Format::human;
};

Verb import_verb();

}  // namespace lockstep::tools
