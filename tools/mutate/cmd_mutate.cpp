#include "tools/mutate/cmd_mutate.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "tools/cli/input.h"
#include "tools/cli/output.h"
#include "tools/cli/selected.h"
#include "tools/cli/work_watch.h"
#include "tools/gate/build_identity.h"
#include "tools/mutate/mutate.h"

namespace lockstep::tools {

namespace {

namespace fs = std::filesystem;

ExitCode exit_for_score(const MutationScore& score) {
  if (!score.complete) return ExitCode::interrupted;
  if (score.count(Fate::lives) > 0) return ExitCode::different;
  const bool left_out = std::any_of(score.notes.begin(), score.notes.end(),
                                    [](const std::string& note) { return note.starts_with("left out"); });
  if (score.count(Fate::unknown) > 0 || left_out) return ExitCode::unknown;
  const bool made = std::any_of(score.scripts.begin(), score.scripts.end(),
                                [](const MutatedScript& script) { return !script.mutants.empty(); });
  return made ? ExitCode::as_expected : ExitCode::vacuous;
}

std::string mutants_kept_in(const MutateOptions& asked) {
  return (fs::path(asked.cache) / "mutate.results.jsonl").string();
}

sim::Result<KeptResults> mutants_known(const MutateOptions& asked, const std::string& program) {
  std::error_code ignored;
  if (asked.cache.empty() || !fs::exists(mutants_kept_in(asked), ignored)) return KeptResults(program);
  const auto bytes = read_input(mutants_kept_in(asked));
  if (!bytes) return bytes.problem();
  return KeptResults::parse(*bytes, mutants_kept_in(asked), program);
}

std::optional<sim::Problem> keep_mutants(const MutateOptions& asked, const KeptResults& kept) {
  if (asked.cache.empty() || !kept.changed()) return std::nullopt;
  return write_file(mutants_kept_in(asked), kept.text());
}

MutateRequest mutants_asked(const MutateOptions& asked, std::vector<std::string> scenarios) {
  MutateRequest request;
  request.scenarios = std::move(scenarios);
  request.scripts = asked.scripts;
  request.roles = asked.roles;
  request.knobs = asked.knobs;
  request.mutant_states_max = asked.states_max;
  request.pairs_max = asked.pairs_max;
  request.program = build_identity();
  request.options.runs = asked.runs.value_or(request.options.runs);
  request.options.seed = asked.seed;
  request.options.outside.interrupted = InterruptWatch::interrupted;
  return request;
}

ExitCode run_mutate(const MutateOptions& asked, Session& session) {
  auto selected = selected_scenarios(asked.scenarios);
  if (!selected) return complain(session, selected.problem());
  if (selected->empty()) {
    session.console.err << nothing_selected(asked.scenarios) << '\n';
    return ExitCode::vacuous;
  }
  if (!asked.cache.empty())
    if (const auto problem = make_directory(asked.cache)) return complain(session, *problem);
  const MutateRequest request = mutants_asked(asked, *std::move(selected));
  auto kept = mutants_known(asked, request.program);
  if (!kept) return complain(session, kept.problem());
  const InterruptWatch interrupt;
  WorkWatch watch(session.console, telling_of(session.console), asked.time_limit);
  std::optional<sim::Problem> not_kept;
  const auto score = mutate(
      request, *kept, [&](const std::string& scenario) { return watch.begin(scenario); },
      [&] { not_kept = keep_mutants(asked, *kept); });
  watch.erase();
  if (!score) return complain(session, score.problem());
  const ExitCode code = exit_for_score(*score);
  if (asked.format == Format::json) session.console.out << mutation_json(*score);
  else
    session.console.out << mutation_text(*score, asked.every)
                        << fmt::format(": exit {}\n", InterruptWatch::status_of(code));
  if (!asked.markdown.empty())
    if (const auto problem = write_file(asked.markdown, mutation_markdown(*score)))
      return complain(session, *problem);
  if (!score->complete) not_kept = keep_mutants(asked, *kept);  // of the one that was begun
  if (not_kept) return complain(session, *not_kept);
  return code;
}

void declare_mutate(Grammar& grammar, MutateOptions& o) {
  grammar.words("SCENARIO", o.scenarios,
                "scenario files, folders of them, names of built-in ones, or patterns of these");
  grammar.repeated("--of", o.roles, "ROLE",
                   "change only this role's script, or `client`; may be repeated (all, and the client)");
  grammar.flag("--knobs", o.knobs, "change also the knobs that releases of the client have, one at a time");
  grammar.flag("-v,--verbose", o.every, "tell also of mutants that are caught or equivalent");
  grammar.scripts(o.scripts);
  grammar.count("--max-states", o.states_max,
                "limit: states to store for a mutant in each scenario (8 times those of the scenario, and "
                "20,000)");
  grammar.count("--max-pairs", o.pairs_max, "limit: pairs of states to store for a comparison (50000)");
  grammar.count("--runs", o.runs, "schedules to sample of what is not searched whole");
  grammar.count("--seed", o.seed, "seed of the samples (1)");
  grammar.duration("--time-limit", o.time_limit, "limit: wall time for each search");
  grammar.text("--cache", o.cache, "DIR", "keep answers here for the next run");
  grammar.text("--markdown", o.markdown, "FILE", "write the tables as Markdown, too");
  grammar.format(o.format, "how to print the result");
}

std::string mutate_complaint(const MutateOptions& o) {
  if (o.scenarios.empty()) return "which scenario? name files, folders, built-in ones, or patterns";
  return "";
}

}  // namespace

Verb mutate_verb() {
  return {.name = "mutate",
          .summary = "put mistakes into scripts, one at a time, and say which of them scenarios notice",
          .usage = "SCENARIO…",
          .examples = {"lockstep mutate plain/two-clients --of unlock",
                       "lockstep mutate 'plain/*' --of lock --of unlock --of renew --markdown mutants.md"},
          .request = requests<MutateOptions>({declare_mutate, to_output<run_mutate>, mutate_complaint})};
}

}  // namespace lockstep::tools
