// told_result.h: what the verdicts of a result cover, and what they do not, in sentences.
#pragma once

#include <string>

#include "model/setup/setup.h"
#include "reports/result/result.h"

namespace lockstep::tools {

/// What was asked and done, what each verdict says, what they cover, and what they do not.
std::string covered_text(const reports::CheckResult& result, const model::Setup& setup);

}  // namespace lockstep::tools
