// result_reader.h: results as `check --format json` wrote them, read back.
//
// What a reader needs is read: verdicts, premises, bounds, work, witnesses; stories and options are not. A
// text that is no result, or was cut off, is one sentence with its file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reports/result/result.h"
#include "sim/base/result.h"

namespace lockstep::reports {

sim::Result<std::vector<CheckResult>> read_results(std::string_view text, const std::string& file);

}  // namespace lockstep::reports
