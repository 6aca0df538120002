// cmd_report.h: `lockstep report TRACE -o FILE.html` writes a run as one HTML page.
#pragma once

#include <string>

#include "tools/cli/verb.h"

namespace lockstep::tools {

struct ReportOptions {
  std::string file;  // a trace
};

Verb report_verb();

}  // namespace lockstep::tools
