// weakest_faults.h: the fewest faults that break each property of a scenario.
//
// The budgets of a scenario span a lattice, from none of its faults to all of them. A schedule within a
// smaller budget is one within every larger budget, so what a budget breaks, larger ones break as well. The
// lattice is walked from below, by the number of faults; what lies above a budget that breaks a property is
// not asked about that property again. A search that was cut says nothing, and that is said.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "model/setup/setup.h"
#include "properties/check/check.h"

namespace lockstep::tools {

/// How often each fault may happen: "1 crash-node, 1 failover"; "no fault".
std::string text_of(const model::FaultBudget& budget, const model::Setup& setup);

struct WeakestFaults {
  properties::Property property{};
  std::vector<model::FaultBudget> breaking;  // none is contained in another
  std::vector<model::FaultBudget> unknown;   // whose searches were cut
  std::size_t held = 0;                      // searches that were complete and found nothing
  bool beyond = false;                       // there are more budgets than were asked
};

struct LatticeLimits {
  properties::CheckOptions options;  // of each search
  std::size_t searches_max = 256;
  std::function<properties::Outside(const std::string& budget)> begin;
};

/// For each of the properties in the mask.
std::vector<WeakestFaults> weakest_faults(const model::Setup& setup, sim::PropertyMask asked,
                                          const LatticeLimits& limits);

}  // namespace lockstep::tools
