#include "tools/cli/cmd_check.h"

#include <algorithm>
#include <functional>
#include <sstream>

#include <fmt/format.h>

#include "properties/check/check_behind.h"
#include "properties/check/walks.h"
#include "reports/text/text.h"
#include "sim/base/amount.h"
#include "sim/base/digest.h"
#include "sim/search/ranks.h"
#include "tools/cli/check_options.h"
#include "tools/cli/load.h"
#include "tools/cli/output.h"
#include "tools/cli/quantity.h"
#include "tools/cli/selected.h"
#include "tools/cli/work_watch.h"
#include "tools/gate/build_identity.h"
#include "tools/graph/script_ways.h"
#include "tools/kept/kept_file.h"
#include "tools/ranks/ranks.h"
#include "tools/shards/check_output.h"
#include "tools/shards/check_question.h"
#include "tools/shards/partial.h"
#include "tools/shards/place.h"

namespace lockstep::tools {

namespace {

properties::CheckOptions options_for(const CheckOptions& asked) {
  properties::CheckOptions options;
  if (asked.strategy == Strategy::bfs) options.strategy = properties::Strategy::search;
  else if (asked.strategy == Strategy::dfs) options.strategy = properties::Strategy::search_deep;
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
  options.settling_max = asked.settling_max;
  options.memory_bytes_max = asked.memory_limit.value_or(options.memory_bytes_max);
  options.exact = asked.exact;
  options.memo = asked.memo;
  options.workers = asked.workers;
  options.symmetry = asked.symmetry;
  options.reduce = asked.reduce;
  options.boxes = asked.boxes;
  options.preemptions_max = asked.preemptions;
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

/// What a search must have in common with one that was kept, to go on with it.
KeptQuestion kept_question(const CheckOptions& asked, const AskedScenario& question) {
  sim::Encoder out;
  out.number(question.watched);
  out.number(asked.symmetry ? 1 : 0);
  if (asked.reduce) out.text("--reduce");
  for (const auto& decision : question.made) out.text(model::show(decision.move, question.setup));
  return {.program = build_identity(),
          .scenario = question.setup.name,
          .digest = question.setup.digest,
          .question = sim::hex(sim::digest_bytes(out.bytes()))};
}

/// --save: where a search is kept that a limit or Ctrl-C ends.
class Keeper {
 public:
  Keeper(const CheckOptions& asked, const AskedScenario& question)
      : file_(asked.save), question_(kept_question(asked, question)) {}

  std::function<void(const properties::KeptSearch&)> door() {
    if (file_.empty()) return {};
    return [this](const properties::KeptSearch& kept) {
      problem_ = write_kept(file_, question_, kept);
      states_ = kept.learned.mark.states;
      depth_ = kept.learned.mark.depth;
    };
  }

  /// What is to be said of it afterwards.
  std::optional<sim::Problem> tell(Console& console) const {
    if (problem_ || file_.empty() || console.quiet) return problem_;
    if (states_ == 0) console.err << fmt::format("{}: not written, for no search was ended\n", file_);
    else
      console.err << fmt::format("{}: {} to depth {}; `--resume {}` goes on there\n", file_,
                                 sim::amount(states_, "state"), depth_, reports::shell_word(file_));
    return std::nullopt;
  }

 private:
  std::string file_;
  KeptQuestion question_;
  std::optional<sim::Problem> problem_;
  std::uint64_t states_ = 0, depth_ = 0;
};

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
                                     .settling_max = asked.settling_max,
                                     .shrink = asked.shrink,
                                     .coverage = asked.coverage,
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
    std::optional<ScriptWays> ways;
    if (asked.coverage) options.ways = &ways.emplace(question.setup);
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

/// An option that was given and is about one scenario.
const char* option_of_one(const CheckOptions& asked) {
  if (!asked.begins.from.empty()) return "--from";
  if (!asked.begins.nothing()) return "--choices";
  if (!asked.resume.empty()) return "--resume";
  return asked.save.empty() ? nullptr : "--save";
}

/// A search at every millisecond may begin again, with more instants than were kept or shared out.
std::optional<sim::Problem> problem_with_exact(const CheckOptions& asked,
                                               const std::vector<AskedScenario>& questions, bool by_ranks) {
  const char* option = by_ranks                ? "mpirun"
                       : !asked.save.empty()   ? "--save"
                       : !asked.resume.empty() ? "--resume"
                                               : nullptr;
  if (option == nullptr) return std::nullopt;
  for (const AskedScenario& question : questions)
    if (question.setup.exact)
      return sim::Problem{
          fmt::format("{}: `grain = \"exact\"` does not go together with {}: the search may begin again with "
                      "more instants",
                      question.word, option)};
  return std::nullopt;
}

/// What a search is to begin with, which must not lie beyond its limit.
sim::Result<std::shared_ptr<properties::KeptSearch>> kept_for(const CheckOptions& asked,
                                                              const AskedScenario& question,
                                                              std::uint64_t depth_max) {
  auto kept = read_kept(asked.resume, kept_question(asked, question));
  if (!kept || (*kept)->learned.mark.depth <= depth_max) return kept;
  return sim::Problem{
      fmt::format("{}: the search that it holds is at depth {} already, and --max-depth is {}", asked.resume,
                  (*kept)->learned.mark.depth, depth_max)};
}

/// What is asked for that cannot be written when the work is done.
std::optional<sim::Problem> cannot_keep(const CheckOptions& asked) {
  if (auto problem = cannot_write(asked.exports)) return problem;
  if (!asked.report_dir.empty())
    if (auto problem = cannot_write(asked.report_dir + "/index.html")) return problem;
  return asked.save.empty() ? std::nullopt : cannot_write(asked.save);
}

ExitCode run_alone(const CheckOptions& asked, Session& session, sim::Ranks* ranks) {
  properties::CheckOptions options = options_for(asked);
  options.ranks = ranks;
  if (asked.scenarios.empty() && !asked.all)
    return complain(session, sim::Problem{"which scenario? name files, folders or built-in ones, or --all"});
  std::vector<std::string> named = asked.all ? built_in_scenarios() : std::vector<std::string>();
  named.insert(named.end(), asked.scenarios.begin(), asked.scenarios.end());
  const auto words = selected_scenarios(named, asked.pattern);
  if (!words) return complain(session, words.problem());
  if (words->empty()) {
    session.console.err << nothing_selected(named, asked.pattern) << '\n';
    return ExitCode::vacuous;
  }
  if (const char* option = option_of_one(asked); option != nullptr && words->size() != 1)
    return complain(session, {fmt::format("{} is of one scenario, and these are {}", option, words->size())});
  const auto questions = questions_of(asked, *words);
  if (!questions) return complain(session, questions.problem());
  if (const auto problem = problem_with_exact(asked, *questions, ranks != nullptr))
    return complain(session, *problem);
  if (!asked.resume.empty()) {
    auto kept = kept_for(asked, questions->front(), options.depth_max);
    if (!kept) return complain(session, kept.problem());
    options.begin = *std::move(kept);
  }
  if (const auto problem = cannot_keep(asked)) return complain(session, *problem);
  const InterruptWatch interrupt(ranks);
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
    Keeper keeper(asked, question);
    options.outside.keep = keeper.door();
    std::optional<ScriptWays> ways;
    if (asked.coverage || options.strategy == properties::Strategy::guided)
      options.ways = &ways.emplace(question.setup);
    properties::CheckReport report = asked.begins.nothing()
                                         ? properties::check(question.setup, options)
                                         : properties::check_behind(question.setup, options, question.made);
    if (!asked.coverage) report.seen.clear();
    watch.erase();
    if (ranks != nullptr && ranks->mine() != 0) continue;
    if (asked.coverage && report.runs == 0 && !session.console.quiet)
      session.console.err << fmt::format("{}: --coverage is of samples, and none were taken\n",
                                         reports::printable(question.word));
    if (const auto problem = output.add(question.word, question.setup, report))
      return complain(session, *problem);
    if (const auto problem = keeper.tell(session.console)) return complain(session, *problem);
  }
  if (ranks != nullptr && ranks->mine() != 0) return ExitCode::as_expected;
  return output.finish(InterruptWatch::interrupted() ? ExitCode::interrupted : ExitCode::as_expected);
}

/// One of several processes: the first speaks for all. What it could not do ends the others, too.
ExitCode run_by_ranks(const CheckOptions& asked, Session& session) {
  std::ostringstream unheard;
  Console silent{.out = unheard, .err = unheard, .quiet = true, .progress = ProgressWish::none};
  Session aside{silent, session.global};
  if (const std::string complaint = complaint_about_ranks(asked); !complaint.empty())
    return complain(from_environment("OMPI_COMM_WORLD_RANK") == "0" ? session : aside, {complaint});
  const auto ranks = join_ranks();
  const auto run = [&](Session& to) { return run_alone(asked, to, ranks.get()); };
  const ExitCode code = ranks->mine() == 0 ? with_output(session, run) : run(aside);
  session.console.out.flush();
  if (code == ExitCode::usage) ranks->give_up(status(code), unheard.str());
  return code;
}

ExitCode run_check(const CheckOptions& asked, Session& session) {
  if (ranks_around(from_environment).value_or(1) > 1 && asked.shard.empty())
    return run_by_ranks(asked, session);
  return with_output(session, [&](Session& to) { return run_alone(asked, to, nullptr); });
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
      .request = requests<CheckOptions>({declare_check, run_check, complaint_about_check})};
}

}  // namespace lockstep::tools
