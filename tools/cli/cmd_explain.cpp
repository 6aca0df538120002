#include "tools/cli/cmd_explain.h"

#include <fmt/format.h>

#include <algorithm>

#include "properties/monitors/all_properties.h"
#include "reports/result/result_reader.h"
#include "reports/text/text.h"
#include "sim/base/amount.h"
#include "tools/cli/input.h"
#include "tools/cli/load.h"
#include "tools/cli/output.h"
#include "tools/cli/work_watch.h"
#include "tools/explain/told_result.h"
#include "tools/explain/weakest_faults.h"

namespace lockstep::tools {

namespace {

std::string budgets_text(const std::vector<model::FaultBudget>& budgets, const model::Setup& setup) {
  std::string text;
  for (const model::FaultBudget& one : budgets) text += (text.empty() ? "" : "; or ") + text_of(one, setup);
  return text;
}

/// Of what the result itself shows to be violated, all faults of the scenario are known to be enough.
WeakestFaults with_what_is_known(WeakestFaults one, const reports::CheckResult& result,
                                 const model::Setup& setup) {
  const std::string_view name = properties::info(one.property, setup).name;
  const bool violated = std::any_of(
      result.properties.begin(), result.properties.end(),
      [&](const reports::PropertyResult& its) { return its.property == name && its.verdict == "violated"; });
  const auto whole = std::find(one.unknown.begin(), one.unknown.end(), setup.faults);
  if (!violated || whole == one.unknown.end()) return one;
  one.unknown.erase(whole);
  one.breaking.push_back(setup.faults);
  return one;
}

std::string weakest_text(const WeakestFaults& one, const model::Setup& setup) {
  const std::string name(properties::info(one.property, setup).name);
  std::string text;
  if (one.breaking.empty() && one.unknown.empty() && !one.beyond)
    return fmt::format("    {}: no set of them breaks it ({} complete)\n", name,
                       sim::amount(one.held, "search"));
  if (one.breaking.empty()) text = fmt::format("    {}: unknown", name);
  else text = fmt::format("    {} is broken by {}", name, budgets_text(one.breaking, setup));
  if (!one.breaking.empty() && one.held > 0)
    text += fmt::format("; with less it holds ({} complete)", sim::amount(one.held, "search"));
  if (!one.unknown.empty())
    text += fmt::format("; whether {} is enough is unknown: the search was cut",
                        budgets_text(one.unknown, setup));
  if (one.beyond) text += "; larger sets were not asked";
  return text + "\n";
}

/// Of what was proved nothing less than all of the faults needs to be asked.
sim::PropertyMask worth_asking(const reports::CheckResult& result, const model::Setup& setup) {
  sim::PropertyMask asked = 0;
  for (const reports::PropertyResult& one : result.properties)
    if (const auto property = properties::find_property(one.property, setup);
        property && one.verdict != "proved")
      asked |= properties::bit(*property);
  return asked;
}

std::string faults_text(const ExplainOptions& options, const reports::CheckResult& result,
                        const model::Setup& setup, WorkWatch& watch) {
  const sim::PropertyMask asked = worth_asking(result, setup);
  if (asked == 0) return "  no fault within the bounds breaks any of them\n";
  LatticeLimits limits{.searches_max = options.searches_max};
  limits.options.strategy = properties::Strategy::search;
  limits.options.states_max = std::min(options.states_max, sim::SearchLimits{}.states_max);
  limits.options.shrink = false;
  limits.begin = [&](const std::string& budget) { return watch.begin(setup.name + " with " + budget); };
  std::string text = "  the weakest faults that break a property";
  if (!setup.fixed.empty()) text += " (the fixed ones happen in every run)";
  text += ":\n";
  for (const WeakestFaults& one : weakest_faults(setup, asked, limits))
    text += weakest_text(with_what_is_known(one, result, setup), setup);
  watch.erase();
  return text;
}

ExitCode run_explain(const ExplainOptions& options, Session& session) {
  const auto bytes = read_input(options.file);
  if (!bytes) return complain(session, bytes.problem());
  const auto results = reports::read_results(*bytes, options.file);
  if (!results) return complain(session, results.problem());
  const InterruptWatch interrupt;
  WorkWatch watch(session.console, telling_of(session.console), options.time_limit);
  bool first = true;
  for (const reports::CheckResult& result : *results) {
    const auto setup = load_scenario(result.file, result.overrides);
    if (!setup) return complain(session, setup.problem());
    if (setup->digest != result.digest)
      return complain(session,
                      sim::Problem{fmt::format(
                          "{}: {} or its scripts are not what they were (digest {}, now {}); check again",
                          reports::printable(options.file), reports::printable(result.scenario),
                          reports::printable(result.digest), setup->digest)});
    session.console.out << (first ? "" : "\n") << covered_text(result, *setup);
    if (options.faults) session.console.out << faults_text(options, result, *setup, watch);
    session.console.out.flush();
    first = false;
    if (InterruptWatch::interrupted()) {
      session.console.out << "incomplete: interrupted\n";
      return ExitCode::interrupted;
    }
  }
  return ExitCode::as_expected;
}

void declare_explain(Grammar& grammar, ExplainOptions& o) {
  grammar.word("RESULT", o.file, "what `lockstep check … --format json` wrote (-: standard input)");
  grammar.count("--max-states", o.states_max,
                "limit: states of each search over a part of the faults (200000)");
  grammar.count("--max-searches", o.searches_max, "limit: how many of them for each scenario (256)");
  grammar.duration("--time-limit", o.time_limit, "limit: wall time of each of them");
  grammar.flag_off("--no-faults", o.faults, "do not look for the weakest faults that break a property");
}

}  // namespace

Verb explain_verb() {
  return {.name = "explain",
          .summary = "say what the verdicts of a check cover, and which faults break what",
          .usage = "RESULT",
          .examples = {"lockstep explain result.json"},
          .required = {"RESULT"},
          .request = requests<ExplainOptions>({declare_explain, to_output<run_explain>})};
}

}  // namespace lockstep::tools
