#include "tools/cli/cmd_run.h"

#include <fmt/format.h>

#include "properties/check/check.h"
#include "properties/monitors/all_properties.h"
#include "reports/files/trace_file.h"
#include "reports/text/story.h"
#include "reports/text/text.h"
#include "sim/base/amount.h"
#include "tools/cli/load.h"
#include "tools/cli/output.h"
#include "tools/cli/prefix.h"
#include "tools/cli/schedule.h"

namespace lockstep::tools {

namespace {

void print_summary(const model::Setup& setup, const properties::Told& told, Session& session) {
  session.console.out << fmt::format("{} · {} · {}, {}\n", setup.name, setup.scripts_told(),
                                     sim::amount(told.steps, "move"),
                                     sim::amount(told.trace.events.size(), "event"));
  for (const properties::PropertyInfo& one : properties::all_properties(setup))
    if ((told.violated & properties::bit(one.property)) != 0)
      session.console.out << fmt::format("  ✗ {}\n", one.name);
  if (told.violated == 0) session.console.out << "  ✓ no property was broken in this one schedule\n";
}

/// With --from or --choices, the moves that it begins with go into `how`.
sim::Result<model::Setup> scenario_to_run(const RunOptions& options, ScheduleOptions& how) {
  if (options.begins.nothing()) return load_scenario(options.scenario, options.scripts);
  auto prefix = load_beginning(options.begins, options.scenario, options.scripts);
  if (!prefix) return prefix.problem();
  how.prefix = std::move(prefix->decisions);
  return std::move(prefix->setup);
}

ExitCode run_run(const RunOptions& options, Session& session) {
  ScheduleOptions how{.seed = options.seed, .until = options.until};
  const auto setup = scenario_to_run(options, how);
  if (!setup) return complain(session, setup.problem());
  const sim::Trail trail = schedule(*setup, how);
  const properties::Told told = properties::tell(*setup, trail);
  if (options.monitor) {
    for (const std::string& line : told.monitor_lines) session.console.out << line << '\n';
  } else {
    print_summary(*setup, told, session);
    if (options.story) session.console.out << reports::story(told.trace, {.everything = true});
  }
  if (!session.global.out_file.empty())
    if (const auto problem = deliver(session.global.out_file, sim::text_of(trail), session.console.out))
      return complain(session, *problem);
  if (!options.trace.empty())
    if (const auto problem = write_file(options.trace, reports::write_trace(told.trace)))
      return complain(session, *problem);
  if (!session.console.quiet) {
    const std::string seed = options.seed ? fmt::format(" --seed {}", *options.seed) : "";
    std::string scripts = options.begins.words();
    for (const std::string& spec : options.scripts) scripts += " --scripts " + reports::shell_word(spec);
    session.console.err << fmt::format("again: lockstep run {}{}{}\n", reports::shell_word(options.scenario),
                                       seed, scripts);
  }
  return ExitCode::as_expected;
}

void declare_run(Grammar& grammar, RunOptions& o) {
  grammar.word("SCENARIO", o.scenario, "the scenario file, or the name of a built-in one");
  grammar.count("--seed", o.seed, "draw the schedule from this seed; without it the default schedule");
  grammar.duration("--until", o.until, "cut the run at this virtual time");
  grammar.text("--from", o.begins.from, "TRAIL[:N]", "begin with the (first N) moves of a trail");
  grammar.text("--choices", o.begins.choices, "N.N…",
               "begin with these moves, by their numbers (0 is the default)");
  grammar.scripts(o.scripts);
  grammar.text("--trace", o.trace, "FILE", "write the trace");
  grammar.flag("--monitor", o.monitor, "print the commands that the servers ran, as MONITOR shows them");
  grammar.flag("--story", o.story, "print what happened, one line a step");
}

std::string complaint_about_run(const RunOptions& run) { return run.begins.complaint(); }

}  // namespace

Verb run_verb() {
  return {.name = "run",
          .summary = "play one schedule",
          .usage = "SCENARIO",
          .examples = {"lockstep run plain/two-clients --story",
                       "lockstep run two.toml --seed 7 --trace run.jsonl"},
          .required = {"SCENARIO"},
          .request = requests<RunOptions>({declare_run, run_run, complaint_about_run})};
}

}  // namespace lockstep::tools
