// check_findings.h: what a check found, as findings (reports/findings/findings.h), for its exports.
#pragma once

#include "model/setup/setup.h"
#include "reports/findings/findings.h"
#include "reports/result/result.h"

namespace lockstep::tools {

/// Adds the properties and witnesses of one scenario. Traces of violations are read back from their files.
void add_findings(reports::Findings& into, const reports::CheckResult& result, const model::Setup& setup,
                  const std::string& word);

}  // namespace lockstep::tools
