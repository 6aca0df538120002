// cmd_explain.h: `lockstep explain RESULT` says in words what verdicts cover, and which faults break what.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sim/base/time.h"
#include "tools/cli/verb.h"

namespace lockstep::tools {

struct ExplainOptions {
  std::string file;                    // of `check --format json`
  std::uint64_t states_max = 200'000;  // of each search over a part of the faults
  std::uint64_t searches_max = 256;
  std::optional<sim::Duration> time_limit;  // for each of them
  bool faults = true;                       // look for the weakest that break a property
};

Verb explain_verb();

}  // namespace lockstep::tools
