// cmd_import.h: `lockstep import` reads what others wrote: `--from java PATH -o DIR` makes a script set of
// the scripts in Java sources, `--from redis-monitor LOG -o TRACE` a trace of what MONITOR printed, and
// `--from jepsen-edn|ndjson FILE -o HISTORY` the history that check-history reads.
#pragma once

#include <string>

#include "tools/cli/verb.h"

namespace lockstep::tools {

enum class ImportFrom { nothing, java, redis_monitor, jepsen_edn, ndjson };

struct ImportOptions {
  ImportFrom from = ImportFrom::nothing;
  std::string path;
  std::string name = "imported";  // of the set
  std::string map;                // of ndjson: the file that says what its members are called
  std::string scripts;            // of a log: SET or DIR with scripts beside those that are known
  Format format = Format::human;
};

Verb import_verb();

}  // namespace lockstep::tools
