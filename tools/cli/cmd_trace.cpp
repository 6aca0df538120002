#include "tools/cli/cmd_trace.h"

#include <fmt/format.h>

#include "reports/text/story.h"
#include "reports/text/text.h"
#include "reports/files/trace_file.h"
#include "tools/cli/event_window.h"
#include "tools/cli/exporters.h"
#include "tools/cli/input.h"
#include "tools/cli/output.h"
#include "tools/cli/pinned.h"
#include "tools/cli/suggest.h"

namespace lockstep::tools {

namespace {

/// One line that says what the trace is of.
std::string heading(const sim::Trace& trace) {
  return fmt::format("{} · {} · {} events · {}\n", reports::printable(trace.scenario),
                     reports::printable(trace.scripts), trace.events.size(),
                     reports::printable(trace.result));
}

sim::Result<std::string> shown(const sim::Trace& trace, const TraceOptions& options) {
  auto window = event_window(options.from, options.to, trace);
  if (!window) return window.problem();
  const reports::StoryOptions whole;
  window->events_max = whole.window.events_max;
  return heading(trace) + reports::story(trace, {.window = *window});
}

sim::Result<std::string> converted(const sim::Trace& trace, const TraceOptions& options) {
  const Exporter& exporter = *find_exporter(options.as);
  if (!exporter.takes_window && (options.from || options.to))
    return sim::Problem{fmt::format("--as {} writes the whole; --from and --to are not for it", options.as)};
  const auto window = event_window(options.from, options.to, trace);
  if (!window) return window.problem();
  return exporter.write(trace, *window);
}

sim::Result<std::string> carried_out(const sim::Trace& trace, const TraceOptions& options) {
  switch (options.action) {
    case TraceAction::show: return shown(trace, options);
    case TraceAction::convert: return converted(trace, options);
    case TraceAction::verify: break;
  }
  return fmt::format("{}: ok, the digest is right; {}", options.file, heading(trace));
}

std::optional<sim::Problem> unknown_exporter(const TraceOptions& options) {
  if (options.action != TraceAction::convert || find_exporter(options.as) != nullptr) return std::nullopt;
  std::vector<std::string> names;
  for (const Exporter& one : exporters()) names.emplace_back(one.name);
  const std::string guess = did_you_mean(options.as, names);
  return sim::Problem{fmt::format("there is no exporter `{}`{}", options.as,
                                  guess.empty() ? "; there are " + scenarios::either(names) : guess)};
}

ExitCode pin(const TraceOptions& options, Session& session) {
  const auto text = pinned_scenario({.file = options.file, .scenario = options.scenario, .scripts = {}},
                                    session.global.out_file);
  if (!text) return complain(session, text.problem());
  if (const auto problem = deliver(session.global.out_file, *text, session.console.out))
    return complain(session, *problem);
  return ExitCode::as_expected;
}

ExitCode run_trace(const TraceOptions& options, Session& session) {
  if (options.as_scenario) return pin(options, session);
  if (const auto problem = unknown_exporter(options)) return complain(session, *problem);
  const auto bytes = read_input(options.file);
  if (!bytes) return complain(session, bytes.problem());
  const auto trace = reports::read_trace(*bytes, options.file);
  if (!trace) return complain(session, trace.problem());
  const auto text = carried_out(*trace, options);
  if (!text) return complain(session, text.problem());
  if (const auto problem = deliver(session.global.out_file, *text, session.console.out))
    return complain(session, *problem);
  return ExitCode::as_expected;
}

void declare_trace(Grammar& grammar, TraceOptions& o) {
  grammar.choice<TraceAction>(
      "ACTION", o.action,
      {{"show", TraceAction::show}, {"verify", TraceAction::verify}, {"export", TraceAction::convert}},
      "what to do with it");
  grammar.word("FILE", o.file, "a trace; for --as-scenario also a trail");
  grammar.text("--as", o.as, "NAME", "export: the format, one of `lockstep list exporters`");
  grammar.flag("--as-scenario", o.as_scenario, "export: a scenario whose runs begin with this one");
  grammar.text("--scenario", o.scenario, "FILE",
               "for --as-scenario: the file of the scenario, if its name does not tell");
  grammar.count("--from", o.from, "first event");
  grammar.count("--to", o.to, "last event");
}

std::string complaint_about_trace(const TraceOptions& trace) {
  const bool converts = trace.action == TraceAction::convert;
  if (converts && trace.as.empty() && !trace.as_scenario)
    return "export needs --as NAME, or --as-scenario";
  if (trace.as_scenario && (!converts || !trace.as.empty() || trace.from || trace.to))
    return "--as-scenario belongs to export, and stands for --as, --from and --to";
  if (!trace.scenario.empty() && !trace.as_scenario) return "--scenario belongs to --as-scenario";
  if (!converts && !trace.as.empty()) return "--as belongs to export";
  return "";
}

}  // namespace

Verb trace_verb() {
  return {.name = "trace",
          .summary = "print, verify or convert a trace",
          .usage = "show|verify|export FILE",
          .examples = {"lockstep trace show run.jsonl --from 10 --to 40", "lockstep trace verify run.jsonl",
                       "lockstep trace export run.jsonl --as mermaid -o run.mmd",
                       "lockstep trace export bug.trail --as-scenario -o bug.toml"},
          .required = {"ACTION", "FILE"},
          .request = requests<TraceOptions>({declare_trace, run_trace, complaint_about_trace})};
}

}  // namespace lockstep::tools
