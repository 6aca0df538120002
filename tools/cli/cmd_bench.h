// cmd_bench.h: `lockstep bench` measures this build on this machine. See BENCHMARKS.md for what the numbers
// mean.
#pragma once

#include <string>

#include "tools/cli/session.h"

namespace lockstep::tools {

struct BenchOptions {
  std::string filter;  // only benchmarks whose name contains this
  bool json = false;
};

ExitCode run_bench(const BenchOptions& options, Session& session);

}  // namespace lockstep::tools
