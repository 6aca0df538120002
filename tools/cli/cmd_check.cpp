#include "tools/cli/cmd_check.h"

#include <algorithm>
#include <chrono>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "properties/check/check.h"
#include "reports/text/story.h"
#include "reports/files/trace_file.h"
#include "tools/cli/counterexample.h"
#include "tools/cli/load.h"
#include "tools/cli/quantity.h"

namespace lockstep::tools {

namespace {

using properties::CheckReport;
using properties::PropertyResult;
using properties::Verdict;

/// One scenario, checked.
struct Checked {
  std::string word;  // as the command line names it
  model::Setup setup;
  CheckReport report;
  std::vector<std::string> unseen;              // witnesses that the scenario demands and nobody showed
  std::vector<Counterexample> counterexamples;  // of the violated properties, in the order of the results
};

bool as_expected(const model::Setup& setup, const PropertyResult& result) {
  return properties::meets(result.verdict, properties::expected_of(setup, result.property));
}

/// A named property must not be vacuous; one that the scenario does not name may be.
bool named(const model::Setup& setup, const PropertyResult& result) {
  return setup.expect.contains(std::string(properties::info(result.property).name));
}

/// A verdict that differs weighs more than one that is unknown, and that more than a vacuous one.
ExitCode worse_of(ExitCode a, ExitCode b) {
  const auto weight = [](ExitCode one) {
    return one == ExitCode::different ? 3 : one == ExitCode::unknown ? 2 : one == ExitCode::vacuous ? 1 : 0;
  };
  return weight(a) >= weight(b) ? a : b;
}

ExitCode exit_of(const Checked& checked) {
  ExitCode code = ExitCode::as_expected;
  const auto worse = [&code](ExitCode other) { code = worse_of(code, other); };
  for (const PropertyResult& result : checked.report.results) {
    if (result.verdict == Verdict::unknown) worse(ExitCode::unknown);
    else if (!as_expected(checked.setup, result)) worse(ExitCode::different);
    else if (result.vacuous && named(checked.setup, result)) worse(ExitCode::vacuous);
  }
  if (!checked.unseen.empty()) worse(ExitCode::vacuous);
  return code;
}

sim::Result<properties::CheckOptions> options_for(const CheckOptions& asked) {
  properties::CheckOptions options;
  switch (asked.strategy) {
    case Strategy::automatic:
      break;
    case Strategy::bfs:
      options.strategy = properties::Strategy::search;
      break;
    case Strategy::random:
      options.strategy = properties::Strategy::random;
      break;
    case Strategy::pct:
      options.strategy = properties::Strategy::pct;
      break;
  }
  options.seed = asked.seed;
  options.runs = asked.runs.value_or(options.runs);
  if (asked.runs) options.sampled_steps_max = ~std::uint64_t{0};
  options.states_max =
      std::min(asked.states_max.value_or(options.states_max), sim::SearchLimits{}.states_max);
  options.depth_max = asked.depth_max.value_or(options.depth_max);
  options.steps_max = asked.steps_max;
  options.memory_bytes_max = asked.memory_limit.value_or(options.memory_bytes_max);
  options.exact = asked.exact;
  options.symmetry = asked.symmetry;
  options.shrink = asked.shrink;
  if (asked.time_limit) {
    const auto end = std::chrono::steady_clock::now() + *asked.time_limit;
    options.stop = [end] { return std::chrono::steady_clock::now() >= end; };
  }
  if (!asked.properties.empty()) options.watched = 0;
  for (const std::string& name : asked.properties) {
    const auto property = properties::find_property(name);
    if (!property)
      return sim::Problem{
          fmt::format("there is no property `{}`; `lockstep list properties` shows them", name)};
    options.watched |= properties::bit(*property);
  }
  return options;
}

std::vector<std::string> unseen_witnesses(const model::Setup& setup, sim::WitnessMask seen) {
  std::vector<std::string> unseen;
  for (const std::string& name : setup.sometimes)
    if ((seen & properties::bit(*properties::find_witness(name))) == 0) unseen.push_back(name);
  return unseen;
}

const char* extent_text(const CheckReport& report) {
  if (report.complete) return ", complete";
  return report.ended == sim::SearchEnd::decided ? ", until all was decided" : ", not complete";
}

std::string work_text(const CheckReport& report) {
  std::string text;
  if (report.searched)
    text = fmt::format("{} states, {} transitions, depth {}{}{}", grouped(report.states),
                       grouped(report.transitions), report.depth, report.symmetry ? ", under symmetry" : "",
                       extent_text(report));
  if (report.runs > 0)
    text += fmt::format("{}{} sampled schedules, {} moves", text.empty() ? "" : "; ", grouped(report.runs),
                        grouped(report.steps));
  if (report.cut > 0)
    text += fmt::format(", {} of them cut after {} moves", report.cut, grouped(report.cut_after));
  return text;
}

void print_result(const Checked& checked, const PropertyResult& result, Console& console) {
  const bool expected = as_expected(checked.setup, result);
  const char* mark = result.verdict == Verdict::violated  ? "✗"
                     : result.verdict == Verdict::unknown ? "?"
                                                          : "✓";
  const Paint paint = result.verdict == Verdict::unknown ? Paint::doubtful
                      : expected                         ? Paint::good
                                                         : Paint::bad;
  std::string line = fmt::format("  {} {:<30} {}", mark, properties::info(result.property).name,
                                 properties::name_of(result.verdict));
  if (result.verdict == Verdict::violated) line += expected ? " (expected)" : " (NOT expected)";
  else if (!expected && result.verdict != Verdict::unknown) line += " (expected otherwise)";
  if (result.vacuous && result.verdict != Verdict::violated)
    line += fmt::format(" (vacuous: {} never occurred)",
                        properties::name_of(properties::info(result.property).premise));
  if (!result.why.empty()) line += ": " + result.why;
  console.out << painted(line, paint, console.colour_out) << '\n';
}

/// How to name the scenario again: a built-in one goes by the name in the trail.
std::string scenario_option(const Checked& checked) {
  return checked.word == checked.setup.name ? "" : fmt::format(" --scenario {}", checked.word);
}

void print_counterexample(const Checked& checked, const Counterexample& found, Console& console) {
  console.out << fmt::format("\n  {}, the shortest story found ({} steps):\n", found.property, found.steps);
  console.out << found.story;
  console.out << fmt::format(
      "  trail   {0}\n  trace   {1}\n  replay  lockstep replay {0}{2}\n"
      "  look    lockstep graph {1} --kind sequence -o sequence.svg\n",
      found.trail_file, found.trace_file, scenario_option(checked));
}

void print_human(const Checked& checked, Console& console) {
  console.out << painted(checked.setup.name, Paint::strong, console.colour_out)
              << fmt::format(" · {} · {}\n", checked.setup.scripts.name, checked.report.bounds);
  console.out << "  " << work_text(checked.report) << '\n';
  for (const PropertyResult& result : checked.report.results) print_result(checked, result, console);
  for (const std::string& name : checked.unseen)
    console.out << painted(fmt::format("  ✗ sometimes {}: never seen", name), Paint::bad, console.colour_out)
                << '\n';
  if (!console.quiet)
    for (const Counterexample& found : checked.counterexamples) {
      print_counterexample(checked, found, console);
      break;  // the others are in their files
    }
}

nlohmann::ordered_json json_of(const Checked& checked) {
  nlohmann::ordered_json json;
  json["scenario"] = checked.setup.name;
  json["digest"] = checked.setup.digest;
  json["scripts"] = checked.setup.scripts.name;
  json["bounds"] = checked.report.bounds;
  json["complete"] = checked.report.complete;
  json["states"] = checked.report.states;
  json["transitions"] = checked.report.transitions;
  json["depth"] = checked.report.depth;
  json["symmetry"] = checked.report.symmetry;
  json["runs"] = checked.report.runs;
  json["steps"] = checked.report.steps;
  json["properties"] = nlohmann::ordered_json::array();
  for (const PropertyResult& result : checked.report.results) {
    nlohmann::ordered_json one;
    one["name"] = properties::info(result.property).name;
    one["verdict"] = properties::name_of(result.verdict);
    one["as_expected"] = as_expected(checked.setup, result);
    one["vacuous"] = result.vacuous;
    if (!result.why.empty()) one["why"] = result.why;
    for (const Counterexample& found : checked.counterexamples) {
      if (found.property != one["name"]) continue;
      one["trail"] = found.trail_file;
      one["trace"] = found.trace_file;
      one["steps"] = found.steps;
    }
    json["properties"].push_back(std::move(one));
  }
  json["unseen"] = checked.unseen;
  return json;
}

sim::Result<Checked> check_one(const std::string& word, const CheckOptions& asked,
                               const properties::CheckOptions& options, Session& session) {
  auto setup = load_scenario(word, asked.scripts);
  if (!setup) return setup.problem();
  Checked checked{word, std::move(*setup), {}, {}, {}};
  checked.report = properties::check(checked.setup, options);
  if (asked.properties.empty()) checked.unseen = unseen_witnesses(checked.setup, checked.report.witnesses);
  for (const PropertyResult& result : checked.report.results) {
    if (!result.trail) continue;
    auto kept = keep_counterexample(checked.setup, result, session.global.out_dir);
    if (!kept) return kept.problem();
    checked.counterexamples.push_back(std::move(*kept));
  }
  return checked;
}

ExitCode run_check(const CheckOptions& asked, Session& session) {
  const auto options = options_for(asked);
  if (!options) return complain(session, options.problem());
  ExitCode worst = ExitCode::as_expected;
  auto all = nlohmann::ordered_json::array();
  std::size_t done = 0;
  for (const std::string& word : asked.scenarios) {
    auto checked = check_one(word, asked, *options, session);
    if (!checked) return complain(session, checked.problem());
    if (asked.format == Format::json) all.push_back(json_of(*checked));
    else {
      if (done++ > 0) session.console.out << '\n';
      print_human(*checked, session.console);
      session.console.out.flush();
    }
    worst = worse_of(worst, exit_of(*checked));
  }
  if (asked.format == Format::json) session.console.out << all.dump(2) << '\n';
  return worst;
}

void declare_check(Grammar& grammar, CheckOptions& o) {
  grammar.words("SCENARIO", o.scenarios, "scenario files, or names of built-in ones");
  grammar.choice<Strategy>("--strategy", o.strategy,
                           {{"bfs", Strategy::bfs}, {"random", Strategy::random}, {"pct", Strategy::pct}},
                           "search only so; by default breadth first until a limit, then samples");
  grammar.count("--seed", o.seed, "seed of the samples (1)");
  grammar.count("--runs", o.runs, "schedules to sample");
  grammar.count("--max-states", o.states_max, "limit: states to store");
  grammar.count("--max-depth", o.depth_max, "limit: moves from the start");
  grammar.count("--max-steps", o.steps_max, "limit: moves of a sampled schedule");
  grammar.duration("--time-limit", o.time_limit, "limit: wall time for each scenario");
  grammar.size("--memory-limit", o.memory_limit, "limit: memory");
  grammar.flag("--exact", o.exact, "compare whole states instead of their 128-bit digests");
  grammar.flag_off("--no-symmetry", o.symmetry, "tell interchangeable processes apart");
  grammar.repeated("--property", o.properties, "NAME", "check only this property; may be repeated");
  grammar.scripts(o.scripts);
  grammar.flag_off("--no-shrink", o.shrink, "keep counterexamples as they were found");
  grammar.format(o.format, "how to print the result");
}

}  // namespace

Verb check_verb() {
  return {
      .name = "check",
      .summary = "search for schedules that break a property",
      .usage = "SCENARIO…",
      .examples = {"lockstep check plain/two-clients", "lockstep check two.toml --scripts lock=my-lock.lua",
                   "lockstep check two.toml --strategy pct --runs 100_000 --seed 7"},
      .required = {"SCENARIO"},
      .request = requests<CheckOptions>({declare_check, run_check})};
}

}  // namespace lockstep::tools
