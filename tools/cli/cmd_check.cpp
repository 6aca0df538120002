#include "tools/cli/cmd_check.h"

#include <algorithm>

#include <fmt/format.h>

#include "properties/check/check_behind.h"
#include "properties/check/walks.h"
#include "tools/cli/load.h"
#include "tools/cli/output.h"
#include "tools/cli/selected.h"
#include "tools/cli/work_watch.h"
#include "tools/gate/build_identity.h"
#include "tools/graph/script_ways.h"
#include "tools/shards/check_output.h"
#include "tools/shards/check_question.h"
#include "tools/shards/partial.h"
#include "tools/shards/place.h"

namespace lockstep::tools {

namespace {

/// Those of samples are called as the policy that draws them; `random` is all in turn.
const Choices<Strategy> strategies = {
    {"bfs", Strategy::bfs},     {"random", Strategy::random}, {"uniform", Strategy::uniform},
    {"swarm", Strategy::swarm}, {"pct", Strategy::pct},       {"pos", Strategy::pos},
    {"surw", Strategy::surw},   {"guided", Strategy::guided}};

std::string word_of(Strategy strategy) {
  for (const auto& [word, value] : strategies)
    if (value == strategy) return word;
  return "random";
}

properties::CheckOptions options_for(const CheckOptions& asked) {
  properties::CheckOptions options;
  if (asked.strategy == Strategy::bfs) options.strategy = properties::Strategy::search;
  else if (asked.strategy != Strategy::automatic)
    options.strategy = *properties::find_strategy(word_of(asked.strategy));
  options.seed = asked.seed;
  options.runs = asked.runs.value_or(options.runs);
  if (asked.runs) options.sampled_steps_max = ~std::uint64_t{0};
  if (asked.budget) {
    options.sampled_steps_max = *asked.budget;
    if (!asked.runs) options.runs = ~std::uint64_t{0};
  }
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
  const auto watched = watched_properties(asked.properties, question.setup);
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

/// Writes what the runs of one shard showed; their verdict is for `lockstep merge`.
ExitCode run_shard(const CheckOptions& asked, properties::CheckOptions options,
                   const std::vector<AskedScenario>& questions, WorkWatch& watch, Session& session) {
  const auto shard = parse_shard(asked.shard, from_environment);
  if (!shard) return complain(session, {"--shard: " + shard.problem().text});
  PartialResult partial{.question = {.program = build_identity(),
                                     .strategy = word_of(asked.strategy),
                                     .seed = asked.seed,
                                     .runs = options.runs,
                                     .steps_max = asked.steps_max,
                                     .shrink = asked.shrink,
                                     .properties = asked.properties,
                                     .scripts = asked.scripts},
                        .shard = *shard};
  if (partial.question.program.empty())
    return complain(session, {"this build of the program has no identity by which shards are known"});
  options.strategy = *properties::find_strategy(partial.question.strategy);
  for (const AskedScenario& question : questions)
    partial.question.scenarios.emplace_back(question.word, question.setup.digest);
  bool all_done = true;
  for (const AskedScenario& question : questions) {
    if (InterruptWatch::interrupted()) break;
    options.watched = question.watched;
    options.outside = watch.begin(question.setup.name);
    partial.parts.push_back(properties::check_shard(question.setup, options, *shard));
    watch.erase();
    if (const auto& refusal = partial.parts.back().refusal)
      return complain(session, {fmt::format("{}: {}", question.setup.name, *refusal)});
    all_done = all_done && !partial.parts.back().time_was_up;
  }
  session.console.out << text_of(partial);
  if (InterruptWatch::interrupted()) return ExitCode::interrupted;
  return all_done ? ExitCode::as_expected : ExitCode::unknown;
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
  const InterruptWatch interrupt;
  WorkWatch watch(session.console, telling_of(session.console), asked.time_limit);
  if (!asked.shard.empty()) return run_shard(asked, options, *questions, watch, session);
  const CheckShown shown{.verbose = asked.verbose,
                         .every_witness = asked.properties.empty(),
                         .scripts = asked.scripts,
                         .exports = asked.exports,
                         .report_dir = asked.report_dir,
                         .format = asked.format};
  CheckOutput output(session, shown, words->size());
  for (const AskedScenario& question : *questions) {
    if (InterruptWatch::interrupted()) break;
    options.watched = question.watched;
    options.outside = watch.begin(question.setup.name);
    ScriptWays ways;
    if (asked.coverage) options.ways = &ways;
    properties::CheckReport report = asked.begins.nothing()
                                         ? properties::check(question.setup, options)
                                         : properties::check_behind(question.setup, options, question.made);
    if (asked.coverage && report.runs > 0) report.covered.push_back(ways.covered(question.setup));
    else if (!asked.coverage) report.covered.clear();
    watch.erase();
    if (const auto problem = output.add(question.word, question.setup, report))
      return complain(session, *problem);
  }
  return output.finish(InterruptWatch::interrupted() ? ExitCode::interrupted : ExitCode::as_expected);
}

void declare_check(Grammar& grammar, CheckOptions& o) {
  grammar.words("SCENARIO", o.scenarios, "scenario files, folders of them, or names of built-in ones");
  grammar.flag("--all", o.all, "all built-in scenarios");
  grammar.text("-k,--filter", o.pattern, "TEXT", "only scenarios whose name holds this text");
  grammar.flag("-v,--verbose", o.verbose, "details also of scenarios in which all is as expected");
  grammar.choice<Strategy>("--strategy", o.strategy,
                           strategies,
                           "search only so; by default breadth first until a limit, then samples");
  grammar.count("--seed", o.seed, "seed of the samples (1)");
  grammar.count("--runs", o.runs, "schedules to sample");
  grammar.count("--budget", o.budget, "states that all samples together may go through");
  grammar.flag("--coverage", o.coverage, "say what of the scripts samples met, and what they never did");
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
  grammar.text("--shard", o.shard, "I/N",
               "do the I-th part of the sampled runs only; also auto and auto/N (`help shards`)");
  grammar.scripts(o.scripts);
  declare_exports(grammar, o.exports);
  grammar.text("--report", o.report_dir, "DIR",
               "write a page for each run that breaks something, and an index");
  grammar.flag_off("--no-shrink", o.shrink, "keep counterexamples as they were found");
  grammar.format(o.format, "how to print the result");
}

/// Rules of what can be divided: only samples, of which there is a number.
std::string complaint_about_shard(const CheckOptions& asked) {
  if (asked.strategy == Strategy::bfs) return "--shard divides samples, and --strategy bfs takes none";
  if (!asked.runs) return "--shard wants --runs: how many there are in all shards together";
  if (asked.strategy == Strategy::guided)
    return "--shard divides runs that do not depend on each other, and those of --strategy guided do";
  if (asked.budget || asked.coverage) return "--shard does not go together with --budget and --coverage";
  if (!asked.begins.nothing()) return "--shard does not go together with --from and --choices";
  if (!asked.exports.empty() || !asked.report_dir.empty())
    return "a shard has no result to export or report; `lockstep merge` has";
  return "";
}

std::string complaint_about_check(const CheckOptions& asked) {
  constexpr std::uint64_t workers_max = 256;
  if (asked.workers == 0 || asked.workers > workers_max)
    return fmt::format("-j wants a number of workers from 1 to {}", workers_max);
  const std::string about_beginning = asked.begins.complaint();
  if (!about_beginning.empty() || asked.shard.empty()) return about_beginning;
  return complaint_about_shard(asked);
}

}  // namespace

Verb check_verb() {
  return {
      .name = "check",
      .summary = "search for schedules that break a property",
      .usage = "[SCENARIO…]",
      .examples = {"lockstep check plain/two-clients", "lockstep check two.toml --scripts lock=my-lock.lua",
                   "lockstep check --all -k failover",
                   "lockstep check two.toml --strategy pct --runs 100_000 --seed 7",
                   "lockstep check two.toml --runs 100_000 --shard 1/2 -o shard-1.json"},
      .request = requests<CheckOptions>({declare_check, to_output<run_check>, complaint_about_check})};
}

}  // namespace lockstep::tools
