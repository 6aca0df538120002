#include "tools/cli/cmd_check.h"

#include <algorithm>

#include <fmt/format.h>

#include "generated/build_info.h"
#include "properties/check/check_behind.h"
#include "properties/monitors/all_properties.h"
#include "properties/monitors/groups.h"
#include "tools/cli/check_findings.h"
#include "tools/cli/check_pages.h"
#include "tools/cli/check_result.h"
#include "tools/cli/load.h"
#include "tools/cli/output.h"
#include "tools/cli/selected.h"
#include "tools/cli/work_watch.h"

namespace lockstep::tools {

namespace {

ExitCode exit_of(reports::Outcome outcome) {
  switch (outcome) {
    case reports::Outcome::as_expected:
      return ExitCode::as_expected;
    case reports::Outcome::vacuous:
      return ExitCode::vacuous;
    case reports::Outcome::unknown:
      return ExitCode::unknown;
    case reports::Outcome::different:
      return ExitCode::different;
  }
  return ExitCode::internal;
}

properties::CheckOptions options_for(const CheckOptions& asked) {
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
  options.workers = asked.workers;
  options.symmetry = asked.symmetry;
  options.shrink = asked.shrink;
  return options;
}

/// A scenario may have properties of its own.
sim::Result<sim::PropertyMask> watched_of(const CheckOptions& asked, const model::Setup& setup) {
  if (asked.properties.empty()) return properties::all_usual;
  sim::PropertyMask watched = 0;
  for (const std::string& name : asked.properties) {
    const auto own = properties::find_property(name, setup);
    const auto group = properties::find_properties(name);
    if (!own && !group)
      return sim::Problem{
          fmt::format("there is no property `{}`; `lockstep list properties` shows them", name)};
    watched |= own ? properties::bit(*own) : *group;
  }
  return watched;
}

/// Details where something is unexpected, or there is but one scenario, or they are asked for.
void print(const CheckOptions& asked, const reports::CheckResult& result, std::size_t before,
           std::size_t scenarios, const Console& console) {
  const bool in_full =
      scenarios == 1 || asked.verbose || reports::outcome_of(result) != reports::Outcome::as_expected;
  if (in_full)
    console.out << (before == 0 ? "" : "\n")
                << reports::result_text(result,
                                        {.colour = console.colour_out, .counterexample = !console.quiet});
  else console.out << reports::result_line(result, console.colour_out);
  console.out.flush();
}

/// The last words: of one scenario its verdicts, of several how many ended how.
void print_end(const std::vector<reports::CheckResult>& results, std::size_t selected, ExitCode code,
               const Console& console) {
  if (results.size() == 1 && selected == 1)
    console.out << fmt::format("{}: exit {}\n", reports::verdicts_line(results.front()), status(code));
  else console.out << reports::summary_text(results);
  if (code == ExitCode::interrupted)
    console.out << fmt::format("incomplete: interrupted in scenario {} of {}\n",
                               std::max<std::size_t>(results.size(), 1), selected);
}

std::string about_check(const CheckOptions& asked) {
  if (asked.scripts.empty()) return "the scripts that each scenario names";
  return fmt::format("with {}", fmt::join(asked.scripts, ", "));
}

/// One scenario, and what is asked of it.
struct AskedScenario {
  std::string word;
  model::Setup setup;
  properties::MadeMoves made;  // with --from: what its schedules begin with
  sim::PropertyMask watched = 0;
};

sim::Result<AskedScenario> question_of(const CheckOptions& asked, const std::string& word) {
  AskedScenario question{.word = word};
  if (asked.begins.nothing()) {
    auto setup = load_scenario(word, asked.scripts);
    if (!setup) return setup.problem();
    question.setup = *std::move(setup);
  } else {
    auto prefix = load_beginning(asked.begins, word, asked.scripts);
    if (!prefix) return prefix.problem();
    question.setup = std::move(prefix->setup);
    question.made = std::move(prefix->decisions);
  }
  const auto watched = watched_of(asked, question.setup);
  if (!watched) return watched.problem();
  question.watched = *watched;
  return question;
}

/// All of them, before anything is checked or written: what is wrong with the last one is known at once.
sim::Result<std::vector<AskedScenario>> questions_of(const CheckOptions& asked,
                                                const std::vector<std::string>& words) {
  std::vector<AskedScenario> questions;
  for (const std::string& word : words) {
    auto question = question_of(asked, word);
    if (!question) return question.problem();
    questions.push_back(*std::move(question));
  }
  return questions;
}

ExitCode run_check(const CheckOptions& asked, Session& session) {
  properties::CheckOptions options = options_for(asked);
  if (asked.scenarios.empty() && !asked.all)
    return complain(session, sim::Problem{"which scenario? name files, folders or built-in ones, or --all"});
  std::vector<std::string> named = asked.all ? built_in_scenarios() : std::vector<std::string>();
  named.insert(named.end(), asked.scenarios.begin(), asked.scenarios.end());
  const auto words = selected_scenarios(named, asked.pattern);
  if (!words) return complain(session, words.problem());
  if (words->empty()) {
    session.console.err << "no scenario is called like `" << asked.pattern << "`\n";
    return ExitCode::vacuous;
  }
  if (!asked.begins.nothing() && words->size() != 1)
    return complain(session,
                    {fmt::format("{} is of one scenario, and these are {}",
                                 asked.begins.from.empty() ? "--choices" : "--from", words->size())});
  const auto questions = questions_of(asked, *words);
  if (!questions) return complain(session, questions.problem());
  std::vector<reports::CheckResult> results;
  std::vector<reports::IndexedScenario> indexed;
  reports::Findings findings{.command = "check", .version = build_info::version, .about = about_check(asked)};
  reports::Outcome worst = reports::Outcome::as_expected;
  const InterruptWatch interrupt;
  WorkWatch watch(session.console, telling_of(session.console), asked.time_limit);
  for (const auto& [word, setup, made, watched] : *questions) {
    if (InterruptWatch::interrupted()) break;
    options.watched = watched;
    options.outside = watch.begin(setup.name);
    const properties::CheckReport report = asked.begins.nothing()
                                               ? properties::check(setup, options)
                                               : properties::check_behind(setup, options, made);
    watch.erase();
    auto result = check_result({.word = word,
                                .every_witness = asked.properties.empty(),
                                .out_dir = session.global.out_dir,
                                .scripts = asked.scripts},
                               setup, report);
    if (!result) return complain(session, result.problem());
    worst = std::max(worst, reports::outcome_of(*result));
    if (asked.format == Format::human) print(asked, *result, results.size(), words->size(), session.console);
    if (!asked.report_dir.empty()) {
      auto pages = write_pages(asked.report_dir, setup, *result);
      if (!pages) return complain(session, pages.problem());
      indexed.push_back(*std::move(pages));
    }
    if (!asked.exports.empty()) add_findings(findings, *result, setup, word);
    results.push_back(*std::move(result));
  }
  const ExitCode code = InterruptWatch::interrupted() ? ExitCode::interrupted : exit_of(worst);
  if (asked.format == Format::human) print_end(results, words->size(), code, session.console);
  else session.console.out << reports::results_json(results);
  if (!asked.report_dir.empty())
    if (const auto problem = write_index(asked.report_dir, indexed)) return complain(session, *problem);
  findings.complete = code != ExitCode::interrupted;
  if (const auto problem = write_exports(findings, asked.exports)) return complain(session, *problem);
  return code;
}

void declare_check(Grammar& grammar, CheckOptions& o) {
  grammar.words("SCENARIO", o.scenarios, "scenario files, folders of them, or names of built-in ones");
  grammar.flag("--all", o.all, "all built-in scenarios");
  grammar.text("-k,--filter", o.pattern, "TEXT", "only scenarios whose name holds this text");
  grammar.flag("-v,--verbose", o.verbose, "details also of scenarios in which all is as expected");
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
  grammar.count("-j,--workers", o.workers,
                "search by so many workers side by side (1); the outcome is the same");
  grammar.flag("--exact", o.exact, "compare whole states instead of their 128-bit digests");
  grammar.flag_off("--no-symmetry", o.symmetry, "tell interchangeable processes apart");
  grammar.repeated("--property", o.properties, "NAME", "check only this property; may be repeated");
  grammar.text("--from", o.begins.from, "TRAIL[:N]",
               "ask only what may follow the (first N) moves of a trail");
  grammar.text("--choices", o.begins.choices, "N.N…",
               "the same behind these moves, by their numbers (0 is the default)");
  grammar.scripts(o.scripts);
  declare_exports(grammar, o.exports);
  grammar.text("--report", o.report_dir, "DIR",
               "write a page for each run that breaks something, and an index");
  grammar.flag_off("--no-shrink", o.shrink, "keep counterexamples as they were found");
  grammar.format(o.format, "how to print the result");
}

std::string complaint_about_check(const CheckOptions& asked) {
  constexpr std::uint64_t workers_max = 256;
  if (asked.workers == 0 || asked.workers > workers_max)
    return fmt::format("-j wants a number of workers from 1 to {}", workers_max);
  return asked.begins.complaint();
}

}  // namespace

Verb check_verb() {
  return {
      .name = "check",
      .summary = "search for schedules that break a property",
      .usage = "[SCENARIO…]",
      .examples = {"lockstep check plain/two-clients", "lockstep check two.toml --scripts lock=my-lock.lua",
                   "lockstep check --all -k failover",
                   "lockstep check two.toml --strategy pct --runs 100_000 --seed 7"},
      .request = requests<CheckOptions>({declare_check, to_output<run_check>, complaint_about_check})};
}

}  // namespace lockstep::tools
