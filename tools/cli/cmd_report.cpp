#include "tools/cli/cmd_report.h"

#include "properties/check/check.h"
#include "reports/files/trace_file.h"
#include "reports/page/page.h"
#include "reports/text/text.h"
#include "tools/cli/followed.h"
#include "tools/cli/input.h"
#include "tools/cli/output.h"
#include "tools/graph/run_page.h"

namespace lockstep::tools {

namespace {

/// The run's scenario and its whole trail, if they can be had.
sim::Result<FollowedTrail> followed_run(const std::string& trail_text, const std::string& file,
                                        const ReportOptions& options) {
  auto trail = sim::parse_trail(trail_text, file);
  if (!trail) return trail.problem();
  return load_followed(
      *std::move(trail),
      {.file = file, .scenario = options.scenario, .scripts = options.scripts, .lenient = false});
}

/// The trace of the file; of a trail, what it tells.
sim::Result<sim::Trace> trace_of_file(const std::string& bytes, const sim::Result<FollowedTrail>& run,
                                      const std::string& file) {
  if (!sim::looks_like_trail(bytes)) return reports::read_trace(bytes, file);
  if (!run) return run.problem();
  properties::Told told = properties::tell(run->setup, run->trail);
  if (told.divergence)
    return sim::Problem{reports::printable(file) + ": the run leaves the trail: " + *told.divergence};
  return std::move(told.trace);
}

/// The run that --beside names.
sim::Result<sim::Trace> trace_beside(const ReportOptions& options) {
  const auto bytes = read_input(options.beside);
  if (!bytes) return bytes.problem();
  if (!sim::looks_like_trail(*bytes)) return reports::read_trace(*bytes, options.beside);
  return trace_of_file(*bytes, followed_run(*bytes, options.beside, options), options.beside);
}

ExitCode run_report(const ReportOptions& options, Session& session) {
  const auto bytes = read_input(options.file);
  if (!bytes) return complain(session, bytes.problem());
  const bool is_trail = sim::looks_like_trail(*bytes);
  std::string trail_text = *bytes;
  if (!is_trail) {
    const auto trace = reports::read_trace(*bytes, options.file);
    if (!trace) return complain(session, trace.problem());
    trail_text = trace->trail;
  }
  const auto run = followed_run(trail_text, options.file, options);
  const bool demanded = !options.scenario.empty() || !options.scripts.empty();
  if (!run && demanded) return complain(session, run.problem());
  const auto trace = trace_of_file(*bytes, run, options.file);
  if (!trace) return complain(session, trace.problem());
  const std::string again = options.file == "-" ? "" : "lockstep replay " + reports::shell_word(options.file);
  std::optional<reports::TraceDiff> beside;
  if (!options.beside.empty()) {
    const auto other = trace_beside(options);
    if (!other) return complain(session, other.problem());
    beside = reports::compare_traces(*trace, *other);
    beside->a = reports::printable(options.file);
    beside->b = reports::printable(options.beside);
  }
  RunPage page = page_of_run(*trace, run,
                             {.again = again,
                              .scenario = options.scenario,
                              .by_hand_states = static_cast<std::size_t>(options.states_max)});
  page.options.title = options.title;
  page.options.events_max = static_cast<std::size_t>(options.events_max);
  page.options.beside = std::move(beside);
  for (const std::string& note : page.notes) session.console.err << "note: " << note << '\n';
  const std::string html = reports::page(*trace, page.options);
  if (const auto problem = deliver(session.global.out_file, html, session.console.out))
    return complain(session, *problem);
  return ExitCode::as_expected;
}

void declare_report(Grammar& grammar, ReportOptions& o) {
  grammar.word("TRACE", o.file, "a trace, or a trail");
  grammar.text("--beside", o.beside, "TRACE", "another run, to be shown row by row beside this one");
  grammar.text("--scenario", o.scenario, "FILE", "the file of its scenario, if its name does not tell");
  grammar.text("--title", o.title, "TEXT", "what the page is called, instead of the scenario's name");
  grammar.count("--max-events", o.events_max,
                "events that are listed, those up to the violation first (100000)");
  grammar.count("--max-states", o.states_max,
                "states that the page knows for going through by hand (1500; 0: none)");
  grammar.scripts(o.scripts);
}

std::string complaint_about_report(const ReportOptions& report) {
  return report.events_max == 0 ? "--max-events wants at least 1" : "";
}

}  // namespace

Verb report_verb() {
  return {.name = "report",
          .summary = "write a run as one HTML page",
          .usage = "TRACE|TRAIL",
          .examples = {"lockstep report run.jsonl -o run.html",
                       "lockstep report before.jsonl --beside after.jsonl -o both.html"},
          .required = {"TRACE"},
          .request = requests<ReportOptions>({declare_report, run_report, complaint_about_report})};
}

}  // namespace lockstep::tools
