// cmd_version.h: `lockstep version` says which program this is: build options, file format versions,
// libraries.
#pragma once

#include "tools/cli/verb.h"

namespace lockstep::tools {

struct VersionOptions {
  Format format = Format::human;
};

ExitCode run_version(const VersionOptions& options, Session& session);
Verb version_verb();

/// "lockstep 0.1.0".
std::string version_line();

}  // namespace lockstep::tools
