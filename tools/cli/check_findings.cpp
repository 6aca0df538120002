#include "tools/cli/check_findings.h"

#include <algorithm>
#include <string_view>

#include "properties/monitors/all_properties.h"
#include "reports/files/trace_file.h"
#include "reports/text/text.h"
#include "tools/cli/input.h"
#include "tools/cli/load.h"

namespace lockstep::tools {

namespace {

reports::Weight weight_of(reports::Outcome outcome) {
  switch (outcome) {
    case reports::Outcome::as_expected:
      return reports::Weight::fine;
    case reports::Outcome::vacuous:
      return reports::Weight::vacuous;
    case reports::Outcome::unknown:
      return reports::Weight::unknown;
    case reports::Outcome::different:
      return reports::Weight::failed;
  }
  return reports::Weight::failed;
}

void add_trace(reports::Finding& finding) {
  const auto bytes = read_input(finding.trace_file);
  if (!bytes) return;
  auto trace = reports::read_trace(*bytes, finding.trace_file);
  if (!trace) return;
  const auto write = reports::violating_write(*trace, finding.property, {});
  finding.role = write.role;
  finding.line = write.line;
  finding.trace = *std::move(trace);
}

constexpr std::string_view reduced_note =
    "orders of moves that come to the same were left out (--reduce): states are those that were left";

void add_note(reports::Findings& into, std::string_view note) {
  if (std::find(into.notes.begin(), into.notes.end(), note) == into.notes.end())
    into.notes.emplace_back(note);
}

}  // namespace

void add_findings(reports::Findings& into, const reports::CheckResult& result, const model::Setup& setup,
                  const std::string& word) {
  ++into.scenarios;
  if (!result.complete && result.limit != "decided") ++into.cut;
  if (result.reduced) add_note(into, reduced_note);
  reports::Finding common;
  common.base_is_expectation = true;
  common.scenario = result.scenario;
  common.scenario_file = scenario_file(word);
  common.states = result.states;
  for (const auto& [role, script] : setup.scripts.roles) common.script_files[role] = script.file;
  for (const reports::PropertyResult& one : result.properties) {
    reports::Finding finding = common;
    finding.property = one.property;
    finding.promise =
        std::string(properties::info(*properties::find_property(one.property, setup), setup).says);
    const reports::Outcome outcome = reports::outcome_of(one);
    finding.outcome = words_of(outcome);
    finding.weight = weight_of(outcome);
    finding.base = one.expected;
    finding.head = one.verdict;
    finding.why = one.why;
    finding.steps = one.steps;
    finding.story = one.story;
    finding.trail_file = one.trail_file;
    finding.trace_file = one.trace_file;
    if (!one.trail_file.empty())
      finding.replay = "lockstep replay " + reports::shell_word(one.trail_file) + result.again;
    if (!one.trace_file.empty() && finding.told()) add_trace(finding);
    into.all.push_back(std::move(finding));
  }
  for (const bool seen : {true, false})
    for (const std::string& witness : seen ? result.seen : result.unseen) {
      reports::Finding finding = common;
      finding.property = "sometimes " + witness;
      finding.promise = "the scenario demands that this occurs in some schedule";
      finding.base = "seen";
      finding.head = seen ? "seen" : "unseen";
      finding.outcome = words_of(seen ? reports::Outcome::as_expected : reports::Outcome::vacuous);
      finding.weight = seen ? reports::Weight::fine : reports::Weight::vacuous;
      into.all.push_back(std::move(finding));
    }
  for (const reports::Finding& one : into.all) into.weight = std::max(into.weight, one.weight);
}

}  // namespace lockstep::tools
