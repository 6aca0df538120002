#include "tools/cli/cmd_trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "reports/text/story.h"
#include "reports/text/text.h"
#include "reports/text/wording.h"
#include "sim/base/amount.h"
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

bool is_actor(const sim::Trace& trace, const std::string& name) {
  return std::any_of(trace.actors.begin(), trace.actors.end(),
                     [&](const sim::TraceActor& one) { return one.id == name; });
}

bool is_about(const sim::TraceEvent& event, const std::string& key) {
  const bool stores = std::any_of(event.changes.begin(), event.changes.end(),
                                  [&](const sim::KeyChange& change) { return change.key == key; });
  const bool sent = std::find(event.keys.begin(), event.keys.end(), key) != event.keys.end();
  return stores || sent || event.lock == key;
}

sim::Result<std::string> shown(const sim::Trace& trace, const TraceOptions& options) {
  auto window = event_window(options.from, options.to, trace);
  if (!window) return window.problem();
  reports::StoryOptions how;
  window->events_max = how.window.events_max;
  how.window = *window;
  if (!options.actor.empty() && !is_actor(trace, options.actor)) {
    std::vector<std::string> names;
    for (const sim::TraceActor& one : trace.actors) names.push_back(reports::printable(one.id));
    return sim::Problem{fmt::format("nobody is called {} in this trace; there are {}",
                                    reports::printable(options.actor), fmt::join(names, ", "))};
  }
  how.everything = !options.actor.empty() || !options.key.empty() || options.changes;
  how.only = [&](const sim::TraceEvent& event) {
    const bool acts = options.actor.empty() || event.who == options.actor || event.from == options.actor ||
                      event.to == options.actor;
    const bool changes = !options.changes || !event.changes.empty() || event.kind == sim::TraceKind::prop;
    return acts && changes && (options.key.empty() || is_about(event, options.key));
  };
  return heading(trace) + reports::story(trace, how);
}

/// How many events of each kind, and of each actor.
std::string stat_of(const sim::Trace& trace) {
  std::map<std::string, std::size_t> kinds, actors;
  std::size_t decisions = 0;
  for (const sim::TraceEvent& event : trace.events) {
    ++kinds[reports::printable(sim::word_of(event))];
    if (!event.who.empty()) ++actors[reports::printable(event.who)];
    if (event.choice) ++decisions;
  }
  const std::int64_t last_us = trace.events.empty() ? 0 : trace.events.back().time_us;
  std::string text =
      heading(trace) + fmt::format("  {}, {} of virtual time\n", sim::amount(decisions, "decision"),
                                   reports::time_text(last_us));
  for (const auto& [title, counts] : {std::pair{"kind", &kinds}, std::pair{"who", &actors}})
    for (const auto& [name, count] : *counts)
      text += fmt::format("  {:<5} {:<14} {:>6}\n", title, name, count);
  return text;
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
    case TraceAction::stat: return stat_of(trace);
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
      {{"show", TraceAction::show},
       {"stat", TraceAction::stat},
       {"verify", TraceAction::verify},
       {"export", TraceAction::convert}},
      "what to do with it");
  grammar.word("FILE", o.file, "a trace; for --as-scenario also a trail");
  grammar.text("--as", o.as, "NAME", "export: the format, one of `lockstep list exporters`");
  grammar.flag("--as-scenario", o.as_scenario, "export: a scenario whose runs begin with this one");
  grammar.text("--scenario", o.scenario, "FILE",
               "for --as-scenario: the file of the scenario, if its name does not tell");
  grammar.count("--from", o.from, "first event");
  grammar.count("--to", o.to, "last event");
  grammar.text("--actor", o.actor, "NAME",
               "show: only what this thread, process or node does, sends or hears");
  grammar.text("--key", o.key, "NAME", "show: only what is about this lock or key");
  grammar.flag("--changes", o.changes, "show: only what changes something that is stored");
}

std::string complaint_about_trace(const TraceOptions& trace) {
  const bool converts = trace.action == TraceAction::convert;
  if (converts && trace.as.empty() && !trace.as_scenario)
    return "export needs --as NAME, or --as-scenario";
  if (trace.as_scenario && (!converts || !trace.as.empty() || trace.from || trace.to))
    return "--as-scenario belongs to export, and stands for --as, --from and --to";
  if (!trace.scenario.empty() && !trace.as_scenario) return "--scenario belongs to --as-scenario";
  const bool filters = !trace.actor.empty() || !trace.key.empty() || trace.changes;
  if (filters && trace.action != TraceAction::show) return "--actor, --key and --changes belong to show";
  if (!converts && !trace.as.empty()) return "--as belongs to export";
  return "";
}

}  // namespace

Verb trace_verb() {
  return {.name = "trace",
          .summary = "print, count, verify or convert a trace",
          .usage = "show|stat|verify|export FILE",
          .examples = {"lockstep trace show run.jsonl --from 10 --to 40",
                       "lockstep trace show run.jsonl --actor A1",
                       "lockstep trace stat run.jsonl", "lockstep trace verify run.jsonl",
                       "lockstep trace export run.jsonl --as mermaid -o run.mmd",
                       "lockstep trace export bug.trail --as-scenario -o bug.toml"},
          .required = {"ACTION", "FILE"},
          .request = requests<TraceOptions>({declare_trace, run_trace, complaint_about_trace})};
}

}  // namespace lockstep::tools
