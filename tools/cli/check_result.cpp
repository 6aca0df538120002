#include "tools/cli/check_result.h"

#include <cmath>

#include <fmt/format.h>

#include "properties/check/walks.h"
#include "properties/monitors/all_properties.h"
#include "reports/files/trace_file.h"
#include "reports/text/story.h"
#include "reports/text/text.h"
#include "scenarios/format/script_reader.h"
#include "sim/base/amount.h"
#include "tools/cli/output.h"
#include "tools/graph/decided_run.h"
#include "tools/graph/script_ways.h"

namespace lockstep::tools {

namespace {

const char* limit_of(sim::SearchEnd ended) {
  switch (ended) {
    case sim::SearchEnd::complete:
      return "network";  // which has no end without held_max
    case sim::SearchEnd::states:
      return "states";
    case sim::SearchEnd::depth:
      return "depth";
    case sim::SearchEnd::memory:
      return "memory";
    case sim::SearchEnd::stopped:
      return "time";
    case sim::SearchEnd::decided:
      return "decided";
  }
  return "";
}

std::optional<sim::Problem> keep_counterexample(const model::Setup& setup, const sim::Trail& deviations,
                                                const std::string& out_dir, reports::PropertyResult& into) {
  const std::string directory = out_dir + "/" + setup.name;
  if (auto problem = make_result_folder(out_dir, setup.name)) return problem;
  into.trail_file = fmt::format("{}/{}.trail", directory, into.property);
  into.trace_file = fmt::format("{}/{}.jsonl", directory, into.property);
  const properties::Told told = properties::tell(setup, deviations);
  into.steps = told.steps;
  into.story = reports::story(told.trace);
  if (auto problem = write_file(into.trail_file, sim::text_of(deviations))) return problem;
  return write_file(into.trace_file, reports::write_trace(told.trace));
}

reports::PropertyResult property_result(const model::Setup& setup, const properties::PropertyResult& found) {
  const properties::PropertyInfo info = properties::info(found.property, setup);
  const model::Expected expected = properties::expected_of(setup, found.property);
  reports::PropertyResult result;
  result.property = info.name;
  result.verdict = properties::name_of(found.verdict);
  result.expected = properties::name_of(expected);
  result.named = setup.expect.contains(result.property);
  result.as_expected = properties::meets(found.verdict, expected);
  result.vacuous = found.vacuous;
  result.premise = properties::name_of(info.premise);
  result.why = found.why;
  return result;
}

/// Every decision of the run by its number; nothing for one that stops time where no search does, for no
/// number stands for that, or is so long that nobody would copy it.
std::string again_command(const CheckedScenario& what, const model::Setup& setup, const sim::Trail& trail,
                          const std::string& property) {
  constexpr std::size_t decisions_max = 120;
  const auto run = decided_run(setup, trail);
  if (!run || run->empty() || run->size() > decisions_max) return "";
  std::string choices;
  for (const Decided& one : *run) {
    if (!(one.moves[one.index] == one.taken)) return "";
    choices += fmt::format("{}{}", choices.empty() ? "" : ".", one.index);
  }
  std::string scripts;
  for (const std::string& spec : what.scripts) scripts += " --scripts " + reports::shell_word(spec);
  return fmt::format("lockstep check {} --property {} --choices {}{}", reports::shell_word(what.word),
                     reports::shell_word(property), choices, scripts);
}

std::string certificate_text(const properties::Certificate& known) {
  const double found_in_one =
      1 / (static_cast<double>(known.chains) * std::pow(static_cast<double>(known.steps), known.depth - 1));
  const double confidence = 1 - std::pow(1 - found_in_one, static_cast<double>(known.runs));
  constexpr double most = 99.99;  // what is printed is never rounded up to certainty
  return fmt::format("no bug of depth {} in at most {} moves of {}, with {}{:.4g} % confidence", known.depth,
                     known.steps, sim::amount(known.chains, "chain"),
                     100 * confidence > most ? "more than " : "", std::min(most, 100 * confidence));
}

void add_samples(const model::Setup& setup, const properties::CheckReport& report,
                 reports::CheckResult& result) {
  for (const auto& [policy, by] : report.sampled_by) {
    result.settled += by.settled;
    reports::SampledBy one{.policy = policy, .runs = by.runs, .cut = by.cut};
    one.independent = policy != properties::name_of(properties::Walk::guided);
    if (policy == properties::name_of(properties::Walk::pct)) {
      one.no_certificate = properties::why_no_certificate(setup, report);
      if (const auto known = properties::certificate_of(setup, report))
        one.certificate = certificate_text(*known);
    }
    result.sampled_by.push_back(std::move(one));
  }
  if (!report.seen.empty()) result.covered = covered_of(setup, report.seen);
}

/// The same scripts against those that the scenario names, with the trails of what was found.
std::string gate_command(const CheckedScenario& what, const model::Setup& setup) {
  std::string head;
  for (const std::string& spec : what.scripts) {
    const bool pair = spec.find('=') != std::string::npos && spec.find_first_of(",:") == std::string::npos;
    if (!pair && what.scripts.size() > 1) return "";
    head += (head.empty() ? "" : ",") + spec;
  }
  if (head.empty()) head = setup.scripts.name;
  if (what.scripts.empty() && head.find('+') != std::string::npos) return "";  // its own, by no word
  return fmt::format("lockstep gate --head {} --scenarios {} --trails {}", reports::shell_word(head),
                     reports::shell_word(what.word), reports::shell_word(what.out_dir + "/" + setup.name));
}

/// Roles of scripts that somebody put in place of others, and that no lock of the scenario sent.
std::set<std::string> replaced_in_vain(const model::Setup& setup, const properties::CheckReport& report) {
  std::set<std::string> roles;
  for (const lua::ScriptSet* set : setup.script_sets())
    for (const std::string& role : scenarios::split_set_name(set->name).replaced)
      if (!report.sent.contains(role)) roles.insert(role);
  return roles;
}

}  // namespace

sim::Result<reports::CheckResult> check_result(const CheckedScenario& what, const model::Setup& setup,
                                               const properties::CheckReport& report) {
  if (report.refusal) return sim::Problem{fmt::format("{}: {}", setup.name, *report.refusal)};
  reports::CheckResult result;
  result.scenario = setup.name;
  result.digest = setup.digest;
  result.scripts = setup.scripts_told();
  result.bounds = report.bounds;
  result.within = report.within;
  for (const std::string& role : replaced_in_vain(setup, report))
    result.within.push_back(fmt::format("the script put in place of `{}` was never sent", role));
  result.file = what.word;
  result.overrides = what.scripts;
  result.gate = gate_command(what, setup);
  result.again = what.word == setup.name ? "" : " --scenario " + reports::shell_word(what.word);
  result.searched = report.searched;
  result.complete = report.complete;
  if (report.searched && !report.complete) result.limit = limit_of(report.ended);
  if (report.preemptions_max && report.ended == sim::SearchEnd::complete) result.limit = "preemptions";
  if (report.time_was_up) result.limit = "time";
  if (report.interrupted) result.limit = "interrupt";
  result.symmetry = report.symmetry;
  result.symmetry_off = report.symmetry_off.value_or("");
  result.reduced = report.reduced;
  result.reduction_off = report.reduction_off.value_or("");
  result.states = report.states;
  result.transitions = report.transitions;
  result.depth = report.depth;
  result.deep = report.deep;
  result.boxes = report.boxes;
  if (setup.exact && report.searched) {
    const model::Lattice lattice = report.lattice.value_or(model::Lattice{});
    result.instants = {lattice.spacing.count(), lattice.below.count(), lattice.above.count()};
  }
  result.runs = report.runs;
  result.steps = report.steps;
  result.cut = report.cut;
  result.cut_at_limit = report.cut_at_limit;
  result.cut_after = report.cut_after.drawn;
  result.settling_max = report.cut_after.settling;
  add_samples(setup, report, result);
  for (const properties::PropertyResult& found : report.results) {
    result.properties.push_back(property_result(setup, found));
    result.properties.back().named |= !what.every_witness;  // the command line names it
    if (!found.deviations) continue;
    if (auto problem = keep_counterexample(setup, *found.deviations, what.out_dir, result.properties.back()))
      return *std::move(problem);
    reports::PropertyResult& kept = result.properties.back();
    kept.again = again_command(what, setup, *found.deviations, kept.property);
  }
  if (!what.every_witness) return result;
  for (const auto& [name, bit] : properties::wanted_witnesses(setup))
    ((report.witnesses & bit) != 0 ? result.seen : result.unseen).push_back(name);
  return result;
}

}  // namespace lockstep::tools
