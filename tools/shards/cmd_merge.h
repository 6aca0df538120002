// cmd_merge.h: `lockstep merge FILE…` says what the shards of a check say together.
#pragma once

#include <string>
#include <vector>

#include "tools/cli/export_findings.h"
#include "tools/cli/verb.h"

namespace lockstep::tools {

struct MergeOptions {
  std::vector<std::string> files;
  bool verbose = false;
  std::vector<FindingsExport> exports;
  std::string report_dir;
  Format format = Format::human;
};

Verb merge_verb();

}  // namespace lockstep::tools
