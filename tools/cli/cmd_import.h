// cmd_import.h: `lockstep import` reads what others wrote: `--from java PATH -o DIR` makes a script set of
// the scripts in Java sources, `--from redis-monitor LOG -o TRACE` a trace of what MONITOR printed.
#pragma once

#include <string>

#include "tools/cli/verb.h"

namespace lockstep::tools {

enum class ImportFrom { nothing, java, redis_monitor };

struct ImportOptions {
  ImportFrom from = ImportFrom::nothing;
  std::string path;
  std::string name = "imported";  // of the set
  std::string scripts;            // of a log: SET or DIR with scripts beside those that are known
  Format format = Format::human;
};

Verb import_verb();

}  // namespace lockstep::tools
