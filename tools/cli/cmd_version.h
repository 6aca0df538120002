// cmd_version.h: `lockstep version` says which program this is: build options, file format versions,
// libraries.
#pragma once

#include "tools/cli/session.h"

namespace lockstep::tools {

struct VersionOptions {
  Format format = Format::human;
};

ExitCode run_version(const VersionOptions& options, Session& session);

/// "lockstep 0.1.0".
std::string version_line();

}  // namespace lockstep::tools
