#include "reports/findings/findings.h"

#include <fmt/format.h>

#include <algorithm>

#include "reports/text/text.h"
#include "sim/base/amount.h"

namespace lockstep::reports {

namespace {

/// Regressions before all else that is told of the same weight.
int rank_of(const Finding& finding) {
  const int weight = 10 * (3 - static_cast<int>(finding.weight));
  return weight + (finding.outcome == "accepted" ? 1 : finding.outcome == "fixed" ? 2 : 0);
}

bool is_of(const std::string& role, const std::vector<ChangedScript>& changed) {
  return std::any_of(changed.begin(), changed.end(), [&](const auto& one) { return one.role == role; });
}

}  // namespace

std::vector<const Finding*> worst_first(const Findings& findings) {
  std::vector<const Finding*> ranked;
  for (const Finding& one : findings.all)
    if (one.told()) ranked.push_back(&one);
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const Finding* a, const Finding* b) { return rank_of(*a) < rank_of(*b); });
  return ranked;
}

std::string counts_text(const Findings& findings) {
  std::map<std::string, std::size_t> counts;
  for (const Finding& one : findings.all) ++counts[one.outcome];
  std::string text;
  for (const char* outcome : {"regressed", "not as expected", "unknown", "vacuous", "accepted", "fixed",
                              "new", "gone", "same", "as expected"})
    if (const auto found = counts.find(outcome); found != counts.end())
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", found->second, outcome);
  return text.empty() ? "nothing was compared" : text;
}

std::string verdicts_text(const Finding& finding) {
  if (finding.base_is_expectation) return fmt::format("{} (expected: {})", finding.head, finding.base);
  if (finding.head.empty()) return finding.base;
  if (finding.base.empty() || finding.base == finding.head) return finding.head;
  return finding.base + " → " + finding.head;
}

std::string place_text(const Finding& finding) {
  const std::string file = finding.script_file();
  if (!file.empty()) return fmt::format("{}:{}", printable(file), finding.line);
  return printable(finding.scenario_file);
}

ViolatingWrite violating_write(const sim::Trace& trace, const std::string& property,
                               const std::vector<ChangedScript>& changed) {
  ViolatingWrite last, last_changed;
  for (const sim::TraceEvent& event : trace.events) {
    if (event.kind == sim::TraceKind::prop && (property.empty() || event.name == property)) break;
    if (event.kind != sim::TraceKind::eval) continue;
    const bool writes = event.line && !event.changes.empty();
    // A changed script that should have written and did not is what one wants to see, too.
    if (is_of(event.script, changed) && (writes || last_changed.role.empty()))
      last_changed = {event.script, event.line.value_or(1)};
    if (writes) last = {event.script, *event.line};
  }
  return last_changed.role.empty() ? last : last_changed;
}

}  // namespace lockstep::reports
