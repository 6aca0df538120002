// check_result.h: what a check found, as the data that reports read, with its counterexamples kept as files.
//
// The files lie in OUT/SCENARIO/: PROPERTY.trail holds where the run deviates from the default schedule (it
// replays to exactly the same run), PROPERTY.jsonl the trace. Each is written whole or not at all.
#pragma once

#include <string>
#include <vector>

#include "properties/check/check.h"
#include "reports/result/result.h"
#include "sim/base/result.h"

namespace lockstep::tools {

struct CheckedScenario {
  std::string word;          // as the command line names it
  bool every_witness = true;  // demand the witnesses too, not only the properties
  std::string out_dir;
  std::vector<std::string> scripts{};  // the words of --scripts
};

sim::Result<reports::CheckResult> check_result(const CheckedScenario& what, const model::Setup& setup,
                                               const properties::CheckReport& report);

}  // namespace lockstep::tools
