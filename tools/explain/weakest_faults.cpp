#include "tools/explain/weakest_faults.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/world/faults/table.h"
#include "properties/check/prefix.h"
#include "properties/monitors/all_properties.h"

namespace lockstep::tools {

namespace {

using model::FaultBudget;

bool contains(const FaultBudget& larger, const FaultBudget& smaller) {
  for (std::size_t i = 0; i < smaller.counts.size(); ++i)
    if (smaller.counts[i] > (i < larger.counts.size() ? larger.counts[i] : 0)) return false;
  return true;
}

std::size_t total(const FaultBudget& budget) {
  std::size_t sum = 0;
  for (const std::uint16_t count : budget.counts) sum += count;
  return sum;
}

/// All budgets up to the scenario's, the smallest first; one more than `count_max` if there are more.
std::vector<FaultBudget> budgets_of(const model::Setup& setup, std::size_t count_max) {
  std::vector<FaultBudget> all{FaultBudget{}};
  for (const model::FaultId fault : model::faults_as_told(setup)) {
    const std::size_t before = all.size();
    for (std::uint16_t times = 1; times <= setup.faults[fault]; ++times)
      for (std::size_t i = 0; i < before && all.size() <= 64 * count_max; ++i) {
        FaultBudget more = all[i];
        more.set(fault, times);
        all.push_back(std::move(more));
      }
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const FaultBudget& a, const FaultBudget& b) { return total(a) < total(b); });
  if (all.size() > count_max) all.resize(count_max + 1);
  return all;
}

}  // namespace

std::string text_of(const FaultBudget& budget, const model::Setup& setup) {
  std::string text;
  for (const model::FaultId fault : model::faults_as_told(setup))
    if (budget[fault] > 0)
      text +=
          fmt::format("{}{} {}", text.empty() ? "" : ", ", budget[fault], model::fault_row(fault, setup).key);
  return text.empty() ? "no fault" : text;
}

std::vector<WeakestFaults> weakest_faults(const model::Setup& setup, sim::PropertyMask asked,
                                          const LatticeLimits& limits) {
  std::vector<WeakestFaults> found;
  for (const properties::PropertyInfo& one : properties::all_properties(setup))
    if ((asked & properties::bit(one.property)) != 0) found.push_back({.property = one.property});
  std::vector<FaultBudget> budgets = budgets_of(setup, limits.searches_max);
  const bool beyond = budgets.size() > limits.searches_max;
  if (beyond) budgets.pop_back();
  for (const FaultBudget& budget : budgets) {
    properties::CheckOptions options = limits.options;
    options.watched = 0;
    for (const WeakestFaults& one : found) {
      const bool broken = std::any_of(one.breaking.begin(), one.breaking.end(),
                                      [&](const FaultBudget& less) { return contains(budget, less); });
      if (!broken) options.watched |= properties::bit(one.property);
    }
    if (options.watched == 0) continue;
    model::Setup weaker = setup;
    weaker.faults = budget;
    if (properties::prefix_of(weaker).misfit) continue;  // no run begins so with less
    if (limits.begin) options.outside = limits.begin(text_of(budget, setup));
    const properties::CheckReport report = properties::check(weaker, options);
    for (const properties::PropertyResult& result : report.results)
      for (WeakestFaults& one : found) {
        if (one.property != result.property) continue;
        if (result.verdict == properties::Verdict::violated) one.breaking.push_back(budget);
        else if (result.verdict == properties::Verdict::unknown) one.unknown.push_back(budget);
        else ++one.held;
      }
    if (report.interrupted) break;
  }
  for (WeakestFaults& one : found) one.beyond = beyond;
  return found;
}

}  // namespace lockstep::tools
