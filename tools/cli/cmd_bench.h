// cmd_bench.h: `lockstep bench` measures this build on this machine. See BENCHMARKS.md for what the numbers
// mean.
#pragma once

#include <string>

#include "tools/cli/verb.h"

namespace lockstep::tools {

struct BenchOptions {
  std::string filter;  // only benchmarks whose name contains this
  bool json = false;
};

Verb bench_verb();

}  // namespace lockstep::tools
