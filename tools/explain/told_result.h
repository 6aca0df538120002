// told_result.h: a result of `check --format json`, read back, and what its verdicts cover, in sentences.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/setup/setup.h"
#include "reports/result/result.h"
#include "sim/base/result.h"

namespace lockstep::tools {

/// Errors are one sentence with the file.
sim::Result<std::vector<reports::CheckResult>> read_results(std::string_view text, const std::string& file);

/// What was asked and done, what each verdict says, what they cover, and what they do not.
std::string covered_text(const reports::CheckResult& result, const model::Setup& setup);

}  // namespace lockstep::tools
