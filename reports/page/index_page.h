// index_page.h: what a check found in each scenario, as one HTML page with links to the pages of its runs.
//
// Plain HTML without a script: what is not as expected comes first, then the scenarios in their order. The
// links are relative, so the folder can be moved.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "reports/result/result.h"

namespace lockstep::reports {

struct IndexedScenario {
  CheckResult result;
  std::string about;                         // the scenario's sentence
  std::map<std::string, std::string> pages;  // by property: where the page of its run lies
};

std::string index_page(const std::vector<IndexedScenario>& scenarios);

}  // namespace lockstep::reports
