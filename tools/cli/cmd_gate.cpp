#include "tools/cli/cmd_gate.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>

#include "generated/build_info.h"
#include "reports/text/text.h"
#include "scenarios/format/suggest.h"
#include "sim/base/digest.h"
#include "tools/cli/input.h"
#include "tools/cli/load.h"
#include "tools/cli/output.h"
#include "tools/cli/selected.h"
#include "tools/cli/work_watch.h"
#include "tools/diff/compare_scripts.h"
#include "tools/gate/build_identity.h"
#include "tools/gate/gate.h"

namespace lockstep::tools {

namespace {

namespace fs = std::filesystem;

ExitCode exit_of(reports::Weight weight) {
  switch (weight) {
    case reports::Weight::fine:
      return ExitCode::as_expected;
    case reports::Weight::vacuous:
      return ExitCode::vacuous;
    case reports::Weight::unknown:
      return ExitCode::unknown;
    case reports::Weight::failed:
      return ExitCode::different;
  }
  return ExitCode::internal;
}

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

/// `a=x,b=y` is two words of --scripts.
std::vector<std::string> script_words(const std::string& spec) {
  std::vector<std::string> words;
  if (spec.empty()) return words;
  if (!is_replacement(spec)) return {spec};
  for (std::size_t begin = 0; begin <= spec.size();) {
    const std::size_t end = std::min(spec.find(',', begin), spec.size());
    words.push_back(spec.substr(begin, end - begin));
    begin = end + 1;
  }
  return words;
}

/// What the head replaces is not the base's any more.
void put_below(const std::vector<std::string>& base, std::vector<std::string>& head) {
  std::vector<std::string> words;
  for (const std::string& word : base) {
    const std::string role = word.substr(0, word.find('=') + 1);
    const bool replaced = !role.empty() && std::any_of(head.begin(), head.end(), [&](const std::string& one) {
      return one.starts_with(role);
    });
    if (!replaced) words.push_back(word);
  }
  head.insert(head.begin(), words.begin(), words.end());
}

/// The day that it is, or was when the sources were made, if SOURCE_DATE_EPOCH says so.
std::string today() {
  using namespace std::chrono;
  std::int64_t seconds = duration_cast<std::chrono::seconds>(system_clock::now().time_since_epoch()).count();
  const std::string fixed = variable("SOURCE_DATE_EPOCH");
  const bool digits = !fixed.empty() && fixed.size() < 13 &&
                      std::all_of(fixed.begin(), fixed.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (digits) seconds = std::stoll(fixed);
  const year_month_day day{floor<days>(sys_seconds(std::chrono::seconds(seconds)))};
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(day.year()), static_cast<unsigned>(day.month()),
                     static_cast<unsigned>(day.day()));
}

/// Trails and traces; a folder stands for all that are in it and below.
sim::Result<std::vector<std::string>> trail_files(const std::vector<std::string>& words) {
  std::vector<std::string> files;
  for (const std::string& word : words) {
    std::error_code error;
    if (!fs::exists(word, error))
      return sim::Problem{reports::printable(word) + ": there is no such file or folder of trails"};
    if (!fs::is_directory(word, error)) {
      files.push_back(word);
      continue;
    }
    const auto inside = paths_below(word);
    if (!inside) return inside.problem();
    for (const fs::path path : *inside) {
      // A trace beside its trail says the same once more.
      const bool is_twin =
          path.extension() == ".jsonl" && fs::exists(fs::path(path).replace_extension(".trail"));
      if (path.extension() == ".trail" || (path.extension() == ".jsonl" && !is_twin))
        files.push_back(path.string());
    }
  }
  return files;
}

/// Where the results for the next run are.
std::string cache_folder(const GateOptions& asked, const Session& session) {
  return asked.cache.empty() ? session.global.out_dir : asked.cache;
}

std::string cache_file(const GateOptions& asked, const Session& session) {
  return (fs::path(cache_folder(asked, session)) / "gate.results.jsonl").string();
}

sim::Result<std::optional<Baseline>> baseline_in(const std::string& path) {
  std::error_code ignored;
  if (!fs::exists(path, ignored)) return std::optional<Baseline>();
  const auto bytes = read_input(path);
  if (!bytes) return bytes.problem();
  auto baseline = parse_baseline(*bytes, path);
  if (!baseline) return baseline.problem();
  return std::optional<Baseline>(*std::move(baseline));
}

sim::Result<KeptResults> results_in(const std::string& path, const std::string& program) {
  std::error_code ignored;
  if (!fs::exists(path, ignored)) return KeptResults(program);
  const auto bytes = read_input(path);
  if (!bytes) return bytes.problem();
  return KeptResults::parse(*bytes, path, program);
}

std::vector<std::string> scenario_words(const GateOptions& asked) {
  std::vector<std::string> words = asked.scenarios;
  words.insert(words.end(), asked.more_scenarios.begin(), asked.more_scenarios.end());
  return words;
}

/// Who names a file means one that there is, unless it is to be written.
void note_missing_baseline(const GateOptions& asked, Session& session) {
  std::error_code ignored;
  const bool named = asked.baseline != GateOptions{}.baseline;
  if (!named || asked.update_baseline || fs::exists(asked.baseline, ignored)) return;
  session.console.err << fmt::format(
      "note: --baseline {}: there is no such file, so the base is asked anew, and nothing is accepted; "
      "--update-baseline writes it\n",
      reports::printable(asked.baseline));
}

sim::Result<GateRequest> request_for(const GateOptions& asked, const Session& session) {
  auto selected = selected_scenarios(scenario_words(asked));
  if (!selected) return selected.problem();
  auto trails = trail_files(asked.trails);
  if (!trails) return trails.problem();
  auto baseline = baseline_in(asked.baseline);
  if (!baseline) return baseline.problem();
  GateRequest request;
  request.scenarios = *std::move(selected);
  request.base = script_words(asked.base);
  request.head = script_words(asked.head);
  if (is_replacement(asked.head)) put_below(request.base, request.head);
  request.about =
      fmt::format("{} → {}", asked.base.empty() ? "what each scenario names" : asked.base, asked.head);
  request.version = build_info::version;
  request.trails = *std::move(trails);
  request.baseline = *std::move(baseline);
  request.fail_on = asked.fail_on;
  request.today = today();
  request.out_dir = session.global.out_dir;
  request.program = build_identity();
  request.options.states_max =
      std::min(asked.states_max.value_or(request.options.states_max), sim::SearchLimits{}.states_max);
  request.options.runs = asked.runs.value_or(request.options.runs);
  request.options.seed = asked.seed;
  request.options.memory_bytes_max = asked.memory_limit.value_or(request.options.memory_bytes_max);
  request.options.outside.interrupted = InterruptWatch::interrupted;
  return request;
}

/// What is printed may hold anything; no line of it is a command to a workflow.
std::string in_workflow(const std::string& text, const reports::Findings& findings) {
  const std::string token = sim::hex(sim::digest_bytes(text));
  return fmt::format("::stop-commands::{}\n{}::{}::\n{}", token, text, token,
                     reports::findings_annotations(findings));
}

void print_gated(const GateOptions& asked, const Gated& gated, ExitCode code, Session& session) {
  if (asked.format == Format::json) {
    session.console.out << reports::findings_json(gated.findings);
    return;
  }
  std::string text = reports::findings_text(gated.findings, session.console.colour_out);
  text += fmt::format("exit {}\n", InterruptWatch::status_of(code));
  const bool github = asked.annotations == Annotations::github ||
                      (asked.annotations == Annotations::automatic && variable("GITHUB_ACTIONS") == "true");
  session.console.out << (github ? in_workflow(text, gated.findings) : text);
}

std::optional<sim::Problem> update(const GateOptions& asked, const GateRequest& request, const Gated& gated,
                                   Session& session) {
  const std::string file = reports::printable(asked.baseline);
  if (!gated.findings.complete) {
    session.console.err << file << " was not written, since the gate was interrupted\n";
    return std::nullopt;
  }
  Baseline next{.program = request.program.empty() ? "unknown" : request.program,
                .entries = gated.verdicts,
                .accepted = {}};
  if (request.baseline) next.accepted = request.baseline->accepted;
  if (auto problem = write_file(asked.baseline, text_of(std::move(next)))) return problem;
  session.console.err << "wrote " << file << '\n';
  return std::nullopt;
}

std::optional<sim::Problem> keep_results(const GateOptions& asked, const KeptResults& kept,
                                         const Session& session) {
  if (!kept.changed()) return std::nullopt;
  if (auto problem = make_directory(cache_folder(asked, session))) return problem;
  return write_file(cache_file(asked, session), kept.text());
}

ExitCode run_gate(const GateOptions& asked, Session& session) {
  if (asked.update_baseline && !variable("CI").empty())
    return complain(session, sim::Problem{"--update-baseline is refused where CI is set: a baseline is "
                                          "written by somebody who looks at it, and committed"});
  const auto request = request_for(asked, session);
  if (!request) return complain(session, request.problem());
  if (request->scenarios.empty()) {
    session.console.err << nothing_selected(scenario_words(asked)) << '\n';
    return ExitCode::vacuous;
  }
  auto kept = results_in(cache_file(asked, session), request->program);
  if (!kept) return complain(session, kept.problem());
  note_missing_baseline(asked, session);
  if (const auto problem = cannot_write(asked.exports)) return complain(session, *problem);
  const InterruptWatch interrupt;
  WorkWatch watch(session.console, telling_of(session.console), asked.time_limit);
  const BeginCheck begin = [&](const std::string& scenario) { return watch.begin(scenario); };
  const auto gated = gate(*request, *kept, begin);
  watch.erase();
  if (!gated) return complain(session, gated.problem());
  ExitCode code = gated->findings.complete ? exit_of(gated->findings.weight) : ExitCode::interrupted;
  print_gated(asked, *gated, code, session);
  if (const auto problem = write_exports(gated->findings, asked.exports)) return complain(session, *problem);
  if (const auto problem = keep_results(asked, *kept, session)) return complain(session, *problem);
  if (asked.update_baseline)
    if (const auto problem = update(asked, *request, *gated, session)) return complain(session, *problem);
  return code;
}

std::optional<sim::Problem> take_outcomes(const std::string& word, std::set<std::string>& into) {
  const std::vector<std::string> known{"regressed", "unfound", "fixed", "new", "gone"};
  into.clear();
  for (std::size_t begin = 0; begin <= word.size();) {
    const std::size_t end = std::min(word.find(',', begin), word.size());
    const std::string one = word.substr(begin, end - begin);
    if (std::find(known.begin(), known.end(), one) == known.end())
      return sim::Problem{fmt::format("wants outcomes with commas between them, each {}, not `{}`",
                                      scenarios::either(known), one)};
    into.insert(one);
    begin = end + 1;
  }
  return std::nullopt;
}

void declare_gate(Grammar& grammar, GateOptions& o) {
  grammar.words("SCENARIO", o.more_scenarios, "more scenarios");
  grammar.text("--base", o.base, "SPEC",
               "the scripts as they were: a set, a directory, or ROLE=FILE pairs (what each scenario names)");
  grammar.text("--head", o.head, "SPEC", "the scripts as they are to be; pairs replace scripts of the base");
  grammar.repeated("--scenarios", o.scenarios, "WORD",
                   "files, folders, names of built-in scenarios, or patterns of these; may be repeated");
  grammar.text("--baseline", o.baseline, "FILE", "verdicts of the base (lockstep-baseline.json)");
  grammar.flag("--update-baseline", o.update_baseline, "write the verdicts of the head there; not in CI");
  grammar.repeated("--trails", o.trails, "DIR", "stored trails, replayed first; may be repeated");
  grammar.text("--cache", o.cache, "DIR", "where results are kept for the next run (out)");
  declare_exports(grammar, o.exports);
  grammar.taken(
      "--fail-on", [&o](const std::string& word) { return take_outcomes(word, o.fail_on); }, "OUTCOMES",
      "what exits with 1: regressed, unfound, fixed, new, gone (regressed,unfound)");
  grammar.choice<Annotations>(
      "--annotations", o.annotations,
      {{"auto", Annotations::automatic}, {"github", Annotations::github}, {"none", Annotations::none}},
      "commands to a workflow of GitHub (auto: if GITHUB_ACTIONS is true)");
  grammar.count("--max-states", o.states_max, "limit: states to store for each scenario");
  grammar.count("--runs", o.runs, "schedules to sample of what is not searched whole");
  grammar.count("--seed", o.seed, "seed of the samples (1)");
  grammar.duration("--time-limit", o.time_limit, "limit: wall time for each scenario");
  grammar.size("--memory-limit", o.memory_limit, "limit: memory");
  grammar.format(o.format, "how to print the result");
}

std::string gate_complaint(const GateOptions& o) {
  if (o.head.empty()) return "--head is missing: which scripts are to be gated?";
  if (o.scenarios.empty() && o.more_scenarios.empty())
    return "--scenarios is missing: name files, folders, built-in scenarios, or patterns such as 'plain/*'";
  return "";
}

}  // namespace

Verb gate_verb() {
  return {
      .name = "gate",
      .summary = "say whether a change of scripts loses a promise, for CI",
      .usage = "--head SPEC --scenarios WORD",
      .examples = {"lockstep gate --base redisson@3.10.5 --head unlock=my-unlock.lua --scenarios 'plain/t*'",
                   "lockstep gate --base redisson@3.10.5 --head unlock=my-unlock.lua --scenarios scenarios "
                   "--trails traces "
                   "--export junit=out/junit.xml --export sarif=out/lockstep.sarif"},
      .request = requests<GateOptions>({declare_gate, to_output<run_gate>, gate_complaint})};
}

}  // namespace lockstep::tools
