// result_diff.h: how two results of checks compare, scenario by scenario, as plain data with two readers.
//
// What counts is what the results say: verdicts, whether they are vacuous, what was expected, bounds, whether
// all was met, witnesses. Work (states, moves, runs, the length of a counterexample) and what was asked (the
// texts of scenario and scripts) are told beside it, as notes: a difference in them alone is none.
#pragma once

#include <string>
#include <vector>

#include "reports/result/result.h"

namespace lockstep::reports {

/// One thing that is otherwise. Everything is printable.
struct ResultChange {
  std::string what;  // "mutual-exclusion", "bounds", "seen", "states"
  std::string a, b;
  bool counts = true;
};

struct ScenarioChange {
  std::string scenario;
  std::vector<ResultChange> changes;  // those that count first
};

struct ResultDiff {
  std::string a, b;                         // what the user called them
  std::vector<std::string> only_a, only_b;  // scenarios
  std::vector<ScenarioChange> scenarios;    // in which anything is otherwise
  std::uint64_t compared = 0;
};

ResultDiff compare_results(const std::vector<CheckResult>& a, const std::vector<CheckResult>& b);

/// Whether anything that counts is otherwise.
bool differ(const ResultDiff& diff);

std::string result_diff_text(const ResultDiff& diff);
std::string result_diff_json(const ResultDiff& diff);

}  // namespace lockstep::reports
