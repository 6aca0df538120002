// check_pages.h: the pages of a check: one for each run that breaks something, and an index of all scenarios.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/setup/setup.h"
#include "reports/page/index_page.h"
#include "sim/base/result.h"

namespace lockstep::tools {

/// The pages of what a check of one scenario found, in DIR/SCENARIO/PROPERTY.html, and its line of the index.
sim::Result<reports::IndexedScenario> write_pages(const std::string& directory, const model::Setup& setup,
                                                  const reports::CheckResult& result);

/// DIR/index.html.
std::optional<sim::Problem> write_index(const std::string& directory,
                                        const std::vector<reports::IndexedScenario>& scenarios);

}  // namespace lockstep::tools
